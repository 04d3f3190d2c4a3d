"""Turn ranked documents into results and hits, with lines read from the vault itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Literal
from urllib.parse import quote

from app.config.settings import logger
from app.errors import NoteNotFoundError, NoteUnreadableError, PathError, VaultError
from app.limits import HEADING_CHARS
from app.search.excerpt import clip, fold, generate_excerpt, numbered, without_properties
from app.search.index.chunk import split_lines
from app.search.models import Because, Hit, NoteRecord, Ranked, SearchRequest, SearchResult
from app.search.query.match import shown_lines
from app.search.query.pattern import Clock
from app.search.query.read import queries_of
from app.search.query.spelling import respelt
from app.search.query.tree import Query, Text
from app.search.show.lines import LineWords, Marks, line_words
from app.search.view import View
from app.sentences import Sentence
from app.tokens import count_tokens
from app.vault.client import VaultClient
from app.vault.dates import DAY_KEYS, DateSource, dated_heading, property_day
from app.vault.paths import nfc

CONTEXT_LINES = 2
EXCERPT_LINES = 6
EXCERPTS_TOKENS, LEAST_TOKENS = 400, 50
"""Tokens of the excerpts of one answer, of which each gets half of what is left; and of any excerpt."""
TOKEN_CHARS = 4
"""Characters of running text to a token, about."""
SHOWN_LINES = 5
LISTED_LINES = 20
"""Of the lines a note was found by, so many are quoted, and so many named."""
NEAREST_CHARS = 160
MAX_LINE = 400
"""Longest line that is shown whole, in characters; a longer one is cut around the match."""


class StaleError(Exception):
    """A note changed between the index's last look and the reading of its lines."""


