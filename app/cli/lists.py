"""Lists of notes that need no search: of a tag, of days, the last ones, those that nothing links to."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from app.cli import change, options, output
from app.cli.writes import DryOption, rename_tag
from app.notices import CommandKind, Notice, TerminalKind

if TYPE_CHECKING:
    from app.search.lexical.index import Mask
    from app.search.models import SearchResult
    from app.search.view import View
    from app.vault.client import VaultClient

T = TypeVar("T")

TAG_EXAMPLES = (
    "Tags below it count too. 'tag rename' changes text and properties of all notes, and the tags below it, "
    "as one change that is shown and asked about; one undo takes it back. A tag called rename is "
    "'#rename'.\n\n"
    "Examples:\n\n\b\n  vault-assistant tag project/garden\n  vault-assistant tag idea garden --all -l\n"
    "  vault-assistant tag rename project/garden project/yard"
)
ON_EXAMPLES = (
    "Examples:\n\n\b\n"
    "  vault-assistant on yesterday\n"
    "  vault-assistant on last week\n"
    "  vault-assistant on 14 juillet 2025"
)
RECENT_EXAMPLES = (
    "Examples:\n\n\b\n  vault-assistant recent\n  vault-assistant recent --limit 50 --in journal"
)
ORPHANS_EXAMPLES = "Examples:\n\n\b\n  vault-assistant orphans\n  vault-assistant orphans --alone -l"
RELATED_EXAMPLES = (
    "By links, what both link to, tags, words, and meaning where the vectors are there.\n\n"
    "Examples:\n\n\b\n  vault-assistant related Home\n  vault-assistant related Home --limit 3 -l"
)

AllOption = Annotated[int, typer.Option("--limit", metavar="N", min=0, help="The most notes; 0 for all.")]


@dataclass(frozen=True, slots=True)
class Listing:
    """Options of a command that lists notes."""

    limit: AllOption = 0
    paths: Annotated[bool, typer.Option("--paths", "-l", help="Print paths alone.")] = False
    null: Annotated[bool, typer.Option("--null", "-0", help="End each path by NUL, for xargs -0.")] = False
    index: options.IndexOption = None


@dataclass(frozen=True, slots=True)
class Recent(Listing):
    """The same, for notes that changed last."""

    limit: AllOption = 20


@dataclass(frozen=True, slots=True)
class Related(Listing):
    """The same, for notes that have to do with one."""

    limit: AllOption = 10


@dataclass(frozen=True, slots=True)
class Listed:
    """A note of a list, with its day among several, and what else is to be said of it beside its title."""

    doc: int
    remark: str = ""
    day: str = ""


def asked(vault: "VaultClient", index: str | None, ask: "Callable[[View], T]") -> "tuple[T, View]":
    """Return what a function finds in the index, brought up to date; what must be said of that is said."""
    from app.cli.build import ready_searcher

    searcher = ready_searcher(vault, index)
    for notice in searcher.freshen():
        change.tell(notice)

    def once() -> "tuple[T, View]":
        view = searcher.view()
        return ask(view), view

    return searcher.mended(once)


def among(view: "View", folder: str | None) -> "Mask":
    """Return the notes that may be shown, or those of a folder."""
    from app.search.query.filters import note_filter
    from app.search.request import parse_request

    if folder is None:
        return view.snapshot.visible
    named = output.folder_named(view.vault, folder)
    return note_filter(view, parse_request({"operation": "combined", "folder": named}))


def _written(view: "View", folder: str | None) -> "Mask":
    """Return the notes that may be shown without templates, or those of a folder."""
    from app.vault.obsidian import template_places

    notes = among(view, folder).copy()
    if folder is None:
        places = template_places(view.vault.root)
        notes[[doc for path, doc in view.lexical.paths().items() if places.has(path)]] = False
    return notes


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


def _list(name: str, ask: "Callable[[View], list[Listed]]", listing: Listing, call: options.Call) -> int:
    """Print the notes that a function finds, in the form that was chosen; return the exit code."""
    from app.cli.forms import Form, formed
    from app.search.show.listing import notes_listed
    from app.vault.here import path_from

    rows, view = asked(call.open(), listing.index, ask)
    screen = output.screen()
    form = Form(paths=listing.paths or listing.null, null=listing.null)
    shown = [(result_of(view, row.doc), row) for row in rows[: listing.limit or None]]
    count = Notice(CommandKind.NOTES_LISTED, count=len(rows))
    if len(shown) < len(rows):
        count = Notice(CommandKind.SOME_NOTES_LISTED, shown=len(shown), count=len(rows))
    if call.as_json:
        fields = {"path", "title", "tags", "created", "modified", "uri"}
        data = [
            result.model_dump(mode="json", include=fields)
            | {name: said for name, said in (("day", row.day), ("remark", row.remark)) if said}
            for result, row in shown
        ]
        output.show_json({"operation": name, "total": len(rows), "results": data})
    elif form.paths:
        place = partial(path_from, view.vault.root, screen.folder)
        results = (result for result, _ in shown)
        output.show_printed(formed(results, form, place=place, is_terminal=screen.is_terminal))
        if len(shown) < len(rows):
            output.tell(change.sentence(count))
    else:
        said = [(result, ", ".join(filter(None, (row.day, row.remark)))) for result, row in shown]
        output.show_printed(notes_listed(said, screen, view.vault.root))
        if screen.is_terminal and shown:
            output.show_printed(f"\n{screen.dim(count.said(screen.language))}\n")
        elif len(shown) < len(rows):
            output.tell(change.sentence(count))
    return ended(bool(rows), call.as_json)


def ended(is_found: bool, as_json: bool) -> int:
    """Say that nothing was found, where nobody reads data; return the exit code."""
    if not is_found and not as_json:
        output.tell(change.sentence(Notice(TerminalKind.NOTHING_THERE)))
    return output.FOUND if is_found else output.NOTHING


def _days(view: "View", docs: Iterable[int]) -> list[Listed]:
    """Return notes, each with the day when it was changed last."""
    return [Listed(doc, view.snapshot.note(doc).modified.date().isoformat()) for doc in docs]


def tag(
    listing: Listing,
    call: options.Call,
    tags: Annotated[list[str], typer.Argument(metavar="TAG", help="With or without #.")],
    match_all: Annotated[bool, typer.Option("--all", help="All of them, not any.")] = False,
    dry_run: DryOption = False,
    yes: options.YesOption = False,
    folder: options.FolderOption = None,
) -> int:
    """List the notes with a tag; 'tag rename OLD NEW' renames one."""
    from app.search.query.filters import note_filter
    from app.search.query.suggest import suggestions
    from app.search.request import parse_request, placed_from

    if tags[0] == "rename" and len(tags) == 3:
        _, old, new = tags
        return rename_tag(call, old, new, yes=yes, dry_run=dry_run)
    request = parse_request(
        {"operation": "by_tag", "tags": tags, "match_all": match_all, "folder": folder}, unlimited=True
    )
    said = list[Notice]()

    def ask(view: "View") -> list[Listed]:
        placed = placed_from(request, view.vault.root, output.screen().folder)
        docs = note_filter(view, placed).nonzero()[0].tolist()
        said[:] = [] if docs else suggestions(view, placed)
        return _days(view, view.snapshot.newest_first(docs))

    code = _list("tag", ask, listing, call)
    for notice in said:
        change.tell(notice)
    return code


def recent(listing: Recent, call: options.Call, folder: options.FolderOption = None) -> int:
    """List the notes that changed last, newest first."""

    def ask(view: "View") -> list[Listed]:
        newest = view.snapshot.newest_first(_written(view, folder).nonzero()[0].tolist())
        # Only of what is shown is the day read.
        shown = listing.limit or len(newest)
        return [*_days(view, newest[:shown]), *map(Listed, newest[shown:])]

    return _list("recent", ask, listing, call)


def orphans(
    listing: Listing,
    call: options.Call,
    alone: Annotated[bool, typer.Option("--alone", help="Only those that link to no note either.")] = False,
    folder: options.FolderOption = None,
) -> int:
    """List the notes that no other note links to."""
    from app.search.inventory import unlinked

    def ask(view: "View") -> list[Listed]:
        kept = _written(view, folder)
        return _days(view, [doc for doc in unlinked(view.snapshot, alone=alone) if kept[doc]])

    return _list("orphans", ask, listing, call)


def related(
    listing: Related,
    call: options.Call,
    note: Annotated[list[str], typer.Argument(metavar="NOTE", help="A note's name or path.")],
) -> int:
    """List the notes that have to do with a note, and why."""
    from app.search.inventory import related_notes

    language = change.language()

    def ask(view: "View") -> list[Listed]:
        doc = shown_doc(view, " ".join(note))
        found = related_notes(view, doc, listing.limit or None)
        return [Listed(one.doc, ", ".join(why.said(language) for why in one.reasons)) for one in found]

    return _list("related", ask, listing, call)


def shown_doc(view: "View", name: str) -> int:
    """Return the note that a name means, among those that are not excluded.

    Raises:
        NoteNotFoundError: there is none.
        PathError: the name is malformed, or several notes have it.
    """
    from app.cli.parts import bare_name, by_other_name
    from app.errors import NoteNotFoundError
    from app.notes.find import find_shown, shown_scan

    try:
        path = find_shown(view.vault, output.note_named(view.vault, name), shown_scan(view.vault))
    except NoteNotFoundError:
        if (aliased := by_other_name(view.vault, bare_name(name))) is None:
            raise
        path = aliased
    doc = view.snapshot.doc(path)
    if doc is None:
        raise NoteNotFoundError("'{path}' is not in the index", "'status NOTE' says why", path=path)
    return doc


def on(
    listing: Listing,
    call: options.Call,
    day: Annotated[
        list[str], typer.Argument(metavar="DAY", help="yesterday, last week, 2025-07, 14 juillet.")
    ],
    folder: options.FolderOption = None,
) -> int:
    """List the notes of a day: made, changed, or with its heading."""
    from app.search.inventory import of_days
    from app.search.query.times import named_days

    first, last = named_days(" ".join(day))
    language = change.language()

    def ask(view: "View") -> list[Listed]:
        kept, rows = among(view, folder), []
        for found in of_days(view.snapshot, first, last):
            why = [Notice(CommandKind.DAY_CREATED)] if found.is_created else []
            note = view.snapshot.note(found.doc)
            # What was only made then counts as changed then too, by its file.
            if found.is_modified and not (found.is_created and note.modified.date() == note.created.date()):
                why.append(Notice(CommandKind.DAY_MODIFIED))
            # A day in the note's name is read beside it.
            if found.is_about and not (found.is_created or found.lines):
                why.append(Notice(CommandKind.DAY_ABOUT))
            if found.lines:
                why.append(Notice(CommandKind.DAY_HEADING, lines=tuple(map(str, found.lines[:3]))))
            if kept[found.doc]:
                day = "" if first == last else str(found.day)
                rows.append(Listed(found.doc, ", ".join(one.said(language) for one in why), day))
        return rows

    code = _list("on", ask, listing, call)
    if code == output.NOTHING and not call.as_json:
        days = f"{first}" if first == last else f"{first} – {last}"
        output.tell(change.sentence(Notice(CommandKind.DAYS_LOOKED_AT, days=days)))
    return code


COMMANDS = {
    "tag": (tag, TAG_EXAMPLES),
    "on": (on, ON_EXAMPLES),
    "recent": (recent, RECENT_EXAMPLES),
    "orphans": (orphans, ORPHANS_EXAMPLES),
    "related": (related, RELATED_EXAMPLES),
}
"""The commands by name, each with the examples of its help."""
