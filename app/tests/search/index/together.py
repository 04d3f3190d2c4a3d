"""Two processes write notes and bring one index up to date, while a third reads: whole states, and nothing is lost.

python -m app.tests.search.index.together SECONDS
"""

import json
import multiprocessing
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from app.errors import IndexBusyError
from app.search.operations import OPERATIONS
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.search.vectors import build, store
from app.tests.search.index.matrix import World
from app.vault.client import VaultClient

NOTES = 8


def text(version: int) -> str:
    """A note that says its version in each of its passages."""
    piece = f"A boat of version{version}. " * 40
    return "\n\n".join(f"# Part {part}\n\n{piece}" for part in range(1 + version % 3))


def opened(vault: Path) -> Any:
    build.BATCH_CHUNKS, store.MOST_SHARDS = 2, 4
    return searcher_for(VaultClient(vault))


def write(vault: Path, name: str, seconds: float, said: Any) -> None:
    """Change notes and update the index, until the time is over."""
    searcher, chance, end = opened(vault), random.Random(name), time.monotonic() + seconds
    updates = busy = version = embedded = 0
    while time.monotonic() < end:
        note = vault / f"{name}{chance.randrange(NOTES)}.md"
        version += 1
        if chance.random() < 0.1:
            note.unlink(missing_ok=True)
        else:
            new = note.with_suffix(".new")
            new.write_text(text(version))
            new.replace(note)
        try:
            updates += searcher.update().written
            embedded += searcher.embed().embedded
        except IndexBusyError:
            busy += 1
    said.put({"writer": name, "notes written": updates, "embedded": embedded, "busy": busy})


def read(vault: Path, seconds: float, said: Any) -> None:
    """Read each state, whole: a note's passages are of one version, and have its vectors or none yet."""
    searcher, end = opened(vault), time.monotonic() + seconds
    states, searches, most = set[int](), 0, 0
    while time.monotonic() < end:
        view = searcher.view()
        snapshot, lexical = view.snapshot, view.lexical
        states.add(lexical.generation)
        for path, doc in lexical.paths().items():
            versions = {line for line in snapshot.lines(doc) if "version" in line}
            chunks = np.flatnonzero((lexical.note_of == doc) & lexical.chunks)
            assert len(versions) == 1, (path, versions)
            assert snapshot.chunk_lines(int(chunks[-1]))[1] <= len(snapshot.lines(doc)), path
        joined = searcher.vectors.wanted().joined(snapshot)
        for row in range(len(joined.index)):
            joined.index.row_tokens(row)
        most = max(most, len(joined.index))
        hits = OPERATIONS["deep"](view, parse_request({"operation": "deep", "query": "boat"})).items
        assert all(snapshot.visible[lexical.note_of[hit.doc]] for hit in hits)
        searches += 1
    said.put({"reader": searches, "states": len(states), "most windows": most})


def main(seconds: float) -> int:
    with tempfile.TemporaryDirectory() as base:
        world, context = World(Path(base)), multiprocessing.get_context("fork")
        world.vault.mkdir(parents=True)
        (world.vault / "first.md").write_text(text(0))
        said = context.Queue()
        # Whoever comes first makes the index; the others wait, or are told that it is busy.
        processes = [context.Process(target=write, args=(world.vault, name, seconds, said)) for name in "ab"]
        processes.append(context.Process(target=read, args=(world.vault, seconds, said)))
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        assert [process.exitcode for process in processes] == [0, 0, 0]
        for _ in processes:
            print(json.dumps(said.get()))
        searcher = opened(world.vault)
        searcher.update()
        assert searcher.embed().remaining == 0
        lexical = searcher.view().lexical
        assert set(lexical.paths()) == {note.name for note in world.vault.iterdir()}
        for path, doc in lexical.paths().items():
            assert lexical.text(doc) == (world.vault / path).read_text(), path
        assert searcher.view().vectors.share(searcher.view().snapshot) == 1.0
        assert [str(notice) for notice in searcher.engine.store.notices] == []
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
