"""The turns of a conversation, read back from its messages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ToolCallPart, ToolReturnPart, UserPromptPart

from app.chat.context import ContextPart
from app.showing import in_line

SEARCHES = ("vault_search", "search")
"""The tools that search, the chat agent's and the search agent's."""

ARGUMENT_CHARS = 60

_PATH = re.compile(r"'(.+?\.md)'")


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
            if isinstance(part, ContextPart):
                continue
            if isinstance(part, UserPromptPart):
                turns.append(Turn(part.content if isinstance(part.content, str) else ""))
            elif isinstance(part, ToolCallPart):
                arguments[part.tool_call_id] = part.args_as_dict()
            elif isinstance(part, ToolReturnPart) and isinstance(message, ModelRequest) and turns:
                asked = arguments.get(part.tool_call_id, {})
                turns[-1].calls.append(Call(part.tool_name, asked, part.model_response_str()))
    return turns or [Turn("")]


def describe_call(tool: str, arguments: dict[str, object]) -> str:
    """Put a tool call into one short line."""
    parts = [str(arguments.get("operation", ""))]
    for name, value in arguments.items():
        if name != "operation" and value not in (None, "", [], False):
            parts.append(f"{name}={in_line(' '.join(str(value).split()), ARGUMENT_CHARS)}")
    return " ".join(part for part in (tool, *parts) if part)


def touched_notes(turns: Sequence[Turn]) -> Iterator[str]:
    """Name the notes that a conversation read, made, moved or deleted, as they were called then."""
    for call in (call for turn in turns for call in turn.calls):
        if call.tool == "note_operations" and not call.failed:
            given = (call.arguments.get(name) for name in ("path", "new_path"))
            yield from (str(name) for name in given if name)
            # The first line of what it did names whole paths.
            yield from _PATH.findall(call.answer.partition("\n")[0])
