"""A change to notes at the terminal: shown, asked about, made, and said in a sentence."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from app.cli import output
from app.cli.options import Call
from app.errors import VaultError, WriteError
from app.notices import CommandKind, Language, Notice
from app.serving.display import has_styles, show_paged
from app.showing import PATH, in_line
from app.vault.obsidian import find_vault

if TYPE_CHECKING:
    from app.dependencies import ProposedWrite
    from app.journal.models import Entry
    from app.notes.models import Done, Plan
    from app.vault.client import VaultClient


BESIDE_DIFF = 5
"""Lines that a question takes besides the change it shows."""
WRITTEN = {
    "create": CommandKind.WRITE_CREATE,
    "update": CommandKind.WRITE_UPDATE,
    "append": CommandKind.WRITE_APPEND,
    "delete": CommandKind.WRITE_DELETE,
    "undo": CommandKind.WRITE_UNDO,
}
"""What a write was, where no more is known of it."""
AGAIN_LINES = 12
"""Of a change that was read in a pager, shown once more above the question."""


def language() -> Language:
    """Return the language of whoever sits at the terminal."""
    return output.screen().language


def tell(notice: Notice) -> None:
    """Say something beside the data, as a sentence of its own, on standard error."""
    output.tell(in_line(notice.remark(language())))


def sentence(notice: Notice) -> str:
    """Return what was done, in the language of whoever reads it."""
    return in_line(notice.said(language())) + "."


def named(path: str) -> str:
    """Return a path as a sentence holds it."""
    return in_line(path, PATH)


def make(
    vault: "VaultClient",
    plan: "Plan",
    asked: Notice | None,
    done: "Callable[[Done], Notice]",
    call: Call,
    trace_id: str,
    *,
    yes: bool = False,
    shows_text: bool = True,
) -> int:
    """Show a change and ask about it, make it, and say so; return the exit code.

    Args:
        vault: The vault.
        plan: The change.
        asked: Says what is about to be written; None where the person's command says it all.
        done: Says what was written.
        call: What the command was told.
        trace_id: Names the command; what it writes can be taken back together.
        yes: Whether the person agreed beforehand.
        shows_text: Whether the lines that change are part of what is asked.

    Raises:
        VaultError: nobody is there to be asked, or the write fails.
    """
    from app.notes.answer import changes_nothing, notices_of
    from app.notes.apply import carry_out

    tell_elsewhere(vault)
    about = notices_of(plan, for_person=True)
    if changes_nothing(plan):
        return _end(Notice(CommandKind.NOTHING_CHANGES, path=named(plan.path)), plan, call, is_done=False)
    if asked is not None and not yes and not is_agreed(plan, asked, shows_text=shows_text):
        return _end(Notice(CommandKind.DECLINED), plan, call, is_done=False)
    written = carry_out(vault, plan, trace_id)
    # What was said when it was asked about need not be said twice.
    for notice in (*(about if yes or asked is None else ()), *written.notices):
        tell(notice)
    return _end(done(written), plan, call, is_done=True)


def make_several(
    vault: "VaultClient",
    plans: "Sequence[Plan]",
    asked: Notice,
    done: Notice,
    call: Call,
    trace_id: str,
    *,
    yes: bool = False,
) -> int:
    """Ask once about the deletion of several notes, make it, and say so; return the exit code.

    Args:
        vault: The vault.
        plans: The changes, one for each note; each is a write of its own in the journal.
        asked: Says what is about to be written.
        done: Says what was written.
        call: What the command was told.
        trace_id: Names the command; what it writes can be taken back together.
        yes: Whether the person agreed beforehand.

    Raises:
        VaultError: nobody is there to be asked, a note changed meanwhile, or a write fails; what had gone
            before that stays gone, and the message names it.
    """
    from app.dependencies import ProposedWrite
    from app.notes.answer import notices_of
    from app.notes.apply import carry_out, check

    tell_elsewhere(vault)
    lines = [output.filled(sentence(asked))]
    for plan in plans:
        about = (in_line(f"({notice.said(language())})") for notice in notices_of(plan, for_person=True))
        lines.append(output.filled("  ".join([f"  {named(plan.path)}", *about])))
    whole = "\n".join(lines)
    is_agreed = yes or is_approved(ProposedWrite("delete", plans[0].path, whole))
    changed, failure = list[str](), None
    try:
        # What changed while it was asked about is said before anything goes.
        for plan in plans if is_agreed else ():
            check(vault, plan)
        for plan in plans if is_agreed else ():
            for notice in carry_out(vault, plan, trace_id).notices:
                tell(notice)
            changed.append(plan.path)
    except VaultError as error:
        if not changed:
            raise
        failure = error
    if call.as_json:
        paths = [plan.path for plan in plans]
        is_done = is_agreed and failure is None
        output.show_json({"operation": "delete", "paths": paths, "done": is_done, "changed": changed})
    if failure is not None:
        raise WriteError(
            "{reason}; {names} had gone before that",
            "'vault-assistant undo' takes that back",
            reason=failure.message,
            names=tuple(map(named, changed)),
        ) from failure
    if not call.as_json:
        output.show(sentence(done if is_agreed else Notice(CommandKind.DECLINED)))
    return output.FOUND if is_agreed else output.NOTHING


def tell_elsewhere(vault: "VaultClient") -> None:
    """Say in which vault a change is made, where that is not the one whose folder this is."""
    here = find_vault(Path.cwd())
    if here is not None and here.resolve() != vault.root:
        tell(Notice(CommandKind.IN_ANOTHER_VAULT, folder=in_line(str(vault.root), PATH)))


def _end(said: Notice, plan: "Plan", call: Call, *, is_done: bool) -> int:
    if call.as_json:
        changed = [change.path for change in plan.changes if change.path not in plan.hidden]
        output.show_json(
            {
                "operation": plan.operation,
                "path": plan.path,
                "done": is_done,
                "changed": changed if is_done else [],
            }
        )
    else:
        output.show(output.wrapped(sentence(said)))
    return output.FOUND if is_done else output.NOTHING


def is_agreed(plan: "Plan", asked: Notice, *, shows_text: bool = True) -> bool:
    """Show a plan below what ``asked`` says of it, and ask about it.

    Raises:
        WriteError: nobody is there to be asked.
    """
    from app.dependencies import ProposedWrite, diff_said
    from app.notes.answer import notices_of
    from app.notes.diff import format_diff

    about = notices_of(plan, for_person=True)
    remarks = [output.filled(in_line(f"({notice.said(language())})")) for notice in about]
    said = output.filled(sentence(asked))
    diff = diff_said(format_diff(plan), language()) if shows_text else ""
    # What was said at the top of a change is out of sight when the end of one that fills the screen is read.
    is_long = diff.count("\n") + len(remarks) + BESIDE_DIFF > get_terminal_size().lines
    text = "\n".join([said, *remarks, diff, *([said] if is_long else ())]).strip()
    return is_approved(ProposedWrite(plan.operation, plan.path, text))


def is_approved(change: "ProposedWrite") -> bool:
    """Show a change and ask about it.

    Raises:
        WriteError: nobody is there to be asked.
    """
    from app.chat.approval import ask_person, format_change

    change = replace(change, diff=change.said(language()), about=())
    colours = has_styles(is_terminal=sys.stderr.isatty())
    if not output.is_interactive():
        output.tell(format_change(change))
        raise WriteError(Notice(CommandKind.NOBODY_APPROVES), Notice(CommandKind.ADD_YES))
    prompt = Notice(CommandKind.PAGER_TO_QUESTION).said(language())
    if show_paged(format_change(change, colours=colours) + "\n", prompt):
        # Its lines were seen in the pager; nobody can tell whether one that ended well showed them all.
        lines = change.diff.split("\n")
        change = replace(
            change, diff="\n".join([*lines[:AGAIN_LINES], *(["…"] if lines[AGAIN_LINES:] else [])])
        )
    return ask_person(change, language=language(), colours=colours)


def renamed(vault: "VaultClient", entry: "Entry") -> tuple[str, str] | None:
    """Return the text that gave way and what took its place; None where excluded notes alone had it."""
    return None if all(vault.is_excluded(state.path) for state in entry.files) else entry.renamed


def worded(vault: "VaultClient", entry: "Entry") -> Notice:
    """Say what a write was; an excluded note is not named."""

    def shown(path: str) -> str | Notice:
        return Notice(CommandKind.HIDDEN_NOTE) if vault.is_excluded(path) else named(path)

    path, texts, count = shown(entry.path), renamed(vault, entry), len(entry.files)
    if entry.operation in ("retag", "replace") and texts is not None:
        kind = CommandKind.WRITE_RETAG_OF if entry.operation == "retag" else CommandKind.WRITE_REPLACE_OF
        old, new = map(named, texts)
        return Notice(kind, old=old, new=new, path=path, count=count)
    if entry.operation == "move" and entry.moved is not None:
        before, after = (shown(each) for each in entry.moved)
        if isinstance(before, Notice) or isinstance(after, Notice):
            return Notice(CommandKind.WRITE_MOVE, path=before)
        return Notice(CommandKind.WRITE_MOVE_TO, path=before, place=after)
    return Notice(WRITTEN.get(entry.operation, CommandKind.WRITE_BATCH), path=path, count=count)
