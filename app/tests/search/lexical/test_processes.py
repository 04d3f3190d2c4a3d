import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from app.search.lexical.index import LexicalIndex
from app.search.lexical.snapshot import Snapshot
from app.tests.search.lexical.conftest import note, word_docs, write
from app.tests.waiting import wait_until

WRITING = [sys.executable, "-m", "app.tests.search.lexical.writing"]


def assert_whole(snapshot: Snapshot) -> None:
    """Each note is there once, with chunks of one version, found by its words and no other."""
    fuel = snapshot.rank("fuel", None, None)
    assert sorted(fuel.ids.tolist()) == np.flatnonzero(snapshot.chunks).tolist()
    assert sorted(fuel.ids.tolist()) == snapshot.phrase("fuel").tolist()
    assert len(snapshot.paths()) == int(snapshot.notes.sum())
    for word in [word for word in snapshot.lexicon() if word.startswith("version")]:
        docs = word_docs(snapshot, word)
        notes = {int(snapshot.note_of[doc]) for doc in docs}
        assert len(notes) <= 1
        for doc in notes:
            assert docs.tolist() == np.flatnonzero((snapshot.note_of == doc) & snapshot.chunks).tolist()


def start(folder: Path, seed: int) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([*WRITING, str(folder), str(seed)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def kill_and_reopen(folder: Path, seed: int) -> None:
    process = start(folder, seed)
    time.sleep(random.Random(seed).uniform(0.02, 0.15))
    kill(process)
    index = LexicalIndex(folder)
    assert_whole(index.snapshot())
    snapshot = write(index, note("after.md", f"fuel version{seed}"))
    assert_whole(snapshot)
    listed = {path.name for path in folder.iterdir()}
    others = {name for name in listed if not name.endswith(".seg")}
    assert others - {"MAIN_WRITELOCK"} == {f"_MAIN_{snapshot.generation}.toc"}
    assert len(listed - others) == len(snapshot._parts)


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 25), marks=pytest.mark.slow)])
def test_a_killed_writer_leaves_a_whole_index(tmp_path: Path, seeds: range) -> None:
    for seed in seeds:
        kill_and_reopen(tmp_path / "index", seed)


def test_threads_read_whole_commits_while_another_process_writes(tmp_path: Path) -> None:
    index = LexicalIndex(tmp_path / "index")
    begun = write(index, note("n0.md", "same version0 fuel")).generation
    writer = start(tmp_path / "index", 7)
    stop = threading.Event()
    failures: list[BaseException] = []

    def read() -> None:
        try:
            while not stop.is_set():
                assert_whole(index.snapshot())
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    wait_until(lambda: index.snapshot().generation >= begun + 30)
    stop.set()
    for thread in threads:
        thread.join()
    kill(writer)
    assert failures == []
