"""Results as the search page shows them, with what the query found marked."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import atoms
from app.search.lexical.impact import distinct_terms, ranking_words
from app.search.lexical.language import stems
from app.search.models import SearchResult
from app.search.query.parse import parse_query
from app.search.text import fold
from app.web.pages import note_url

_WORD = re.compile(r"\w+")
Span = tuple[int, int]

_UNLINKABLE = re.compile(r"[\[\]|#^]")


class Marker:
    """Marks the words that rank, as they stand or by their stem, and the query where it stands as typed.

    Args:
        snapshot: Says which languages the notes are in.
        queries: The queries, as they were typed.
    """

    def __init__(self, snapshot: VaultSnapshot, queries: Sequence[str]) -> None:
        texts = [positive for query in queries if (positive := parse_query(query).positive)]
        self._languages = snapshot.lexical.languages
        terms = [
            term for text in texts for term in distinct_terms(ranking_words(text, snapshot.lexical.languages))
        ]
        self._exact = {term.exact for term in terms}
        self._stems = {stem for term in terms for stem in term.stems}
        self._wholes = [whole for text in texts if (whole := fold(text).strip())]

    def mark(self, text: str) -> Markup:
        """Return a text, escaped, with ``<mark>`` around what was found."""
        text = unicodedata.normalize("NFC", text)
        parts, done = [], 0
        for start, end in _joined(self._spans(text)):
            parts += [escape(text[done:start]), Markup("<mark>"), escape(text[start:end]), Markup("</mark>")]
            done = end
        return Markup("").join([*parts, escape(text[done:])])

    def _spans(self, text: str) -> Iterator[Span]:
        folded = fold(text)
        for whole in self._wholes:
            at = folded.find(whole)
            while at >= 0:
                yield at, at + len(whole)
                at = folded.find(whole, at + len(whole))
        for word in _WORD.finditer(text):
            if self._ranks(word[0]):
                yield word.span()

    def _ranks(self, word: str) -> bool:
        pieces = atoms(word.lower())
        # A run of a script without blanks has many pieces, of which the query as typed marks the right ones.
        return len(pieces) == 1 and (
            pieces[0].term in self._exact or not self._stems.isdisjoint(stems(pieces[0].raw, self._languages))
        )


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield spans in order, those that touch made one."""
    start = end = -1
    for first, last in sorted(spans):
        if first > end:
            if end > start:
                yield start, end
            start, end = first, last
        end = max(end, last)
    if end > start:
        yield start, end


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an excerpt; number 0 where it is not known."""

    number: int
    text: Markup


@dataclass(frozen=True, slots=True)
class Found:
    """One result, ready to be shown; ``place`` counts from 1 over all pages."""

    place: int
    title: Markup
    path: str
    heading: str
    url: str
    lines: str
    excerpt: tuple[Line, ...]
    tags: tuple[str, ...]
    day: str
    score: float
    uri: str
    wikilink: str


def show(snapshot: VaultSnapshot, marker: Marker, result: SearchResult, place: int) -> Found:
    """Prepare one result."""
    moment = result.created if result.date_field == "created" else result.modified
    return Found(
        place=place,
        title=marker.mark(result.title),
        path=result.path,
        heading=result.heading or "",
        url=note_url(result.path, result.lines or ""),
        lines=result.lines or "",
        excerpt=tuple(_excerpt(marker, result.excerpt_lines)),
        tags=tuple(result.tags),
        day=result.date or (moment.date().isoformat() if moment else ""),
        score=result.score,
        uri=result.uri,
        wikilink=wikilink(snapshot, result.path, result.heading or ""),
    )


def _excerpt(marker: Marker, rows: Sequence[tuple[int, str]]) -> list[Line]:
    shown = [Line(number, marker.mark(text)) for number, text in rows]
    if rows and rows[0] == (1, "---"):
        # Properties are worth showing only where something was found in them.
        end = next((at for at, (_, text) in enumerate(rows) if at and text == "---"), len(rows) - 1)
        if not any("<mark>" in line.text for line in shown[: end + 1]):
            shown = shown[end + 1 :]
    return [line for line in shown if line.text.strip("- ")]


def wikilink(snapshot: VaultSnapshot, path: str, heading: str = "") -> str:
    """Write a link to a note, by its name where no other has it, and to the last of a path of headings."""
    whole = path[:-3] if path[-3:].lower() == ".md" else path
    name = whole.rpartition("/")[2]
    target = name if len(snapshot.resolver.candidates(name)) == 1 else whole
    last = heading.rpartition(" > ")[2].strip()
    return f"[[{target}#{last}]]" if last and not _UNLINKABLE.search(last) else f"[[{target}]]"
