"""Turn ranked documents into results, with lines read from the vault itself."""

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
from app.search.models import Because, NoteRecord, Ranked, SearchRequest, SearchResult
from app.search.query.match import shown_lines
from app.search.query.read import queries_of, respelt
from app.search.query.tree import Clock, Query, Text
from app.search.show.lines import LineWords, Marks, line_words
from app.search.view import View
from app.sentences import Sentence
from app.tokens import count_tokens
from app.vault.attachments.kinds import PLACE, is_attachment_name
from app.vault.client import VaultClient
from app.vault.dates import DAY_KEYS, DateSource, dated_heading, property_day
from app.vault.paths import nfc

CONTEXT_LINES, EXCERPT_LINES, SHOWN_LINES, LISTED_LINES = 2, 6, 5, 20
"""Lines around a passage, and of its excerpt; of the lines a note was found by, those quoted, and named."""
EXCERPTS_TOKENS, LEAST_TOKENS = 400, 50
"""Tokens of the excerpts of one answer, of which each gets half of what is left; and of any excerpt."""
TOKEN_CHARS = 4
"""Characters of running text to a token, about."""
NEAREST_CHARS = 160
MAX_LINE, ONLY_LINE = 400, 300
"""Longest line that is shown whole, in characters; a longer one is cut around the match."""
Numbered = tuple[tuple[int, str], ...]
"""Lines with their numbers."""


class StaleError(Exception):
    """A note changed between the index's last look and the reading of its lines."""


