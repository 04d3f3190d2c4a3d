"""A view of a base as the page shows it: cells as HTML, what was left out, and tables within notes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request

from app.errors import VaultError
from app.markdown.tags import clean_tag
from app.markdown.targets import Target
from app.vault.files import read_file
from app.web.bases.content import Base, Left, View, read_base
from app.web.bases.evaluate import Steps
from app.web.bases.files import VaultFile, all_files
from app.web.bases.table import MOST_ROWS, Row, Table, make_table
from app.web.bases.values import Link, Value, is_number, text_of
from app.web.pages import render
from app.web.render.cleaning import clean
from app.web.render.note import NoteRenderer
from app.web.render.targets import Targets

MOST_BYTES = 1_000_000
MOST_IN_NOTE = 10
MOST_ROWS_IN_NOTE = 100
MOST_VIEWS_IN_NOTE = 5
"""Tables on the page of a note, rows and views of each; the file of a base has a page of its own."""
MOST_VALUES = 60
MOST_CHARS = 1000
"""Of one value, and of so many in one cell."""
_ADDRESS = re.compile(r"https?://\S+")
_NAMES = ("file.name", "file.basename", "file.file", "file.path")
"""Columns that lead to the file."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what it is of, the name that the base gives it, and its own, without its kind."""

    column: str
    named: str
    plain: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as safe HTML; numbers stand to the right."""

    html: Markup
    is_number: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A view as templates take it; a group is a heading, None where there are no groups, with its rows."""

    name: str
    columns: tuple[Column, ...]
    groups: tuple[tuple[Markup | None, tuple[tuple[Cell, ...], ...]], ...]
    table: Table
    problems: tuple[Left, ...]


def show_view(
    base: Base,
    view: View,
    targets: Targets,
    files: Sequence[VaultFile],
    this: VaultFile | None,
    steps: Steps,
    most_rows: int = MOST_ROWS,
) -> Shown:
    """Work a view out, as `make_table` does, for a template."""
    table = make_table(base, view, files, this, steps, most_rows)
    rows = [row.values for _, rows in table.groups for row in rows]
    columns = tuple(
        Column(
            column=column,
            named=base.names.get(plain := column.removeprefix("note."), ""),
            plain=plain.removeprefix("formula."),
            is_number=any(is_number(values[at]) for values in rows),
        )
        for at, column in enumerate(table.columns)
    )
    groups = tuple(
        (
            Markup(_html(group, targets)) or Markup("–") if view.group else None,
            tuple(_cells(row, table.columns, targets) for row in rows),
        )
        for group, rows in table.groups
    )
    return Shown(view.name, columns, groups, table, view.problems)


def _cells(row: Row, columns: Sequence[str], targets: Targets) -> tuple[Cell, ...]:
    return tuple(
        Cell(Markup(_cell(row, column, value, targets)), is_number(value))
        for column, value in zip(columns, row.values, strict=True)
    )


def _cell(row: Row, column: str, value: Value, targets: Targets) -> str:
    if column not in _NAMES:
        return _html(value, targets, column)
    path = row.file.path
    name = row.file.basename if path.endswith(".md") else path.rpartition("/")[2]
    said = path if column == "file.path" else name
    return clean(NoteRenderer(targets, path).linked(Target(f"/{path}", "", said)))


def _html(value: Value, targets: Targets, column: str = "") -> str:
    """Return a value as safe HTML: links lead somewhere, tags to a search, everything else is text."""
    values = value[:MOST_VALUES] if isinstance(value, list) else [value]
    between = " " if column in ("file.tags", "tags", "note.tags") else ", "
    # Cleaned like a note.
    return clean(between.join(_one(each, targets, between == " ") for each in values))


def _one(value: Value, targets: Targets, is_tag: bool) -> str:
    if isinstance(value, bool):
        said = "true" if value else "false"
        return f'<span role="img" aria-label="{said}">{"✓" if value else "✗"}</span>'
    if isinstance(value, Link):
        return NoteRenderer(targets, value.source).linked(value.target)
    if isinstance(value, VaultFile):
        return NoteRenderer(targets, value.path).linked(Target(f"/{value.path}", "", value.basename))
    text = text_of(value)[:MOST_CHARS].encode("utf-8", "replace").decode()
    if is_tag and (tag := clean_tag(text)) is not None:
        return f'<a class="tag" href="/?{escape(urlencode({"tag": tag}))}">#{escape(tag)}</a>'
    if _ADDRESS.fullmatch(text):
        return f'<a class="outside" href="{escape(text)}">{escape(text)}</a>'
    return escape(text)


class NoteTables:
    """Shows the bases of one note: those it embeds, and those that stand in it as code.

    Args:
        request: What the page of the note was asked by; says the language.
        targets: Finds what links mean.
    """

    def __init__(self, request: Request, targets: Targets) -> None:
        self._request, self._targets = request, targets
        self._steps, self._left = Steps(), MOST_IN_NOTE

    @cached_property
    def _files(self) -> list[VaultFile]:
        return list(all_files(self._targets))

    def of_code(self, text: str, note: str) -> str:
        """Show a base that stands in a note as code."""
        return self._shown(read_base(text), note, "")

    def of_file(self, path: str, view: str) -> str:
        """Show a view of a base file; of no name the first."""
        try:
            data = read_file(self._targets.view.vault.root, path, MOST_BYTES).data
        except VaultError as error:
            # It went since it was listed, or is too large: its link is there already.
            return f"<p>{escape(error.message)}</p>"
        return self._shown(read_base(data.decode("utf-8-sig", "replace")), path, view)

    def _shown(self, base: Base, holder: str, view: str) -> str:
        self._left -= 1
        views = (
            [each for each in base.views if each.name == view] if view else base.views[:MOST_VIEWS_IN_NOTE]
        )
        if self._left < 0:
            views = []
        doc = self._targets.view.snapshot.doc(holder)
        this = VaultFile(self._targets, holder, doc)
        shown = [
            show_view(base, each, self._targets, self._files, this, self._steps, MOST_ROWS_IN_NOTE)
            for each in views
        ]
        return render(self._request, "base/block.html", base=base, shown=shown, is_too_many=self._left < 0)
