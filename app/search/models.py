"""The nouns of search: what is asked, and what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, Field

from app.vault.dates import DateSource

Operation = Literal[
    "fulltext", "by_tag", "by_link", "by_date", "combined", "fast", "deep", "scoped", "keyword"
]
Mode = Literal["fast", "deep"]
Direction = Literal["backlinks", "forward", "both"]
DateField = Literal["created", "modified"]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One question, fully parsed and valid. Passed whole; never unpacked into arguments."""

    operation: Operation
    queries: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    match_all: bool = False
    note_path: str | None = None
    direction: Direction = "backlinks"
    depth: int = 1
    start: date | None = None
    end: date | None = None
    date_field: DateField = "created"
    folder: str | None = None
    scopes: tuple[str, ...] | None = None
    mode: Mode = "fast"
    search_terms: tuple[str, ...] = ()
    limit: int | None = 10
    offset: int = 0
    min_score: float | None = None
    max_chars: int = 6000
    explain: bool = False
    links: bool = False

    @property
    def is_deep(self) -> bool:
        """Whether meaning ranks as well as words."""
        return self.mode == "deep" and self.operation in ("deep", "scoped")

    @property
    def query(self) -> str:
        """All queries as one text, for showing."""
        return " | ".join(self.queries)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A document number with its score in 0..1; valid within one snapshot.

    ``lines`` are the places in the note that answer, and ``note`` a remark shown with the result. ``near`` is
    the range of a chunk's lines whose meaning is nearest; empty where only words were compared.
    """

    doc: int
    score: float
    lines: tuple[int, ...] = ()
    note: str = ""
    near: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """What an operation gives: documents best first, how many there are, and what must be said."""

    items: tuple[Ranked, ...]
    total: int
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A ranked chunk as data.

    ``score`` lies in 0..1, best first; ``lines`` is the chunk's range in the file, such as "9-14".
    """

    path: str
    score: float
    lines: str
    chunk_with_context: str
    title: str
    heading: str
    tags: tuple[str, ...]
    date: str | None
    uri: str
    relevance_reason: str | None = None


class SearchResult(BaseModel):
    """A single search result."""

    path: str = Field(..., description="Relative path to note")
    title: str = Field(..., description="Note title")
    excerpt: str = Field(default="", description="Match context")
    score: float = Field(default=1.0, ge=0.0, le=1.0)
    tags: list[str] = Field(default_factory=list)
    created: datetime | None = None
    modified: datetime | None = None
    date_source: DateSource | Literal["heading"] | None = Field(
        default=None, description="Where the date that counts comes from"
    )
    date_field: DateField | Literal["date"] = Field(default="created", exclude=True)
    uri: str = Field(default="", description="Address that opens the note in Obsidian")
    lines: str | None = Field(default=None, description="Line range of a chunk, such as 9-14")
    heading: str | None = Field(default=None, description="Heading path of a chunk")
    date: str | None = Field(default=None, description="Date of a chunk")
    chunk_with_context: str | None = Field(default=None, description="Numbered lines of a chunk")
    relevance_reason: str | None = None


class SearchResults(BaseModel):
    """Collection of search results."""

    results: list[SearchResult] = Field(default_factory=list)
    total: int = 0
    query: str = ""
    operation: str = ""
    notices: list[str] = Field(default_factory=list, description="What the reader must know")


@dataclass(frozen=True, slots=True)
class NoteRecord:
    """What the index keeps of a note besides its words."""

    path: str
    title: str
    h1: str | None
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    created: datetime
    created_source: DateSource
    modified: datetime
    modified_source: DateSource
    hash: str
    hidden: bool
    properties: Mapping[str, object] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of whole lines of one note.

    ``start`` and ``end`` are 1-based and inclusive; ``headings`` are the heading paths it covers,
    outermost first; ``day`` is the dated H1 above it.
    """

    start: int
    end: int
    headings: tuple[tuple[str, ...], ...]
    day: date | None
