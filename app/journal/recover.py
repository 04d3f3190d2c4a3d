"""Writes that were cut short: finished or taken back, as is safe, and what `status` says of them."""

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.errors import NoteNotFoundError, VaultError, WriteError
from app.journal.excluded import HIDDEN_NOTE, shown
from app.journal.journal import BusyError, Journal
from app.journal.lines import is_any_open, journal_folder
from app.journal.models import Entry, Outcome, Recovered, Report, Unsettled
from app.journal.steps import Look, Steps
from app.journal.sweep import remove_folders, sweep, tidy
from app.vault.atomic import content_hash
from app.vault.files import read_file
from app.vault.work import Work

if TYPE_CHECKING:
    from app.vault.client import VaultClient

SHOWN_SECONDS = 14 * 86_400
"""How long a write that was finished or taken back is told of."""

_logger = logging.getLogger("vault_assistant")


@dataclass(frozen=True, slots=True)
class Settled:
    """What a write came to."""

    outcome: Outcome
    left: tuple[str, ...] = ()
    """Notes that somebody else has changed since, left as they are."""


def recover(vault: "VaultClient") -> list[Unsettled]:
    """Finish or take back what writers that are dead have left open; never fails.

    A writer that is alive holds the journal's lock, so that nothing of it is touched.

    Returns:
        What could not be settled, and why.
    """
    # Every command asks, and hardly ever is anything open: one listing of a small folder answers that.
    if not is_any_open(journal_folder(vault.root, vault.settings.state_folder)):
        return []
    try:
        journal = Journal(vault)
        if not (names := journal.open()):
            return []
    except (VaultError, OSError) as error:
        return [Unsettled(time.time(), "", "", f"the journal cannot be read: {error}")]
    reason: str
    if vault.settings.writes == "refuse":
        reason = "the setting 'writes' is 'refuse', so nothing was changed"
    else:
        try:
            with journal.locked(0):
                return settle_open(vault, journal)
        except BusyError:
            return []
        except (VaultError, OSError) as error:
            reason = str(error)
    try:
        return [_unsettled(entry, reason) for entry in journal.entries() if entry.id in names]
    except WriteError as error:
        return [Unsettled(time.time(), "", "", str(error))]


def settle_open(vault: "VaultClient", journal: Journal) -> list[Unsettled]:
    """Settle every write that is open; to be called under the journal's lock, so that their writers are dead.

    Returns:
        What could not be settled, and why.

    Raises:
        OSError: the journal cannot be read or written.
    """
    names = journal.open()
    if not names:
        return []
    journal.sweep()
    entries = journal.entries()
    known = {entry.id: number for number, entry in enumerate(entries)}
    unsettled: list[Unsettled] = []
    for name in names:
        if name not in known:
            # It was never recorded, so it never touched the vault; or it was given up, which ends with this.
            journal.forget(name)
            continue
        entry, later = entries[known[name]], entries[known[name] + 1 :]
        try:
            # Whoever wrote to the same notes since saw them as they were left: that is not to be changed.
            over = entry.done or any(_overlap(entry, each) for each in later)
            settled = None if over else settle(vault, journal, entry)
            copies = end(vault, journal, entry, settled)
            if settled is not None or copies:
                _remember(journal, entry, settled or Settled("finished"), copies)
        except (VaultError, OSError) as error:
            unsettled.append(_unsettled(entry, str(error)))
    return unsettled


def settle(vault: "VaultClient", journal: Journal, entry: Entry, *, failed: bool = False) -> Settled:
    """Bring all files of a write to one side of it.

    Where every file is on the far side, the write is done. Otherwise it is taken back, since nobody was told
    that it is done; only a note that cannot go back where it was, because it was changed where it is or there
    is another one by now, is followed by the links to it. A note that somebody has changed is left as it is.

    Args:
        vault: The vault.
        journal: Its journal, locked.
        entry: The write.
        failed: Whether an error was reported, so that it is taken back even where it is done.

    Raises:
        VaultError: it cannot be done; what was done of it stays, and it can be tried again.
    """
    steps = Steps(vault, entry, journal.content, Work(entry.id))
    looks = steps.look()
    sides = {path: look.side for path, look in looks.items()}
    left = tuple(path for path, side in sides.items() if side == "other")
    if "after" not in sides.values():
        # Only a note that was set aside is put back.
        steps.back(looks)
        return Settled("left as it is" if left else "rolled back", left)
    done = "before" not in sides.values() and not any(look.is_halfway for look in looks.values())
    if (done and not failed) or _must_finish(entry, looks):
        steps.forward(looks)
        return Settled("finished", left)
    steps.back(looks)
    return Settled("rolled back", left)


