"""A view of a base as the page shows it: cells as HTML, what was left out, and tables within notes."""

import re
from collections.abc import Iterator, Sequence
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
from app.web.bases.values import Link, Value, is_number, moment, text_of
from app.web.languages import spoken
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
MOST_TABLE_CHARS = 1_000_000
"""Values of one cell, characters of its HTML, and of that of all cells together, names of files apart."""
_ADDRESS = re.compile(r"https?://\S+")
YES_NO = {"en": ("true", "false"), "fr": ("vrai", "faux")}
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
    """A cell as safe HTML; numbers stand to the right, and neither they nor dates are broken."""

    html: Markup
    is_number: bool
    is_date: bool


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
    writer = _Writer(targets)
    groups = tuple(
        (
            writer.value(group) or Markup("–") if view.group else None,
            tuple(tuple(writer.cells(row, table.columns)) for row in rows),
        )
        for group, rows in table.groups
    )
    return Shown(view.name, columns, groups, table, view.problems)


class _Writer:
    """Writes the cells of one table as safe HTML; all of them together have so many characters."""

    def __init__(self, targets: Targets) -> None:
        self._targets, self._left = targets, MOST_TABLE_CHARS

    def cells(self, row: Row, columns: Sequence[str]) -> Iterator[Cell]:
        """Write a row."""
        for column, value in zip(columns, row.values, strict=True):
            html = self._file(row, column) if column in _NAMES else self.value(value, column)
            yield Cell(html, is_number(value), moment(value) is not None)

    def _file(self, row: Row, column: str) -> Markup:
        path = row.file.path
        name = row.file.basename if path.endswith(".md") else path.rpartition("/")[2]
        said = path if column == "file.path" else name
        return Markup(clean(self._linked(Target(f"/{path}", "", said), path)))

    def value(self, value: Value, column: str = "") -> Markup:
        """Write a value: links lead somewhere, tags to a search, everything else is text."""
        values = value[:MOST_VALUES] if isinstance(value, list) else [value]
        are_tags = column in ("file.tags", "tags", "note.tags")
        parts: list[str] = []
        left = min(self._left, MOST_CHARS)
        for each in values:
            if left <= 0:
                parts.append("…")
                break
            parts.append(self._one(each, are_tags, left))
            left -= len(parts[-1])
            self._left -= len(parts[-1])
        # Cleaned like a note.
        return Markup(clean((" " if are_tags else ", ").join(parts)))

    def _one(self, value: Value, is_tag: bool, most: int) -> str:
        if isinstance(value, bool):
            said = YES_NO[self._targets.language][not value]
            return f'<span role="img" aria-label="{said}">{"✓" if value else "✗"}</span>'
        if isinstance(value, Link):
            return self._linked(value.target, value.source)
        if isinstance(value, VaultFile):
            return self._linked(Target(f"/{value.path}", "", value.basename), value.path)
        text = text_of(value)
        if len(text) > most:
            text = f"{text[:most]}…"
        if is_tag and (tag := clean_tag(text)) is not None:
            return f'<a class="tag" href="/?{escape(urlencode({"tag": tag}))}">#{escape(tag)}</a>'
        if _ADDRESS.fullmatch(text):
            return f'<a class="outside" href="{escape(text)}">{escape(text)}</a>'
        return escape(text)

    def _linked(self, target: Target, source: str) -> str:
        short = Target(target.file, target.subpath, target.display[:MOST_CHARS])
        return NoteRenderer(self._targets, source).linked(short)


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
            return f"<p>{escape(spoken(error.message, self._targets.language))}</p>"
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
