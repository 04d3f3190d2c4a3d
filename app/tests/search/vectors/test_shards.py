"""Shards of vectors: what was added is read back, and nothing that befalls a file gives a wrong vector."""

import os
import pickle
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.errors import SearchError
from app.search.vectors.store import LIST
from app.tests.search.index.test_store import Payload
from app.tests.search.vectors.keeping import add, kept_in, numbers_in, passage
from app.tests.waiting import wait_until

KEEPING = [sys.executable, "-m", "app.tests.search.vectors.keeping"]


def shards(folder: Path) -> list[Path]:
    """The files of rows, the largest first."""
    files = [file for file in folder.glob("*.npy") if not file.name.endswith(".tokens.npy")]
    return sorted(files, key=lambda file: -file.stat().st_size)


def tokens_of(file: Path) -> Path:
    return file.with_suffix(".tokens.npy")


def flip(file: Path, at: int) -> None:
    data = bytearray(file.read_bytes())
    data[at] ^= 0x55
    file.write_bytes(data)


def limited(room: int, *writes: Any) -> None:
    """Call functions while no file may grow beyond a size, which stands in for a full disk."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        for write in writes:
            write()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_what_was_added_is_read_back_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    assert numbers_in(tmp_path) == set()
    add(folder, 1, 2)
    add(folder, 5)
    assert numbers_in(folder) == {1, 2, 5}
    assert {file.stat().st_mode & 0o077 for file in (folder, *folder.iterdir())} == {0}


def test_texts_that_are_gone_are_dropped_where_asked_and_an_open_reader_goes_on(tmp_path: Path) -> None:
    add(tmp_path, 1, 2, 3, 4, 5)
    reader, writer = kept_in(tmp_path).index(), kept_in(tmp_path)
    writer.keep_only(np.array([2, 5]))
    assert numbers_in(tmp_path) == {1, 2, 3, 4, 5}
    writer.keep_only(np.array([2, 5]), always=True)
    assert numbers_in(tmp_path) == {2, 5}
    assert np.unique(reader.hashes).tolist() == [1, 2, 3, 4, 5]
    tokens = [some.tolist() for number in range(1, 6) for some in passage(number)[2]]
    assert [reader.row_tokens(row).tolist() for row in range(len(reader))] == tokens
    writer.keep_only(np.array([], np.int64), always=True)
    assert (numbers_in(tmp_path), shards(tmp_path)) == (set(), [])
    add(tmp_path, 7)
    assert numbers_in(tmp_path) == {7}


@pytest.mark.parametrize("seed", range(12))
def test_a_flipped_byte_costs_its_shard_and_never_gives_a_wrong_vector(tmp_path: Path, seed: int) -> None:
    add(tmp_path, 1, 2, 3)
    file = shards(tmp_path)[seed % 3]
    flip(file, np.random.RandomState(seed).randint(file.stat().st_size))
    left = numbers_in(tmp_path)
    assert len(left) == 2
    add(tmp_path, *({1, 2, 3} - left))
    assert numbers_in(tmp_path) == {1, 2, 3}
    assert len(shards(tmp_path)) == 3


@pytest.mark.parametrize("damage", ["missing", "no tokens", "cut", "tokens cut", "folder", "another's"])
def test_a_wrong_shard_is_left_out(tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    add(tmp_path, 1, 2, 3)
    file, other, _ = shards(tmp_path)
    hurt = tokens_of(file) if "tokens" in damage else file
    data = hurt.read_bytes()
    hurt.unlink()
    if "cut" in damage:
        hurt.write_bytes(data[:-1])
    elif damage == "folder":
        hurt.mkdir()
    elif damage == "another's":
        hurt.write_bytes(other.read_bytes())
    assert numbers_in(tmp_path) == {1, 3}
    assert file.name in str([vars(record) for record in caplog.records])
    add(tmp_path, 2)
    assert numbers_in(tmp_path) == {1, 2, 3}
    assert len(list(tmp_path.glob("*.npy"))) == 6


def test_a_pickle_is_never_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    payload = pickle.dumps(Payload(tmp_path / "ran"))
    planted = np.array([Payload(tmp_path / "ran")], object)
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.delattr(pickle, name)
    folder = tmp_path / "kept"
    add(folder, 1, 2, 3)
    for at, name in enumerate(sorted(file.name for file in folder.iterdir() if file.suffix != ".lock")):
        (folder / name).write_bytes(payload)
        if at % 2:
            np.save(folder / "array.npy", planted)
            (folder / "array.npy").replace(folder / name)
        left = numbers_in(folder)
        assert left < {1, 2, 3}
        add(folder, *({1, 2, 3} - left))
        assert numbers_in(folder) == {1, 2, 3}
        for file in folder.iterdir():
            assert payload not in file.read_bytes()
    assert not (tmp_path / "ran").exists()


def test_what_killed_writers_left_is_removed_by_the_next_writer_alone(tmp_path: Path) -> None:
    add(tmp_path, 1)
    whole = {file.name for file in tmp_path.glob("*.npy")}
    for name in (f"{'0' * 64}.npy", f"{'1' * 64}.tokens.npy", f"{LIST}.01234567"):
        (tmp_path / name).write_bytes(b"left")
    with kept_in(tmp_path).writing():
        after = {file.name for file in tmp_path.iterdir()}
        (tmp_path / f"{'2' * 64}.npy").write_bytes(b"being written")
        with kept_in(tmp_path).writing() as is_ours:
            assert not is_ours
        assert len(kept_in(tmp_path).index()) == 2
        assert (tmp_path / f"{'2' * 64}.npy").exists()
    assert after == {LIST, "write.lock", *whole}


@pytest.mark.parametrize("room", [0, 100, 300])
def test_a_full_disk_loses_nothing_that_was_added(tmp_path: Path, room: int) -> None:
    add(tmp_path, 1, 2)
    kept = kept_in(tmp_path)
    with kept.writing():
        with pytest.raises(SearchError, match="cannot keep an index in"):
            limited(room, lambda: kept.append(*passage(3)))
        assert numbers_in(tmp_path) == {1, 2}
        kept.append(*passage(4))
    assert numbers_in(tmp_path) == {1, 2, 4}


def test_two_writers_do_not_meet_and_lose_nothing(tmp_path: Path) -> None:
    with subprocess.Popen([*KEEPING, str(tmp_path)], stdout=subprocess.PIPE) as other:
        wait_until(lambda: bool(numbers_in(tmp_path)))
        added: set[int] = set()
        kept = kept_in(tmp_path)
        while len(added) < 6:
            with kept.writing() as is_ours:
                if is_ours:
                    number = 10_000 + len(added)
                    kept.append(*passage(number))
                    added.add(number)
        os.kill(other.pid, signal.SIGKILL)
    found = numbers_in(tmp_path)
    assert added <= found
    others = found - added
    assert others == set(range(1, len(others) + 1))
