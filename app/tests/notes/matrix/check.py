"""What must hold after a disturbed write, once the next ordinary command has run."""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.tests.notes.matrix.cases import Case, calls_of
from app.tests.notes.matrix.operations import Disturbed
from app.tests.notes.matrix.watched import Outcome
from app.tests.notes.matrix.world import HIDDEN, File, Files, World, files

NEXT = (("status",), ("note", "read", "Index"), ("status", "--json"), ("find", "fast", "constant"))
"""The ordinary commands that may come next; half of the cases ask for the status."""
NOT_LOOKED_AT = re.compile(r"links in (?:'([^']+)'|1 excluded place) were not all looked at")
PRIVATE = "Private"
NOT_PUT_BACK = "could not be put back either"
MADE_UP = re.compile(rb"\b(?:[0-9a-f]{12}|[0-9a-f]{16})\b|(?<=[.-])[0-9a-f]{8}\b|\b\d{10}\.\d+|\b\d{19}\b")
"""Names of writes, random parts of names, and times."""
CONTENT = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Sides:
    """The vault before the operation and after it, and what the journal's folder holds when all went well."""

    old: Files
    new: Files
    journal: frozenset[str]

    def side(self, found: Files) -> str:
        """Name the side on which the vault is as a whole; empty where it is on none."""
        return "new" if found == self.new else "old" if found == self.old else ""


def sides_of(world: World, operation: Disturbed) -> tuple[Sides, list[Any]]:
    """Run an operation undisturbed: the vault on both sides of it, and its calls."""
    old = files(world.vault)
    if operation.cut_short is not None:
        # Both sides are those of the write that was cut short, wherever it has stopped.
        world.keep("stopped")
        world.make("local")
        old = files(world.vault)
        assert world.run(*operation.cut_short[0]).code == 0
        new = files(world.vault)
        world.restore("stopped")
        calls, outcome = calls_of(world, operation.arguments)
    else:
        calls, outcome = calls_of(world, operation.arguments)
        new = files(world.vault)
    assert outcome.code == 0, outcome
    assert old != new, operation.name
    return Sides(old, new, frozenset(_journal_files(world.state))), calls


class Check:
    """Holds what a disturbed run left behind against what was promised.

    Runs that leave the same behind, but for names and times made up on the way, are settled once for each
    command that may come next.

    Args:
        world: Where the operation ran.
        operation: What ran.
        sides: The vault before it and after it.
    """

    def __init__(self, world: World, operation: Disturbed, sides: Sides) -> None:
        self._world = world
        self._operation = operation
        self._sides = sides
        self._settled: dict[tuple[str, tuple[str, ...], tuple[str, ...]], tuple[str, list[str]]] = {}

    @property
    def states(self) -> int:
        """How many different states were settled."""
        return len(self._settled)

    def wrong(self, case: Case, outcome: Outcome) -> list[str]:
        """Run what comes next, and say in words each thing that is not as promised."""
        found = list(_wrong_words(outcome))
        passed_over: list[str] = []
        if self._operation.cut_short is None:
            passed_over = [path or PRIVATE for path in NOT_LOOKED_AT.findall(outcome.out)]
            sides = _without(self._sides, passed_over, files(self._world.vault))
            found += _wrong_answer(self._world, case, sides, outcome)
        command = NEXT[case.number % len(NEXT)]
        state = (_digest(self._world), tuple(passed_over), command)
        if state not in self._settled:
            sides = _without(self._sides, passed_over, files(self._world.vault))
            self._settled[state] = self._settle(sides, command)
        side, wrong = self._settled[state]
        found += wrong
        if outcome.code is not None and self._operation.cut_short is None and side:
            promised = "new" if outcome.code == 0 else "old"
            # On a disk that takes nothing, not even a line in the journal, the answer promises no side.
            if side != promised and not (case.lasts and NOT_PUT_BACK in outcome.err):
                found.append(f"the answer {_one_line(outcome)} promised the {promised} vault, it is {side}")
        return found

    def _settle(self, sides: Sides, command: tuple[str, ...]) -> tuple[str, list[str]]:
        """Run the next command; return the side on which the vault is then, and what is wrong."""
        world, operation = self._world, self._operation
        after = world.run(*command)
        wrong = list(_wrong_words(after))
        if after.code != 0:
            wrong.append(f"{' '.join(command)} ended with {after.code}: {after.err}")
        found = _seen(world, operation)
        side = sides.side(found)
        if not side:
            difference = _difference(found, sides)
            return "", [*wrong, f"after {' '.join(command)} the vault is neither old nor new: {difference}"]
        wrong += _wrong_journal(world, operation, sides, side)
        wrong += _not_settled(world, operation, found)
        wrong += _wrong_undo(world, operation, sides, side)
        return side, wrong


def _without(sides: Sides, passed_over: list[str], found: Files) -> Sides:
    """Expect links that the answer said were not looked at to be as they were.

    A folder's listing may fail after it has shown some of the notes; these may be on the new side.
    """
    kept = {
        path: file
        for path, file in sides.old.items()
        if any(f"{path}/".startswith(f"{part}/") for part in passed_over)
        and found.get(path) != sides.new.get(path)
    }
    return Sides(sides.old, {**sides.new, **kept}, sides.journal)


