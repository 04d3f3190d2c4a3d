"""What is asked of a note, what is to change, what was done; and the check of a call's loose arguments."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from app.errors import BadRequestError
from app.journal.models import Disposal
from app.limits import ANSWER_CHARS, shown
from app.notices import Notice
from app.parameters import parameter, parameters_of, read_value
from app.sentences import ParameterName
from app.vault.attributes import Attributes
from app.vault.paths import NotePath

Operation = Literal[
    "create", "read", "update", "append", "move", "delete", "set", "tick", "summarize", "info", "undo"
]  # fmt: skip

OPERATION_NAMES: tuple[Operation, ...] = get_args(Operation)
_PLACES = ("heading", "block", "lines")
LEAST_CHARS = 500
_PARTS = ("read", "update", "summarize")


class NoteRequest(BaseModel):
    """One call, fully checked. Passed whole; never unpacked into arguments.

    It is also the table of the parameters of every operation; `parse_note_request` reads loose values by it.
    """

    model_config = ConfigDict(frozen=True)

    operation: Operation = parameter(..., "")
    path: str = parameter(
        "",
        'From the vault\'s root, such as "Projects/Plan"; or a bare name.',
        used_by=OPERATION_NAMES,
        needed_by=[name for name in OPERATION_NAMES if name != "undo"],
        chars=None,
        exact=True,
    )
    content: str | None = parameter(
        None,
        'New text, in Markdown; for undo "turn" takes back the whole last turn.',
        used_by=("create", "update", "append", "set", "tick", "undo"),
        needed_by=("update", "append", "set"),
        chars=None,
        exact=True,
    )
    heading: str | None = parameter(
        None, 'Only this heading\'s section: "Tasks", or "Upper#Tasks".', used_by=(*_PARTS, "append", "move")
    )
    block: str | None = parameter(None, 'Only this block: "^id".', used_by=(*_PARTS, "move"))
    lines: str | None = parameter(None, 'Only these lines: "9-14" or "9-".', used_by=(*_PARTS, "tick"))
    new_path: str | None = parameter(
        None,
        'For move; ending in "/" for a folder; with heading or block, its new name.',
        used_by=("move",),
        needed_by=("move",),
        chars=None,
        exact=True,
    )
    overwrite: bool = parameter(False, "create may replace a note.", used_by=("create",))
    expected_hash: str | None = parameter(
        None,
        "Hash that read gave; nothing is written if the note changed since.",
        used_by=("create", "read", "update", "append", "move", "delete", "set", "tick"),
    )
    permanent: bool = parameter(False, "delete for good.", used_by=("delete",))
    max_chars: int = parameter(
        6000, "Longest answer, 500 to 1,000,000.", used_by=OPERATION_NAMES, ge=LEAST_CHARS, le=ANSWER_CHARS
    )
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

    operation: Operation | Literal["batch", "retag", "replace"]
    """What was asked for; ``batch`` for several changes that are made together, ``retag`` for a tag that gets
    another name, ``replace`` for a text that gives way to another."""
    path: str
    """The note it is about, as shown; the first of several."""
    changes: tuple[Change, ...]
    summary: str
    """What will be done, as a sentence without its subject: "move 'A.md' to 'B.md'". It is a `Sentence` where
    it was worked out here, and a text where it was read from a proposal."""
    moved: tuple[NotePath, NotePath] | None = None
    """A file that keeps its identity: its old and new path."""
    disposal: Disposal | None = None
    """Where a deleted note goes."""
    notices: tuple[Notice, ...] = ()
    hidden: frozenset[str] = frozenset()
    """Paths of excluded notes, whose text and names are not shown."""
    undoes: tuple[str, ...] = ()
    """Journal entries that this takes back."""
    renamed: tuple[str, str] | None = None
    """The tag or text that gives way in many notes, and what takes its place."""
    attributes: Mapping[str, Attributes] = field(default_factory=dict)
    """Permissions, times and the like that notes get back."""


@dataclass(frozen=True, slots=True)
class Touched:
    """The notes that an answer is about, as they are called before and after."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """Which lines of a note an answer shows, as it shows them; ``is_cut`` where less than was asked for."""

    path: str
    count: int
    lines: tuple[tuple[int, str], ...]
    is_cut: bool
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found, in words; nothing is to be written."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a write that was carried out."""

    trashed: str | None = None
    """Where in the vault's ``.trash/`` a deleted note went; None for anything else."""
    notices: tuple[Notice, ...] = ()
    """What failed when the write could not fail any more."""


PARAMETERS = {name: row for name, row in parameters_of(NoteRequest).items() if name != "operation"}
"""Every parameter of the tool besides the operation, in its order."""


def parse_note_request(
    parameters: Mapping[str, object], *, allow_excluded: bool = False, trace_id: str = ""
) -> NoteRequest:
    """Check the arguments of a call.

    Args:
        parameters: `operation` and the other parameters of `note_operations`, by name.
        allow_excluded: Whether a person asks, who may know of excluded notes.
        trace_id: Names the turn that the call belongs to.

    Raises:
        BadRequestError: an operation or parameter is unknown, missing, of the wrong kind or of no use here.
    """
    operation = _operation(parameters.get("operation") or "")
    read = {name: _read(name, value) for name, value in parameters.items() if name != "operation"}
    values: dict[str, Any] = {name: value for name, value in read.items() if value is not None}
    usable = [name for name, row in PARAMETERS.items() if operation in row.used_by]
    for name, value in values.items():
        if name not in usable and value != PARAMETERS[name].default:
            raise BadRequestError(
                "'{name}' is of no use to {operation}",
                "it takes {usable}",
                name=ParameterName(name),
                operation=operation,
                usable=", ".join(sorted(usable)),
            )
    for name, row in PARAMETERS.items():
        if operation in row.needed_by and name not in values:
            raise BadRequestError("'{name}' required for {operation}", name=name, operation=operation)
    places = [name for name in _PLACES if name in values]
    if len(places) > 1:
        raise BadRequestError(
            "'{one}' and '{other}' both say where",
            "give one of them",
            one=ParameterName(places[0]),
            other=ParameterName(places[1]),
        )
    return NoteRequest(operation=operation, **values, allow_excluded=allow_excluded, trace_id=trace_id)


def _operation(value: object) -> Operation:
    for name in OPERATION_NAMES:
        if name == value:
            return name
    shown = " ".join(str(value).split())[:60]
    raise BadRequestError(
        "Unknown operation: {shown}. Valid: {valid}",
        shown=shown,
        valid=", ".join(OPERATION_NAMES),
    )


def _read(name: str, value: object) -> object:
    if name not in PARAMETERS:
        raise BadRequestError("unknown parameter {name}", name=shown(name))
    found = read_value(PARAMETERS[name], value)
    if name == "content" and "\0" in (found or ""):
        raise BadRequestError("'content' holds a NUL character", "leave it out")
    # An empty text is content; a path may begin or end with a blank, and a blank one names nothing.
    is_blank = name != "content" and isinstance(found, str) and not found.strip()
    return None if is_blank else found
