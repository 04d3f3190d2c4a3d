"""What is asked of a note, what is to change, what was done; and the check of a call's loose arguments."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from app.errors import BadRequestError
from app.journal.models import Disposal
from app.limits import VALUE_CHARS, check_text, check_unicode, shown
from app.vault.attributes import Attributes
from app.vault.paths import NotePath

Operation = Literal["create", "read", "update", "append", "move", "delete", "summarize", "info", "undo"]

OPERATION_NAMES: tuple[Operation, ...] = get_args(Operation)
MIN_CHARS = 500
# Which parameters an operation takes beside `max_chars`, those it cannot do without first.
_REQUIRED: Mapping[Operation, tuple[str, ...]] = {
    "create": ("path",),
    "read": ("path",),
    "update": ("path", "content"),
    "append": ("path", "content"),
    "move": ("path", "new_path"),
    "delete": ("path",),
    "summarize": ("path",),
    "info": ("path",),
    "undo": (),
}
_OPTIONAL: Mapping[Operation, tuple[str, ...]] = {
    "create": ("content", "overwrite", "expected_hash"),
    "read": ("heading", "block", "lines", "expected_hash"),
    "update": ("heading", "block", "lines", "expected_hash"),
    "append": ("heading", "expected_hash"),
    "move": ("expected_hash",),
    "delete": ("permanent", "expected_hash"),
    "summarize": ("heading", "block", "lines"),
    "info": (),
    "undo": ("path", "content"),
}
_PLACES = ("heading", "block", "lines")
_FLAGS = ("overwrite", "permanent")


@dataclass(frozen=True, slots=True)
class NoteRequest:
    """One call, fully checked. Passed whole; never unpacked into arguments."""

    operation: Operation
    path: str = ""
    content: str | None = None
    heading: str | None = None
    block: str | None = None
    lines: str | None = None
    new_path: str | None = None
    overwrite: bool = False
    expected_hash: str | None = None
    permanent: bool = False
    max_chars: int = 6000
    allow_excluded: bool = False
    trace_id: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What one path holds before and after; None where there is no note."""

    path: NotePath
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A write that is worked out and not done yet."""

    operation: Operation
    path: str
    """The note it is about, as shown."""
    changes: tuple[Change, ...]
    summary: str
    """What will be done, as a sentence without its subject: "move 'A.md' to 'B.md'"."""
    moved: tuple[NotePath, NotePath] | None = None
    """A file that keeps its identity: its old and new path."""
    disposal: Disposal | None = None
    """Where a deleted note goes."""
    notices: tuple[str, ...] = ()
    hidden: frozenset[str] = frozenset()
    """Paths of excluded notes, whose text and names are not shown."""
    undoes: tuple[str, ...] = ()
    """Journal entries that this takes back."""
    attributes: Mapping[str, Attributes] = field(default_factory=dict)
    """Permissions, times and the like that notes get back."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found, in words; nothing is to be written."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a write that was carried out."""

    trashed: str | None = None
    """Where in the vault's ``.trash/`` a deleted note went; None for anything else."""
    notices: tuple[str, ...] = ()
    """What failed when the write could not fail any more."""


_DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(NoteRequest)}
# An empty text is content; an empty name of anything else is none.
_TEXTS = ("path", "heading", "block", "lines", "new_path", "expected_hash")
_SHORT = ("heading", "block", "lines", "expected_hash")


def parse_request(
    parameters: Mapping[str, object], *, allow_excluded: bool = False, trace_id: str = ""
) -> NoteRequest:
    """Check the arguments of a call.

    Args:
        parameters: `operation` and the other parameters of `note_operations`, by name.
        allow_excluded: Whether a person asks, who may read and look at excluded notes.
        trace_id: Names the turn that the call belongs to.

    Raises:
        BadRequestError: an operation or parameter is unknown, missing, of the wrong kind or of no use here.
    """
    values: dict[str, Any] = {name: value for name, value in parameters.items() if value is not None}
    operation = _operation(values.pop("operation", ""))
    for name in _TEXTS:
        if isinstance(values.get(name), str) and not values[name].strip():
            del values[name]
    for name, value in values.items():
        _check_kind(name, value)
    usable = {*_REQUIRED[operation], *_OPTIONAL[operation], "max_chars"}
    for name, value in values.items():
        if name not in usable and value != _DEFAULTS[name]:
            raise BadRequestError(
                f"'{name}' is of no use to {operation}", f"it takes {', '.join(sorted(usable))}"
            )
    for name in _REQUIRED[operation]:
        if name not in values:
            raise BadRequestError(f"'{name}' required for {operation}")
    places = [name for name in _PLACES if name in values]
    if len(places) > 1:
        raise BadRequestError(f"'{places[0]}' and '{places[1]}' both say where", "give one of them")
    request = NoteRequest(operation, **values, allow_excluded=allow_excluded, trace_id=trace_id)
    if request.max_chars < MIN_CHARS:
        raise BadRequestError(f"'max_chars' is {request.max_chars}", f"give {MIN_CHARS} or more")
    return request


def _operation(value: object) -> Operation:
    for name in OPERATION_NAMES:
        if name == value:
            return name
    shown = " ".join(str(value).split())[:60]
    raise BadRequestError(f"Unknown operation: {shown}. Valid: {', '.join(OPERATION_NAMES)}")


def _check_kind(name: str, value: object) -> None:
    if name not in _DEFAULTS or name in ("operation", "allow_excluded", "trace_id"):
        raise BadRequestError(f"unknown parameter {shown(name)}")
    if name in _FLAGS:
        fits, kind = isinstance(value, bool), "true or false"
    elif name == "max_chars":
        fits, kind = isinstance(value, int) and not isinstance(value, bool), "a whole number"
    else:
        fits, kind = isinstance(value, str), "text"
    if not fits:
        raise BadRequestError(f"'{name}' is {shown(str(value))}", f"it must be {kind}")
    if isinstance(value, str):
        if name in _SHORT:
            check_text(value, name, VALUE_CHARS)
        check_unicode(value, name)
        if name == "content" and "\0" in value:
            raise BadRequestError("'content' holds a NUL character", "leave it out")
