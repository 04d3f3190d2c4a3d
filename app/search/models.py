"""The nouns of search: what is asked, and what comes back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field, SkipValidation

from app.limits import ANSWER_CHARS, PATH_BYTES, QUERY_CHARS
from app.notices import Notice
from app.parameters import parameter
from app.sentences import Sentence
from app.vault.attachments.kinds import is_attachment_name
from app.vault.dates import DateSource

Operation = Literal[
    "fulltext", "by_tag", "by_link", "by_date", "combined", "fast", "deep", "scoped", "keyword"
]
Mode = Literal["fast", "deep"]
Direction = Literal["backlinks", "forward", "both"]
DateField = Literal["created", "modified"]


_BY_LINK = ("by_link", "combined")
_NOTES = ("fulltext", "by_tag", "by_link", "by_date", "combined")
_CHUNKS = ("fast", "deep", "scoped")
_RANKED = ("fulltext", "combined", *_CHUNKS)
_FILTERED = (*_NOTES, *_CHUNKS)
_EVERY = (*_FILTERED, "keyword")


class SearchRequest(BaseModel):
    """One question, fully parsed and valid. Passed whole; never unpacked into arguments.

    It is also the table of the parameters of every search: the name, type, default, bounds, short description
    and operations of each. `app.search.request.parse_request` reads loose values by it.
    """

    model_config = ConfigDict(frozen=True)

    operation: Operation = parameter(..., "")
    query: str = parameter(
        "",
        'Words of the notes; "*" is everything, newest first. Obsidian\'s operators filter: "exact phrase", '
        "-without, OR, ( ), /regex/, tag:#x, path:x, file:x, kind:pdf, line:(a b), section:(a b), "
        'task-todo:x, heading:x, [property:value], [due:<2025-03-01], links-to:"Note", created:2025-07. Put '
        "text that looks like one in quotes.",
        used_by=(*_RANKED, "keyword"),
        chars=QUERY_CHARS,
    )
    """In a parsed request: all queries as one text, for showing."""
    tags: tuple[str, ...] = parameter(
        (),
        "With or without #, several as a,b; a parent finds its children.",
        used_by=_FILTERED,
        parted=True,
        holds="TAG",
        also=("tag",),
    )
    note_path: str | None = parameter(
        None,
        "For by_link, combined: a note. With explain, for the others: says why it is not found.",
        used_by=(*_BY_LINK, *_CHUNKS),
        chars=PATH_BYTES,
        holds="NOTE",
    )
    direction: Direction = parameter("backlinks", "Links to the note, from it, or both.", used_by=_BY_LINK)
    start: date | None = parameter(
        None,
        'First day: 2025-07-14, 2025-07, today or "7 days ago".',
        used_by=_FILTERED,
        alias="start_date",
        holds="DAY",
        also=("since",),
    )
    end: date | None = parameter(
        None, "Last day, inclusive.", used_by=_FILTERED, alias="end_date", holds="DAY", also=("until",)
    )
    date_field: DateField = parameter("created", "Which date of a note counts.", used_by=_FILTERED)
    folder: str | None = parameter(
        None, "Only below this folder.", used_by=_EVERY, chars=PATH_BYTES, holds="FOLDER", also=("in",)
    )
    match_all: bool = parameter(False, "All tags, not any.", used_by=_FILTERED)
    limit: int | None = parameter(10, "The most results, 1 to 100.", used_by=_EVERY, ge=1, le=100)
    queries: tuple[str, ...] = parameter((), "Several queries, merged.", used_by=_CHUNKS, chars=QUERY_CHARS)
    scopes: tuple[str, ...] | None = parameter(
        None,
        "Globs, folders, notes, project:NAME, each optionally with #HEADING.",
        used_by=_EVERY,
        holds="SCOPE",
        also=("scope",),
    )
    mode: Mode = parameter("fast", "For scoped: by words, or by meaning too.", used_by=("scoped",))
    search_terms: tuple[str, ...] = parameter(
        (),
        "For keyword: regular expressions, most important first.",
        used_by=("keyword",),
        chars=QUERY_CHARS,
        holds="REGEX",
        also=("search-term",),
    )
    depth: int = parameter(1, "Links away, 1 to 3.", used_by=_BY_LINK, ge=1, le=3)
    offset: int = parameter(0, "Results to skip.", used_by=_EVERY, ge=0)
    max_chars: int = parameter(
        6000, "Longest answer, 500 to 1,000,000.", used_by=_EVERY, ge=500, le=ANSWER_CHARS
    )
    max_tokens: int | None = parameter(None, "Longest answer in tokens, from 100.", used_by=_EVERY, ge=100)
    min_score: float | None = parameter(
        None, "Leave out what scores less, 0 to 1.", used_by=_RANKED, ge=0, le=1
    )
    explain: bool = parameter(False, "Say why each was found.", used_by=_RANKED)
    links: bool = parameter(False, "Give obsidian:// addresses.", used_by=_EVERY)
    index: str | None = parameter(None, "A configured index.", used_by=_EVERY, holds="INDEX")

    @property
    def is_deep(self) -> bool:
        """Whether meaning ranks as well as words."""
        return self.mode == "deep" and self.operation in ("deep", "scoped")

    @property
    def ranks_passages(self) -> bool:
        """Whether passages are ranked for a question; the other operations list notes."""
        return self.operation in ("fast", "deep", "scoped")

    @property
    def shows_dates(self) -> bool:
        """Whether results are shown with the dates of their notes."""
        return self.start is not None or self.end is not None or self.operation in _NOTES

    @property
    def asks_why(self) -> bool:
        """Whether it is asked what became of one note in a search of passages."""
        return self.explain and self.ranks_passages and self.note_path is not None

    def allows(self, score: float) -> bool:
        """Whether a result of this score is shown."""
        return self.min_score is None or score >= self.min_score


class Ranked(NamedTuple):
    """A document number with its score in 0..1; valid within one snapshot.

    ``lines`` are the places in the note that answer, and ``note`` a remark shown with the result. ``near`` is
    the range of a chunk's lines whose meaning is nearest; empty where only words were compared.
    """

    doc: int
    score: float
    lines: tuple[int, ...] = ()
    note: str = ""
    near: tuple[int, ...] = ()


class Ranking(NamedTuple):
    """What an operation gives: documents best first, how many there are, and what must be said.

    ``is_far`` says that they are merely the nearest in meaning: nothing holds a word that was asked for, and
    nothing is likely to answer.
    ``lacks_words`` says that no note has all words that were asked for, and these have most.
    """

    items: tuple[Ranked, ...]
    total: int
    notices: tuple[Notice, ...] = ()
    is_far: bool = False
    lacks_words: bool = False


@dataclass(frozen=True, slots=True)
class Because:
    """What a passage was found by: words of the query that it has, and the sentence nearest in meaning.

    ``nearest`` is empty where meaning was not asked. ``about`` is for a person, who sees the lines of the
    passage below it.
    """

    words: tuple[str, ...]
    nearest: str
    about: Sentence


Part = tuple[str, bool]
"""A text, and whether the query found it."""


class Marks(Protocol):
    """Finds in texts of a note what was looked for."""

    def parts(self, text: str) -> list[Part]:
        """Return a text in parts, none of them empty."""

    def holding(self, lines: Sequence[str]) -> list[int]:
        """Return which of some lines hold what was looked for, as places."""


class SearchResult(BaseModel):
    """A single search result."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

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
    # Not made a plain text: a sentence of the program is said in the language of who reads it.
    relevance_reason: SkipValidation[str | None] = None
    because: Because | None = Field(default=None, exclude=True)
    """What it was found by, where that is asked."""
    numbers: tuple[int, ...] = Field(default=(), exclude=True)
    """The lines of a note that answer; empty for a chunk, whose lines are one range."""
    excerpt_lines: tuple[tuple[int, str], ...] = Field(default=(), exclude=True)
    """The lines of the excerpt with their numbers; 0 where the excerpt is no line of the note."""
    marks: SkipValidation[Marks | None] = Field(default=None, exclude=True, repr=False)
    """Tells which words of its texts were found; None where nothing was looked for."""

    def marked(self, text: str) -> list[Part]:
        """Return a text that is shown with the result in parts, each with whether the query found it."""
        return [(text, False)] if self.marks is None else self.marks.parts(text)

    @property
    def spot(self) -> str:
        """The path, and in a file that is no note the place, as in ``Bills/boiler.pdf, page 3``."""
        place = (self.heading or "").rpartition(" > ")[2]
        return f"{self.path}, {place}" if place and is_attachment_name(self.path) else self.path

    @property
    def range(self) -> str | None:
        """The lines, where they are one range or one line."""
        return None if len(self.numbers) > 1 else self.lines


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
    date_source: DateSource | Literal["heading"] | None
    uri: str
    relevance_reason: str | None = None

    @classmethod
    def of(cls, result: SearchResult) -> "Hit":
        """Return a passage as data."""
        given = {each.name: getattr(result, each.name) for each in fields(cls)}
        source = result.date_source if result.date else None
        return cls(**given | {"tags": tuple(result.tags), "date_source": source})


