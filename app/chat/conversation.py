"""A chat that remembers, and streams what it says."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime

from pydantic_ai import AgentRunEvents, AgentRunResultEvent, UsageLimits
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import (
    FunctionToolCallEvent,
    ModelMessage,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
)
from pydantic_ai.models import Model

from app.chat.agent import chat_agent
from app.chat.history import trim_history
from app.chat.save import Exchange, save_conversation
from app.dependencies import ChatDependencies
from app.llm import model_errors
from app.paths import NotePath

LIMITS = UsageLimits(request_limit=20)
ARGUMENT_CHARS = 60
CUT_SHORT = "\n\n(The answer ends here: the model reached the longest one it gives.)"

Say = Callable[[str], None]


@dataclass
class Conversation:
    """The turns of one chat; a turn that fails or is interrupted leaves no trace in ``messages``."""

    dependencies: ChatDependencies
    model: Model
    messages: list[ModelMessage] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)
    """What was said, all of it; ``messages`` hold what the model is still told."""

    def forget(self) -> None:
        """Start a new conversation."""
        self.messages = []
        self.exchanges = []

    def save(self, path: str | None = None, *, trace_id: str = "") -> NotePath:
        """Write the conversation into a new note; see `save_conversation`."""
        vault, model = self.dependencies.vault, self.model
        name = model.model_name if model.system == "function" else model.model_id
        return save_conversation(vault, self.exchanges, name, path, trace_id=trace_id)

    async def ask(self, question: str, say: Say, note: Say, *, trace_id: str = "") -> str:
        """Answer ``question``, giving text to ``say`` as it comes and each tool call to ``note``.

        Returns:
            The whole text that was said.

        Raises:
            ModelError: the model could not be used.
        """
        self.dependencies.trace_id = trace_id
        said: list[str] = []

        def speak(text: str) -> None:
            if text:
                said.append(text)
                say(text)

        when = datetime.now()
        with model_errors(self.model.model_id):
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
                            if result.response.finish_reason == "length":
                                speak(CUT_SHORT)
                            self.messages = result.all_messages()
        answer = "".join(said)
        self.exchanges.append(Exchange(question, answer, when))
        return answer

    def _events(self, question: str) -> AbstractAsyncContextManager[AgentRunEvents[str]]:
        budget = self.dependencies.vault.settings.history_chars

        def trimmed(messages: list[ModelMessage]) -> list[ModelMessage]:
            return trim_history(messages, budget)

        return chat_agent.run_stream_events(
            question,
            model=self.model,
            deps=self.dependencies,
            message_history=self.messages,
            usage_limits=LIMITS,
            capabilities=[ProcessHistory(trimmed)],
        )


def describe_call(tool: str, arguments: dict[str, object]) -> str:
    """Put a tool call into one short line."""
    parts = [str(arguments.get("operation", ""))]
    for name, value in arguments.items():
        if name != "operation" and value not in (None, "", [], False):
            text = " ".join(str(value).split())
            parts.append(f"{name}={text[:ARGUMENT_CHARS]}{'…' if len(text) > ARGUMENT_CHARS else ''}")
    return " ".join(part for part in (tool, *parts) if part)
