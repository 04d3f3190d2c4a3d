"""The schema of the index in Whoosh's terms, and the documents that are put into it.

A note is a group of Whoosh documents: its own, with its path, filter terms and text, and one for each chunk.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from whoosh.analysis import Analyzer, Token
from whoosh.columns import NumericColumn, VarBytesColumn
from whoosh.fields import COLUMN, ID, FieldType, Schema
from whoosh.formats import Existence, Format

from app.search.lexical.analysis import atoms, run_pattern
from app.search.lexical.language import LANGUAGES, stems

STREAMS: Final = ("body", "heading", "title", "aliases")
"""The texts of a chunk. Each is a field of its exact words, and one of their stems."""
POSITIONS: Final = frozenset({"body"})
"""The fields that keep where each word stands, for phrases."""
PATH: Final = "path"
"""The field of a note's path; only the document of a note has it."""
FILTERS: Final = "terms"
"""The field of a note's exact filter terms."""
ACCENTED: Final = "accented:"
"""What a filter term begins with that tells of plain letters which a note has with accents."""
LINES: Final = "line_hashes"
"""The hashes of each note's lines."""
RECORDS: Final = "data"
"""The caller's record of each note."""
TEXTS: Final = "text"
"""The text of each note."""
NOTE_COLUMNS: Final = ("size", "mtime_ns", "created", "modified", "language")
CHUNK_COLUMNS: Final = ("start", "end", "day", "text_hash", "content_hash")


class NoteDoc(NamedTuple):
    """A note as the index keeps it; ``path`` is the key, and written again it is replaced.

    ``terms`` are exact filter terms such as ``tag:a/b``; any text will do. The numbers fit 64 bits
    and ``data`` is a record only the caller reads. ``line_hashes`` name its distinct lines, by 32 bits
    each. ``text`` is what `Snapshot.text` gives back, empty for a note that no search shows.
    """

    path: str
    terms: tuple[str, ...]
    size: int
    mtime_ns: int
    created: int
    modified: int
    data: bytes
    line_hashes: tuple[int, ...] = ()
    text: str = ""


class ChunkDoc(NamedTuple):
    """One chunk of a note: the texts its words come from, and where it stands.

    ``heading`` holds the note title and heading path, ``title`` the title words of the note.
    ``start`` and ``end`` are lines, ``day`` is 0 for an undated chunk. ``text_hash`` names the text that an
    embedding model is given, 0 where there is none; ``content_hash`` names its own lines, 0 where they are
    blank.
    """

    body: str
    heading: str
    title: str
    aliases: str
    start: int
    end: int
    day: int
    text_hash: int = 0
    content_hash: int = 0


def stem_field(stream: str) -> str:
    """Name the field that holds the stems of a stream."""
    return f"{stream}_stem"


TABLES: Final = (PATH, FILTERS, *STREAMS, *map(stem_field, STREAMS))
"""Every field that has a table of terms."""


class WordAnalyzer(Analyzer):  # type: ignore[misc]
    """The words of a text as Whoosh tokens: exact ones, or their stems in some languages.

    A joined word stands where its first part stands.
    """

    def __init__(self, languages: tuple[int, ...] = ()) -> None:
        self.languages = languages

    def __call__(
        self,
        value: str,
        positions: bool = False,
        chars: bool = False,
        start_pos: int = 0,
        start_char: int = 0,
        **options: Any,  # noqa: ANN401 - what Whoosh tells filters
    ) -> Iterator[Token]:
        """Yield the tokens; as Whoosh's analyzers do, one object that changes."""
        token, lowered, place = Token(positions, chars, **options), value.lower(), start_pos
        for run in run_pattern(lowered).finditer(lowered):
            for atom in atoms(run[0]):
                forms = dict.fromkeys(stems(atom.raw, self.languages)) if self.languages else (atom.term,)
                for text in forms:
                    token.text, token.pos, token.boost = text, place, 1.0
                    token.startchar, token.endchar = start_char + run.start(), start_char + run.end()
                    yield token
                place += atom.step


class ArrayPositions(Format):  # type: ignore[misc]
    """The value of a posting is where its word stands, as unsigned 32-bit numbers."""

    def decode_positions(self, value: bytes) -> list[int]:
        """Return the positions."""
        found: list[int] = np.frombuffer(value, "<u4").tolist()
        return found

    def decode_frequency(self, value: bytes) -> int:
        """Return how many there are."""
        return len(value) // 4

    decode_weight = decode_frequency


def _words(languages: tuple[int, ...], *, positions: bool) -> FieldType:
    """Return the field of the words of one text of a chunk, or of their stems in some languages."""
    values = ArrayPositions() if positions else Existence()
    several = "or" if languages else "default"
    return FieldType(values, WordAnalyzer(languages), scorable=True, multitoken_query=several)


@cache
def schema() -> Schema:
    """Return the schema; stems are those of every language, of which the index knows each note's."""
    every = tuple(range(len(LANGUAGES)))
    fields: dict[str, Any] = {PATH: ID(unique=True), FILTERS: ID()}
    fields |= {stream: _words((), positions=stream in POSITIONS) for stream in STREAMS}
    fields |= {stem_field(stream): _words(every, positions=False) for stream in STREAMS}
    fields |= {name: COLUMN(NumericColumn("q")) for name in (*NOTE_COLUMNS, *CHUNK_COLUMNS)}
    fields |= {name: COLUMN(VarBytesColumn()) for name in (RECORDS, TEXTS, LINES)}
    return Schema(**fields)
