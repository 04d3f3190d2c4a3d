"""``list``: what the index tells without a search: notes by tag, day, link or age; tags and tasks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeVar

import typer

from app.cli import change, options, output
from app.cli.forms import Form, printed
from app.errors import BadRequestError, NoteNotFoundError
from app.limits import shown
from app.parameters import NONE
from app.sentences import Sentence, Worded
from app.showing import TAG, in_line

if TYPE_CHECKING:
    from app.search.inventory import Counted, TaskLine
    from app.search.lexical.segment import Mask
    from app.search.models import SearchRequest, SearchResult, SearchResults
    from app.search.view import View

EXAMPLES = (
    "WHAT is recent (as without it), orphans, tags [TAG], properties [NAME] or tasks [NOTE]. Tags below "
    "a tag count too. A task is due on the day behind the calendar sign of the plugin Tasks, or in [due:: "
    "2025-07-14] or (due:: 2025-07-14), as of Dataview.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant list --tag project/garden --tag idea --match-all\n"
    "  vault-assistant list --property status=open --in projects\n"
    "  vault-assistant list --on 'last week'\n"
    "  vault-assistant list --related Home --limit 3 -l\n"
    "  vault-assistant list tags project\n"
    "  vault-assistant list tasks --due 'this week' --in projects"
)
HELPS = {"tags": "Notes with this tag, with or without #; repeat.", "match_all": "All of the tags, not any."}
T = TypeVar("T")
MOST = {"recent": 20, "related": 10}
"""The most notes of a list, where no limit is given; of the others all."""


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
    due: Annotated[
        str | None, options.option("--due", "DAY", "Tasks due on these days: today, 'this week', 2025-07.")
    ] = None
    overdue: Annotated[bool, typer.Option("--overdue", help="Tasks due before today.")] = False
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=0, help="The most; 0 for all. Of recent 20, of related 10."),
    ] = None
    index: options.IndexOption = None


class Row(NamedTuple):
    """A note of a list: why it is there, its day, and those of its lines that are listed."""

    doc: int
    why: tuple[Worded, ...] = ()
    day: date | None = None
    lines: tuple[tuple[int, str], ...] = ()


class Listing:
    """One call of `list`.

    Args:
        kind: What is listed.
        name: Of what: a note, a tag, a property, a day; empty for all.
        asked: The options.
        narrowed: Those that narrow it: tags and a folder.
        form: How notes are printed.
        call: Which vault, and whether data is printed.
    """

    def __init__(
        self, kind: str, name: str, asked: Asked, narrowed: "SearchRequest", form: Form, call: options.Call
    ) -> None:
        from app.cli.build import ready_searcher
        from app.search.request import placed_from

        self.kind, self.name, self.asked, self.form, self.as_json = kind, name, asked, form, call.as_json
        self.vault, self.screen = call.open(), output.screen()
        self.narrowed = placed_from(narrowed, self.vault.root, self.screen.folder)
        self.searcher = ready_searcher(self.vault, asked.index)
        for notice in self.searcher.freshen():
            change.tell(notice)

    def ask(self, read: "Callable[[View], T]") -> T:
        """Return what a function finds in the index."""
        return self.searcher.mended(lambda: read(self.searcher.view()))

    def among(self, view: "View", *, without_templates: bool = False) -> "Mask":
        """Return the notes that may be shown, of the tags, property and folder that were named."""
        from app.search.query.evaluate import has_property, query_filter
        from app.search.query.filters import note_filter
        from app.search.query.read import read_query
        from app.vault.obsidian import template_places

        notes = note_filter(view, self.narrowed).copy()
        if self.asked.has:
            name, _, value = self.asked.has.replace('"', "").partition("=")
            wanted = read_query(view.snapshot, f'["{name}":"{value}"]' if value else f'["{name}"]')
            # The name of no property would be read as words.
            notes &= query_filter(view, wanted) & has_property(view.snapshot, name)
        if without_templates and self.narrowed.folder is None:
            places = template_places(view.vault.root)
            notes[[doc for path, doc in view.lexical.paths().items() if places.has(path)]] = False
        return notes

    def show(self, find: "Callable[[View], Sequence[Row]]") -> int:
        """Print the notes that a function finds, as `find` prints what it finds; return the exit code."""
        from app.search.models import SearchResults

        def read(view: "View") -> "SearchResults":
            rows, results = find(view), SearchResults(query=self.name, operation=self.kind)
            most = MOST.get(self.kind, 0) if self.asked.limit is None else self.asked.limit
            results.results = [_result(view, row) for row in rows[: most or None]]
            results.total, count = len(rows), len(results.results)
            if count < len(rows):
                results.notices = [
                    Sentence("{shown} of {count} notes; all with --limit 0", shown=count, count=len(rows))
                ]
            elif not rows and (self.narrowed.tags or self.asked.has):
                results.notices = list(suggestions(view, self.narrowed))
            return results

        from app.search.query.explain import suggestions

        return self.print(self.ask(read))

    def print(self, results: "SearchResults") -> int:
        """Print what was found, each note by its title where nothing more is known of it."""
        from app.vault.here import path_from

        form, place = self.form, partial(path_from, self.vault.root, self.screen.folder)
        is_bare = not any(each.excerpt or each.relevance_reason for each in results.results)
        if is_bare and not form.is_by_note:
            form = replace(form, notes=True)
        if not self.as_json:
            # That there are more is among what must be said besides.
            results.total = len(results.results)
        out, err = printed(
            results,
            self.narrowed,
            form,
            self.screen,
            as_json=self.as_json,
            root=self.vault.root,
            place=place,
            shows_day=is_bare,
        )
        output.show_printed(out, "" if self.as_json else err)
        return self.end(bool(results.results))

    def end(self, is_found: bool) -> int:
        """Say that nothing was found, where nobody reads data; return the exit code."""
        if not is_found and not self.as_json:
            output.tell(change.sentence(Sentence("Nothing found")))
        return output.FOUND if is_found else output.NOTHING


def list_notes(
    asked: Asked,
    form: Form,
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
    operation = {"operation": "by_tag"} if kept["tags"] else {"operation": "fulltext", "query": "*"}
    request = parse_request({**operation, **kept}, unlimited=True)
    name = getattr(asked, what) if given else " ".join(names)
    return LISTS[what](Listing(what, name, asked, request, form, call))


def shown_doc(view: "View", name: str) -> int:
    """Return the note that a name means, among those that are not excluded.

    Raises:
        NoteNotFoundError: there is none.
        PathError: the name is malformed, or several notes have it.
    """
    from app.cli.parts import bare_name, by_alias
    from app.notes.find import find_shown, shown_scan

    try:
        path = find_shown(view.vault, output.note_named(view.vault, name), shown_scan(view.vault))
    except NoteNotFoundError:
        if (aliased := by_alias(view.vault, bare_name(name))) is None:
            raise
        path = aliased
    doc = view.snapshot.doc(path)
    if doc is None:
        raise NoteNotFoundError("'{path}' is not in the index", "'status NOTE' says why", path=path)
    return doc


def _result(view: "View", row: Row) -> "SearchResult":
    """Return a note as a result, with those of its lines that are listed."""
    from app.search.models import SearchResult
    from app.search.show.results import uri

    note = view.snapshot.note(row.doc)
    return SearchResult(
        path=note.path,
        title=note.title,
        excerpt="\n".join(f"{number} | {text}" for number, text in row.lines),
        excerpt_lines=row.lines,
        lines=", ".join(str(number) for number, _ in row.lines) or None,
        tags=list(note.tags),
        created=note.created,
        modified=note.modified,
        date=None if row.day is None else row.day.isoformat(),
        date_source=note.modified_source,
        relevance_reason=Sentence("{reasons:, }", reasons=row.why) if row.why else None,
        uri=uri(view.vault, note.path),
    )


def _recent(listing: Listing) -> int:
    """List the notes that changed last, newest first; of tags, all that have them."""
    is_of_tags = bool(listing.narrowed.tags or listing.asked.has)

    def find(view: "View") -> list[Row]:
        kept = listing.among(view, without_templates=not is_of_tags) & view.snapshot.shown_notes
        return list(map(Row, view.snapshot.newest_first(kept.nonzero()[0].tolist())))

    if is_of_tags:
        listing.kind = "tag" if listing.narrowed.tags else "property"
    return listing.show(find)


def _orphans(listing: Listing) -> int:
    """List the notes that no other note links to."""
    from app.search.inventory import unlinked

    def find(view: "View") -> list[Row]:
        kept = listing.among(view, without_templates=True)
        return [Row(doc) for doc in unlinked(view.snapshot) if kept[doc]]

    return listing.show(find)


def _related(listing: Listing) -> int:
    """List the notes that have to do with a note, and why."""
    from app.search.inventory import related_notes

    def find(view: "View") -> list[Row]:
        related = related_notes(view, shown_doc(view, listing.name), None)
        return [Row(each.doc, each.reasons) for each in related]

    return listing.show(find)


def _on(listing: Listing) -> int:
    """List the notes of a day: made, changed, or with its heading."""
    from app.search.inventory import of_days
    from app.search.query.times import named_days

    first, last = named_days(listing.name)

    def find(view: "View") -> list[Row]:
        kept, rows = listing.among(view), []
        for found in of_days(view.snapshot, first, last):
            why = [Sentence("created")] if found.is_created else []
            note = view.snapshot.note(found.doc)
            # What was only made then counts as changed then too, by its file.
            if found.is_modified and not (found.is_created and note.modified.date() == note.created.date()):
                why.append(Sentence("modified"))
            # A day in the note's name is read beside it.
            if found.is_about and not (found.is_created or found.lines):
                why.append(Sentence("of that day"))
            if found.lines:
                why.append(Sentence("line {lines}", lines=tuple(map(str, found.lines[:3]))))
            if kept[found.doc]:
                day = None if first == last else found.day
                rows.append(Row(found.doc, tuple(why), day))
        return rows

    return listing.show(find)


def _tasks(listing: Listing) -> int:
    """List the open tasks by the day when they are due, then by place."""
    import numpy as np

    from app.search.inventory import by_due, tasks_of
    from app.search.query.times import named_days
    from app.vault.dates import local_today

    asked = listing.asked
    first, last = named_days(asked.due, due=True) if asked.due else (date.min, date.max)
    last = min(last, local_today() - timedelta(days=1)) if asked.overdue else last
    is_dated = asked.due is not None or asked.overdue

    def is_wanted(task: "TaskLine") -> bool:
        return task.is_open and (not is_dated or ((day := task.due) is not None and first <= day <= last))

    def find(view: "View") -> list[Row]:
        kept = listing.among(view)
        if listing.name:
            one = np.zeros_like(kept)
            one[shown_doc(view, listing.name)] = True
            kept &= one
        found = by_due(view.snapshot, tasks_of(view.snapshot, kept, is_wanted))
        return [
            Row(doc, (), tasks[0].due, tuple((task.line, task.text.strip()) for task in tasks))
            for doc, tasks in found
        ]

    return listing.show(find)


def _links(listing: Listing) -> int:
    """List the links to a note and from it."""
    from app.search.request import parse_request

    path = listing.ask(lambda view: view.lexical.path(shown_doc(view, listing.name)))
    parameters = {"operation": "by_link", "note_path": path, "direction": "both"}
    return listing.print(listing.searcher.search(parse_request(parameters, unlimited=True)))


def _tags(listing: Listing) -> int:
    """List the tags, with how many notes have each; of one, it and those below it."""
    from app.search.inventory import tag_counts
    from app.search.query.filters import tag_key

    key = tag_key(listing.name) if listing.name else ""
    rows = listing.ask(lambda view: tag_counts(view.snapshot, listing.among(view)))
    kept = [row for row in rows if not key or row.key == key or row.key.startswith(f"{key}/")]
    return _counted(listing, "tag", kept, sign="#")


def _properties(listing: Listing) -> int:
    """List the properties, or the values of one, counted by notes."""
    from app.search.inventory import property_counts, value_counts

    def read(view: "View") -> "list[Counted]":
        among = listing.among(view)
        if listing.name:
            return value_counts(view.snapshot, listing.name, among)
        return property_counts(view.snapshot, among)

    return _counted(listing, "value" if listing.name else "property", listing.ask(read))


def _counted(listing: Listing, field: str, rows: "Sequence[Counted]", *, sign: str = "") -> int:
    """Print names with how many notes have each, most first; in a pipe the name first, then a tab."""
    from app.search.inventory import most_first

    ordered, screen = most_first(rows)[: listing.asked.limit or None], listing.screen
    width = max((len(str(row.notes)) for row in rows), default=0)
    if listing.as_json:
        data = [{field: row.name, "notes": row.notes} for row in ordered]
        output.show_json({"total": len(rows), listing.kind: data})
    elif screen.is_terminal:
        for row in ordered:
            count = screen.dim(f"{row.notes:>{width}}")
            output.show_printed(f"{count}  {sign}{in_line(row.name, TAG)}\n")
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
