"""``list``: what the index tells without a search: notes by tag, day, link or age; tags and tasks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import change, options, output
from app.cli.listing import Asked, Listed, Listing, result_of
from app.errors import BadRequestError, NoteNotFoundError
from app.limits import shown
from app.notices import CommandKind, Notice
from app.parameters import NONE
from app.showing import PATH, TAG, TITLE, in_line

if TYPE_CHECKING:
    from app.search.inventory import Counted, TaskLine, TasksOfNote
    from app.search.view import View

_Sources = dict[str, list[tuple[int, str]]]
"""Lines, with their numbers, by the notes that hold them."""

EXAMPLES = (
    "WHAT is recent (as without it), orphans, tags [TAG], properties [NAME] or tasks [NOTE]. Tags below "
    "a tag count too. A task is due on the day behind the calendar sign of the plugin Tasks, or in [due:: "
    "2025-07-14] or (due:: 2025-07-14), as of Dataview.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant list --tag project/garden --tag idea --match-all\n"
    "  vault-assistant list --property status=open --on 'last week'\n"
    "  vault-assistant list --links Home\n"
    "  vault-assistant list --related Home --limit 3 -l\n"
    "  vault-assistant list orphans --alone -l\n"
    "  vault-assistant list tags project --sort name\n"
    "  vault-assistant list properties status\n"
    "  vault-assistant list tasks --due 'this week' --in projects"
)
ORDERS = ("count", "name")
HELPS = {"tags": "Notes with this tag, with or without #; repeat.", "match_all": "All of the tags, not any."}


def list_notes(
    asked: Asked,
    call: options.Call,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WHAT [NAME]", help="What to list; see below.")
    ] = None,
    narrowed: Annotated[
        Mapping[str, object], options.FromTable(("tags", "match_all", "folder"), HELPS)
    ] = NONE,
) -> int:
    """List notes by tag, day, link or age; tags, tasks, properties."""
    from app.search.request import parse_request

    given = [name for name in ("on", "links", "related") if getattr(asked, name) is not None]
    what, *names = words or [*given, "recent"][:1]
    if len({*given, what}) > 1 and given:
        raise BadRequestError(
            "one list at a time", "give one of: {valid}", valid=", ".join((*given, *(words or ())[:1]))
        )
    if what not in LISTS or (what in given and words):
        raise BadRequestError(
            "unknown list {what}",
            "valid: {valid}; or search for it: find {what}",
            what=shown(what),
            valid=", ".join(name for name in LISTS if not hasattr(asked, name)),
        )
    kept = {name: value or None for name, value in narrowed.items()}
    operation = {"operation": "by_tag"} if kept["tags"] else {"operation": "fast", "query": "*"}
    request = parse_request({**operation, **kept}, unlimited=True)
    name = getattr(asked, what) if given else " ".join(names)
    return LISTS[what](Listing(name, asked, request, call))


def shown_doc(view: "View", name: str) -> int:
    """Return the note that a name means, among those that are not excluded.

    Raises:
        NoteNotFoundError: there is none.
        PathError: the name is malformed, or several notes have it.
    """
    from app.cli.parts import bare_name, by_other_name
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


def _days(view: "View", docs: Iterable[int]) -> list[Listed]:
    """Return notes, each with the day when it was changed last."""
    return [Listed(doc, view.snapshot.note(doc).modified.date().isoformat()) for doc in docs]


def _recent(listing: Listing) -> int:
    """List the notes that changed last, newest first; of tags, all that have them."""
    from app.search.query.suggest import suggestions
    from app.search.request import placed_from

    is_of_tags = bool(listing.narrowed.tags or listing.asked.has)
    most = 0 if is_of_tags else 20
    limit = most if listing.asked.limit is None else listing.asked.limit
    said = list[Notice]()

    def read(view: "View") -> list[Listed]:
        kept = listing.among(view, without_templates=not is_of_tags)
        newest = view.snapshot.newest_first(kept.nonzero()[0].tolist())
        if is_of_tags and not newest:
            said[:] = suggestions(view, placed_from(listing.narrowed, view.vault.root, listing.screen.folder))
        # Only of what is shown is the day read.
        seen = limit or len(newest)
        return [*_days(view, newest[:seen]), *map(Listed, newest[seen:])]

    kind = "tag" if listing.narrowed.tags else "property" if listing.asked.has else "recent"
    code = listing.notes(kind, read, most)
    for notice in said:
        change.tell(notice)
    return code


def _orphans(listing: Listing) -> int:
    """List the notes that no other note links to."""
    from app.search.inventory import unlinked

    def read(view: "View") -> list[Listed]:
        kept = listing.among(view, without_templates=True)
        found = unlinked(view.snapshot, alone=listing.asked.alone)
        return _days(view, [doc for doc in found if kept[doc]])

    return listing.notes("orphans", read)


def _related(listing: Listing) -> int:
    """List the notes that have to do with a note, and why."""
    from app.search.inventory import related_notes

    limit = 10 if listing.asked.limit is None else listing.asked.limit

    def read(view: "View") -> list[Listed]:
        found = related_notes(view, shown_doc(view, listing.name), limit or None)
        language = listing.screen.language
        return [Listed(one.doc, ", ".join(why.said(language) for why in one.reasons)) for one in found]

    return listing.notes("related", read, 10)


def _on(listing: Listing) -> int:
    """List the notes of a day: made, changed, or with its heading."""
    from app.search.inventory import of_days
    from app.search.query.times import named_days

    first, last = named_days(listing.name)

    def read(view: "View") -> list[Listed]:
        kept, rows = listing.among(view), []
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
                said = ", ".join(one.said(listing.screen.language) for one in why)
                rows.append(Listed(found.doc, said, day))
        return rows

    code = listing.notes("on", read)
    if code == output.NOTHING and not listing.as_json:
        days = f"{first}" if first == last else f"{first} – {last}"
        output.tell(change.sentence(Notice(CommandKind.DAYS_LOOKED_AT, days=days)))
    return code


def _tasks(listing: Listing) -> int:
    """List the open tasks by the day when they are due, then by place."""
    import numpy as np

    from app.search.inventory import by_due, tasks_of
    from app.search.query.times import named_days
    from app.vault.dates import local_today

    asked = listing.asked
    if asked.done and asked.overdue:
        raise BadRequestError("a task that is done is not overdue", "give --done or --overdue")
    first, last = named_days(asked.due, due=True) if asked.due else (date.min, date.max)
    last = min(last, local_today() - timedelta(days=1)) if asked.overdue else last
    is_dated = asked.due is not None or asked.overdue

    def is_wanted(task: "TaskLine") -> bool:
        if not (task.is_done if asked.done else task.is_open):
            return False
        return not is_dated or ((day := task.due) is not None and first <= day <= last)

    def read(view: "View") -> "list[TasksOfNote]":
        kept = listing.among(view)
        if listing.name:
            one = np.zeros_like(kept)
            one[shown_doc(view, listing.name)] = True
            kept &= one
        return by_due(view.snapshot, tasks_of(view.snapshot, kept, is_wanted))

    found, view = listing.ask(read)
    listed = found[: asked.limit or None]
    total = sum(len(lines) for _, lines in found)
    if listing.as_json:
        rows = [
            {
                "path": view.lexical.path(doc),
                "line": task.line,
                "status": task.status,
                "due": task.due and task.due.isoformat(),
                "text": task.text.strip(),
            }
            for doc, lines in listed
            for task in lines
        ]
        output.show_json({"total": total, "tasks": rows})
        return listing.end(bool(found))
    for doc, lines in listed:
        if listing.screen.is_terminal:
            quoted = [(task.line, task.text.strip()) for task in lines]
            output.show_printed(_quoted(listing, view, doc, quoted, day=lines[0].due) + "\n\n")
            continue
        for task in lines:
            place = in_line(listing.place(view.lexical.path(doc)))
            output.show(f"{place}:{task.line}: {in_line(task.text.strip())}")
    if found and listing.screen.is_terminal:
        seen = sum(len(lines) for _, lines in listed)
        notes = len({doc for doc, _ in found})
        listing.counted(
            Notice(CommandKind.TASKS_LISTED, tasks=total, count=notes),
            Notice(CommandKind.SOME_TASKS_LISTED, shown=seen, tasks=total, count=notes),
            is_all=seen == total,
        )
    return listing.end(bool(found))


def _quoted(
    listing: Listing, view: "View", doc: int, lines: Sequence[tuple[int, str]], day: date | None = None
) -> str:
    """Return a note with some of its lines, as a terminal shows it."""
    from app.search.show.listing import note_listed

    update: dict[str, object] = {"excerpt_lines": tuple(lines), "tags": [], "date": day and str(day)}
    return note_listed([result_of(view, doc).model_copy(update=update)], listing.screen, view.vault.root)


def _links(listing: Listing) -> int:
    """List the links to a note and from it."""

    def read(view: "View") -> "tuple[int, _Sources, list[str], list[str]]":
        doc = shown_doc(view, listing.name)
        return doc, *_links_of(view, doc)

    (doc, sources, targets, missing), view = listing.ask(read)
    if listing.as_json:
        rows = [
            {"path": path, "lines": [{"line": number, "text": text} for number, text in lines]}
            for path, lines in sources.items()
        ]
        path = view.lexical.path(doc)
        output.show_json({"path": path, "from": rows, "to": targets, "missing": missing})
    elif listing.screen.is_terminal:
        _show_links(listing, view, sources, targets, missing)
    else:
        for path, lines in sources.items():
            for number, text in lines:
                output.show(f"from\t{in_line(listing.place(path))}:{number}: {in_line(text.strip())}")
        for path in targets:
            output.show(f"to\t{in_line(listing.place(path))}")
        for name in missing:
            output.show(f"missing\t{in_line(name)}")
    return listing.end(bool(sources or targets or missing))


def _links_of(view: "View", doc: int) -> "tuple[_Sources, list[str], list[str]]":
    """Return what links to a note, with the lines; the files that it links to; names of no file."""
    snapshot, path = view.snapshot, view.lexical.path(doc)
    sources: _Sources = {}
    for edge in snapshot.graph.incoming(path):
        source = snapshot.doc(edge.source)
        if source is None or source == doc or not snapshot.visible[source]:
            continue
        line = (edge.link.line, snapshot.lines(source)[edge.link.line - 1])
        if line not in sources.setdefault(edge.source, []):
            sources[edge.source].append(line)
    out = [edge for edge in snapshot.graph.outgoing(path) if edge.target != path]
    # A link to an excluded note is shown as one to a name that no note has.
    seen = (edge.target for edge in out if edge.target and not snapshot.is_excluded(edge.target))
    targets = list(dict.fromkeys(seen))
    return (
        sources,
        targets,
        list(dict.fromkeys(edge.link.target for edge in out if edge.target not in targets)),
    )


def _show_links(
    listing: Listing, view: "View", sources: "_Sources", targets: list[str], missing: list[str]
) -> None:
    """Show links on a terminal: a heading for each way, and below it the notes."""
    from app.search.show.listing import notes_listed

    screen, docs = listing.screen, view.lexical.paths()
    here = (_quoted(listing, view, docs[path], lines) + "\n" for path, lines in sources.items())
    there = {path: view.snapshot.doc(path) for path in targets}
    rows = [(result_of(view, doc), "") for doc in there.values() if doc is not None]
    files = "".join(in_line(path, PATH) + "\n" for path, doc in there.items() if doc is None)
    parts = {
        CommandKind.LINKS_HERE: "\n".join(here),
        CommandKind.LINKS_THERE: notes_listed(rows, screen, view.vault.root) + files,
        CommandKind.LINKS_NOWHERE: "".join(in_line(name, TITLE) + "\n" for name in missing),
    }
    shown = (
        screen.dim(f"── {Notice(kind).said(screen.language)} ──") + "\n" + text
        for kind, text in parts.items()
        if text
    )
    output.show_printed("\n".join(shown))


def _tags(listing: Listing) -> int:
    """List the tags, with how many notes have each; of one, it and those below it."""
    from app.search.inventory import tag_counts
    from app.search.query.filters import tag_key

    key = tag_key(listing.name) if listing.name else ""
    rows, _ = listing.ask(lambda view: tag_counts(view.snapshot))
    kept = [row for row in rows if not key or row.key == key or row.key.startswith(f"{key}/")]
    return _counted(listing, "tags", "tag", kept, sign="#")


def _properties(listing: Listing) -> int:
    """List the properties, or the values of one, counted by notes."""
    from app.search.inventory import property_counts, value_counts

    def read(view: "View") -> "list[Counted]":
        return value_counts(view.snapshot, listing.name) if listing.name else property_counts(view.snapshot)

    rows, _ = listing.ask(read)
    return _counted(listing, "properties", "value" if listing.name else "property", rows)


def _counted(listing: Listing, name: str, field: str, rows: "Sequence[Counted]", *, sign: str = "") -> int:
    """Print names with how many notes have each; in a pipe the name first, then a tab."""
    from app.search.inventory import most_first

    order, screen = listing.asked.sort, listing.screen
    if order not in ORDERS:
        raise BadRequestError(
            "unknown order {sort}", "valid: {valid}", sort=shown(order), valid=", ".join(ORDERS)
        )
    ordered = (most_first(rows) if order == "count" else rows)[: listing.asked.limit or None]
    if listing.as_json:
        output.show_json(
            {"total": len(rows), name: [{field: row.name, "notes": row.notes} for row in ordered]}
        )
    elif screen.is_terminal:
        width = max((len(str(row.notes)) for row in rows), default=0)
        lines = (
            f"{screen.dim(f'{row.notes:>{width}}')}  {sign}{in_line(row.name, TAG)}\n" for row in ordered
        )
        output.show_printed("".join(lines))
    else:
        for row in ordered:
            output.show(f"{sign}{in_line(row.name)}\t{row.notes}")
    return listing.end(bool(rows))


LISTS: Mapping[str, Callable[[Listing], int]] = {
    "recent": _recent,
    "orphans": _orphans,
    "tags": _tags,
    "properties": _properties,
    "tasks": _tasks,
    "on": _on,
    "links": _links,
    "related": _related,
}
"""What can be listed; the last three are options."""
COMMANDS = {"list": (list_notes, EXAMPLES)}
"""The commands by name, each with the examples of its help."""
