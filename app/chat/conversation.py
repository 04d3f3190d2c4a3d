"""A chat that remembers, streams what it says, and then holds it against the notes."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime

from pydantic_ai import AgentRunEvents, AgentRunResultEvent, UsageLimits
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import (
    FunctionToolCallEvent,
    ModelMessage,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
)
from pydantic_ai.models import Model

from app.chat.agent import chat_agent
from app.chat.cite.check import check_answer
from app.chat.context import without_context
from app.chat.history import Turn, describe_call, read_turns, touched_notes, trim_history
from app.chat.offline.assistant import MODEL_NAME, language_for
from app.chat.save import Approve, Exchange, save_conversation
from app.dependencies import ChatDependencies
from app.limits import MESSAGE_CHARS, check_text
from app.llm import model_errors
from app.llm.masks import LeftOut, left_out
from app.notices import Notice, NoticeKind
from app.showing import in_line
from app.vault.paths import NotePath

LIMITS = UsageLimits(request_limit=20)
CUT_SHORT = "\n\n(The answer ends here: the model reached the longest one it gives.)"

Say = Callable[[str], None]


@dataclass
class Conversation:
    """The turns of one chat; a turn that fails or is interrupted leaves no trace in ``messages``.

    What is kept of an answer has its citations repaired or struck out.
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

    def forget(self) -> None:
        """Start a new conversation."""
        self.messages = []
        self.exchanges = []

    def save(
        self, path: str | None = None, *, trace_id: str = "", approve: Approve | None = None
    ) -> NotePath:
        """Write the conversation into a new note; see `save_conversation`."""
        vault, model = self.dependencies.vault, self.model
        name = model.model_name if model.system == "function" else model.model_id
        return save_conversation(vault, self.exchanges, name, path, trace_id=trace_id, approve=approve)

    async def ask(self, question: str, say: Say, note: Say, *, trace_id: str = "") -> str:
        """Answer ``question``, giving text to ``say`` as it comes and each tool call to ``note``.

        Once the answer is whole, what it cites is looked up, and corrections are said below it. Where the
        vault excludes other notes than before, the conversation starts anew: no text of theirs is sent again.

        Returns:
            The whole text that was said.

        Raises:
            BadRequestError: the question is too long.
            ModelError: the model could not be used.
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
            language = language_for([Turn(question)])
            speak(in_line(Notice(NoticeKind.RULES_CHANGED).remark(language)) + "\n\n")
        when, ended = datetime.now(), None
        with model_errors(self.model.model_id), left_out(self.left_out):
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
        assert ended is not None, "a run ends with its result, or with an error"
        tail = CUT_SHORT if ended.response.finish_reason == "length" else ""
        speak(tail)
        before = ended.all_messages()[: -len(ended.new_messages())]
        new, corrections = await asyncio.to_thread(self._checked, before, ended.new_messages())
        speak(f"\n\n{corrections}" if corrections else "")
        language = language_for(read_turns([*before, *new]))
        for notice in self.left_out.notices():
            speak("\n\n" + in_line(notice.remark(language)))
        self.messages = without_context([*before, *new])
        self.exchanges.append(Exchange(question, _joined(_texts(new)) + tail, when))
        return "".join(said)

    def _has_new_rules(self) -> bool:
        """Return whether the vault excludes other notes than when what is remembered was said."""
        before, self.rules = self.rules, self.dependencies.vault.obsidian.rules
        return bool(self.messages) and before != self.rules

    def _checked(
        self, before: Sequence[ModelMessage], new: Sequence[ModelMessage]
    ) -> tuple[list[ModelMessage], str]:
        """Put right what a turn's messages cite, and say what was wrong."""
        if self.model.model_name == MODEL_NAME:
            # It says only what its tools showed, at times a whole note with links that lead nowhere.
            return list(new), ""
        turns = read_turns([*before, *new])
        vault, language = self.dependencies.vault, language_for(turns)
        texts, corrections = check_answer(vault, _texts(new), language, touched_notes(turns))
        return list(_with_texts(new, texts)), corrections

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


def _joined(texts: Sequence[str]) -> str:
    """Put the parts of an answer below each other, as they were said."""
    answer = ""
    for text in texts:
        answer += ("\n\n" if answer and not answer.endswith("\n") else "") + text
    return answer
