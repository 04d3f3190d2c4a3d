"""What `status` says of writes that were cut short."""

import time
from typing import TYPE_CHECKING

from app.errors import VaultError
from app.notes.hidden import HIDDEN_NOTE, shown
from app.notes.journal import Journal
from app.notes.models import Recovered, Report, Unsettled
from app.notes.recover import recover

if TYPE_CHECKING:
    from app.dependencies import VaultClient

SHOWN_SECONDS = 14 * 86_400
"""How long a write that was finished or taken back is told of."""


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


def _row(vault: "VaultClient", each: Recovered) -> dict[str, str]:
    return {
        "time": _when(each.time),
        "operation": each.operation,
        "path": _name(vault, each.path),
        "outcome": each.outcome,
        "reason": f"{each.operation} of {_when(each.began)} was cut short; {each.outcome} {_when(each.time)}",
    }


def _open(vault: "VaultClient", each: Unsettled) -> tuple[str, str]:
    what = f"{each.operation or 'a write'} of {_when(each.began)} was cut short and is half done"
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
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
