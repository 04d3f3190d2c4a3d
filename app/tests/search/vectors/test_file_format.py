"""The log of vectors: what was appended is read back, and no damage costs more than the block it hit."""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from app.errors import IndexCorruptError, SearchError
from app.search.vectors.file_format import (
    HEAD,
    ROW,
    Contents,
    LogWriter,
    Rows,
    Shape,
    files_of,
    generations,
    read_log,
    rewrite_log,
)

SHAPE = Shape(b"0123456789abcdef", 8, 4)


def passage(number: int) -> tuple[Rows, np.ndarray, list[np.ndarray]]:
    """A passage of one to three windows, all of it told by its number."""
    windows = 1 + number % 3
    random = np.random.RandomState(number)
    vectors = random.standard_normal((windows, 8)).astype(np.float16)
    tokens = [random.randint(-127, 128, (2 + at, 4)).astype(np.int8) for at in range(windows)]
    rows = np.array([(number, at, windows, at, at, len(tokens[at])) for at in range(windows)], ROW)
    return rows, vectors, tokens


def write(folder: Path, *numbers: int) -> None:
    writer = LogWriter(folder, SHAPE, read_log(folder, SHAPE))
    for number in numbers:
        writer.append(*passage(number))
    writer.close()


def append_all(writer: LogWriter, numbers: Iterable[int]) -> None:
    for number in numbers:
        writer.append(*passage(number))


def check(contents: Contents, *numbers: int) -> None:
    """The log holds these passages, in this order, whole."""
    expected = [passage(number) for number in numbers]
    assert contents.rows["hash"].tolist() == [int(row["hash"]) for rows, _, _ in expected for row in rows]
    at = 0
    for rows, vectors, tokens in expected:
        for row, vector, some in zip(rows, vectors, tokens, strict=True):
            assert contents.rows[at] == row
            assert contents.vectors[at].tolist() == vector.tolist()
            start = int(contents.token_starts[at])
            assert contents.tokens[start : start + len(some)].tolist() == some.tolist()
            at += 1
    assert at == len(contents.rows)


def test_what_was_appended_is_read_back(tmp_path: Path) -> None:
    check(read_log(tmp_path, SHAPE))
    write(tmp_path, 1, 2)
    write(tmp_path, 5)
    check(read_log(tmp_path, SHAPE), 1, 2, 5)
    assert not read_log(tmp_path, SHAPE).damaged
    assert [file.stat().st_mode & 0o077 for file in files_of(tmp_path, 0)] == [0, 0]


def test_any_torn_end_is_cut_off_and_the_log_goes_on(tmp_path: Path) -> None:
    write(tmp_path, 1, 2)
    whole = files_of(tmp_path, 0)[0].read_bytes()
    write(tmp_path, 3)
    torn = files_of(tmp_path, 0)[0].read_bytes()
    for length in range(len(whole), len(torn)):
        files_of(tmp_path, 0)[0].write_bytes(torn[:length])
        check(read_log(tmp_path, SHAPE), 1, 2)
        write(tmp_path, 4)
        check(read_log(tmp_path, SHAPE), 1, 2, 4)
        files_of(tmp_path, 0)[0].write_bytes(whole)


def test_a_torn_file_of_tokens_costs_only_its_last_blocks(tmp_path: Path) -> None:
    write(tmp_path, 1, 2, 3)
    tokens = files_of(tmp_path, 0)[1]
    tokens.write_bytes(tokens.read_bytes()[:-3])
    contents = read_log(tmp_path, SHAPE)
    check(contents, 1, 2)
    assert contents.damaged
    with pytest.raises(IndexCorruptError, match="are damaged"):
        write(tmp_path, 3)
    rewrite_log(tmp_path, SHAPE, contents, np.ones(len(contents.rows), np.bool_))
    write(tmp_path, 3)
    check(read_log(tmp_path, SHAPE), 1, 2, 3)


@pytest.mark.parametrize("seed", range(25))
def test_a_flipped_byte_costs_its_block_and_never_gives_a_wrong_vector(tmp_path: Path, seed: int) -> None:
    numbers = list(range(1, 9))
    write(tmp_path, *numbers)
    file = files_of(tmp_path, 0)[0]
    data = bytearray(file.read_bytes())
    at = np.random.RandomState(seed).randint(HEAD.size, len(data))
    data[at] ^= 0x55
    file.write_bytes(data)
    contents = read_log(tmp_path, SHAPE)
    left = list(dict.fromkeys(contents.rows["hash"].tolist()))
    assert [number for number in numbers if number in left] == left
    check(contents, *left)
    assert len(left) < len(numbers)


