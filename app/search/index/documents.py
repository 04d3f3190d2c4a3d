"""What the index keeps of a note: its record, its text, and the exact terms that filters look for."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from app.limits import HEADING_CHARS
from app.search.index.chunk import Section, chunk_note, hash_lines, line_hashes, split_lines
from app.search.lexical.analysis import fold
from app.search.lexical.schema import ACCENTED, ChunkDoc, NoteDoc
from app.search.models import NoteRecord
from app.sentences import data_of, value_of
from app.vault.attachments.kinds import ending_of, is_attachment_name
from app.vault.dates import NoteDates
from app.vault.paths import POINTS, nfc, path_key, plain_signs
from app.vault.text import NoteText

if TYPE_CHECKING:
    from app.markdown.models import Link, ParsedNote

MAX_TERM_VALUE = 300
"""Longest property value that is a term, in characters; longer ones are looked up in the note's record."""
MAX_TAG_LEVELS = 32
LINK = "link:"
"""Terms of the names that a note's links write."""
NAME = "name:"
KIND = "kind:"
"""Terms of the endings of files that are no notes."""
_TASKS = {" ": "task-todo", "x": "task-done", "X": "task-done"}
"""What a task is by the character in its box; with any other it is neither open nor done."""
MARK, CHAT = "vault-assistant", "chat"
"""The property by which a saved conversation is known, wherever it lies, and its value."""
MOST_NAME_WORDS = 12
"""A note of a longer name is not looked for by it in the text of others, nor in a long question."""
_WORD = re.compile(r"\w+")
_BESIDE_NAME = re.compile(r"\s*\([^()]*\)\s*$")
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\t": "\\t"})
_ESCAPED, _MEANT = re.compile(r"\\(.)"), {"n": "\n", "t": "\t"}

_folded = lru_cache(maxsize=1 << 14)(fold)
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

SECONDS_A_DAY = 86_400
MAX_VALUES, MAX_VALUE_CHARS, MAX_DEPTH = 2_000, 2_000, 8
"""What the index keeps of one property: so many values, each of so many characters, nested so deep."""


def _filter_terms(path: str, note: "ParsedNote", properties: Mapping[str, object], hidden: str) -> list[str]:
    terms = [f"hidden:{hidden}"] if hidden else []
    terms += [KIND + ending_of(path)] if is_attachment_name(path) else []
    parts = path_key(path).split("/")[:-1]
    terms += ["folder:" + "/".join(parts[: depth + 1]) for depth in range(len(parts))]
    for tag in note.tags:
        levels = path_key(tag).split("/")
        # A tag thousands of levels deep would otherwise cost the square of its length.
        depths = (*range(1, min(len(levels), MAX_TAG_LEVELS + 1)), len(levels))
        terms += ["tag:" + "/".join(levels[:depth]) for depth in depths]
    for name, value in properties.items():
        terms += _property_terms(name, value)
    terms += ["alias:" + nfc(alias)[:MAX_TERM_VALUE].translate(_ESCAPES) for alias in note.aliases]
    terms += [f"tasks:{kind}" for task in note.tasks for kind in ("task", _TASKS.get(task.status)) if kind]
    targets = dict.fromkeys(link.target for link in note.links)
    return terms + [link_term(name) for target in targets for name in link_names(target, path)]


def _property_terms(name: str, value: object) -> Iterator[str]:
    """Yield the terms of one property: that it is there, and each of its values, or that it has none."""
    key = path_key(name).translate(_ESCAPES)
    yield f"property:{key}"
    if value is None:
        yield f"null:{key}"
    for text in value_texts(value):
        yield f"long:{key}" if len(text) > MAX_TERM_VALUE else value_prefix(name) + text.translate(_ESCAPES)


def value_prefix(name: str) -> str:
    """Return what the terms of a property's values start with."""
    return f"value:{path_key(name).translate(_ESCAPES)}\t"


