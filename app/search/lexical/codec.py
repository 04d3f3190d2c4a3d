"""Whoosh's side of the index: its schema, its table of contents and lock, and our segments in it."""

import os
import pickle
import struct
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.analysis import Composable, Token
from whoosh.codec.base import Codec, Segment
from whoosh.fields import ID, KEYWORD, TEXT, Schema
from whoosh.filedb.filestore import FileStorage
from whoosh.filedb.structfile import StructFile
from whoosh.index import TOC, clean_files
from whoosh.index import IndexError as WhooshIndexError

from app.errors import IndexCorruptError
from app.search.lexical.analysis import atoms, runs
from app.search.lexical.fields import FILTERS, POSITIONS, STREAMS, stem_field
from app.search.lexical.segment import SegmentFile

INDEX_NAME = "MAIN"
SEGMENT_EXTENSION = ".seg"

UNREADABLE = (
    WhooshIndexError, IndexCorruptError, OSError, EOFError, pickle.UnpicklingError, struct.error,
    AttributeError, ImportError, AssertionError, ValueError, TypeError, LookupError, MemoryError,
    OverflowError,
)  # fmt: skip
"""What reading a damaged or foreign table of contents, which is a pickle, can raise."""


class WordAnalyzer(Composable):  # type: ignore[misc]
    """Gives Whoosh the words of a text as they are indexed."""

    is_morph = False

    def __call__(self, value: str, start_pos: int = 0, **options: object) -> Iterator[Token]:
        """Give the words in order, each with the position it is indexed at."""
        token = Token(positions=True, mode=options.get("mode", ""))
        token.boost, token.stopped = 1.0, False
        position = start_pos
        for run in runs(value):
            for atom in atoms(run):
                token.text, token.pos = atom.term, position
                position += atom.step
                yield token

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    __hash__ = None  # type: ignore[assignment]

    def clean(self) -> None:
        """Keep nothing, so there is nothing to drop before the schema is stored."""


def make_schema() -> Schema:
    """Describe the fields of the index to Whoosh."""
    fields: dict[str, Any] = {"path": ID(unique=True), FILTERS: KEYWORD()}
    for stream in STREAMS:
        fields[stream] = TEXT(analyzer=WordAnalyzer(), phrase=stream in POSITIONS)
        fields[stem_field(stream)] = TEXT(analyzer=WordAnalyzer(), phrase=False)
    return Schema(**fields)


class ArraySegment(Segment):  # type: ignore[misc]
    """A segment as the table of contents keeps it: one file of arrays, and a bit for each dead document."""

    def __init__(self, count: int, length: int = 0) -> None:
        super().__init__(INDEX_NAME)
        self.compound = True
        self.count, self.length = count, length
        self.dead = b""

    @property
    def filename(self) -> str:
        """The name of the segment's file."""
        name: str = self.make_filename(SEGMENT_EXTENSION)
        return name

    def dead_mask(self) -> NDArray[np.bool_]:
        """Say for each document whether it is deleted."""
        if not self.dead:
            return np.zeros(self.count, np.bool_)
        bits = np.unpackbits(np.frombuffer(self.dead, np.uint8), count=self.count)
        return bits.astype(np.bool_)

    def delete_all(self, documents: list[range]) -> None:
        """Mark runs of documents as deleted."""
        mask = self.dead_mask()
        for run in documents:
            mask[run.start : run.stop] = True
        self.dead = np.packbits(mask).tobytes() if mask.any() else b""

    def codec(self) -> Codec:
        """Give what reads this segment for Whoosh."""
        from app.search.lexical.reader import ArrayCodec

        return ArrayCodec()

    def open_compound_file(self, storage: FileStorage) -> "MappedSegment":
        """Open the file of this segment for Whoosh."""
        return MappedSegment(Path(storage.folder), self)

    def doc_count_all(self) -> int:
        """Count the documents, dead ones included."""
        return self.count

    def set_doc_count(self, count: int) -> None:
        """Say how many documents there are."""
        self.count = count

    def deleted_count(self) -> int:
        """Count the dead documents."""
        return int(self.dead_mask().sum())

    def deleted_docs(self) -> Iterator[int]:
        """Give the dead documents."""
        return iter(np.flatnonzero(self.dead_mask()).tolist())

    def is_deleted(self, docnum: int) -> bool:
        """Say whether a document is dead."""
        return bool(self.dead_mask()[docnum])

    def delete_document(self, docnum: int, delete: bool = True) -> None:
        """Mark one document as dead, or as living again."""
        mask = self.dead_mask()
        mask[docnum] = delete
        self.dead = np.packbits(mask).tobytes() if mask.any() else b""


class MappedSegment:
    """An open segment, where Whoosh expects a storage of several files."""

    def __init__(self, folder: Path, segment: ArraySegment) -> None:
        self.file = SegmentFile(folder / segment.filename, segment.length)

    def close(self) -> None:
        """Do nothing: the mapping goes with the last array that needs it."""


class SegmentList(list[ArraySegment]):
    """The segments of one commit, with the caller's record of the vault."""

    vault_data: bytes = b""


class Storage(FileStorage):  # type: ignore[misc]
    """Whoosh's folder storage; a file is read whole, so no handle is left open when it is damaged."""

    def open_file(self, name: str, **options: object) -> StructFile:
        """Open a file for reading."""
        return StructFile(BytesIO(Path(self.folder, name).read_bytes()), name=name)


def latest_generation(storage: Storage) -> int:
    """Give the number of the last commit, -1 where there is none; one listing of the folder."""
    generation: int = TOC._latest_generation(storage, INDEX_NAME)
    return generation


def create_toc(storage: Storage) -> None:
    """Write the first, empty table of contents."""
    TOC(make_schema(), SegmentList(), 0).write(storage, INDEX_NAME)


def read_toc(storage: Storage) -> tuple[int, SegmentList]:
    """Read the table of contents of the last commit.

    Raises:
        FileNotFoundError: A later commit replaced it meanwhile.
        IndexCorruptError: It cannot be read.
    """
    generation = latest_generation(storage)
    try:
        toc = TOC.read(storage, INDEX_NAME, gen=generation)
    except FileNotFoundError:
        raise
    except UNREADABLE as error:
        raise IndexCorruptError(f"the index in '{storage.folder}' cannot be read ({error!r})") from error
    if toc.schema != make_schema() or not isinstance(toc.segments, SegmentList):
        raise IndexCorruptError(f"the index in '{storage.folder}' was made by another version")
    return toc.generation, toc.segments


def write_toc(storage: Storage, generation: int, segments: SegmentList) -> None:
    """Commit: publish a table of contents in one rename, then remove what it no longer names."""
    TOC(make_schema(), segments, generation).write(storage, INDEX_NAME)
    clean_files(storage, INDEX_NAME, generation, segments)
    for name in storage.list():
        # A killed commit leaves its unfinished table of contents behind.
        if name.startswith(f"_{INDEX_NAME}_") and not name.endswith(".toc"):
            Path(storage.folder, name).unlink(missing_ok=True)


def open_storage(folder: Path) -> Storage:
    """Open the folder, made for this user alone where it is not there."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.chmod(folder, 0o700)  # noqa: PTH101
    return Storage(str(folder))
