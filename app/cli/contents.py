"""What notes hold, line by line or counted: tasks, links, tags, properties."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import options, output
from app.cli.lists import AllOption, among, asked, ended, result_of, shown_doc
from app.errors import BadRequestError
from app.notices import CommandKind, Notice
from app.showing import PATH, TAG, TITLE, in_line

if TYPE_CHECKING:
    from app.markdown.links import Edge
    from app.search.inventory import Counted
    from app.search.view import View

LINKS_EXAMPLES = (
    "In a pipe each line begins with from, to or missing.\n\n"
    "Examples:\n\n\b\n  vault-assistant links Home\n  vault-assistant links Home --json"
)
TASKS_EXAMPLES = (
    "A task is due on the day behind the calendar sign of the plugin Tasks, or in [due:: 2025-07-14] or "
    "(due:: 2025-07-14), as of Dataview.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant tasks\n"
    "  vault-assistant tasks --in projects --done\n"
    "  vault-assistant tasks --due 'this week'\n"
    "  vault-assistant tasks --overdue\n"
    "  vault-assistant tasks | grep 2025-07"
)
TAGS_EXAMPLES = "Examples:\n\n\b\n  vault-assistant tags\n  vault-assistant tags project --sort name"
PROPERTIES_EXAMPLES = "Examples:\n\n\b\n  vault-assistant properties\n  vault-assistant properties status"

OrderOption = Annotated[str, options.option("--sort", "ORDER", "count or name.")]


def tasks(
    call: options.Call,
    note: Annotated[list[str] | None, typer.Argument(metavar="NOTE", help="Those of one note.")] = None,
    done: Annotated[bool, typer.Option("--done", help="Those that are done.")] = False,
    due: Annotated[
        str | None, options.option("--due", "DAY", "Due on these days: today, 'this week', 2025-07.")
    ] = None,
    overdue: Annotated[bool, typer.Option("--overdue", help="Due before today, and not done.")] = False,
    folder: options.FolderOption = None,
    limit: AllOption = 0,
    index: options.IndexOption = None,
) -> int:
    """List the open tasks by the day when they are due, then by place."""
    import numpy as np

    from app.search.inventory import TaskLine, TasksOfNote, by_due, tasks_of
    from app.search.query.times import named_days
    from app.search.show.listing import note_listed
    from app.vault.dates import local_today
    from app.vault.here import path_from

    if done and overdue:
        raise BadRequestError("a task that is done is not overdue", "give --done or --overdue")
    first, last = named_days(due, due=True) if due else (date.min, date.max)
    last = min(last, local_today() - timedelta(days=1)) if overdue else last
    is_dated = due is not None or overdue

    def is_wanted(task: TaskLine) -> bool:
        if not (task.is_done if done else task.is_open):
            return False
        return not is_dated or ((day := task.due) is not None and first <= day <= last)

    def ask(view: "View") -> list[TasksOfNote]:
        kept = among(view, folder)
        if note:
            doc = shown_doc(view, " ".join(note))
            kept = np.zeros_like(kept)
            kept[doc] = True
        return by_due(view.snapshot, tasks_of(view.snapshot, kept, is_wanted))

    found, view = asked(call.open(), index, ask)
    screen, shown = output.screen(), found[: limit or None]
    total = sum(len(lines) for _, lines in found)
    if call.as_json:
        rows = [
            {
                "path": view.lexical.path(doc),
                "line": task.line,
                "status": task.status,
                "due": task.due and task.due.isoformat(),
                "text": task.text.strip(),
            }
            for doc, lines in shown
            for task in lines
        ]
        output.show_json({"total": total, "tasks": rows})
    elif screen.is_terminal:
        for doc, lines in shown:
            quoted = tuple((task.line, task.text.strip()) for task in lines)
            day = lines[0].due and str(lines[0].due)
            update: dict[str, object] = {"excerpt_lines": quoted, "tags": [], "date": day}
            result = result_of(view, doc).model_copy(update=update)
            output.show_printed(note_listed([result], screen, view.vault.root) + "\n\n")
        if found:
            notes, listed = len({doc for doc, _ in found}), sum(len(lines) for _, lines in shown)
            count = (
                Notice(CommandKind.TASKS_LISTED, tasks=total, count=notes)
                if listed == total
                else Notice(CommandKind.SOME_TASKS_LISTED, shown=listed, tasks=total, count=notes)
            )
            output.show_printed(screen.dim(count.said(screen.language)) + "\n")
    else:
        for doc, lines in shown:
            for task in lines:
                place = path_from(view.vault.root, screen.folder, view.lexical.path(doc))
                output.show(f"{in_line(place)}:{task.line}: {in_line(task.text.strip())}")
    return ended(bool(found), call.as_json)


def links(
    call: options.Call,
    note: Annotated[list[str], typer.Argument(metavar="NOTE", help="A note's name or path.")],
    index: options.IndexOption = None,
) -> int:
    """List the links to a note and from it."""
    from app.vault.here import path_from

    def ask(view: "View") -> "tuple[int, _Links]":
        doc = shown_doc(view, " ".join(note))
        return doc, _links_of(view, doc)

    (doc, found), view = asked(call.open(), index, ask)
    if call.as_json:
        output.show_json(
            {
                "path": view.lexical.path(doc),
                "from": [
                    {"path": path, "lines": [{"line": number, "text": text} for number, text in lines]}
                    for path, lines in found.sources.items()
                ],
                "to": list(found.targets),
                "missing": list(found.missing),
            }
        )
    elif output.screen().is_terminal:
        _show_links(view, found)
    else:
        place = partial(path_from, view.vault.root, output.screen().folder)
        for path, lines in found.sources.items():
            for number, text in lines:
                output.show(f"from\t{in_line(place(path))}:{number}: {in_line(text.strip())}")
        for path in found.targets:
            output.show(f"to\t{in_line(place(path))}")
        for name in found.missing:
            output.show(f"missing\t{in_line(name)}")
    return ended(bool(found.sources or found.targets or found.missing), call.as_json)


@dataclass(frozen=True, slots=True)
class _Links:
    """The notes that link to one, each with the lines; the files that it links to; names of no file."""

    sources: Mapping[str, list[tuple[int, str]]]
    targets: tuple[str, ...]
    missing: tuple[str, ...]


def _links_of(view: "View", doc: int) -> _Links:
    snapshot, path = view.snapshot, view.lexical.path(doc)
    sources: dict[str, list[tuple[int, str]]] = {}
    for edge in snapshot.graph.incoming(path):
        source = snapshot.doc(edge.source)
        if source is None or source == doc or not snapshot.visible[source]:
            continue
        line = (edge.link.line, snapshot.lines(source)[edge.link.line - 1])
        if line not in sources.setdefault(edge.source, []):
            sources[edge.source].append(line)
    out: Sequence[Edge] = snapshot.graph.outgoing(path)
    # A link to an excluded note is shown as one to a name that no note has.
    targets = (edge.target for edge in out if edge.target not in (None, path))
    shown = dict.fromkeys(target for target in targets if target and not snapshot.is_excluded(target))
    missing = (
        edge.link.target
        for edge in out
        if edge.target is None or (edge.target != path and edge.target not in shown)
    )
    return _Links(sources, tuple(shown), tuple(dict.fromkeys(missing)))


def _show_links(view: "View", found: _Links) -> None:
    """Show links on a terminal: a heading for each way, and below it the notes."""
    from app.search.show.listing import note_listed, notes_listed

    screen, root = output.screen(), view.vault.root

    def head(kind: Notice) -> str:
        return screen.dim(f"── {kind.said(screen.language)} ──") + "\n"

    parts = []
    if found.sources:
        notes, docs = [], view.lexical.paths()
        for path, lines in found.sources.items():
            result = result_of(view, docs[path]).model_copy(
                update={"excerpt_lines": tuple(lines), "tags": []}
            )
            notes.append(note_listed([result], screen, root) + "\n")
        parts.append(head(Notice(CommandKind.LINKS_HERE)) + "\n".join(notes))
    if found.targets:
        there = [(path, view.snapshot.doc(path)) for path in found.targets]
        rows = [(result_of(view, doc), "") for _, doc in there if doc is not None]
        files = "".join(in_line(path, PATH) + "\n" for path, doc in there if doc is None)
        parts.append(head(Notice(CommandKind.LINKS_THERE)) + notes_listed(rows, screen, root) + files)
    if found.missing:
        names = "".join(in_line(name, TITLE) + "\n" for name in found.missing)
        parts.append(head(Notice(CommandKind.LINKS_NOWHERE)) + names)
    output.show_printed("\n".join(parts))


def tags(
    call: options.Call,
    below: Annotated[
        str | None, typer.Argument(metavar="TAG", help="Only this one and those below it.")
    ] = None,
    order: OrderOption = "count",
    index: options.IndexOption = None,
) -> int:
    """List the tags, with how many notes have each."""
    from app.search.inventory import tag_counts
    from app.search.query.filters import tag_key

    key = tag_key(below) if below else ""
    rows, _ = asked(call.open(), index, lambda view: tag_counts(view.snapshot))
    kept = [row for row in rows if not key or row.key == key or row.key.startswith(f"{key}/")]
    return _counted("tags", "tag", kept, order, call.as_json, sign="#")


def properties(
    call: options.Call,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The values of this one.")] = None,
    order: OrderOption = "count",
    index: options.IndexOption = None,
) -> int:
    """List the properties, or the values of one, counted by notes."""
    from app.search.inventory import property_counts, value_counts

    def ask(view: "View") -> "list[Counted]":
        return property_counts(view.snapshot) if name is None else value_counts(view.snapshot, name)

    rows, _ = asked(call.open(), index, ask)
    return _counted("properties", "property" if name is None else "value", rows, order, call.as_json)


def _counted(
    name: str, field: str, rows: "Sequence[Counted]", order: str, as_json: bool, *, sign: str = ""
) -> int:
    """Print names with how many notes have each; in a pipe the name first, then a tab."""
    from app.errors import BadRequestError
    from app.limits import shown
    from app.search.inventory import most_first

    if order not in ("count", "name"):
        raise BadRequestError("unknown order {order}", "valid: count, name", order=shown(order))
    ordered = most_first(rows) if order == "count" else rows
    screen = output.screen()
    if as_json:
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
    return ended(bool(rows), as_json)


COMMANDS = {
    "tasks": (tasks, TASKS_EXAMPLES),
    "links": (links, LINKS_EXAMPLES),
    "tags": (tags, TAGS_EXAMPLES),
    "properties": (properties, PROPERTIES_EXAMPLES),
}
"""The commands by name, each with the examples of its help."""
