"""The parameters of an operation, as the fields of a model declare them, and how loose values are read.

`parameters_of` turns a model into the rows that surfaces describe and check their arguments by. Models write
numbers, truth values and lists as texts: `coerce` is the one place that reads them as what they mean.
"""

import json
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import date
from functools import cache
from inspect import cleandoc
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin

from pydantic import BaseModel, Field
from pydantic.fields import FieldInfo

from app.errors import BadRequestError
from app.limits import VALUE_CHARS, check_list, check_text, shown
from app.sentences import ParameterName, Sentence

F = TypeVar("F", bound=Callable[..., object])
Kind = Literal["string", "integer", "number", "boolean", "strings"]

NONE: Mapping[str, object] = MappingProxyType({})
_KINDS: Mapping[Any, Kind] = {
    str: "string",
    date: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    tuple[str, ...]: "strings",
}
CALLED: Mapping[Kind, str] = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "strings": "a list of texts",
}
"""What an error calls a kind of value."""
GUESSES: Mapping[str, tuple[str, ...]] = {
    "q": ("query", "queries", "question"),
    "text": ("query", "queries", "question", "content"),
    "query": ("queries", "question"),
    "question": ("query", "queries"),
    "top_k": ("limit", "k"),
    "n": ("limit", "k"),
    "path": ("note_path",),
    "note_path": ("path",),
    "tag": ("tags",),
}
"""Names that models guess, and what a tool may call the same; the first that it has is meant."""


class Parameter(NamedTuple):
    """One parameter: what a caller is told of it, and what it may be.

    ``choices`` are checked by the operation, not by `read_kind`. ``used_by`` and ``needed_by`` name
    operations; ``least`` and ``most`` are bounds of a number, both inclusive; ``chars`` is the most of a
    text, or of each text of a list, and None where the operation has a limit of its own. In the texts of a
    list that is ``parted``, commas stand between values; a text that is ``exact`` is kept with its blanks.
    On a command line a value is called, and completed by, what it ``holds``, such as ``NOTE``; ``also`` are
    further names of the option.
    """

    name: str
    about: str = ""
    kind: Kind = "string"
    default: Any = None
    choices: tuple[str, ...] = ()
    required: bool = False
    used_by: tuple[str, ...] = ()
    needed_by: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    chars: int | None = VALUE_CHARS
    parted: bool = False
    exact: bool = False
    holds: str = ""
    also: tuple[str, ...] = ()

    @property
    def bounds(self) -> Sentence:
        """What an error says of the bounds of a number, behind its kind."""
        if self.least is None:
            return Sentence("")
        return Sentence(
            " from {least}" if self.most is None else " from {least} to {most:,}",
            least=self.least,
            most=self.most,
        )

    @property
    def told(self) -> str:
        """What a caller is told of it."""
        return self.about or " | ".join(self.choices) + "."


def parameter(
    default: Any,  # noqa: ANN401 - of the field's type
    about: str,
    *,
    ge: int | None = None,
    le: int | None = None,
    alias: str | None = None,
    **more: Any,  # noqa: ANN401 - as in `Parameter`
) -> Any:  # noqa: ANN401 - as pydantic.Field
    """Declare a field of a model as a parameter; see `Parameter`. Other fields are the program's own."""
    return Field(
        default, description=about, ge=ge, le=le, alias=alias, json_schema_extra={"used_by": (), **more}
    )


@cache
def parameters_of(model: type[BaseModel]) -> Mapping[str, Parameter]:
    """Return the parameters that a model declares, by the names that callers use, in order."""
    rows = [_row(name, field) for name, field in model.model_fields.items() if field.json_schema_extra]
    return {row.name: row for row in rows}


def _row(name: str, field: FieldInfo) -> Parameter:
    kind: Any = field.annotation
    if get_origin(kind) is UnionType:
        [kind] = [each for each in get_args(kind) if each is not NoneType]
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    extra: Any = field.json_schema_extra
    bounds = {
        key: getattr(each, key) for each in field.metadata for key in ("ge", "le") if hasattr(each, key)
    }
    return Parameter(
        name=field.alias or name,
        about=field.description or "",
        kind="string" if choices else _KINDS[kind],
        # What is empty in a model is left out by a caller.
        default=None if field.is_required() or field.default in ("", ()) else field.default,
        choices=choices,
        required=field.is_required(),
        least=bounds.get("ge"),
        most=bounds.get("le"),
        **extra,
    )


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


