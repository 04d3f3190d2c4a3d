"""A chat that remembers, and streams what it says."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pydantic_ai import AgentRunResultEvent, UsageLimits
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
from app.dependencies import ChatDependencies
from app.llm import model_errors

LIMITS = UsageLimits(request_limit=20)
ARGUMENT_CHARS = 60

Say = Callable[[str], None]


@dataclass
class Conversation:
    """The turns of one chat; a turn that fails or is interrupted leaves no trace in ``messages``."""

    dependencies: ChatDependencies
    model: Model
    messages: list[ModelMessage] = field(default_factory=list)

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

        with model_errors(self.model.model_id):
            async with chat_agent.run_stream_events(
                question,
                model=self.model,
                deps=self.dependencies,
                message_history=self.messages,
                usage_limits=LIMITS,
            ) as events:
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
                            self.messages = result.all_messages()
        return "".join(said)


def describe_call(tool: str, arguments: dict[str, object]) -> str:
    """Put a tool call into one short line."""
    parts = [str(arguments.get("operation", ""))]
    for name, value in arguments.items():
        if name != "operation" and value not in (None, "", [], False):
            text = " ".join(str(value).split())
            parts.append(f"{name}={text[:ARGUMENT_CHARS]}{'…' if len(text) > ARGUMENT_CHARS else ''}")
    return " ".join(part for part in (tool, *parts) if part)
