"""What the index keeps of a note: its record, as bytes, and the exact terms that filters look for."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from app.limits import HEADING_CHARS
from app.search.index.chunk import chunk_note, hash_lines, line_hashes, split_lines
from app.search.lexical.analysis import fold
from app.search.lexical.index import ChunkDoc, NoteDoc
from app.search.lexical.schema import ACCENTED
from app.search.models import NoteRecord
from app.vault.client import NoteText
from app.vault.dates import NoteDates
from app.vault.encoding import recalled
from app.vault.paths import nfc, path_key
from app.vault.scan import FileStat

if TYPE_CHECKING:
    from app.markdown.models import Link, ParsedNote

MAX_TERM_VALUE = 300
"""Longest property value that is a term, in characters; longer ones are looked up in the note's record."""
MAX_TAG_LEVELS = 32
LINK = "link:"
"""Terms of the names that a note's links write."""
NAME = "name:"
MOST_NAME_WORDS = 12
"""A note of a longer name is not looked for by it in the text of others, nor in a long question."""
LONG_RUN = 1000
"""In a longer run without blanks, in characters, plain letters are looked for among its whole words alone."""
_PLAIN = re.compile(r"[a-z0-9]+")
_WORD = re.compile(r"\w+")
_BESIDE_NAME = re.compile(r"\s*\([^()]*\)\s*$")
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\t": "\\t"})
_ESCAPED, _MEANT = re.compile(r"\\(.)"), {"n": "\n", "t": "\t"}

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

SECONDS_A_DAY = 86_400
MAX_VALUES = 2_000
MAX_VALUE_CHARS = 2_000
"""What the index keeps of one property: so many values, each of so many characters."""


def _filter_terms(path: str, note: "ParsedNote", properties: Mapping[str, object], hidden: str) -> list[str]:
    """List the terms of a note.

    Args:
        path: Its path.
        note: The parse.
        properties: Its properties as the index keeps them.
        hidden: Why no search shows it, else empty.
    """
    from app.markdown.links import last_parts

    terms = [f"hidden:{hidden}"] if hidden else []
    parts = path_key(path).split("/")[:-1]
    terms += ["folder:" + "/".join(parts[: depth + 1]) for depth in range(len(parts))]
    for tag in note.tags:
        levels = path_key(tag).split("/")
        # A tag thousands of levels deep would otherwise cost the square of its length.
        terms += ["tag:" + "/".join(levels[: depth + 1]) for depth in range(min(len(levels), MAX_TAG_LEVELS))]
        if len(levels) > MAX_TAG_LEVELS:
            terms.append("tag:" + "/".join(levels))
    for name, value in properties.items():
        terms += _property_terms(name, value)
    terms += ["alias:" + nfc(alias)[:MAX_TERM_VALUE].translate(_ESCAPES) for alias in note.aliases]
    terms += [term for task in note.tasks for term in _task_terms(task.status)]
    targets = dict.fromkeys(link.target for link in note.links)
    terms += [link_term(name) for target in targets for name in last_parts(target, path)]
    return list(dict.fromkeys(terms))


def _property_terms(name: str, value: object) -> Iterator[str]:
    """Yield the terms of one property: that it is there, and each of its values, or that it has none."""
    key = path_key(name).translate(_ESCAPES)
    yield f"property:{key}"
    if value is None:
        yield f"null:{key}"
    for text in value_texts(value):
        yield f"long:{key}" if len(text) > MAX_TERM_VALUE else value_prefix(name) + text.translate(_ESCAPES)


MARK, CHAT = "vault-assistant", "chat"
"""The property by which a saved conversation is known, wherever it lies, and its value."""


def value_prefix(name: str) -> str:
    """Return what the terms of a property's values start with."""
    return f"value:{path_key(name).translate(_ESCAPES)}\t"