def link_names(target: str, path: str) -> tuple[str, ...]:
    """Return the names by which a link of a note is found; one without a target leads to the note itself."""
    from app.markdown.links import last_parts

    return last_parts(target if target.strip() else path, path)


def link_term(name: str) -> str:
    """Return the term of the notes with a link to a name, one of `link_names`; long ones may share it."""
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
    """Yield the terms of the words that are plain letters in the index, and have accents in a text."""
    # Most of a text is plain, and cut at whitespace sooner than into words.
    runs = () if text.isascii() else nfc(text).casefold().split()
    for word in _WORD.findall(" ".join(dict.fromkeys(run for run in runs if not run.isascii()))):
        if not word.isascii() and (plain := _folded(word)).isascii():
            yield ACCENTED + plain[:MAX_TERM_VALUE]


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


def note_document(text: NoteText, note: "ParsedNote", dates: NoteDates, hidden: str = "") -> NoteDoc:
    """Make the note document of a parsed note; its text is in NFC, with lines ended by a line feed.

    ``hidden`` is ``excluded`` or ``left-out`` for notes that no search shows, else empty.
    """
    from app.search.embedding.windows import kept_aliases

    properties = {
        str(key): _bounded(value, iter(range(MAX_VALUES))) for key, value in note.properties.items()
    }
    record = {
        "note": {
            "title": note.display_title[:HEADING_CHARS],
            "h1": note.h1 and note.h1[:HEADING_CHARS],
            "aliases": note.aliases,
            "tags": note.tags,
            "created": dates.created.isoformat(),
            "created_source": dates.created_source,
            "modified": dates.modified.isoformat(),
            "modified_source": dates.modified_source,
            "hash": text.hash,
            "body": note.body_line,
            "properties": properties,
            "problems": data_of(tuple(dict.fromkeys((*text.problems, *note.problems)))),
        },
        "headings": note.headings,
        "lines": len(split_lines(text.text)),
        "blocks": note.block_starts,
        "tasks": [(task.status, task.line) for task in note.tasks],
        "links": note.links,
    }
    terms = _filter_terms(text.path, note, properties, hidden)
    if not hidden:
        terms += accented_terms(text.text)
        terms += name_terms((note.title, *_names(note), *kept_aliases(note.aliases)))
    return NoteDoc(
        path=text.path,
        terms=tuple(dict.fromkeys(terms)),
        size=text.size,
        mtime_ns=text.mtime_ns,
        created=_to_seconds(dates.created),
        modified=_to_seconds(dates.modified),
        data=dump(record),
        line_hashes=() if hidden else tuple(sorted(line_hashes(text.text))),
        text="" if hidden else text.text,
    )


def _names(note: "ParsedNote") -> tuple[str, str]:
    """Return what a note is shown as, and its `title` property; the one looks at all headings."""
    named = note.properties.get("title")
    return note.display_title, named if isinstance(named, str) else ""


def chunk_documents(path: str, note: "ParsedNote", text: str, day: date | None, limit: int) -> list[ChunkDoc]:
    """Cut a note and make the documents of its chunks; ``day`` dates what no dated heading does."""
    from app.search.embedding.windows import kept_aliases, make_passage

    lines, stem, folder, names = split_lines(text), note.title, path.rpartition("/")[0], _names(note)
    title = " · ".join(dict.fromkeys(name[:HEADING_CHARS] for name in (stem, names[1], note.h1) if name))
    aliases = " · ".join(kept_aliases(note.aliases))
    documents = []
    for chunk in chunk_note(note, lines, limit):
        headings = dict.fromkeys(heading for trail in chunk.headings for heading in trail)
        dated = chunk.day or day
        own, trail = lines[chunk.start - 1 : chunk.end], chunk.headings[0] if chunk.headings else ()
        passage = make_passage(names, note.aliases, trail, own, max(0, note.body_line - chunk.start))
        documents.append(
            ChunkDoc(
                body="\n".join(own),
                heading=" > ".join([stem, *headings, folder]),
                title=title,
                aliases=aliases,
                start=chunk.start,
                end=chunk.end,
                day=dated.toordinal() if dated else 0,
                text_hash=passage.hash,
                content_hash=hash_lines(own),
            )
        )
    return documents


