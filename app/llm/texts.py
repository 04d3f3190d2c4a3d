"""All texts of a request to a model, changed one by one."""

import json
from collections.abc import Callable
from dataclasses import is_dataclass, replace
from typing import Any

from pydantic_ai.messages import BaseToolCallPart, ModelMessage, ModelRequest, ThinkingPart
from pydantic_ai.models import ModelRequestParameters

Change = Callable[[str], str]


def change_texts(
    messages: list[ModelMessage], parameters: ModelRequestParameters, change: Change
) -> tuple[list[ModelMessage], ModelRequestParameters]:
    """Apply ``change`` to every text of a request, in its order; what was given is not changed.

    The tools' descriptions, which are the program's own, are left alone, and so is what a model thought and
    signed: it is taken back only as it was.
    """
    instructions = parameters.instruction_parts
    if instructions is not None:
        instructions = [replace(part, content=change(part.content)) for part in instructions]
        parameters = replace(parameters, instruction_parts=instructions)
    return [_message(message, change) for message in messages], parameters


def _message(message: ModelMessage, change: Change) -> ModelMessage:
    parts = [_part(part, change) for part in message.parts]
    if isinstance(message, ModelRequest):
        told = None if message.instructions is None else change(message.instructions)
        return replace(message, parts=parts, instructions=told)
    return replace(message, parts=parts)


def _part(part: Any, change: Change) -> Any:  # noqa: ANN401 - one of some twenty kinds
    if isinstance(part, BaseToolCallPart):
        return _replaced(part, args=_arguments(part.args, change))
    if isinstance(part, ThinkingPart) and part.signature:
        return part
    if hasattr(part, "content"):
        return _replaced(part, content=_value(part.content, change))
    return part


def _replaced(part: Any, **fields: Any) -> Any:  # noqa: ANN401
    """Give a part with another value of a field, and the very same part where nothing changed."""
    return (
        part
        if all(getattr(part, name) == value for name, value in fields.items())
        else replace(part, **fields)
    )


def _arguments(arguments: Any, change: Change) -> Any:  # noqa: ANN401
    if not isinstance(arguments, str):
        return _value(arguments, change)
    try:
        read = json.loads(arguments)
    except ValueError:
        return change(arguments)
    changed = _value(read, change)
    return arguments if changed == read else json.dumps(changed, ensure_ascii=False)


def _value(value: Any, change: Change) -> Any:  # noqa: ANN401
    match value:
        case str():
            return change(value)
        case list() | tuple():
            return [_value(each, change) for each in value]
        case dict():
            return {_value(name, change): _value(each, change) for name, each in value.items()}
        case _ if is_dataclass(value) and isinstance(text := getattr(value, "content", None), str):
            return _replaced(value, content=change(text))
        case _:
            return value