@dataclass
class Shower:
    """Shows ranked documents of one snapshot for one request, best first.

    The likelier a passage answers, the more of it is worth its tokens; so the first ones show most. Passages
    can be shown without ``excerpts``.
    """

    view: View
    request: SearchRequest
    excerpts: bool = True
    _kept: dict[str, list[str]] = field(default_factory=dict)
    _left: int = EXCERPTS_TOKENS
    _clock: Clock = field(default_factory=Clock)

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
        view, is_chunk = self.view, bool(self.view.lexical.chunks[item.doc])
        note = view.snapshot.note(int(view.lexical.note_of[item.doc]) if is_chunk else item.doc)
        lines = self._lines(note)
        by_created = self.request.date_field == "created"
        result = SearchResult(
            path=note.path,
            title=note.title,
            score=min(1.0, max(0.0, item.score)),
            tags=list(note.tags),
            created=note.created,
            modified=note.modified,
            date_source=note.created_source if by_created else note.modified_source,
            date_field=self.request.date_field,
            uri=uri(view.vault, note.path),
            marks=Marks(self._words, view.lexical.language(item.doc)),
            **(self._of_chunk(item, note, lines) if is_chunk else self._of_note(item, lines)),
        )
        day = view.snapshot.chunk_day(item.doc) if is_chunk else None
        if day is not None:
            result.date_source = self._day_source(item.doc, note)
        elif is_chunk and (self.request.start or self.request.end):
            # Where days are asked for, one without passed by the day of its note.
            day = (note.created if by_created else note.modified).date()
        if day is not None:
            result.date, result.date_field = day.isoformat(), "date"
        return result

    def _of_note(self, item: Ranked, lines: Sequence[str]) -> dict[str, Any]:
        """Return the lines that a note was found by; those that operators meet, or the one best."""
        numbers, most = item.lines or tuple(self._matched(item.doc, lines)), MAX_LINE
        if not numbers and lines:
            language = self.view.lexical.language(item.doc)
            best, _ = self._words.best_lines(lines, 1, language, self.view.snapshot.shared(lines))
            numbers = (best + 1,) if self._words.shows(lines[best], language) else ()
            most = ONLY_LINE
        shown = [(number, lines[number - 1].strip()) for number in numbers if number <= len(lines)]
        quoted = tuple((number, self._cut(line, item.doc, most)) for number, line in shown[:SHOWN_LINES])
        if not numbers:
            quoted = ((0, generate_excerpt("\n".join(lines), "")),)
        return {
            "excerpt": "\n".join(f"{number} | {line}" if number else line for number, line in quoted),
            "excerpt_lines": quoted,
            "numbers": numbers[:LISTED_LINES],
            "lines": ", ".join(map(str, numbers[:LISTED_LINES])) or None,
            "heading": self._heading_above(item.doc, numbers[0]) if numbers else None,
            "relevance_reason": item.note or None,
        }

    def _of_chunk(self, item: Ranked, note: NoteRecord, lines: Sequence[str]) -> dict[str, Any]:
        """Return the lines of a chunk, those around it, and those that show best why it was found."""
        snapshot = self.view.snapshot
        start, end = item.lines[:2] if item.lines else snapshot.chunk_lines(item.doc)
        end = max(start, min(end, len(lines)))
        trails, body = snapshot.chunk_headings(item.doc), lines[start - 1 : end]
        first = max(1, start - CONTEXT_LINES)
        around = lines[first - 1 : min(len(lines), end + CONTEXT_LINES)]
        shown = self._excerpt(item, note, body, start) if self.excerpts else ()
        heading = " > ".join(trails[0]) if trails else ""
        if is_attachment_name(note.path) and body:
            # A passage may reach over several places of a file, and is named by that of its best line.
            language, shared = self.view.lexical.language(item.doc), snapshot.shared(body)
            best, _ = self._words.best_lines(body, 1, language, shared)
            heading = self._heading_above(int(self.view.lexical.note_of[item.doc]), start + best) or ""
        return {
            "excerpt": numbered([line for _, line in shown], shown[0][0]) if shown else "",
            "excerpt_lines": shown,
            "lines": f"{start}-{end}",
            "heading": heading,
            "chunk_with_context": numbered(around, first) if around else "",
        } | (self._reason(item, body) if self.request.explain else {})

    def _day_source(self, doc: int, note: NoteRecord) -> DateSource | Literal["heading"]:
        """Say where the day of a chunk comes from."""
        day = self.view.snapshot.chunk_day(doc)
        headings = (heading for trail in self.view.snapshot.chunk_headings(doc) for heading in trail)
        if any(dated_heading(heading) == day for heading in headings):
            return "heading"
        return "property" if property_day(note.properties, DAY_KEYS) == day else "name"

    def _lines(self, note: NoteRecord) -> list[str]:
        """Return the lines of a note; those of the last one are kept, since its chunks follow one another."""
        if note.path not in self._kept:
            lines = split_lines(self._text(note))
            self._kept.clear()
            self._kept[note.path] = lines
        return self._kept[note.path]

    def _text(self, note: NoteRecord) -> str:
        if self.view.stored or is_attachment_name(note.path):
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

    def _excerpt(self, item: Ranked, note: NoteRecord, lines: Sequence[str], start: int) -> Numbered:
        """Choose from the lines of a chunk those that show best why it was found."""
        language, end = self.view.lexical.language(item.doc), start + len(lines) - 1
        above = note.body - start
        if 0 < above < len(lines) and not self._words.told(lines[:above], language):
            lines, start = lines[above:], note.body
        if not lines:
            return ()
        near = None
        if item.near:
            low, high = max(start, item.near[0], note.body), min(end, item.near[1])
            near = (low - start, high - start) if low <= high else None
        # The heading above a passage, or the place in a file, is shown besides; its line need not be.
        trails, is_file = self.view.snapshot.chunk_headings(item.doc), is_attachment_name(note.path)
        headings = {text for trail in trails[: None if is_file else 1] for text in trail}
        own = [line for line in lines if line.startswith(PLACE) or not is_file]
        told = {line for line in own if line.lstrip(PLACE).strip() in headings}
        room = max(self._left // 2, LEAST_TOKENS)

        @cache
        def size(at: int) -> int:
            """Return the tokens of a line as it is shown; blank ones are left out."""
            return count_tokens(f"1 | {self._cut(lines[at], item.doc)}") if lines[at].strip() else 0

        first, last = self._words.best_lines(
            lines,
            EXCERPT_LINES,
            language,
            [
                is_shared or line in told
                for line, is_shared in zip(lines, self.view.snapshot.shared(lines), strict=True)
            ],
            near,
            lambda first, last: sum(map(size, range(first, last + 1))) <= room,
        )
        used = sum(map(size, range(first, last + 1)))
        self._left -= min(used, room)
        # One line may be longer than its room.
        most = MAX_LINE if used <= room else min(MAX_LINE, TOKEN_CHARS * room)
        shown = (self._cut(line, item.doc, most) for line in lines[first : last + 1])
        return tuple(enumerate(shown, start + first))

    def _matched(self, doc: int, lines: Sequence[str]) -> list[int]:
        """Return the lines that the operators of the queries meet; a plain query shows its one best line."""
        structured = [query for query in self._queries if not query.is_plain]
        if not structured:
            return []
        parts = [part for query in structured for part in query.parts]
        return shown_lines(parts, nfc("\n".join(lines)), self.view.snapshot.outline(doc), self._clock)

    def _heading_above(self, doc: int, line: int) -> str | None:
        """Return the path of headings over a line of a note."""
        rows = self.view.snapshot.outline(doc).sections
        above = (text[:HEADING_CHARS] for _, text, first, last in rows if first <= line <= last)
        return " > ".join(above) or None

    def _reason(self, item: Ranked, lines: Sequence[str]) -> dict[str, Any]:
        """Return why a chunk was found, as text and as data: by which lists, words and nearest sentence."""
        # Each word as it stands in the lines.
        written = self._words.written(lines, self.view.lexical.language(item.doc))
        words = tuple(
            dict.fromkeys(
                written.get(fold(word), word)
                for query in self._queries
                for word in self.view.lexical.matched(item.doc, query.positive, query.spellings)
            )
        )
        parts = [item.note] if item.note else []
        parts += [Sentence("matches {words}", words=words)] if words else []
        if not parts:
            about = Sentence("matches the filters")
            return {"relevance_reason": about, "because": Because((), "", about)}
        nearest = self._nearest(item.doc, lines)
        about = Sentence("{parts:; }", parts=tuple(parts))
        text = Sentence("{parts:; }", parts=(*parts, Sentence("nearest: {sentence}", sentence=nearest)))
        # By words alone, the lines shown are where they stand.
        about, nearest = (text, nearest) if self.request.is_deep else (about, "")
        if not self.view.vault.settings.model:
            text = Sentence("{reason} (no language model is configured)", reason=text)
        return {"relevance_reason": text, "because": Because(words, nearest, about)}

    def _nearest(self, doc: int, lines: Sequence[str]) -> str:
        """Return the sentence nearest in meaning, in a deep search, else the place where the words stand."""
        texts = [respelt(query.positive, query.spellings, every=True) for query in self._queries]
        semantic = self.view.vectors
        if self.request.is_deep and semantic is not None and any(texts):
            from app.search.vectors.store import nearest_sentence

            try:
                kept = semantic.wanted()
                return clip(nearest_sentence(kept, " ".join(texts), lines), 0, NEAREST_CHARS)
            except VaultError as error:
                logger.warning("deep_degraded", extra={"what": "no nearest sentence", "error": str(error)})
        body = without_properties("\n".join(lines))
        return self._cut(" ".join(body.split()), doc, NEAREST_CHARS)

    def _cut(self, line: str, doc: int, most: int = MAX_LINE) -> str:
        return (
            line
            if len(line) <= most
            else clip(line, self._words.centre(line, self.view.lexical.language(doc), most), most)
        )


def uri(vault: VaultClient, path: str) -> str:
    """Return the address that opens a note in Obsidian."""
    return f"obsidian://open?vault={quote(vault.name, safe='')}&file={quote(path, safe='')}"