def note_of(path: str, record: Mapping[str, Any]) -> NoteRecord:
    """Return what a note's document, loaded, says of the note as a whole."""
    note = record["note"]
    read: dict[str, Any] = {name: tuple(note[name]) for name in ("aliases", "tags")}
    read |= {name: datetime.fromisoformat(note[name]) for name in ("created", "modified")}
    return NoteRecord(**note | read | {"path": path, "problems": value_of(note["problems"])})


def decode_links(data: bytes) -> "tuple[Link, ...]":
    """Read the raw links of a note's document back."""
    from app.markdown.models import Link

    return tuple(Link(*row) for row in load(data)["links"])


class NoteOutline(NamedTuple):
    """Where the pieces of one note start, as line numbers from 1.

    ``body`` is the first line after the properties; ``tasks`` are the character in the box and the line.
    """

    body: int
    blocks: tuple[int, ...]
    sections: tuple[Section, ...]
    tasks: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "NoteOutline":
        """Take it from a note's document, loaded."""
        sections: list[Section] = []
        ends: list[tuple[int, int]] = []
        # From the last heading up: a section ends where the next heading of its level or above begins.
        for level, text, line in reversed(record["headings"]):
            while ends and ends[-1][0] > level:
                ends.pop()
            sections.append(
                Section(level, text, line, ends[-1][1] - 1 if ends else max(record["lines"], line))
            )
            ends.append((level, line))
        tasks = tuple((status, line) for status, line in record["tasks"])
        return cls(record["note"]["body"], tuple(record["blocks"]), tuple(reversed(sections)), tasks)


class VaultRecord(NamedTuple):
    """What the index keeps of the vault as a whole, as JSON; one never committed is empty.

    ``files`` are all visible files that are not notes, or are notes outside the index; ``all_types`` says
    whether those of every ending can be linked to; ``rules`` is the fingerprint of everything that decides
    what a note's documents hold. ``state`` is that of the vault's listing where the index holds all files as
    they were listed, else empty.
    """

    files: Sequence[str] = ()
    rules: str = ""
    all_types: bool = False
    state: str = ""


def _bounded(value: object, room: Iterator[int], depth: int = 0) -> object:
    """Cut a property value where it is too large or too deep; each value in it takes one from ``room``.

    YAML aliases can make a short text expand without end.
    """
    if isinstance(value, str):
        return value[:MAX_VALUE_CHARS]
    if not isinstance(value, Mapping | list):
        return value
    if depth > MAX_DEPTH:
        return "…"
    if isinstance(value, list):
        return [_bounded(item, room, depth + 1) for item, _ in zip(value, room, strict=False)]
    pairs = zip(value.items(), room, strict=False)
    return {str(key)[:MAX_VALUE_CHARS]: _bounded(item, room, depth + 1) for (key, item), _ in pairs}


def dump(value: object) -> bytes:
    """Turn what the index keeps of a note, a chunk or the vault into bytes."""
    return _JSON.encode(value).encode("utf-8", "replace")


def load(data: bytes) -> Any:  # noqa: ANN401 - what `dump` was given
    """Read back what `dump` made."""
    return json.loads(data)


ROOM = 64_000_000
"""Bytes that one snapshot may take for texts; others are unpacked each time."""
_BLANKS = (
    rb"(?:[\s\x1c-\x1f]|\xc2[\x85\xa0]|\xe1\x9a\x80"
    rb"|\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)|\xe3\x80\x80)+"
)
"""What finds whitespace in a text, as UTF-8."""
_ASCII = bytes(range(0x80))
_BECOMES_PLAIN = re.compile(f"[{POINTS}ßİŉſǰẖ-ẚẞ\u212a\ufb00-\ufb06]")
"""What goes, or has plain letters in it, without case."""
LONG_TEXT = 200
"""A longer text, in characters, is not looked for by a pattern, which reads on from each false start."""