def _digest(world: World) -> str:
    """Sum up all that a command touches, with what is made up at each run replaced."""
    parts: list[bytes] = []
    for folder in world.folders:
        for path in sorted(folder.rglob("*")):
            status = path.lstat()
            parts.append(f"{path.relative_to(world.here)} {status.st_mode}".encode())
            if path.is_file():
                parts += [path.read_bytes(), repr(os.listxattr(path)).encode()]
    return hashlib.blake2b(MADE_UP.sub(b"#", b"\n".join(parts))).hexdigest()


def _wrong_words(outcome: Outcome) -> Iterator[str]:
    if "unexpected failure" in outcome.err or "Traceback" in outcome.err:
        yield f"an error nobody expected: {outcome.err.strip()}"


def _wrong_answer(world: World, case: Case, sides: Sides, outcome: Outcome) -> Iterator[str]:
    """Hold what was said against the notes as they were left, before anything else runs."""
    if outcome.code is None or (case.lasts and outcome.code != 0):
        # On a disk that takes nothing any more, what was done cannot be put back at once.
        return
    promised = sides.new if outcome.code == 0 else sides.old
    seen, meant = _notes(files(world.vault)), _notes(promised)
    if seen != meant:
        wrong = sorted(path for path in seen.keys() | meant.keys() if seen.get(path) != meant.get(path))
        yield f"the answer {_one_line(outcome)} does not fit what was left at {', '.join(wrong)}"


def _wrong_journal(world: World, operation: Disturbed, sides: Sides, side: str) -> Iterator[str]:
    states = _states(world.state)
    if "open" in states:
        yield "the journal still has a write open"
    last = states[-1] if states else "nothing"
    kept = len(operation.before) + len(operation.turn)
    done = states.count("done")
    if done != kept + (side == "new"):
        yield f"the vault is {side}, but the journal's last entry says {last} and {done} are done"
    if litter := sorted(_journal_files(world.state) - sides.journal):
        yield f"litter in the journal's folder: {', '.join(litter)}"
    for path in world.here.rglob(f"{HIDDEN}*"):
        yield f"litter: {path.relative_to(world.here)}"


def _not_settled(world: World, operation: Disturbed, found: Files) -> Iterator[str]:
    """Say what a second ordinary command still changes."""
    lines = _lines(world.state)
    world.run("note", "read", "Index")
    if _seen(world, operation) != found or _lines(world.state) != lines:
        yield "a second command found more to do"


def _wrong_undo(world: World, operation: Disturbed, sides: Sides, side: str) -> Iterator[str]:
    outcome = world.run(*operation.undo)
    possible = (side == "old") if operation.takes_back else (side == "new")
    found = _seen(world, operation)
    if not possible:
        if outcome.code != 2 or "no write that could be taken back" not in outcome.err:
            yield f"undo had nothing to take back, and answered {_one_line(outcome)}"
        if sides.side(found) != side:
            yield "undo had nothing to take back, and changed the vault"
        return
    goal = sides.new if operation.takes_back else sides.old
    if outcome.code != 0 or found != goal:
        wrong = _difference(found, Sides(goal, goal, frozenset()))
        yield f"undo went wrong: {wrong}; it answered {_one_line(outcome)}"


def _seen(world: World, operation: Disturbed) -> dict[str, File]:
    """Look at the vault; without ``.trash/``, where a note goes that the system's trash does not take."""
    found = files(world.vault)
    if "system" not in operation.name:
        return found
    return {path: file for path, file in found.items() if not path.startswith(".trash")}


def _notes(found: Files) -> Files:
    # The copy of a note that came back may stay in the trash for a moment; the answer says so.
    return {
        path: file
        for path, file in found.items()
        if file[0] == "file" and HIDDEN not in path and not path.startswith(".trash/")
    }


def _difference(found: Files, sides: Sides) -> str:
    parts = []
    for path in sorted(found.keys() | sides.old.keys() | sides.new.keys()):
        here, old, new = found.get(path), sides.old.get(path), sides.new.get(path)
        if here == old == new:
            continue
        parts.append(f"{path} is {'old' if here == old else 'new' if here == new else f'else ({here})'}")
    return "; ".join(parts) or "it is as it should be"


def _one_line(outcome: Outcome) -> str:
    return repr(" ".join((outcome.err or outcome.out).split())[:300])


def _states(state: Path) -> list[str]:
    """List what the journal says of each write, in their order: open, done or given up."""
    states: dict[str, str] = {}
    for line in _lines(state).splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        match value:
            case {"id": str(name)}:
                states[name] = "open"
            case {"done": str(name)}:
                states[name] = "done"
            case {"given_up": str(name)}:
                states[name] = "given up"
    return list(states.values())


def _lines(state: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(state.rglob("writes.jsonl")))


def _journal_files(state: Path) -> set[str]:
    """List what lies in the journal's folder; contents are named by their hash and count as one."""
    names = (path.relative_to(state).as_posix() for path in state.rglob("*"))
    return {CONTENT.sub("HASH", name) for name in names if not name.endswith("/recovered.jsonl")}