def end(vault: "VaultClient", journal: Journal, entry: Entry, settled: Settled | None) -> tuple[str, ...]:
    """Remove what a write has left, and record what it came to.

    Args:
        vault: The vault.
        journal: Its journal, locked.
        entry: The write.
        settled: What it came to; None where nothing is to be recorded.

    Returns:
        Copies that were made of texts which another program saved too late.

    Raises:
        VaultError: a hidden file cannot be looked at or removed.
        OSError: the journal cannot be written.
    """
    rolled_back = settled is not None and settled.outcome == "rolled back"
    swept, copies = sweep(vault, entry)
    if rolled_back:
        remove_folders(vault, entry)
    elif settled is not None or entry.done:
        tidy(vault, journal, entry.undoes)
    if settled is not None and not rolled_back:
        journal.finish(entry, _trashed(vault, entry))
    # A write that is given up is forgotten, and with it where its files are: not before they are gone.
    if swept and rolled_back:
        journal.give_up(entry)
    if swept:
        journal.close(entry)
    return copies


def _must_finish(entry: Entry, looks: dict[str, Look]) -> bool:
    """Find out whether a moved note cannot go back: it was changed since, or there is another one."""
    if entry.moved is None:
        return False
    old, new = (looks[path] for path in entry.moved)
    return old.side == "other" or (new.side == "other" and old.now is None)


def _trashed(vault: "VaultClient", entry: Entry) -> str | None:
    """Return where a deleted note was to be put, if it is there."""
    if entry.trashed is None:
        return None
    try:
        data = read_file(vault.root, entry.trashed, vault.settings.max_note_bytes).data
    except NoteNotFoundError:
        return None
    return entry.trashed if content_hash(data) == entry.files[0].before else None


def _overlap(entry: Entry, later: Entry) -> bool:
    return not {state.path for state in entry.files}.isdisjoint(state.path for state in later.files)


def _remember(journal: Journal, entry: Entry, settled: Settled, copies: tuple[str, ...]) -> None:
    _logger.warning("write_recovered", extra={"operation": entry.operation, "outcome": settled.outcome})
    recovered = Recovered(
        time.time(),
        entry.time,
        entry.operation,
        entry.path,
        settled.outcome,
        settled.left,
        copies,
        _new_path(entry),
    )
    journal.remember(recovered)


def _unsettled(entry: Entry, reason: str) -> Unsettled:
    return Unsettled(entry.time, entry.operation, entry.path, reason, _new_path(entry))


def _new_path(entry: Entry) -> str:
    return entry.moved[1] if entry.moved is not None else ""


def report(vault: "VaultClient") -> Report:
    """Say what was finished or taken back lately, and what a person should look at."""
    unsettled = recover(vault)
    try:
        known = Journal(vault).recovered()
    except (VaultError, OSError) as error:
        return Report((), ((".", f"the journal of writes cannot be read: {error}"),))
    lately = [each for each in reversed(known) if time.time() - each.time < SHOWN_SECONDS]
    problems = [_open(vault, each) for each in unsettled]
    for each in lately:
        problems += _problems(vault, each)
    return Report(tuple(_row(vault, each) for each in lately), tuple(problems))


def _row(vault: "VaultClient", each: Recovered) -> dict[str, str | None]:
    what = _what(vault, each)
    return {
        "time": _when(each.time),
        "operation": each.operation,
        "path": _name(vault, each.path),
        "new_path": _name(vault, each.new_path) if each.new_path else None,
        "outcome": each.outcome,
        "reason": f"{what} of {_when(each.began)} was cut short; {each.outcome} {_when(each.time)}",
    }


def _what(vault: "VaultClient", each: Recovered | Unsettled) -> str:
    """Name a write, and the other note that it is about."""
    to = f" to {shown(vault, each.new_path)}" if each.new_path else ""
    return f"{each.operation or 'a write'}{to}"


def _open(vault: "VaultClient", each: Unsettled) -> tuple[str, str]:
    what = f"{_what(vault, each)} of {_when(each.began)} was cut short and is half done"
    # The reason may hold names of notes, which an excluded one must not have told.
    reason = "it cannot be read or written" if vault.is_excluded(each.path) else each.reason
    return _name(vault, each.path), f"{what}: {reason}; the next command tries again to settle it"


def _problems(vault: "VaultClient", each: Recovered) -> list[tuple[str, str]]:
    about = f"{each.operation} of {shown(vault, each.path)}"
    found = [
        (
            _name(vault, path),
            f"it was changed after {about} was cut short at {_when(each.began)}, and was left as it is: "
            "look whether its text and links are as they should be",
        )
        for path in each.left
    ]
    found += [
        (
            _name(vault, copy),
            f"another program saved this text during {about}, too late to be in the note: "
            "compare the two, then delete this one",
        )
        for copy in each.copies
        if (vault.root / copy).exists()
    ]
    return found


def _name(vault: "VaultClient", path: str) -> str:
    return HIDDEN_NOTE if path and vault.is_excluded(path) else path or "."


def _when(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
