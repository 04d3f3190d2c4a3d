"""The cases of one operation: each of its calls, and all that may happen at it."""

import errno
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.tests.notes.matrix.calls import Call
from app.tests.notes.matrix.watched import Outcome
from app.tests.notes.matrix.world import World

KILLED_BEFORE, KILLED_AFTER = "killed before", "killed after"
# A disk that is full or gone stays so for a while: from one call on, each call that it concerns fails.
LASTING = {
    "ENOSPC from there on": errno.ENOSPC,
    "EIO from there on": errno.EIO,
    "EROFS in the vault from there on": errno.EROFS,
}


@dataclass(frozen=True, slots=True)
class Case:
    """One disturbance: what happens at which call."""

    number: int
    """Of the call among the counted ones of the operation, from 0."""
    call: Call
    fault: str
    """As in the table of the run."""

    @property
    def kills(self) -> bool:
        """Whether the process ends there."""
        return self.fault in (KILLED_BEFORE, KILLED_AFTER)

    @property
    def lasts(self) -> bool:
        """Whether later calls fail as well."""
        return self.fault in LASTING

    def __str__(self) -> str:
        return f"{self.fault} at call {self.number}, {self.call.name} of {self.call.path}"


def cases_of(calls: Sequence[Call], vault: Path) -> list[Case]:
    """Make up all cases of an operation from the calls of an undisturbed run."""
    found: list[Case] = []
    for number, call in enumerate(calls):
        faults = [errno.errorcode[error] for error in call.errors()]
        if call.changes:
            faults += [KILLED_BEFORE, KILLED_AFTER]
            faults += [name for name in LASTING if _concerned(call, name, vault)]
        found += [Case(number, call, fault) for fault in faults]
    return found


def calls_of(world: World, arguments: Sequence[str]) -> tuple[list[Call], Outcome]:
    """Run a command undisturbed and list its calls."""
    watched = world.watched(*arguments)
    calls: list[Call] = []
    while (call := watched.next_call()) is not None:
        calls.append(call)
        watched.through()
    return calls, watched.finish()


def disturb(world: World, arguments: Sequence[str], case: Case) -> Outcome:
    """Run a command with one thing going wrong.

    Raises:
        AssertionError: its calls are not those of the undisturbed run.
    """
    watched = world.watched(*arguments)
    for _ in range(case.number):
        watched.next_call()
        watched.through()
    call = watched.next_call()
    assert call is not None, "the command ended early"
    assert call.name == case.call.name, f"{call.name} of {call.path} instead"
    if case.fault == KILLED_BEFORE:
        return watched.kill()
    if case.fault == KILLED_AFTER:
        watched.through()
        return watched.kill()
    closing = call.name == "close"
    if not case.lasts:
        watched.through(getattr(errno, case.fault), closing=closing)
        return watched.finish()
    while call is not None:
        concerned = _concerned(call, case.fault, world.vault)
        watched.through(LASTING[case.fault] if concerned else None, closing=call.name == "close")
        call = watched.next_call()
    return watched.finish()


def _concerned(call: Call, fault: str, vault: Path) -> bool:
    if fault.startswith("EROFS"):
        return call.changes and call.name != "close" and call.path.startswith(str(vault))
    return call.allocates() if fault.startswith("ENOSPC") else call.changes