def test_a_damaged_block_in_the_middle_leaves_those_behind_it(tmp_path: Path) -> None:
    write(tmp_path, 1)
    first = files_of(tmp_path, 0)[0].stat().st_size
    write(tmp_path, 2, 3)
    data = bytearray(files_of(tmp_path, 0)[0].read_bytes())
    data[first + 60] ^= 1
    files_of(tmp_path, 0)[0].write_bytes(data)
    contents = read_log(tmp_path, SHAPE)
    check(contents, 1, 3)
    assert contents.damaged
    rewrite_log(tmp_path, SHAPE, contents, np.ones(len(contents.rows), np.bool_))
    assert not read_log(tmp_path, SHAPE).damaged
    check(read_log(tmp_path, SHAPE), 1, 3)


def test_rewriting_keeps_what_is_wanted_and_an_open_reader_goes_on(tmp_path: Path) -> None:
    write(tmp_path, 1, 2, 3, 4, 5)
    before = read_log(tmp_path, SHAPE)
    rewrite_log(tmp_path, SHAPE, before, np.isin(before.rows["hash"], [2, 5]))
    assert generations(tmp_path) == [1]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["1.tokens", "1.vectors"]
    check(read_log(tmp_path, SHAPE), 2, 5)
    check(before, 1, 2, 3, 4, 5)
    write(tmp_path, 1)
    check(read_log(tmp_path, SHAPE), 2, 5, 1)


def test_rewriting_to_nothing_leaves_an_empty_log(tmp_path: Path) -> None:
    write(tmp_path, 1)
    before = read_log(tmp_path, SHAPE)
    rewrite_log(tmp_path, SHAPE, before, np.zeros(len(before.rows), np.bool_))
    check(read_log(tmp_path, SHAPE))
    write(tmp_path, 7)
    check(read_log(tmp_path, SHAPE), 7)


@pytest.mark.parametrize(
    "other", [Shape(b"fedcba9876543210", 8, 4), Shape(SHAPE.digest, 16, 4), Shape(SHAPE.digest, 8, 2)]
)
def test_a_log_of_another_model_is_not_read(tmp_path: Path, other: Shape) -> None:
    write(tmp_path, 1)
    with pytest.raises(IndexCorruptError, match="does not hold vectors of this model"):
        read_log(tmp_path, other)
    check(read_log(tmp_path, SHAPE), 1)


@pytest.mark.parametrize("data", [b"", b"\0" * 40, b"not a log at all, but a text of some length"])
def test_a_file_that_is_no_log_is_not_read(tmp_path: Path, data: bytes) -> None:
    files_of(tmp_path, 0)[0].write_bytes(data)
    with pytest.raises(IndexCorruptError):
        read_log(tmp_path, SHAPE)


@pytest.mark.parametrize("room", [30, 90, 150, 400])
def test_a_full_disk_loses_nothing_that_was_appended(tmp_path: Path, room: int) -> None:
    """A limit on the size of files stands in for a full disk: the same call fails, at any byte of it."""
    write(tmp_path, 1, 2)
    size = files_of(tmp_path, 0)[0].stat().st_size
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    writer = LogWriter(tmp_path, SHAPE, read_log(tmp_path, SHAPE))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + room, before[1]))
    try:
        with pytest.raises(SearchError, match="cannot keep vectors in"):
            append_all(writer, range(3, 40))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    kept = list(dict.fromkeys(read_log(tmp_path, SHAPE).rows["hash"].tolist()))
    assert kept[:2] == [1, 2]
    assert kept == list(range(1, len(kept) + 1))
    writer.append(*passage(50))
    writer.close()
    check(read_log(tmp_path, SHAPE), *kept, 50)


def test_a_disk_that_is_full_from_the_start_leaves_no_log_that_looks_broken(tmp_path: Path) -> None:
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(SearchError, match="cannot keep vectors in"):
            write(tmp_path, 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    check(read_log(tmp_path, SHAPE))
    write(tmp_path, 1)
    check(read_log(tmp_path, SHAPE), 1)


@pytest.mark.parametrize("seed", range(5))
def test_a_killed_writer_leaves_whole_passages(tmp_path: Path, seed: int) -> None:
    script = (
        "from pathlib import Path\n"
        "from app.tests.search.vectors.test_file_format import write\n"
        "import sys\n"
        "print('ready', flush=True)\n"
        "write(Path(sys.argv[1]), *range(1, 5000))\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        while not files_of(tmp_path, 0)[0].exists() or files_of(tmp_path, 0)[0].stat().st_size < 500 * (
            seed + 1
        ):
            assert process.poll() is None
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    kept = list(dict.fromkeys(read_log(tmp_path, SHAPE).rows["hash"].tolist()))
    check(read_log(tmp_path, SHAPE), *range(1, len(kept) + 1))
    assert kept
    write(tmp_path, len(kept) + 1)
    check(read_log(tmp_path, SHAPE), *range(1, len(kept) + 2))