class SearchResults(BaseModel):
    """Collection of search results.

    Where nothing holds a word that was asked for, and nothing is likely to answer, there are no results:
    ``nearest`` are then the few passages that lie nearest in meaning.
    """

    # A notice is an ordinary class, taken and written as it is: JSON has its English wording.
    model_config = ConfigDict(arbitrary_types_allowed=True)

    results: list[SearchResult] = Field(default_factory=list)
    total: int = 0
    query: str = ""
    operation: str = ""
    notices: list[Notice] = Field(default_factory=list, description="What the reader must know")
    nearest: list[SearchResult] = Field(
        default_factory=list, description="Where nothing was found, the nearest in meaning"
    )


@dataclass(frozen=True, slots=True)
class ShownResults:
    """What a text shows of results: the first of them, as many as fit, and at which offset it goes on."""

    results: tuple[SearchResult, ...] = ()
    notices: tuple[Notice, ...] = ()
    left: int = 0
    following: int = 0
    total: int = 0


class NoteRecord(NamedTuple):
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
    body: int
    """The first line after the properties, from 1."""
    properties: Mapping[str, object] = MappingProxyType({})
    problems: tuple[str, ...] = ()


class Chunk(NamedTuple):
    """A run of whole lines of one note.

    ``start`` and ``end`` are 1-based and inclusive; ``headings`` are the heading paths it covers,
    outermost first; ``day`` is the dated H1 above it.
    """

    start: int
    end: int
    headings: tuple[tuple[str, ...], ...]
    day: date | None
