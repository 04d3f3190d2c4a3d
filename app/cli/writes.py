"""``mv``, ``rm``, ``replace`` and ``undo``: writes to notes, and what was written before."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.bootstrap import new_trace_id
from app.cli import change, options, output
from app.cli.parts import find_part
from app.errors import BadRequestError
from app.notices import Notice
from app.sentences import Sentence
from app.showing import in_line

if TYPE_CHECKING:
    from app.journal.models import Entry
    from app.notes.models import Plan
    from app.vault.client import VaultClient

EXAMPLES = {
    "mv": (
        "A name alone renames the note in its folder; the name of a folder, or a path, moves it. Every link "
        "to it is rewritten as Obsidian would; the change is shown and asked about first.\n\n"
        "Examples:\n\n\b\n"
        "  vault-assistant mv Leeks 'Spring leeks'\n"
        "  vault-assistant mv Leeks Alliums/Leeks\n"
        "  vault-assistant mv Leeks Archive/ --yes\n"
        "  vault-assistant mv 'Leeks#Sowing' '#Sowing and planting'"
    ),
    "rm": (
        "A note goes where the vault's own setting sends deleted ones.\n\n"
        "Examples:\n\n\b\n"
        "  vault-assistant rm Leeks\n"
        "  vault-assistant rm Leeks 'Old plan' --yes"
    ),
    "undo": (
        "Examples:\n\n\b\n"
        "  vault-assistant undo\n"
        "  vault-assistant undo Projects/Garden\n"
        "  vault-assistant undo --turn --yes\n"
        "  vault-assistant undo --list"
    ),
    "replace": (
        "The change of all notes is shown and asked about once, written once, and taken back by one undo. "
        "Notes that Obsidian excludes stay as they are.\n\n"
        "Examples:\n\n\b\n"
        "  vault-assistant replace 'Port Avel' 'Port-Avel'\n"
        "  vault-assistant replace colour color --in projects --dry-run\n"
        "  vault-assistant replace --tag project/garden project/yard"
    ),
}


def mv(
    call: options.Call,
    note: Annotated[str, typer.Argument(metavar="NOTE[#HEADING]", help="A note's name or path.")],
    to: Annotated[str, typer.Argument(metavar="NEW", help="Its new name, or the folder or path it goes to.")],
    yes: options.YesOption = False,
) -> int:
    """Move or rename a note or a heading, and rewrite the links to it."""
    from app.notes.answer import planned

    opened, trace_id = call.open(), new_trace_id()
    path, part = find_part(opened, note) if "#" in note else (output.note_named(opened, note), "")
    names = {"path": path, "new_path": to if part else _place(opened, path, to)}
    if part:
        name, sign, new = to.partition("#")
        is_own = sign and name and find_part(opened, name)[0] == path
        names |= {"path": f"./{path}", "block" if part.startswith("^") else "heading": part}
        names |= {"new_path": f"#{new}"} if is_own else {}
    plan = planned(opened, {"operation": "move", **names}, trace_id=trace_id)
    return change.make(opened, [plan], call, trace_id, asks=not yes)


def _place(vault: "VaultClient", note: str, written: str) -> str:
    """Return where a note goes: into the folder that is called so, and else a name alone stays in its own."""
    from app.vault.paths import clean_path, path_key

    if not written.strip():
        # An empty variable of a script is no wish for the vault's root; it is refused like a missing name.
        return ""
    place = output.target_named(vault, written)
    inside = clean_path(vault.from_root(place))
    folders = {"", *map(path_key, vault.scan().folders)}
    if path_key(inside) in folders:
        return place if place.endswith("/") else f"{place}/"
    old_folder = vault.resolve(note).rpartition("/")[0]
    if path_key(inside.rpartition("/")[0]) not in folders:
        place = "/".join(part.strip() for part in place.split("/"))
    if "/" in written or written.lstrip("! ").startswith("[["):
        return place
    # From the root, where a name of the working folder would come before it.
    return f"./{old_folder}/{written.strip()}" if old_folder else f"./{written.strip()}"


def rm(
    call: options.Call,
    notes: Annotated[list[str], typer.Argument(metavar="NOTE", help="Names or paths of notes.")],
    permanent: Annotated[bool, typer.Option("--permanent", help="Delete for good.")] = False,
    yes: options.YesOption = False,
) -> int:
    """Put notes into the trash."""
    from app.notes.answer import planned

    opened, trace_id = call.open(), new_trace_id()

    def plan_of(note: str) -> "Plan":
        parameters = {
            "operation": "delete",
            "path": output.note_named(opened, note),
            "permanent": permanent,
        }
        return planned(opened, parameters, trace_id=trace_id)

    # A name that is wrong is said before anything is deleted, and a note that is named twice goes once.
    plans = list({plan.path: plan for plan in map(plan_of, notes)}.values())
    # What is asked here is whether the notes go, and their text is no part of that question.
    return change.make(opened, plans, call, trace_id, asks=not yes, shows_text=False)


def replace(
    call: options.Call,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The text as it stands in notes, or a tag.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="What takes its place; '' takes it away.")],
    tag: Annotated[
        bool, typer.Option("--tag", help="Rename a tag, and those below it, in text and properties.")
    ] = False,
    folder: options.FolderOption = None,
    ignore_case: Annotated[bool, typer.Option("--ignore-case", "-i", help="In any case.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the change and write nothing.")] = False,
    yes: options.YesOption = False,
) -> int:
    """Replace a text, or a tag, in all notes, as one change."""
    from app.dependencies import diff_said
    from app.journal.recover import recover
    from app.notes.diff import format_diff
    from app.notes.everywhere import rename_tag, replace_text

    opened = call.open()
    if tag and (folder or ignore_case):
        raise BadRequestError("a tag is renamed in all notes", "leave --in and --ignore-case out")
    recover(opened)
    inside = output.folder_named(opened, folder)
    found = (
        rename_tag(opened, old, new)
        if tag
        else replace_text(opened, old, new, folder=inside, ignores_case=ignore_case)
    )
    if found is None:
        none = "No note has #{old}" if tag else "No note holds '{old}'"
        output.tell(change.sentence(Notice(none, old=change.named(old.removeprefix("#") if tag else old))))
        return output.NOTHING
    if not dry_run:
        return change.make(opened, [found], call, new_trace_id(), asks=not yes)
    for notice in found.notices:
        change.tell(notice)
    output.show(diff_said(format_diff(found), change.language()))
    return output.FOUND


def undo(
    call: options.Call,
    note: Annotated[
        str | None, typer.Argument(metavar="NOTE", help="The last write to this note; with --list, all.")
    ] = None,
    turn: Annotated[
        bool, typer.Option("--turn", help="All that one command, or one turn of a chat, wrote.")
    ] = False,
    listing: Annotated[bool, typer.Option("--list", help="List the writes, newest first.")] = False,
    yes: options.YesOption = False,
) -> int:
    """Take back the last write; --list lists them."""
    from app.journal.journal import Journal
    from app.notes.answer import planned

    opened, trace_id = call.open(), new_trace_id()
    named = None if note is None else output.note_named(opened, note)
    if listing:
        return _listed(opened, named, as_json=call.as_json)
    is_whole = turn or (named is None and _was_of_several(opened))
    parameters = {"operation": "undo", "path": named, "content": "turn" if is_whole else None}
    plan = planned(opened, parameters, trace_id=trace_id)
    operations = {entry.id: entry.operation for entry in Journal(opened).entries()}
    # As with `rm`: whether notes come back is what is asked, not what stands in them.
    shows_text = any(operations[name] != "delete" for name in plan.undoes)
    return change.make(opened, [plan], call, trace_id, asks=not yes, shows_text=shows_text)


def _was_of_several(vault: "VaultClient") -> bool:
    """Return whether the write that would be taken back is one of several deletions by one command."""
    from app.journal.journal import Journal

    possible = [entry for entry in Journal(vault).entries() if not entry.undone and entry.operation != "undo"]
    last = possible[-1] if possible else None
    together = [entry for entry in possible if last is not None and entry.trace_id == last.trace_id]
    return len(together) > 1 and all(entry.operation == "delete" for entry in together)


def _listed(vault: "VaultClient", named: str | None, *, as_json: bool) -> int:
    """List the writes to notes, or to one, newest first."""
    from app.journal.journal import Journal
    from app.notes.undo import touches

    entries = [
        entry
        for entry in reversed(Journal(vault).entries())
        if named is None or touches(entry, named, lambda path: not vault.is_excluded(path))
    ]
    rows, screen = [_row(vault, entry) for entry in entries], output.screen()
    if as_json:
        output.show_json({"total": len(entries), "writes": rows})
    elif not rows:
        output.tell(change.sentence(Sentence("Nothing was written yet")))
    for row in () if as_json else rows:
        paths = " -> ".join(in_line(path) for path in (row["path"], row["new_path"]) if path)
        renamed = " -> ".join(map(change.named, row["renamed"] or ()))
        undone = Sentence("taken back").said(screen.language) if row["undone"] else ""
        if screen.is_terminal:
            when, what = row["time"].replace("T", " ")[:16], Sentence(row["operation"]).said(screen.language)
            told = (what, paths, f"({renamed})" if renamed else "", f"({undone})" if undone else "")
            line = output.wrapped(f"{when}  {' '.join(filter(None, told))}")
            output.show_printed((screen.dim if undone else str)(line) + "\n")
        else:
            fields = (row["time"], row["operation"], paths, "undone" if undone else "", renamed)
            output.show("\t".join(fields).rstrip("\t"))
    return output.FOUND if rows else output.NOTHING


def _row(vault: "VaultClient", entry: "Entry") -> dict[str, Any]:
    """Return a write as data; an excluded note is not named, nor a text that such notes alone had."""
    from app.journal.excluded import HIDDEN_NOTE

    def shown(path: str) -> str:
        return HIDDEN_NOTE.said(change.language()) if vault.is_excluded(path) else path

    return {
        "time": datetime.fromtimestamp(entry.time).isoformat(timespec="seconds"),
        "operation": entry.operation,
        "path": shown(entry.path),
        "new_path": shown(entry.moved[1]) if entry.moved and entry.operation == "move" else None,
        "notes": len(entry.files),
        "renamed": None if all(vault.is_excluded(state.path) for state in entry.files) else entry.renamed,
        "undone": entry.undone,
    }
