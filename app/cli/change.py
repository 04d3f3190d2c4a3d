"""A change to notes at the terminal: shown, asked about, made, and said in a sentence."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli import output
from app.cli.options import Call
from app.errors import VaultError, WriteError
from app.notices import Language, Notice
from app.sentences import Sentence
from app.serving.display import has_styles
from app.showing import PATH, in_line
from app.vault.obsidian import find_vault

if TYPE_CHECKING:
    from app.notes.models import Plan
    from app.vault.client import VaultClient


def language() -> Language:
    """Return the language of whoever sits at the terminal."""
    return output.screen().language


def tell(notice: Notice) -> None:
    """Say something beside the data, as a sentence of its own, on standard error."""
    output.tell(in_line(notice.remark(language())))


def sentence(said: Sentence) -> str:
    """Return what was done, in the language of whoever reads it."""
    return in_line(said.said(language())).removesuffix(".") + "."


def named(path: str) -> str:
    """Return a path as a sentence holds it."""
    return in_line(path, PATH)


def make(
    vault: "VaultClient",
    plans: "Sequence[Plan]",
    call: Call,
    trace_id: str,
    *,
    asks: bool,
    shows_text: bool = True,
) -> int:
    """Show changes and ask about them, make them, and say so; return the exit code.

    Raises:
        VaultError: as `carried_out` does.
    """
    from app.notes.answer import changes_nothing

    if all(map(changes_nothing, plans)):
        done, is_done = [Sentence("Nothing changed in '{path}'", path=named(plans[0].path))], False
    else:
        done = carried_out(vault, plans, trace_id, asks=asks, shows_text=shows_text)
        is_done = bool(done)
    if call.as_json:
        changes = [change.path for plan in plans for change in plan.changes if change.path not in plan.hidden]
        said = {"operation": plans[0].operation, "path": plans[0].path, "done": is_done}
        output.show_json({**said, "changed": changes if is_done else []})
    for one in () if call.as_json else done or [Sentence("Nothing was written")]:
        output.show(output.wrapped(sentence(one)))
    return output.FOUND if is_done else output.NOTHING


def carried_out(
    vault: "VaultClient",
    plans: "Sequence[Plan]",
    trace_id: str,
    *,
    asks: bool,
    shows_text: bool = True,
) -> list[Sentence]:
    """Make changes, and return what was done by each; nothing where the person who was asked declined.

    Args:
        vault: The vault.
        plans: The changes; each is a write of its own in the journal.
        trace_id: Names the command; what it writes can be taken back together.
        asks: Whether they are shown and asked about, once for all.
        shows_text: Whether the lines that change are part of what is asked.

    Raises:
        VaultError: nobody is there to be asked, a note changed meanwhile, or a write fails; what had gone
            before that stays gone, and the message names it.
    """
    from app.notes.answer import done_of, notices_of
    from app.notes.apply import carry_out, check

    here = find_vault(Path.cwd())
    if here is not None and here.resolve() != vault.root:
        tell(
            Sentence(
                "This is about the vault '{folder}', not about the one of this folder; --vault . means that",
                folder=in_line(str(vault.root), PATH),
            )
        )
    if asks and not _is_agreed(plans, shows_text=shows_text):
        return []
    if len(plans) > 1:
        # What changed while it was asked about is said before anything goes.
        for plan in plans:
            check(vault, plan)
    done = list[Sentence]()
    for plan in plans:
        try:
            written = carry_out(vault, plan, trace_id)
        except VaultError as error:
            if not done:
                raise
            raise WriteError(
                "{reason}; {names} had gone before that",
                "'vault-assistant undo' takes that back",
                reason=error.message,
                names=tuple(named(before.path) for before in plans[: len(done)]),
            ) from error
        # What was said when it was asked about need not be said twice.
        for notice in (*(() if asks else notices_of(plan, for_person=True)), *written.notices):
            tell(notice)
        done.append(done_of(plan, written.trashed))
    return done


def _is_agreed(plans: "Sequence[Plan]", *, shows_text: bool) -> bool:
    """Show what is about to be written, and ask about it.

    Raises:
        WriteError: nobody is there to be asked.
    """
    from app.chat.approval import ask_person, format_change
    from app.dependencies import ProposedWrite, diff_said
    from app.notes.answer import proposed
    from app.notes.diff import unified

    parts = list[str]()
    for plan in plans:
        one = proposed(plan)
        parts += [output.filled(in_line(each.said(language()))) for each in one.about]
        if shows_text:
            parts.append(diff_said(unified(one.notes), language()))
    change = ProposedWrite(plans[0].operation, plans[0].path, "\n".join(parts))
    if not output.is_interactive():
        output.tell(format_change(change))
        raise WriteError(Sentence("nothing was written: nobody is here to approve it"), Sentence("add --yes"))
    return ask_person(change, language=language(), colours=has_styles(is_terminal=sys.stderr.isatty()))
