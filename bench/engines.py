"""The engines of the lexical benchmark behind one face; each scores the same fields where it can.

This engine: body and heading, each by stem and by exact word, aliases, and neighbouring words.
tantivy: body and heading, each by stem and by exact word, the same weights. tantivy, one field: the
body's exact words alone. FTS5: body and heading by Porter stem (it has one form of a word).
Stock Whoosh: body and heading by stem. All keep positions for phrases, and all but this one, which
does it by itself, are handed the question without its stop words.
"""

# ruff: noqa: D102

import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.index import ChunkDoc, LexicalIndex, NoteDoc
from bench.corpora import Row, folder_of

TOP = 10
Note = tuple[str, list[Row]]
Found = list[Any]
Filter = tuple[str, str]


def notes(rows: Iterable[Row]) -> Iterator[Note]:
    """Group chunks into notes."""
    for path, group in groupby(rows, key=lambda row: row["path"]):
        yield path, list(group)


class Engine(ABC):
    """One engine over one index folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fresh(self) -> None:
        """Empty the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def size(self) -> int:
        """Give the bytes on disk."""
        return sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())

    @abstractmethod
    def forget(self) -> None:
        """Drop what was kept from earlier queries."""

    @abstractmethod
    def build(self, rows: Iterable[Row]) -> None:
        """Index a corpus from nothing."""

    @abstractmethod
    def open(self) -> None:
        """Open the index for searching."""

    @abstractmethod
    def update(self, note: Note) -> None:
        """Replace one note and commit."""

    @abstractmethod
    def refresh(self) -> None:
        """Make the last commit visible."""

    @abstractmethod
    def search(self, words: Sequence[str], filtered: Filter | None = None) -> Found:
        """Give the ten best chunks for any of the words."""

    @abstractmethod
    def phrase(self, words: Sequence[str]) -> Found:
        """Give chunks with the words in a row."""


class Ours(Engine):
    """The engine of this project."""

    COMMIT_CHUNKS = 20_000

    def build(self, rows: Iterable[Row]) -> None:
        self.fresh()
        with LexicalIndex(self.folder).writer() as writer:
            waiting = 0
            for path, chunks in notes(rows):
                writer.replace(*self._documents(path, chunks))
                waiting += len(chunks)
                if waiting > self.COMMIT_CHUNKS:
                    writer.commit()
                    waiting = 0
            writer.commit()

    @staticmethod
    def _documents(path: str, chunks: Sequence[Row]) -> tuple[NoteDoc, list[ChunkDoc]]:
        terms = (f"folder:{folder_of(path)}", *(f"tag:{tag}" for tag in chunks[0]["tags"]))
        return NoteDoc(path, terms, 0, 0, 0, 0, b""), [
            ChunkDoc(row["body"], row["heading"], "", "", at, at, 0, b"") for at, row in enumerate(chunks)
        ]

    def open(self) -> None:
        self.index = LexicalIndex(self.folder)
        self.refresh()

    def forget(self) -> None:
        self.index.close()
        self.open()

    def _mask(self, term: str) -> NDArray[np.bool_]:
        """Give the chunks of the notes that have a filter term, kept as a caller keeps it."""
        mask = self._masks.get(term)
        if mask is None:
            having = np.zeros(self.snapshot.size, np.bool_)
            having[self.snapshot.docs_with(term)] = True
            mask = self._masks[term] = having[self.snapshot.note_of]
        return mask

    def update(self, note: Note) -> None:
        with self.index.writer() as writer:
            writer.replace(*self._documents(*note))
            writer.commit()

    def refresh(self) -> None:
        self.snapshot = self.index.snapshot()
        self._masks: dict[str, NDArray[np.bool_]] = {}

    def search(self, words: Sequence[str], filtered: Filter | None = None) -> Found:
        mask = None
        if filtered:
            folder, tag = filtered
            mask = self._mask(f"folder:{folder}") & self._mask(f"tag:{tag}")
        found: Found = self.snapshot.rank(" ".join(words), mask, TOP).ids.tolist()
        return found

    def phrase(self, words: Sequence[str]) -> Found:
        found: Found = self.snapshot.phrase(f" {' '.join(words)} ").tolist()
        return found
