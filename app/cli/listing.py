"""One call of `list`: its options, and how the lines and notes that it finds are printed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from app.cli import change, options, output
from app.notices import CommandKind, Notice, TerminalKind

if TYPE_CHECKING:
    from app.search.lexical.segment import Mask
    from app.search.models import SearchRequest, SearchResult
    from app.search.view import View
    from app.vault.client import VaultClient

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """Options of `list`."""

    on: Annotated[
        str | None, options.option("--on", "DAY", "Notes of a day: made, changed, or with its heading.")
    ] = None
    links: Annotated[str | None, options.option("--links", "NOTE", "The links to a note and from it.")] = None
    related: Annotated[
        str | None, options.option("--related", "NOTE", "Notes that have to do with a note, and why.")
    ] = None
    has: Annotated[
        str | None, options.option("--property", "NAME[=VALUE]", "Notes with this property, or this value.")
    ] = None
    alone: Annotated[
        bool, typer.Option("--alone", help="With orphans: those that link to no note either.")
    ] = False
    due: Annotated[
        str | None, options.option("--due", "DAY", "Tasks due on these days: today, 'this week', 2025-07.")
    ] = None
    overdue: Annotated[bool, typer.Option("--overdue", help="Tasks due before today.")] = False
    done: Annotated[bool, typer.Option("--done", help="Tasks that are done.")] = False
    sort: Annotated[str, options.option("--sort", "ORDER", "Tags and properties: by count or name.")] = (
        "count"
    )
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=0, help="The most; 0 for all. Of recent 20, of related 10."),
    ] = None
    paths: Annotated[bool, typer.Option("--paths", "-l", help="Print paths alone.")] = False
    null: Annotated[bool, typer.Option("--null", "-0", help="End each path by NUL, for xargs -0.")] = False
    index: options.IndexOption = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A note of a list, with its day among several, and what else is to be said of it beside its title."""

    doc: int
    remark: str = ""
    day: str = ""


class Listing:
    """One call of `list`: what was asked, and of what.

    Args:
        name: What is listed of: a note, a tag, a property; empty for all.
        asked: The options.
        narrowed: Those that narrow it: tags and a folder.
        call: Which vault, and how it is printed.
    """

    def __init__(self, name: str, asked: Asked, narrowed: "SearchRequest", call: options.Call) -> None:
        self.name, self.asked, self.as_json = name, asked, call.as_json
        self.vault: VaultClient = call.open()
        self.narrowed = narrowed
        self.screen = output.screen()

    def ask(self, read: "Callable[[View], T]") -> "tuple[T, View]":
        """Return what a function finds in the index, brought up to date, and say what it says of that."""
        from app.cli.build import ready_searcher

        searcher = ready_searcher(self.vault, self.asked.index)
        for notice in searcher.freshen():
            change.tell(notice)

        def once() -> "tuple[T, View]":
            view = searcher.view()
            return read(view), view

        return searcher.mended(once)

    def among(self, view: "View", *, without_templates: bool = False) -> "Mask":
        """Return the notes that may be shown, of the tags, property and folder that were named."""
        from app.search.query.evaluate import has_property, query_filter
        from app.search.query.filters import note_filter
        from app.search.query.read import read_query
        from app.search.request import placed_from
        from app.vault.obsidian import template_places

        notes = note_filter(view, placed_from(self.narrowed, view.vault.root, self.screen.folder)).copy()
        if self.asked.has:
            name, _, value = self.asked.has.replace('"', "").partition("=")
            wanted = read_query(view.snapshot, f'["{name}":"{value}"]' if value else f'["{name}"]')
            # The name of no property would be read as words.
            notes &= query_filter(view, wanted) & has_property(view.snapshot, name)
        if without_templates and self.narrowed.folder is None:
            places = template_places(view.vault.root)
            notes[[doc for path, doc in view.lexical.paths().items() if places.has(path)]] = False
        return notes

    def place(self, path: str) -> str:
        """Return a path as other programs open it from where the person stands."""
        return output.place_named(self.vault, path)

    def end(self, is_found: bool) -> int:
        """Say that nothing was found, where nobody reads data; return the exit code."""
        if not is_found and not self.as_json:
            output.tell(change.sentence(Notice(TerminalKind.NOTHING_THERE)))
        return output.FOUND if is_found else output.NOTHING

    def counted(self, all_of_them: Notice, some: Notice, *, is_all: bool) -> None:
        """Say how many there are: on a terminal below them, else only where not all are shown."""
        said = all_of_them if is_all else some
        if self.screen.is_terminal and not (self.asked.paths or self.asked.null):
            output.show_printed(f"{self.screen.dim(said.said(self.screen.language))}\n")
        elif not is_all:
            output.tell(change.sentence(said))

    def notes(self, kind: str, read: "Callable[[View], list[Listed]]", most: int = 0) -> int:
        """Print the notes that a function finds, in the form that was chosen; return the exit code."""
        from app.cli.forms import Form, formed
        from app.search.show.listing import notes_listed

        rows, view = self.ask(read)
        form = Form(paths=self.asked.paths or self.asked.null, null=self.asked.null)
        limit = most if self.asked.limit is None else self.asked.limit
        listed = [(result_of(view, row.doc), row) for row in rows[: limit or None]]
        if self.as_json:
            fields = {"path", "title", "tags", "created", "modified", "uri"}
            data = [
                result.model_dump(mode="json", include=fields)
                | {name: said for name, said in (("day", row.day), ("remark", row.remark)) if said}
                for result, row in listed
            ]
            output.show_json({"operation": kind, "total": len(rows), "results": data})
            return self.end(bool(rows))
        if form.paths:
            results = (result for result, _ in listed)
            output.show_printed(formed(results, form, place=self.place, is_terminal=self.screen.is_terminal))
        else:
            said = [(result, ", ".join(filter(None, (row.day, row.remark)))) for result, row in listed]
            output.show_printed(notes_listed(said, self.screen, view.vault.root))
            if self.screen.is_terminal and listed:
                output.show_printed("\n")
        if listed:
            self.counted(
                Notice(CommandKind.NOTES_LISTED, count=len(rows)),
                Notice(CommandKind.SOME_NOTES_LISTED, shown=len(listed), count=len(rows)),
                is_all=len(listed) == len(rows),
            )
        return self.end(bool(rows))


def result_of(view: "View", doc: int) -> "SearchResult":
    """Return a note as a result, without lines of it."""
    from app.search.models import SearchResult
    from app.search.show.results import uri

    note = view.snapshot.note(doc)
    return SearchResult(
        path=note.path,
        title=note.title,
        tags=list(note.tags),
        created=note.created,
        modified=note.modified,
        date_source=note.modified_source,
        uri=uri(view.vault, note.path),
    )
