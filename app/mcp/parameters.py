"""What a tool takes: a table that gives its JSON Schema, and reads the arguments of a call."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from app.errors import BadRequestError
from app.limits import check_unicode, shown

Kind = Literal["string", "integer", "number", "boolean", "strings"]

_CALLED = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "strings": "a list of texts",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool; ``choices`` are told to the client, and checked by what the tool calls."""

    name: str
    about: str = ""
    kind: Kind = "string"
    default: Any = None
    choices: tuple[str, ...] = ()
    required: bool = False


def schema_of(parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Give the JSON Schema of a tool's arguments, as short as it can be."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {parameter.name: _property(parameter) for parameter in parameters},
        "additionalProperties": False,
    }
    if required := [parameter.name for parameter in parameters if parameter.required]:
        schema["required"] = required
    return schema


def _property(parameter: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {"type": parameter.kind}
    if parameter.kind == "strings":
        found = {"type": "array", "items": {"type": "string"}}
    if parameter.choices:
        found["enum"] = list(parameter.choices)
    if parameter.default is not None:
        found["default"] = parameter.default
    if parameter.about:
        found["description"] = parameter.about
    return found


def read_arguments(parameters: Sequence[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """Read the arguments of a call; those left out, or null, get their defaults.

    Models write numbers, truth values and lists as texts, and a list of one as a text: these are read as
    what they mean.

    Raises:
        BadRequestError: one is unknown, missing, or of the wrong kind.
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            raise BadRequestError(f"unknown parameter {shown(name)}", "valid: " + ", ".join(known))
    values = {}
    for name, parameter in known.items():
        value = given.get(name)
        if value is None and parameter.required:
            raise BadRequestError(f"'{name}' is missing", f"give {parameter.about or name}")
        values[name] = parameter.default if value is None else _read(parameter, value)
    return values


def _read(parameter: Parameter, value: object) -> object:
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str):
            check_unicode(text, parameter.name)
    match parameter.kind, value:
        case "string", str():
            return value
        case "boolean", bool():
            return value
        case "boolean", str() if value.lower() in ("true", "false"):
            return value.lower() == "true"
        case "integer" | "number", bool():
            pass
        case "integer", int():
            return value
        case "integer", float() if value.is_integer():
            return int(value)
        case "integer", str() if value.strip().removeprefix("-").isdecimal() and len(value) < 20:
            return int(value)
        case "number", int() | float():
            return value
        case "number", str() if (number := _number(value)) is not None:
            return number
        case "strings", str():
            return _listed(value)
        case "strings", list() if all(isinstance(item, str) for item in value):
            return value
    raise BadRequestError(
        f"'{parameter.name}' is {shown(str(value))}", f"it must be {_CALLED[parameter.kind]}"
    )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _listed(text: str) -> list[str]:
    """Read a text as a list of one, or as the JSON that some clients make of lists."""
    if text.lstrip().startswith("["):
        try:
            items = json.loads(text)
        except (ValueError, RecursionError):
            return [text]
        if isinstance(items, list) and all(isinstance(item, str) for item in items):
            return items
    return [text]