def link_term(name: str) -> str:
    """Return the term of the notes with a link to such a name; names that begin alike for long may share it.

    Args:
        name: One of `last_parts`.
    """
    return LINK + name[:MAX_TERM_VALUE].translate(_ESCAPES)


def name_words(text: str) -> list[str]:
    """Return the words by which names of notes are found in a text."""
    return _WORD.findall(fold(text))


def name_key(name: str) -> str:
    """Return the form in which names are compared: folded words, or of a single letter all characters."""
    key = " ".join(name_words(name))
    return key if len(key) > 1 else " ".join(fold(name).split())


def name_terms(names: Iterable[str]) -> Iterator[str]:
    """Yield the terms of what a note is called: each name, and without its brackets."""
    for name in names:
        if len(name) <= MAX_TERM_VALUE:
            for form in (name, _BESIDE_NAME.sub("", name)):
                if key := name_key(form):
                    yield NAME + key


def accented_terms(text: str) -> Iterator[str]:
    """Yield the terms of the runs of plain letters that the index has and the text has spelt otherwise.

    A note without such a term around a plain word has that word just as the index has it, so that its text
    need not be read to know.
    """
    if text.isascii():
        return
    # Cutting at blanks reads a text once; a pattern for such runs is tried anew at each sign of a long one.
    for run in dict.fromkeys(run for run in nfc(text).casefold().split() if not run.isascii()):
        # Most stand in many notes: a dash, a box, a name. Long ones are not kept.
        yield from (_accented_in if len(run) <= LONG_RUN else _accented_in.__wrapped__)(run)


@lru_cache(maxsize=1 << 14)
def _accented_in(run: str) -> tuple[str, ...]:
    # A term too many costs a query the reading of the note; looking through a long run for each of its words
    # costs the square of its length.
    written = run if len(run) <= LONG_RUN else set(_PLAIN.findall(run))
    return tuple(ACCENTED + one[:MAX_TERM_VALUE] for one in _PLAIN.findall(fold(run)) if one not in written)


def _task_terms(status: str) -> tuple[str, ...]:
    """Return the terms of a note with such a sign in a task's box: it has tasks, and open or done ones."""
    kinds = {" ": ("tasks:task-todo",), "x": ("tasks:task-done",), "X": ("tasks:task-done",)}
    return ("tasks:task", *kinds.get(status, ()))


def term_text(term: str, prefix: str) -> str:
    """Read back the text that a term holds after its prefix."""
    text = term[len(prefix) :]
    return _ESCAPED.sub(lambda found: _MEANT.get(found[1], found[1]), text) if "\\" in text else text


def value_texts(value: object) -> Iterator[str]:
    """Yield the single values of a property as text: of a list each item, of a mapping each value."""
    if value is None:
        return
    if isinstance(value, Mapping):
        for item in value.values():
            yield from value_texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from value_texts(item)
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, float):
        yield str(int(value)) if value.is_integer() and abs(value) < 1e15 else str(value)
    else:
        yield nfc(str(value))


def _to_seconds(moment: datetime) -> int:
    """Number a naive local date-time so that later is larger; 0 lies before the year 1."""
    return moment.toordinal() * SECONDS_A_DAY + moment.hour * 3600 + moment.minute * 60 + moment.second


