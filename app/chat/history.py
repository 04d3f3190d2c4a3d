"""The turns of a conversation, read back from its messages, and kept within its budget."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, ParamSpec

from pydantic import TypeAdapter, ValidationError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturn,
    ToolReturnPart,
    UserPromptPart,
)

from app.chat.context import ContextPart
from app.chat.evidence.evidence import Overview
from app.errors import VaultError
from app.notes.models import Reading, Touched
from app.search.models import SearchResult, ShownResults
from app.showing import Told

LEFT_OUT = "[A result of {count} characters stood here. Call the tool again if it is needed.]"
TurnMessages = list[ModelMessage]

P = ParamSpec("P")
_VALUES: TypeAdapter[Reading | Touched | Overview | tuple[SearchResult, ...]] = TypeAdapter(
    Reading | Touched | Overview | tuple[SearchResult, ...]
)
"""What a conversation keeps beside the answers of tools."""


def trim_history(messages: Sequence[ModelMessage], budget: int) -> list[ModelMessage]:
    """Shorten a conversation to at most ``budget`` characters, as far as its last message allows.

    A tool's call and its result stay together, and what is kept begins with a question. The turn that
    is under way loses only results that the model has seen.

    Args:
        messages: The whole conversation, oldest first; it is not changed.
        budget: The most characters of questions, answers, calls and results.
    """
    excess = sum(map(_size, messages)) - budget
    if excess <= 0:
        return list(messages)
    *earlier, current = split_turns(messages)
    for turn in earlier:
        excess -= _drop_results(turn, excess)
    while earlier and excess > 0:
        excess -= sum(map(_size, earlier.pop(0)))
    seen, last = current[:-1], current[-1:]
    _drop_results(seen, excess)
    return [message for turn in (*earlier, seen, last) for message in turn]


def split_turns(messages: Sequence[ModelMessage]) -> list[TurnMessages]:
    """Cut a conversation before each question; what stands before the first one is a turn too."""
    turns: list[TurnMessages] = [[]]
    for message in messages:
        if turns[-1] and any(isinstance(part, UserPromptPart) for part in message.parts):
            turns.append([])
        turns[-1].append(message)
    return turns


def _drop_results(turn: TurnMessages, excess: int) -> int:
    """Replace results of tools, oldest first, until ``excess`` characters are saved.

    Returns:
        How many characters were saved.
    """
    saved = 0
    for at, message in enumerate(turn):
        if not isinstance(message, ModelRequest):
            continue
        parts = list(message.parts)
        for number, part in enumerate(parts):
            if saved >= excess or not isinstance(part, ToolReturnPart):
                continue
            count = len(part.model_response_str())
            line = LEFT_OUT.format(count=count)
            if len(line) < count:
                parts[number] = ToolReturnPart(part.tool_name, line, part.tool_call_id)
                saved += count - len(line)
        turn[at] = replace(message, parts=parts)
    return saved


def _size(message: ModelMessage) -> int:
    size = 0
    for part in message.parts:
        match part:
            case UserPromptPart(content=str(text)) | TextPart(content=text) | ThinkingPart(content=text):
                size += len(text)
            case ToolCallPart():
                size += len(part.args_as_json_str())
            case ToolReturnPart():
                size += len(part.model_response_str())
            case _:
                size += len(str(part))
    return size


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call to make, or one that was made, with what it returned."""

    tool: str
    arguments: dict[str, Any]
    answer: str = ""
    value: object = None
    """What is behind the answer, such as the results it shows or what went wrong; None where that is gone."""

    @property
    def failed(self) -> bool:
        """Whether the tool answered with an error."""
        return isinstance(self.value, Exception)


@dataclass(slots=True)
class Turn:
    """What a person said and what was done about it so far."""

    question: str
    calls: list[Call] = field(default_factory=list)


def with_value(tool: Callable[P, Awaitable[str]]) -> Callable[P, Awaitable[ToolReturn]]:
    """Let a conversation keep, beside each answer of a tool, the value behind it, which no model is sent.

    It is kept in values that JSON has, so that a conversation can be saved and read back.
    """

    @wraps(tool)
    async def call(*args: P.args, **kwargs: P.kwargs) -> ToolReturn:
        said = await tool(*args, **kwargs)
        return ToolReturn(str(said), metadata=as_data(said.value) if isinstance(said, Told) else None)

    return call


def as_data(value: object) -> Any:  # noqa: ANN401 - a value of JSON
    """Return a value as JSON has it; None for what no later turn asks for."""
    match value:
        case Exception():
            return {"failed": str(value)}
        case ShownResults(results):
            return _VALUES.dump_python(results, mode="json")
        case Overview() | Reading() | Touched():
            return _VALUES.dump_python(value, mode="json")
    return None


def _from_data(data: object) -> object:
    """Return the value that `as_data` was given; None for what else a saved conversation has."""
    if isinstance(data, dict) and "failed" in data:
        return VaultError(str(data["failed"]))
    with suppress(ValidationError):
        value = _VALUES.validate_python(data)
        return ShownResults(value) if isinstance(value, tuple) else value
    return None


def read_turns(messages: Sequence[ModelMessage]) -> list[Turn]:
    """Return the turns of a conversation, oldest first; there is always one."""
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
                asked, value = arguments.get(part.tool_call_id, {}), _from_data(part.metadata)
                turns[-1].calls.append(Call(part.tool_name, asked, part.model_response_str(), value))
    return turns or [Turn("")]


def touched_notes(turns: Sequence[Turn]) -> Iterator[str]:
    """Name the notes that a conversation read, made, moved or deleted, as they were called then."""
    for call in (call for turn in turns for call in turn.calls):
        if call.tool == "note_operations" and not call.failed:
            given = (call.arguments.get(name) for name in ("path", "new_path"))
            yield from (str(name) for name in given if name)
            match call.value:
                case Touched(paths=paths):
                    yield from paths
                case Reading(path=path):
                    yield path