def rightly_named(parameters: Sequence[Parameter], given: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return arguments with their right names in place of guessed ones, and a line that says which these are.

    A guess stays as it is where its right name is given too.
    """
    known = {parameter.name: parameter for parameter in parameters}
    found, told = dict(given), []
    for name in given:
        right = next((each for each in GUESSES.get(name, ()) if each in known), None)
        if name not in known and right is not None and found.get(right) in (None, known[right].default):
            found[right] = found.pop(name)
            told.append(f"'{name}' was read as '{right}', its name here.")
    return found, " ".join(told)


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
            raise BadRequestError(
                "unknown parameter {name}", "valid: {valid}", name=shown(name), valid=", ".join(known)
            )
    values = {}
    for name, parameter in known.items():
        value = given.get(name)
        if value is None and parameter.required:
            about = parameter.about
            raise BadRequestError(
                "'{name}' is missing", "{name}: {about}" if about else "give '{name}'", name=name, about=about
            )
        values[name] = parameter.default if value is None else read_kind(parameter, value)
    return values


def coerce(kind: Kind, value: object) -> Any:  # noqa: ANN401 - of the kind
    """Return what a loose value means: ``"3"`` for 3, ``"true"`` for True, a text or JSON for a list.

    Raises:
        ValueError: it is of another kind.
    """
    match kind, value:
        case ("string", str()) | ("boolean", bool()):
            return value
        # Nothing else that might mean yes: a note is deleted for good by one of these.
        case "boolean", str() if value.lower() in ("true", "false"):
            return value.lower() == "true"
        case "integer" | "number", bool():
            pass
        case "integer", int() | str():
            return int(value)
        case "integer", float() if value.is_integer():
            return int(value)
        case "number", int() | float():
            return value
        case "number", str():
            return float(value)
        case "strings", str():
            return _listed(value)
        case "strings", list() | tuple() if all(isinstance(item, str) for item in value):
            return list(value)
    raise ValueError(value)


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


def read_kind(row: Parameter, value: object) -> Any:  # noqa: ANN401 - of the row's kind
    """Read a value as its parameter's kind; its bounds and choices are left to the operation.

    Raises:
        BadRequestError: it is of another kind.
    """
    try:
        return coerce(row.kind, value)
    except ValueError as error:
        raise BadRequestError(
            "'{name}' must be {called}{bounds} (got {value})",
            "for example {name}=['...']" if row.kind == "strings" else "",
            name=ParameterName(row.name),
            called=Sentence(CALLED[row.kind]),
            bounds=row.bounds,
            value=shown(value),
        ) from error


def read_value(row: Parameter, value: object) -> Any:  # noqa: ANN401 - of the row's kind
    """Read a value within all bounds of its parameter; None is read as the default.

    Texts are stripped, blank ones are none, and a list holds each once.

    Raises:
        BadRequestError: it cannot be meant; the message says what would do.
    """
    if value is None:
        return row.default
    if row.choices:
        if value not in row.choices:
            raise BadRequestError(
                "unknown {name} {value}",
                "valid: {valid}",
                name=ParameterName(row.name),
                value=shown(value),
                valid=", ".join(row.choices),
            )
        return value
    found = read_kind(row, value)
    if row.kind == "string":
        check_text(found, row.name, row.chars)
        return found if row.exact else found.strip() or None
    if row.kind == "strings":
        if row.parted:
            found = [part for text in found for part in text.split(",")]
        check_list(found, row.name, row.chars)
        return tuple(dict.fromkeys(text.strip() for text in found if text.strip()))
    # Written so that what is no number at all is refused as well.
    if (row.least is not None and not found >= row.least) or (row.most is not None and not found <= row.most):
        whole = row.kind == "integer"
        raise BadRequestError(
            "'{name}' must be{bounds} (got {found})",
            "choose a number{bounds}" if whole else "",
            name=ParameterName(row.name),
            bounds=row.bounds,
            found=shown(found if whole else value),
        )
    return found


def described(model: type[BaseModel]) -> Callable[[F], F]:
    """Add to the docstring of an agent's tool what each of its parameters is, as ``model`` declares them."""

    def decorate(function: F) -> F:
        told = "".join(f"    {name}: {row.told}\n" for name, row in parameters_of(model).items())
        function.__doc__ = f"{cleandoc(function.__doc__ or '')}\n\nArgs:\n    ctx: Gives the vault.\n{told}"
        return function

    return decorate