@dataclass
class Shower:
    """Shows ranked documents of one snapshot for one request, best first.

    The likelier a passage answers, the more of it is worth its tokens; so the first ones show most.
    """

    view: View
    request: SearchRequest
    _kept: dict[str, list[str]] = field(default_factory=dict)
    _left: int = EXCERPTS_TOKENS

    @cached_property
    def _queries(self) -> tuple[Query, ...]:
        """The queries as the operation reads them."""
        return queries_of(self.view.snapshot, self.request)

    @cached_property
    def _words(self) -> LineWords:
        """The words by which the lines are chosen: those that rank."""
        terms = self.request.search_terms if self.request.operation == "keyword" else ()
        return line_words(self.view.lexical, [Query(term, Text(term)) for term in terms] or self._queries)

    def result(self, item: Ranked) -> SearchResult:
        """Return a note or a chunk as a result, with an excerpt.

        Raises:
            StaleError: the file is no longer the one that was indexed.
        """
        if self.view.lexical.chunks[item.doc]:
            return self._chunk_result(item)
        note = self.view.snapshot.note(item.doc)
        text = self._text(note)
        shown, numbers = self._note_excerpt(text, item)
        return self._result(
            note,
            item,
            excerpt="\n".join(f"{number} | {line}" if number else line for number, line in shown),
            excerpt_lines=shown,
            numbers=tuple(numbers),
            lines=", ".join(map(str, numbers)) or None,
            heading=self._heading_above(item.doc, numbers[0]) if numbers else None,
            relevance_reason=item.note or None,
        )

    def hit(self, item: Ranked) -> Hit:
        """Return a chunk as data.

        Raises:
            StaleError: the file is no longer the one that was indexed.
        """
        note = self._note(item)
        lines = self._lines(note)
        start, end = self._range(item, lines)
        day = self._date(item)
        return Hit(
            path=note.path,
            score=item.score,
            lines=f"{start}-{end}",
            chunk_with_context=self._context(lines, start, end),
            title=note.title,
            heading=self._heading(item),
            tags=note.tags,
            date=day,
            date_source=self._date_source(item.doc, note) if day else None,
            uri=uri(self.view.vault, note.path),
            relevance_reason=self._reason(item, lines[start - 1 : end]) if self.request.explain else None,
        )

    def _chunk_result(self, item: Ranked) -> SearchResult:
        note = self._note(item)
        lines = self._lines(note)
        start, end = self._range(item, lines)
        first, last, most = self._shown(item, lines, start, end)
        shown = [self._cut(line, item.doc, most) for line in lines[first - 1 : last]]
        return self._result(
            note,
            item,
            excerpt=numbered(shown, first),
            excerpt_lines=tuple(enumerate(shown, first)),
            lines=f"{start}-{end}",
            heading=self._heading(item),
            date=self._date(item),
            chunk_with_context=self._context(lines, start, end),
            **self._found_by(item, lines[start - 1 : end]),
            date_source=self._date_source(item.doc, note),
            **({"date_field": "date"} if self._date(item) else {}),
        )

    def _result(self, note: NoteRecord, item: Ranked, **shown: Any) -> SearchResult:  # noqa: ANN401 - its fields
        fields: dict[str, Any] = {
            "path": note.path,
            "title": note.title,
            "score": min(1.0, max(0.0, item.score)),
            "tags": list(note.tags),
            "created": note.created,
            "modified": note.modified,
            "date_source": self._note_source(note),
            "date_field": self.request.date_field,
            "uri": uri(self.view.vault, note.path),
            "marks": Marks(self._words, self.view.lexical.language(item.doc)),
        }
        return SearchResult(**(fields | shown))

    def _note_source(self, note: NoteRecord) -> DateSource:
        return note.created_source if self.request.date_field == "created" else note.modified_source

    def _date_source(self, doc: int, note: NoteRecord) -> DateSource | Literal["heading"]:
        """Say where the day of a chunk comes from, or its note's where it has none of its own."""
        day = self.view.snapshot.chunk_day(doc)
        if day is None:
            return self._note_source(note)
        headings = (heading for trail in self.view.snapshot.chunk_headings(doc) for heading in trail)
        if any(dated_heading(heading) == day for heading in headings):
            return "heading"
        return "property" if property_day(note.properties, DAY_KEYS) == day else "name"

    def _note(self, item: Ranked) -> NoteRecord:
        """Return the note of a chunk."""
        return self.view.snapshot.note(int(self.view.lexical.note_of[item.doc]))

    def _lines(self, note: NoteRecord) -> list[str]:
        """Return the lines of a note; those of the last one are kept, since its chunks follow one another."""
        if note.path not in self._kept:
            lines = split_lines(self._text(note))
            self._kept.clear()
            self._kept[note.path] = lines
        return self._kept[note.path]

    def _text(self, note: NoteRecord) -> str:
        if self.view.stored:
            doc = self.view.snapshot.doc(note.path)
            return "" if doc is None else self.view.snapshot.texts[doc].raw
        try:
            read = self.view.vault.read(note.path)
        except (NoteUnreadableError, PathError):
            return ""
        except NoteNotFoundError as error:
            raise StaleError(note.path) from error
        if note.hash and read.hash != note.hash:
            raise StaleError(note.path)
        return read.text

    def _shown(self, item: Ranked, lines: Sequence[str], start: int, end: int) -> tuple[int, int, int]:
        """Choose from some lines those that show best why a chunk was found.

        Returns:
            The first and the last, and the most characters of each.
        """
        near = self._near(item, start, end)
        language = self.view.lexical.language(item.doc)
        body = self._note(item).body
        if start < body <= end and not self._words.told(lines[start - 1 : body - 1], language):
            start = body
        # The heading above a passage is shown besides; its line need not be.
        above = {heading for trail in self.view.snapshot.chunk_headings(item.doc)[:1] for heading in trail}
        chosen = lines[start - 1 : end]
        if not chosen:
            return start, start, MAX_LINE
        room = max(self._left // 2, LEAST_TOKENS)

        @cache
        def size(at: int) -> int:
            """Return the tokens of a line as it is shown; blank ones are left out."""
            return count_tokens(f"1 | {self._cut(chosen[at], item.doc)}") if chosen[at].strip() else 0

        first, last = self._words.best_lines(
            chosen,
            EXCERPT_LINES,
            language,
            [
                is_shared or line.lstrip("#").strip() in above
                for line, is_shared in zip(chosen, self.view.snapshot.shared(chosen), strict=True)
            ],
            (near[0] - start, near[1] - start) if near else None,
            lambda first, last: sum(map(size, range(first, last + 1))) <= room,
        )
        used = sum(map(size, range(first, last + 1)))
        self._left -= min(used, room)
        # One line may be longer than its room.
        return start + first, start + last, MAX_LINE if used <= room else min(MAX_LINE, TOKEN_CHARS * room)

    def _note_excerpt(self, text: str, item: Ranked) -> tuple[tuple[tuple[int, str], ...], Sequence[int]]:
        """Return what shows why a note was found, and the lines it stands on."""
        lines = split_lines(text)
        numbers: Sequence[int] = item.lines or self._matched(item.doc, text)
        if not numbers:
            language = self.view.lexical.language(item.doc)
            best = self._words.best_line(lines, language, self.view.snapshot.shared)
            if best is None:
                return ((0, generate_excerpt(text, "")),), ()
            return ((best + 1, self._cut(lines[best].strip(), item.doc, 300)),), (best + 1,)
        shown = [number for number in numbers if number <= len(lines)][:SHOWN_LINES]
        excerpt = tuple((number, self._cut(lines[number - 1].strip(), item.doc)) for number in shown)
        return excerpt, numbers[:LISTED_LINES]

    def _matched(self, doc: int, text: str) -> list[int]:
        """Return the lines that the operators of the queries meet; a plain query shows its one best line."""
        structured = [query for query in self._queries if query.root is not None and not query.is_plain]
        if not structured:
            return []
        raw = nfc(text.replace("\r\n", "\n"))
        outline = self.view.snapshot.outline(doc)
        parts = [part for query in structured for part in query.parts]
        return shown_lines(parts, raw, outline, self._clock)

    @cached_property
    def _clock(self) -> Clock:
        return Clock()

    def _heading_above(self, doc: int, line: int) -> str | None:
        """Return the path of headings over a line of a note."""
        rows = self.view.snapshot.sections(doc).rows
        above = (text[:HEADING_CHARS] for _, text, first, last in rows if first <= line <= last)
        return " > ".join(above) or None

    def _range(self, item: Ranked, lines: Sequence[str]) -> tuple[int, int]:
        start, end = (
            (item.lines[0], item.lines[1]) if item.lines else self.view.snapshot.chunk_lines(item.doc)
        )
        return start, max(start, min(end, len(lines)))

    def _near(self, item: Ranked, start: int, end: int) -> tuple[int, int] | None:
        """Return which of some lines are the nearest in meaning, where it is known."""
        if not item.near:
            return None
        first, last = max(start, item.near[0], self._note(item).body), min(end, item.near[1])
        return (first, last) if first <= last else None

    def _context(self, lines: Sequence[str], start: int, end: int) -> str:
        if not lines:
            return ""
        first, last = max(1, start - CONTEXT_LINES), min(len(lines), end + CONTEXT_LINES)
        return numbered(lines[first - 1 : last], first)

    def _heading(self, item: Ranked) -> str:
        trails = self.view.snapshot.chunk_headings(item.doc)
        return " > ".join(trails[0]) if trails else ""

    def _date(self, item: Ranked) -> str | None:
        day = self.view.snapshot.chunk_day(item.doc)
        if day is None and self._filters_by_date:
            # What has no day of its own passed the filter by its note's.
            note = self._note(item)
            day = (note.created if self.request.date_field == "created" else note.modified).date()
        return day.isoformat() if day else None

    @property
    def _filters_by_date(self) -> bool:
        return bool(self.request.start or self.request.end)

    def _found_by(self, item: Ranked, lines: Sequence[str]) -> dict[str, Any]:
        """Return the reason for a chunk as text and as data, where it is asked for."""
        if not self.request.explain:
            return {}
        words = self._matched_words(item.doc, lines)
        parts = self._parts(item, words)
        nearest = self._nearest(item.doc, lines) if parts or self.request.is_deep else ""
        text = self._told(parts, nearest)
        shown = (*parts, *([_nearest_said(nearest)] if parts and self.request.is_deep else []))
        about = Sentence("{parts:; }", parts=shown) if shown else text
        return {
            "relevance_reason": text,
            "because": Because(words, nearest if self.request.is_deep else "", text, about),
        }

    def _reason(self, item: Ranked, lines: Sequence[str]) -> str:
        """Return which lists found a chunk, which words were matched, and the nearest sentence."""
        return self._told(
            self._parts(item, self._matched_words(item.doc, lines)), self._nearest(item.doc, lines)
        )

    def _parts(self, item: Ranked, words: tuple[str, ...]) -> list[str]:
        parts = [item.note] if item.note else []
        return [*parts, Sentence("matches {words}", words=words)] if words else parts

    def _told(self, parts: Sequence[str], nearest: str) -> str:
        if not parts:
            return Sentence("matches the filters")
        said = Sentence("{parts:; }", parts=(*parts, _nearest_said(nearest)))
        if self.view.vault.settings.model:
            return said
        return Sentence("{reason} (no language model is configured)", reason=said)

    def _matched_words(self, doc: int, lines: Sequence[str]) -> tuple[str, ...]:
        """Return the words of the queries that a chunk has, each as it stands in its lines."""
        written = self._words.written(lines, self.view.lexical.language(doc))
        found = [
            word
            for query in self._queries
            for word in self.view.lexical.matched(doc, query.positive, query.spellings)
        ]
        return tuple(dict.fromkeys(written.get(fold(word), word) for word in found))

    def _nearest(self, doc: int, lines: Sequence[str]) -> str:
        """Return the sentence nearest in meaning, in a deep search, else the place where the words stand."""
        texts = [respelt(query.positive, query.spellings, every=True) for query in self._queries]
        query, semantic = " ".join(texts), self.view.vectors
        if self.request.is_deep and semantic is not None and any(texts):
            from app.search.vectors.store import nearest_sentence

            try:
                return clip(
                    nearest_sentence(semantic.answering(self.view.snapshot), query, lines), 0, NEAREST_CHARS
                )
            except VaultError as error:
                logger.warning("deep_degraded", extra={"what": "no nearest sentence", "error": str(error)})
        body = without_properties("\n".join(lines))
        return self._cut(" ".join(body.split()), doc, NEAREST_CHARS)

    def _cut(self, line: str, doc: int, most: int = MAX_LINE) -> str:
        if len(line) <= most:
            return line
        return clip(line, self._words.centre(line, self.view.lexical.language(doc), most), most)


def _nearest_said(sentence: str) -> Sentence:
    return Sentence("nearest: {sentence}", sentence=sentence)


def uri(vault: VaultClient, path: str) -> str:
    """Return the address that opens a note in Obsidian."""
    return f"obsidian://open?vault={quote(vault.name, safe='')}&file={quote(path, safe='')}"
