"""The turns of a conversation, read back from its messages."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ToolCallPart, ToolReturnPart, UserPromptPart

SEARCHES = ("vault_search", "search")
"""The tools that search, the chat agent's and the search agent's."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call to make, or one that was made, with what it returned."""

    tool: str
    arguments: dict[str, Any]
    answer: str = ""

    @property
    def failed(self) -> bool:
        """Whether the tool answered with an error."""
        return self.answer.startswith("Error:")


@dataclass(slots=True)
class Turn:
    """What a person said and what was done about it so far."""

    question: str
    calls: list[Call] = field(default_factory=list)

    @property
    def search(self) -> Call | None:
        """The last search of the turn."""
        return next((call for call in reversed(self.calls) if call.tool in SEARCHES), None)


def read_turns(messages: Sequence[ModelMessage]) -> list[Turn]:
    """Give the turns of a conversation, oldest first; there is always one."""
    turns: list[Turn] = []
    arguments: dict[str, dict[str, Any]] = {}
    for message in messages:
        for part in message.parts:
            if isinstance(part, UserPromptPart):
                turns.append(Turn(part.content if isinstance(part.content, str) else ""))
            elif isinstance(part, ToolCallPart):
                arguments[part.tool_call_id] = part.args_as_dict()
            elif isinstance(part, ToolReturnPart) and isinstance(message, ModelRequest) and turns:
                asked = arguments.get(part.tool_call_id, {})
                turns[-1].calls.append(Call(part.tool_name, asked, part.model_response_str()))
    return turns or [Turn("")]