def note_document(
    stat: FileStat,
    text: NoteText | None,
    note: "ParsedNote",
    dates: NoteDates,
    *,
    hidden: str = "",
    problems: Sequence[str] = (),
) -> NoteDoc:
    """Make the note document of a parsed note.

    Args:
        stat: The file as listed.
        text: The file as read; None when it could not be read.
        note: The parse; of an empty text when the file could not be read.
        dates: Its dates.
        hidden: ``excluded`` or ``left-out`` for notes that no search shows, else empty.
        problems: What was wrong with the file or its text.
    """
    from app.search.embedding.windows import kept_aliases

    content = text.text if text else ""
    properties = {str(key): _Bounded().copy(value) for key, value in note.properties.items()}
    record = {
        "title": note.display_title[:HEADING_CHARS],
        "h1": note.h1 and note.h1[:HEADING_CHARS],
        "aliases": list(note.aliases),
        "tags": list(note.tags),
        "created": [dates.created.isoformat(), dates.created_source],
        "modified": [dates.modified.isoformat(), dates.modified_source],
        "hash": text.hash if text else "",
        "hidden": bool(hidden),
        "properties": properties,
        "problems": list(dict.fromkeys(problems)),
        "headings": note.headings,
        "lines": len(split_lines(content)),
        "body": note.body_line,
        "blocks": list(note.block_starts),
        "tasks": [[task.status, task.line] for task in note.tasks],
        "links": note.links,
    }
    terms = _filter_terms(stat.path, note, properties, hidden)
    if not hidden:
        terms += accented_terms(content)
        terms += name_terms(
            [note.title, _title_property(note), note.display_title, *kept_aliases(note.aliases)]
        )
    return NoteDoc(
        path=stat.path,
        terms=tuple(dict.fromkeys(terms)),
        size=stat.size,
        mtime_ns=stat.mtime_ns,
        created=_to_seconds(dates.created),
        modified=_to_seconds(dates.modified),
        data=_dump(record),
        line_hashes=() if hidden else tuple(sorted(line_hashes(content))),
        text="" if hidden else query_text(content),
    )


def query_text(content: str) -> str:
    """Return the text of a note as queries read it: NFC, with lines ended by a line feed."""
    return nfc(content.replace("\r\n", "\n"))


def _title_property(note: "ParsedNote") -> str:
    named = note.properties.get("title")
    return named if isinstance(named, str) else ""


def chunk_documents(path: str, note: "ParsedNote", text: str, day: date | None, limit: int) -> list[ChunkDoc]:
    """Cut a note and make the documents of its chunks; ``day`` dates what no dated heading does."""
    from app.search.embedding.windows import kept_aliases, make_passage

    lines = split_lines(text)
    stem = note.title
    names = [stem, _title_property(note), note.h1 or ""]
    title = " · ".join(dict.fromkeys(name[:HEADING_CHARS] for name in names if name))
    aliases = " · ".join(kept_aliases(note.aliases))
    # Worked out once: it looks at all the headings, and a note may have a chunk for each of them.
    shown_title = note.display_title
    folder = path.rpartition("/")[0]
    documents = []
    for chunk in chunk_note(note, lines, limit):
        headings = dict.fromkeys(heading for trail in chunk.headings for heading in trail)
        dated = chunk.day or day
        own = lines[chunk.start - 1 : chunk.end]
        trail = chunk.headings[0] if chunk.headings else ()
        documents.append(
            ChunkDoc(
                body="\n".join(own),
                heading=" > ".join([stem, *headings, folder]),
                title=title,
                aliases=aliases,
                start=chunk.start,
                end=chunk.end,
                day=dated.toordinal() if dated else 0,
                data=_dump([list(trail) for trail in chunk.headings]),
                text_hash=make_passage(
                    [shown_title, names[1]],
                    note.aliases,
                    trail,
                    own,
                    max(0, note.body_line - chunk.start),
                ).hash,
                content_hash=hash_lines(own),
            )
        )
    return documents


def read_record(data: bytes) -> Mapping[str, Any]:
    """Read a note's record back, to be taken apart by what follows."""
    record: Mapping[str, Any] = _load(data)
    return record


def note_of(path: str, record: Mapping[str, Any]) -> NoteRecord:
    """Return what a record says of the note as a whole."""
    return NoteRecord(
        path=path,
        title=record["title"],
        h1=record["h1"],
        aliases=tuple(record["aliases"]),
        tags=tuple(record["tags"]),
        created=datetime.fromisoformat(record["created"][0]),
        created_source=record["created"][1],
        modified=datetime.fromisoformat(record["modified"][0]),
        modified_source=record["modified"][1],
        hash=record["hash"],
        hidden=record["hidden"],
        body=record["body"],
        properties=record["properties"],
        problems=tuple(map(recalled, record["problems"])),
    )


