"""Each way to write vectors, killed before any system call, or failing at any: old or new is there afterwards.

It forks, which a process with threads must not: ``python -m app.tests.search.vectors.matrix STEP`` takes
every STEP-th call.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from app.errors import SearchError
from app.search.vectors import store
from app.tests.notes.matrix.calls import Call
from app.tests.notes.matrix.watched import Watched, why_not
from app.tests.search.vectors.keeping import add, kept_in, numbers_in

NOT_RUN = 77
FULL = (1, 2, 3)
Write = Callable[[Path], None]


def drop(folder: Path) -> None:
    kept_in(folder).keep_only(np.array([2, 3]), always=True)


WRITES: dict[str, tuple[Sequence[int], Write, set[int]]] = {
    "the first": ((), lambda folder: add(folder, 1), {1}),
    "one more": ((1, 2), lambda folder: add(folder, 3), {1, 2, 3}),
    "a merge": (FULL, lambda folder: add(folder, 99), {*FULL, 99}),
    "what is gone": ((1, 2, 3), drop, {2, 3}),
}
"""What is there before, what is done, and what is there after it."""


def carried_out(write: Write, arguments: Sequence[str]) -> int:
    """Write; 1 where the disk refused."""
    try:
        write(Path(arguments[0]))
    except (SearchError, OSError):
        return 1
    return 0


def check(folder: Path, *states: set[int]) -> None:
    """Old or new is there, and the next writer goes on from it and leaves no other file."""
    found = numbers_in(folder)
    assert found in states, (found, states)
    add(folder, 1000)
    assert numbers_in(folder) == {*found, 1000}
    files = {file.name for file in folder.iterdir()}
    named = {name.partition(".")[0] for name in files if name.endswith(".npy")}
    assert files == {"write.lock", "shards.json"} | {
        f"{name}{end}" for name in named for end in (".npy", ".tokens.npy")
    }


def stopped(folder: Path, write: Write, calls: int) -> tuple[Watched, Call | None]:
    """Begin to write, and stop before one of the calls that touch the folder."""
    watched = Watched([str(folder)], (folder,), partial(carried_out, write))
    call = watched.next_call()
    for _ in range(calls):
        if call is None:
            break
        watched.through()
        call = watched.next_call()
    return watched, call


def case(before: Path, write: Write, at: int, kind: str, states: Sequence[set[int]]) -> bool:
    """Kill at a call, or have it fail, and look at what is left; False where there is no such call."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(shutil.copytree(before, Path(scratch) / "vectors"))
        watched, call = stopped(folder, write, at)
        if call is None:
            assert watched.finish().code == 0
            check(folder, states[-1])
        elif kind == "kill":
            watched.kill()
            check(folder, *states)
        else:
            errors = call.errors()
            watched.through(errors[at % len(errors)], closing=call.name == "close")
            assert watched.finish().code in (0, 1)
            check(folder, *states)
        return call is not None


def main(step: int) -> int:
    if reason := why_not():
        print(reason)
        return NOT_RUN
    # With one shard more, some are merged.
    store.MOST_SHARDS = len(FULL)
    for number, (name, (before, write, after)) in enumerate(WRITES.items()):
        with tempfile.TemporaryDirectory() as scratch:
            add(Path(scratch), *before)
            for at, kind in enumerate(("kill", "fail"), number):
                while case(Path(scratch), write, at, kind, ({*before}, after)):
                    at += step
                print(f"{name}: {kind} at calls up to {at}")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
