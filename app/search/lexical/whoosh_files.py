"""Whoosh's side of the index: its schema, and its view of our segments."""

import secrets
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.analysis import Composable, Token
from whoosh.codec.base import Segment
from whoosh.fields import ID, KEYWORD, TEXT, Schema

from app.search.lexical.analysis import atoms, runs
from app.search.lexical.fields import FILTERS, POSITIONS, STREAMS, stem_field

INDEX_NAME = "MAIN"
SEGMENT_EXTENSION = ".seg"


class WordAnalyzer(Composable):  # type: ignore[misc]
    """Gives Whoosh the words of a text as they are indexed."""

    is_morph = False

    def __call__(self, value: str, start_pos: int = 0, **options: object) -> Iterator[Token]:
        """Yield the words in order, each with the position it is indexed at."""
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
    """A segment as a commit names it: one file of arrays, and a bit for each dead document."""

    def __init__(self, count: int, length: int = 0, name: str = "") -> None:
        super().__init__(INDEX_NAME)
        self.segid = name or secrets.token_hex(8)
        self.count, self.length = count, length
        self.dead = b""

    @property
    def filename(self) -> str:
        """The name of the segment's file."""
        name: str = self.make_filename(SEGMENT_EXTENSION)
        return name

    def dead_mask(self) -> NDArray[np.bool_]:
        """Return for each document whether it is deleted."""
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
        """Return the dead documents."""
        return iter(np.flatnonzero(self.dead_mask()).tolist())

    def is_deleted(self, docnum: int) -> bool:
        """Return whether a document is dead."""
        return bool(self.dead_mask()[docnum])

    def delete_document(self, docnum: int, delete: bool = True) -> None:
        """Mark one document as dead, or as living again."""
        mask = self.dead_mask()
        mask[docnum] = delete
        self.dead = np.packbits(mask).tobytes() if mask.any() else b""
