"""The fields of the index, and the documents that are put into it."""

from typing import Final, NamedTuple

STREAMS: Final = ("body", "heading", "title", "aliases")
"""The texts of a chunk. Each is a field of its exact words, and one of their stems."""
POSITIONS: Final = frozenset({"body"})
"""The fields that keep where each word stands, for phrases."""
FILTERS: Final = "terms"
"""The field of a note's exact filter terms."""
ACCENTED: Final = "accented:"
"""What a filter term begins with that tells of plain letters which a note has with accents."""
LINES: Final = "lines"
"""The hashes of each note's lines."""
RECORDS: Final = "data"
"""The caller's record of each document."""
TEXTS: Final = "texts"
"""The text of each note, packed one by one."""
NOTE_COLUMNS: Final = ("size", "mtime_ns", "created", "modified")
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
    data: bytes
    text_hash: int = 0
    content_hash: int = 0


def stem_field(stream: str) -> str:
    """Name the field that holds the stems of a stream."""
    return f"{stream}_stem"


def exact_field(field: str) -> str:
    """Name the field that holds the exact words of a field of stems; of others nothing."""
    return field.removesuffix("_stem") if field.endswith("_stem") else ""


TABLES: Final = (FILTERS, *STREAMS, *map(stem_field, STREAMS))
"""Every field that has a table of terms; one of stems comes after that of its words."""
