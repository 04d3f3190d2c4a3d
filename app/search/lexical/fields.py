"""The fields of the index and what each weighs: the one page to read about ranking."""

from typing import Final

K1: Final = 1.2
B: Final = 0.75

STREAMS: Final = ("body", "heading", "title", "aliases")
"""The texts of a chunk. Each is a field of its exact words, and one of their stems."""

POSITIONS: Final = frozenset({"body"})
"""The fields that keep where each word stands, for phrases."""

FILTERS: Final = "terms"
"""The field of a note's exact filter terms."""

NOTE_COLUMNS: Final = ("size", "mtime_ns", "created", "modified")
CHUNK_COLUMNS: Final = ("start", "end", "day", "text_hash", "content_hash")

STEM_WEIGHTS: Final[dict[str, float]] = {"body": 1.0, "heading": 0.5, "title": 0.0, "aliases": 0.25}
"""What BM25 over the stems of a stream adds to a chunk's score."""

EXACT_WEIGHTS: Final[dict[str, float]] = {"body": 0.5, "heading": 0.25, "title": 0.0, "aliases": 0.0}
"""What BM25 over the exact words of a stream adds."""


NEIGHBOUR_WEIGHT: Final = 0.2
"""What two words add, as a share of the rarer one's worth, where they stand together as in the query."""


def stem_field(stream: str) -> str:
    """Name the field that holds the stems of a stream."""
    return f"{stream}_stem"


TABLES: Final = (FILTERS, *STREAMS, *map(stem_field, STREAMS))
"""Every field that has a table of terms."""
