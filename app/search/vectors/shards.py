"""Vectors on disk: immutable shards of NumPy arrays, named by the hash of their content, and a list of them.

A shard is two files. ``HASH.npy`` has a row for each window of some passages, with its vector. HASH is the
SHA-256 of that file, which is proved at each opening, since all of it is read then. ``HASH.tokens.npy`` has
the token vectors of these rows, one row's after another's. They take eight times the room and are mapped: of
them type, shape and size are looked at, and a CRC-32 of each row's is proved when a question first needs that
row, when shards are merged, and by `KeptVectors.mend`.

``shards.json`` says which shards count. It is replaced last, in one step, when all it names is on the disk.
"""

import hashlib
import io
import mmap
import os
import secrets
import shutil
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from app.config.folders import create_file, sync_folder
from app.config.settings import logger
from app.search.private import disk_errors, record_in, write_record

LIST = "shards.json"
READ_ATTEMPTS = 5
ROWS_AT_ONCE = 1000

Rows = NDArray[np.void]
Tokens = NDArray[np.int8]
Mask = NDArray[np.bool_]


class Model(NamedTuple):
    """A model, and what its vectors have in common."""

    name: str
    digest: str
    dimension: int
    token_dimension: int

    @property
    def row(self) -> "np.dtype[np.void]":
        """The type of a row: a window of a passage, its lines, and how many token vectors it has."""
        counts = [(name, "<u4") for name in ("window", "first", "last", "tokens", "sum")]
        return np.dtype([("hash", "<i8"), *counts, ("vector", "<f2", (self.dimension,))])


class Shard(NamedTuple):
    """Some whole passages: a row for each of their windows, and the token vectors of all rows."""

    rows: Rows
    tokens: Tokens

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where in ``tokens`` those of each row begin."""
        counts = self.rows["tokens"].astype(np.int64)
        return np.cumsum(counts) - counts

    def tokens_of(self, rows: Mask) -> Iterator[Tokens]:
        """Yield the token vectors of some rows, one row's after another's."""
        starts, counts = self.starts, self.rows["tokens"]
        for number, row in enumerate(np.flatnonzero(rows).tolist(), 1):
            yield self.tokens[starts[row] : starts[row] + counts[row]]
            if number % ROWS_AT_ONCE == 0:
                let_go(self.tokens)

    def whole(self) -> Mask:
        """Tell for each row whether all token vectors of its passage hold against their sums."""
        sums = [crc32(some.data) for some in self.tokens_of(np.ones(len(self.rows), np.bool_))]
        whole: Mask = ~np.isin(self.rows["hash"], self.rows["hash"][self.rows["sum"] != sums])
        return whole


def let_go(tokens: Tokens) -> None:
    """Count what was read of a mapped file as this process's memory no more.

    It stays in the system's cache, and is mapped anew when it is read again. Without this a process that
    answers for long counts as large as the file, which holds more than all other parts of an index.
    """
    # A map of numpy's has Python's below it.
    mapped: object = tokens.base
    if isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


class Listed(NamedTuple):
    """What a list says: whose vectors these are, and how many rows each shard has, by its name.

    No two lists have the same ``number``: a shard that is made anew may have the name that it had.
    """

    model: Model
    shards: dict[str, int]
    number: str = ""


def read_list(folder: Path) -> Listed | None:
    """Read which shards count; None where there is no list, or none that this program wrote."""
    # What cannot be read just now is not gone, so that is no list that is missing.
    with disk_errors(folder):
        try:
            known = record_in((folder / LIST).read_bytes())
            return Listed(Model(**known["model"]), known["shards"], known["number"])
        except (FileNotFoundError, TypeError, LookupError):
            return None


def write_list(folder: Path, listed: Listed) -> None:
    """Have these shards count, and no others, from now on."""
    known = {**listed._asdict(), "model": listed.model._asdict(), "number": secrets.token_hex(8)}
    write_record(folder / LIST, known)


def read_shards(folder: Path, model: Model) -> tuple[Listed | None, dict[str, Shard]]:
    """Return the list, and the shards on it by their names.

    One that is not what its name says, or not of this model, is left out and named in the log.
    """
    with disk_errors(folder):
        for _ in range(READ_ATTEMPTS):
            listed = read_list(folder)
            found, broken = dict[str, Shard](), dict[str, str]()
            for name, count in listed.shards.items() if listed else ():
                try:
                    found[name] = _open_shard(folder, model, name, count)
                except Exception as error:
                    # Reading a damaged head may end in anything; what the disk refuses now may be whole.
                    if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
                        raise
                    broken[name] = str(error)
            # Where another process has merged shards meanwhile, the list is another now.
            if not broken or read_list(folder) == listed:
                break
    for name, reason in broken.items():
        logger.warning("vectors_unusable", extra={"file": str(folder / f"{name}.npy"), "reason": reason})
    return listed, found


def _open_shard(folder: Path, model: Model, name: str, count: int) -> Shard:
    file, tokens_file = folder / f"{name}.npy", folder / f"{name}.tokens.npy"
    if not (file.is_file() and tokens_file.is_file()):
        raise ValueError("a file of it is missing")
    with file.open("rb") as opened:
        if hashlib.file_digest(opened, "sha256").hexdigest() != name:
            raise ValueError("its content is not what its name says")
    rows = _mapped(file, model.row, (count,))
    return Shard(rows, _mapped(tokens_file, np.int8, (int(rows["tokens"].sum()), model.token_dimension)))


def _mapped(file: Path, kind: Any, shape: tuple[int, ...]) -> NDArray[Any]:  # noqa: ANN401 - as numpy takes it
    found = np.load(file, mmap_mode="r", allow_pickle=False)
    if not isinstance(found, np.memmap) or found.dtype != kind or found.shape != shape or np.isfortran(found):
        raise ValueError("it holds an array of another form")
    return found


def write_shard(folder: Path, model: Model, rows: Rows, tokens: Iterable[Tokens]) -> str:
    """Write rows and their token vectors, and return the shard's name; it counts once the list names it."""
    head = _head(model.row, rows.shape)
    digest = hashlib.sha256(head)
    digest.update(rows.data)
    name = digest.hexdigest()
    _write(folder / f"{name}.npy", [head, rows.data])
    head = _head(np.dtype(np.int8), (int(rows["tokens"].sum()), model.token_dimension))
    _write(folder / f"{name}.tokens.npy", chain([head], (some.data for some in tokens)))
    sync_folder(folder)
    return name


def _head(kind: "np.dtype[Any]", shape: tuple[int, ...]) -> bytes:
    """Return what stands in a file before an array."""
    head = io.BytesIO()
    form = {"descr": npy.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
    npy.write_array_header_1_0(head, form)
    return head.getvalue()


def _write(file: Path, pieces: Iterable[bytes | memoryview]) -> None:
    # What lies there is of no list: a writer that failed or was killed has left it.
    file.unlink(missing_ok=True)
    try:
        with create_file(file) as out:
            out.writelines(pieces)
            out.flush()
            os.fsync(out.fileno())
    except OSError:
        # On a full disk half a file takes the room of others.
        file.unlink(missing_ok=True)
        raise


def sweep(folder: Path, names: Collection[str]) -> None:
    """Remove all shards but those of some names, and what killed writers left; under the writers' lock."""
    for file in (*folder.glob("*.npy"), *folder.glob(f"{LIST}.*")):
        if file.name.partition(".")[0] not in names:
            (shutil.rmtree if file.is_dir() else Path.unlink)(file)
