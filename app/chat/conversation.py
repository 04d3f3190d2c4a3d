"""A chat that remembers, streams what it says, and then holds it against the notes."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime

from pydantic_ai import AgentRunEvents, AgentRunResultEvent, UsageLimits, capture_run_messages
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.messages import (
    FunctionToolCallEvent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolReturnPart,
    UserPromptPart,
    repair_messages,
)
from pydantic_ai.models import Model

from app.chat.agent import chat_agent
from app.chat.ask.agent import evidence_since, rescue
from app.chat.cite.check import check_answer
from app.chat.context import context_evidence, without_context
from app.chat.evidence.evidence import Evidence, Overview
from app.chat.history import Turn, read_turns, split_turns, touched_notes, trim_history
from app.chat.offline.answer import answer_of
from app.chat.offline.phrases import language_for
from app.chat.save import Exchange, save_conversation
from app.config.settings import OFFLINE
from app.dependencies import ChatDependencies
from app.errors import VaultError
from app.limits import MESSAGE_CHARS, check_text
from app.llm.failures import failure_reason, model_errors
from app.llm.left_out import LeftOut, left_out
from app.notices import Language, Notice, NoticeKind
from app.search.near import near_notes
from app.showing import describe_call, in_line
from app.vault.paths import NotePath

LIMITS = UsageLimits(request_limit=20)
CUT_SHORT = "\n\n(The answer ends here: the model reached the longest one it gives.)"

STOPPED = "\n\n(The answer was stopped here.)"

Say = Callable[[str], None]


@dataclass
class Conversation:
    """The turns of one chat; a turn that fails at once or is interrupted leaves no trace in ``messages``.

    What is kept of an answer has its citations repaired or struck out. Of a turn that fails later, what was
    said and done by then is kept.
    """

    dependencies: ChatDependencies
    model: Model
    messages: list[ModelMessage] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)
    """What was said, all of it; ``messages`` hold what the model is still told."""
    left_out: LeftOut = field(default_factory=LeftOut)
    """What looked like a key and did not reach the model; each is said once."""
    rules: str = ""
    """What was excluded when ``messages`` were said."""
    broke_off: bool = False
    """Whether the last turn failed in its middle."""

    def __post_init__(self) -> None:
        """Have it said what is near a note that the model wants to create."""
        self.dependencies.near = self.dependencies.near or near_notes

    def forget(self) -> None:
        """Start a new conversation."""
        self.messages = []
        self.exchanges = []

    def keep_stopped(self, question: str, said: str) -> None:
        """Keep a turn that was stopped, as far as it was said; nothing of it was held against the notes."""
        text = said.rstrip() + STOPPED
        self.exchanges.append(Exchange(question, text, datetime.now()))
        asked = ModelRequest([UserPromptPart(question)])
        self.messages = [*self.messages, asked, ModelResponse([TextPart(text)])]

    def save(self, path: str | None = None, *, trace_id: str = "") -> NotePath:
        """Write the conversation into a new note; see `save_conversation`."""
        model, language = self.model, self.dependencies.language
        name = model.model_name if model.system == "function" else model.model_id
        return save_conversation(
            self.dependencies.vault, self.exchanges, name, path, trace_id=trace_id, language=language
        )

    async def ask(self, question: str, say: Say, note: Say, *, trace_id: str = "") -> str:
        """Answer ``question``, giving text to ``say`` as it comes and each tool call to ``note``.

        Once the answer is whole, what it cites is looked up, and corrections are said below it. Where the
        model fails in the middle of the turn, the reason is said instead of the rest, and what the searches
        had found. Where the vault excludes other notes than before, the conversation starts anew: no text of
        theirs is sent again.

        Returns:
            The whole text that was said.

        Raises:
            BadRequestError: the question is too long.
            ModelError: the model could not be used, or failed before it said or did anything.
        """
        check_text(question, "message", MESSAGE_CHARS)
        self.dependencies.trace_id = trace_id
        said: list[str] = []

        def speak(text: str) -> None:
            if text:
                said.append(text)
                say(text)

        if self._has_new_rules():
            self.forget()
            language = language_for([question], self.dependencies.language)
            speak(in_line(Notice(NoticeKind.RULES_CHANGED).remark(language)) + "\n\n")
        when, ended, reason = datetime.now(), None, None
        self.broke_off = False
        with model_errors(self.model.model_id), left_out(self.left_out), capture_run_messages() as heard:
            try:
                # The model is held, so that all requests of the turn share a connection.
                async with self.model, self._events(question) as events:
                    async for event in events:
                        match event:
                            case PartStartEvent(part=TextPart(content=text)):
                                speak("\n\n" if said and not said[-1].endswith("\n") else "")
                                speak(text)
                            case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                                speak(text)
                            case FunctionToolCallEvent(part=call):
                                note(describe_call(call.tool_name, call.args_as_dict()))
                            case AgentRunResultEvent(result=result):
                                ended = result
            except (AgentRunError, TimeoutError) as error:
                if not _answered(split_turns(heard)[-1]):
                    raise
                self.broke_off, reason = True, failure_reason(error)
        if ended is not None:
            new = ended.new_messages()
            before = ended.all_messages()[: -len(new)]
            tail = CUT_SHORT if ended.response.finish_reason == "length" else ""
        else:
            assert reason is not None, "a run ends with its result, or with an error"
            turn = split_turns(heard)[-1]
            before, new = heard[: -len(turn)], repair_messages(turn)
            tail = await asyncio.to_thread(self._broken_off, question, before, new, reason)
        speak(tail)
        new, corrections = await asyncio.to_thread(self._checked, before, new)
        speak(f"\n\n{corrections}" if corrections else "")
        language = self._language(read_turns([*before, *new]))
        for notice in self.left_out.notices():
            speak("\n\n" + in_line(notice.remark(language)))
        self.exchanges.append(Exchange(question, "\n\n".join(_texts(new)) + tail, when))
        if self.broke_off:
            new = [*new, ModelResponse([TextPart(tail.strip())])]
        self.messages = without_context([*before, *new])
        return "".join(said)

    def _language(self, turns: Sequence[Turn]) -> Language:
        """Return the language in which the last of some turns is answered."""
        return language_for([turn.question for turn in turns], self.dependencies.language)

    def _broken_off(
        self, question: str, before: Sequence[ModelMessage], new: Sequence[ModelMessage], reason: Notice
    ) -> str:
        """Say why the answer ends, and what the turn's searches had found."""
        turns = read_turns([*before, *new])
        turn, language = turns[-1], self._language(turns)
        vault = self.dependencies.vault
        overviews = [call.value.text for call in turn.calls if isinstance(call.value, Overview)]
        found = overviews[-1] if overviews else ""
        # What keeps the notes from being read is said by the next search; the turn is kept as it is.
        with suppress(VaultError):
            if not found and (rescued := rescue(vault, question, evidence_since(vault, turns[-1:]))):
                budget = vault.settings.ask_chars
                found = answer_of(vault, rescued, language, budget=budget).head
        kind = NoticeKind.NO_ANSWER if found and not any(_texts(new)) else NoticeKind.ANSWER_BROKE_OFF
        said = in_line(Notice(kind, reason=reason).remark(language))
        return "".join(f"\n\n{part}" for part in (said, found) if part)

    def _has_new_rules(self) -> bool:
        """Return whether the vault excludes other notes than when what is remembered was said."""
        before, self.rules = self.rules, self.dependencies.vault.obsidian.rules
        return bool(self.messages) and before != self.rules

    def _checked(
        self, before: Sequence[ModelMessage], new: Sequence[ModelMessage]
    ) -> tuple[list[ModelMessage], str]:
        """Put right what a turn's messages cite, and say what was wrong."""
        if self.model.model_name == OFFLINE:
            # It says only what its tools showed, at times a whole note with links that lead nowhere.
            return list(new), ""
        turns = read_turns([*before, *new])
        vault, language = self.dependencies.vault, self._language(turns)
        texts, corrections = check_answer(
            vault,
            _texts(new),
            language,
            touched_notes(turns),
            question=turns[-1].question,
            evidence=self._evidence(turns[-1]),
        )
        return list(_with_texts(new, texts)), corrections

    def _evidence(self, turn: Turn) -> list[Evidence]:
        """Return what the turn's answer may rest on; nothing where it was told by more than notes' lines."""
        shown = evidence_since(self.dependencies.vault, [turn])
        if not shown or any(isinstance(call.value, Overview) for call in turn.calls):
            return []
        return [*shown, *context_evidence(self.dependencies.vault)]

    def _events(self, question: str) -> AbstractAsyncContextManager[AgentRunEvents[str]]:
        budget = self.dependencies.vault.settings.history_chars

        def trimmed(messages: list[ModelMessage]) -> list[ModelMessage]:
            # The context notes are put before what is left, and do not count.
            return trim_history(without_context(messages), budget)

        return chat_agent.run_stream_events(
            question,
            model=self.model,
            deps=self.dependencies,
            message_history=self.messages,
            usage_limits=LIMITS,
            capabilities=[ProcessHistory(trimmed)],
        )


def _answered(messages: Sequence[ModelMessage]) -> bool:
    """Return whether a model said something, or a tool did something for it."""
    returns = (part for message in messages for part in message.parts if isinstance(part, ToolReturnPart))
    return any(text.strip() for text in _texts(messages)) or any(returns)


def _texts(messages: Sequence[ModelMessage]) -> list[str]:
    """Return what a model said in some messages, part by part."""
    responses = (message for message in messages if isinstance(message, ModelResponse))
    return [part.content for message in responses for part in message.parts if isinstance(part, TextPart)]


def _with_texts(messages: Sequence[ModelMessage], texts: Sequence[str]) -> Iterator[ModelMessage]:
    """Yield messages with other texts in the place of what the model said in them."""
    following = iter(texts)
    for message in messages:
        if isinstance(message, ModelResponse):
            parts = [
                replace(part, content=next(following)) if isinstance(part, TextPart) else part
                for part in message.parts
            ]
            yield replace(message, parts=parts)
        else:
            yield message