def without_case(text: str) -> str:
    """Return the form in which texts are compared without case: with one kind of apostrophe and hyphen."""
    return plain_signs(text.casefold())


class TextForms:
    """A text that several questions are asked of; its other forms are made when first needed."""

    def __init__(self, raw: str, plain: str | None = None) -> None:
        self.raw = raw
        if plain is not None:
            self.plain = plain

    @cached_property
    def plain(self) -> str:
        """The text without case."""
        return without_case(self.raw)

    @property
    def written(self) -> str:
        """The text with its case, and with one kind of apostrophe and hyphen."""
        return plain_signs(self.raw)

    @cached_property
    def folded(self) -> str:
        """The text without case and accents."""
        return fold(self.raw)


class Texts:
    """The texts of one snapshot's notes, of which the first that are asked for are kept, as UTF-8.

    A text with a single emoji takes four bytes a letter in Python. The first and not the last are kept: of a
    query that reads more than there is room for, the next one then finds some, where of the last it would
    find none.
    """

    def __init__(self, unpack: Callable[[int], str]) -> None:
        self._unpack = unpack
        self._kept: dict[tuple[int, bool], bytes] = {}
        self._room = ROOM

    def __getitem__(self, doc: int) -> TextForms:
        return TextForms(self._bytes(doc).decode("utf-8", "surrogatepass"))

    def lines_of(self, doc: int, words: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        """Yield the first and the last line, from 1, of each place where a text has words in a row.

        Case aside, and whatever whitespace stands between the words; these, one at least, are without case.
        """
        text, search, line, before = self._bytes(doc), _in_a_row(words).search, 1, 0
        text = text.lower() if _stand_plainly(text, words) else self._bytes(doc, plain=True)
        while (found := search(text, before)) is not None:
            start = found.start()
            line += text.count(b"\n", before, start)
            yield line, line + text.count(b"\n", start, found.end())
            # One place may begin inside another.
            before = start + 1

    def lines_with(self, doc: int, word: str) -> Iterator[str]:
        """Yield the lines of a text that have a word, without case and whitespace."""
        if numbers := dict.fromkeys(first for first, _ in self.lines_of(doc, (word,))):
            lines = self[doc].raw.split("\n")
            yield from (lines[number - 1] for number in numbers)

    def holds(self, doc: int, words: tuple[str, ...]) -> bool:
        """Return whether a text, case aside, has words without case in a row."""
        return next(self.lines_of(doc, words), None) is not None

    def _bytes(self, doc: int, *, plain: bool = False) -> bytes:
        """Return a text, or its plain form."""
        packed = self._kept.get((doc, plain))
        if packed is None:
            packed = _packed(self[doc].plain if plain else self._unpack(doc))
            # Two threads may both count one text, which leaves less room and never more.
            if len(packed) <= self._room:
                self._room -= len(packed)
                self._kept[doc, plain] = packed
        return packed


def _stand_plainly(text: bytes, words: tuple[str, ...]) -> bool:
    """Return whether words are found in a text as they are in its plain form when ASCII alone loses its case.

    That is several times as quick.
    """
    if text.isascii():
        return True
    if not all(word.isascii() and "'" not in word and "-" not in word for word in words):
        return False
    return not _BECOMES_PLAIN.search(text.translate(None, _ASCII).decode("utf-8", "surrogatepass"))


@lru_cache(maxsize=64)
def _in_a_row(words: tuple[str, ...]) -> re.Pattern[bytes]:
    """Return what finds words in a row in a text as UTF-8, with any whitespace between them."""
    return re.compile(_BLANKS.join(re.escape(_packed(word)) for word in words))


def _packed(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
