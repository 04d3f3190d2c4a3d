"""What a tool takes, as JSON Schema, and the arguments of a call read by it."""

from collections.abc import Container, Mapping, Sequence
from typing import Any

from app.errors import BadRequestError
from app.limits import shown
from app.parameters import Parameter, read_kind


def schema_of(parameters: Sequence[Parameter], rare: Container[str] = ()) -> dict[str, Any]:
    """Return the JSON Schema of a tool's arguments, as short as it can be.

    Those that are ``rare`` are taken, and not worth telling each model of.
    """
    told = [parameter for parameter in parameters if parameter.name not in rare]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {parameter.name: _property(parameter) for parameter in told},
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
    # What is off, or none, unless it is given, goes without saying; so does the first choice.
    if parameter.default and parameter.default != next(iter(parameter.choices), None):
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
        values[name] = parameter.default if value is None else read_kind(parameter, value)
    return values
