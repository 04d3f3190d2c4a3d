"""Keep a conversation within its budget: old results of tools go first, then whole old turns."""

from collections.abc import Sequence
from dataclasses import replace

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

LEFT_OUT = "[A result of {count} characters stood here. Call the tool again if it is needed.]"
Turn = list[ModelMessage]


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
    *earlier, current = _turns(messages)
    for turn in earlier:
        excess -= _drop_results(turn, excess)
    while earlier and excess > 0:
        excess -= sum(map(_size, earlier.pop(0)))
    seen, last = current[:-1], current[-1:]
    _drop_results(seen, excess)
    return [message for turn in (*earlier, seen, last) for message in turn]


def _turns(messages: Sequence[ModelMessage]) -> list[Turn]:
    """Cut a conversation before each question; what stands before the first one is a turn too."""
    turns: list[Turn] = [[]]
    for message in messages:
        if turns[-1] and any(isinstance(part, UserPromptPart) for part in message.parts):
            turns.append([])
        turns[-1].append(message)
    return turns


def _drop_results(turn: Turn, excess: int) -> int:
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