def decode_links(data: bytes) -> "tuple[Link, ...]":
    """Read a note's raw links back."""
    from app.markdown.models import Link

    return tuple(Link(*row) for row in _load(data)["links"])


def decode_chunk(data: bytes) -> tuple[tuple[str, ...], ...]:
    """Read a chunk's heading paths back."""
    return tuple(tuple(trail) for trail in _load(data))


class NoteSections(NamedTuple):
    """The headings of one note, each with the range of lines below it, from 1 and inclusive."""

    rows: tuple[tuple[int, str, int, int], ...]

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "NoteSections":
        """Take them from a note's record."""
        headings: list[list[Any]] = record["headings"]
        rows: list[tuple[int, str, int, int]] = []
        ends: list[tuple[int, int]] = []
        # From the last heading up: a section ends where the next heading of its level or above begins.
        for level, text, line in reversed(headings):
            while ends and ends[-1][0] > level:
                ends.pop()
            rows.append((level, text, line, ends[-1][1] - 1 if ends else max(record["lines"], line)))
            ends.append((level, line))
        return cls(tuple(reversed(rows)))


class NoteOutline(NamedTuple):
    """Where the pieces of one note start, as line numbers from 1.

    ``body`` is the first line after the properties; ``tasks`` have the sign in their box before the line.
    """

    body: int
    blocks: tuple[int, ...]
    headings: tuple[int, ...]
    tasks: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "NoteOutline":
        """Take it from a note's record."""
        return cls(
            record["body"],
            tuple(record["blocks"]),
            tuple(line for _, _, line in record["headings"]),
            tuple((status, line) for status, line in record["tasks"]),
        )


class VaultRecord(NamedTuple):
    """What the index keeps of the vault as a whole.

    ``files`` are all visible files that are not notes, or are notes outside the index; ``all_types`` says
    whether those of every ending can be linked to; ``rules`` is the fingerprint of everything that decides
    what a note's documents hold. ``state`` is that of the vault's listing where the index holds all files as
    they were listed, else empty.
    """

    files: tuple[str, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    rules: str = ""
    all_types: bool = False
    state: str = ""


def encode_vault(record: VaultRecord) -> bytes:
    """Turn the vault's record into bytes."""
    return _dump(record)


def decode_vault(data: bytes) -> VaultRecord:
    """Read the vault's record back; one never committed is empty."""
    if not data:
        return VaultRecord()
    fields = _load(data)
    if len(fields) != len(VaultRecord._fields):
        # Written by another version of the program: whatever its rules were, they are not today's.
        return VaultRecord(rules="of another version")
    files, problems, *rest = fields
    return VaultRecord(tuple(files), tuple((path, reason) for path, reason in problems), *rest)


class _Bounded:
    """Copies a property value as plain JSON, cut where it is too large or too deep.

    It has a budget of values: YAML aliases can make a short text expand without end.
    """

    def __init__(self) -> None:
        self.left = MAX_VALUES

    def copy(self, value: object, depth: int = 0) -> object:
        self.left -= 1
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            return value if abs(value) < 2**63 else str(value)[:MAX_VALUE_CHARS]
        if depth > 8 or self.left < 0:
            return "…"
        if isinstance(value, Mapping):
            pairs = islice(value.items(), max(self.left, 0))
            return {str(key)[:MAX_VALUE_CHARS]: self.copy(item, depth + 1) for key, item in pairs}
        if isinstance(value, list | tuple | set):
            return [self.copy(item, depth + 1) for item in islice(value, max(self.left, 0))]
        return str(value)[:MAX_VALUE_CHARS]


def _dump(value: object) -> bytes:
    return _JSON.encode(value).encode("utf-8", "replace")


def _load(data: bytes) -> Any:  # noqa: ANN401 - rows of this module's own making
    return json.loads(data)
