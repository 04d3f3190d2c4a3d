"""The lines that a sentence cites, read once: their words, quantities, times, and what they list."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise

from app.chat.cite.dates import Moment, find_moments, relative_moments
from app.chat.cite.numbers import find_quantities
from app.chat.cite.quantity import Quantity
from app.markdown.models import Heading
from app.markdown.plain import plain_line
from app.markdown.sentences import is_short_form
from app.notes.document import Document
from app.search.excerpt import fold
from app.search.lexical.language import LANGUAGES, detect, stems, stop_words
from app.vault.paths import NOTE_SUFFIX

ENGLISH, FRENCH = LANGUAGES.index("english"), LANGUAGES.index("french")

MOST_NAMED = 3000
"""Numbers, and times, of all cited lines that are looked at."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?(?:-[^\W\d_]+)*")
_ITEM = re.compile(r"\s*(?:>\s*)*(?:[-*+]|(?P<number>\d{1,9})[.)])\s+(?:\[(?P<box>.)\]\s)?")
_ROW = re.compile(r"\s*(?:>\s*)*\|")
_RULE = re.compile(r"[\s|:>-]+\Z")
_ENDS = re.compile(r"(?<=[.!?…;])[\"”»’)]*\s+|\n")
_ALONE = re.compile(r"\s*(?:>\s*)*(?:\||#{1,6}\s|[\w-]+:\s|\Z)")
"""A row, a heading, a property, or nothing."""
_STOPS = (".", "!", "?", "…", ";")
# Nothing is tried inside a run of words: a line without a comma would take the square of its length.
_LISTED = re.compile(
    r"(?<![^,;:.!?\n|])[^,;:.!?\n|]++(?:,[^,;:.!?|]++)++(?:(?:,\s*|\s)(?:and|et|or|ou)\s[^,;:.!?|]+)?"
)
_ELIDED = re.compile(r"\A(?:l|d|j|m|n|s|t|c|qu|jusqu|lorsqu|puisqu)['’](?=\w)", re.IGNORECASE)


_FILED = re.compile(r"\A((?:created|updated|modified):\s*\d{4}).*")
DAY = 86_400
FAR = 20
"""Most characters between the times of the day that something begins and ends at."""


def _lasting(start: int, end: int, text: str, seconds: set[Fraction]) -> Quantity:
    measures = frozenset(("second", amount) for amount in seconds)
    return Quantity(start, end, text[start:end], frozenset(), measures, unit="s", noun_at=end)


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, a list item or a row of the lines, from ``start`` to ``end`` of their text."""

    start: int
    end: int
    text: str
    is_row: bool = False

    def holds(self, place: int) -> bool:
        """Return whether a place of the text is in it."""
        return self.start <= place < self.end


class Passage:
    """Lines of a note as a reader sees them, with what stands above them.

    Args:
        lines: The lines as they stand.
        context: Title, headings and day above them.
    """

    def __init__(self, lines: Sequence[str], context: str = "") -> None:
        self.lines, self.context = tuple(lines), context
        shown = [plain_line(line) for line in self.lines]
        self.text = "\n".join(shown)
        self._starts: list[int] = []
        at = 0
        for line in shown:
            self._starts.append(at)
            at += len(line) + 1

    def line_at(self, place: int) -> str:
        """Return the line on which a place of the text is, as it stands."""
        return self.lines[max(bisect_right(self._starts, place) - 1, 0)].strip()

    def unit_at(self, place: int) -> Unit | None:
        """Return the unit that a place of the text is in."""
        at = bisect_right(self._unit_starts, place) - 1
        return self.units[at] if at >= 0 and self.units[at].holds(place) else None

    def holds(self, part: Moment | Quantity) -> bool:
        """Return whether a time or a quantity is one of the lines, and not of what stands above."""
        return id(part) in self._own

    @cached_property
    def _own(self) -> frozenset[int]:
        return frozenset(map(id, (*self.moments, *self.quantities)))

    @cached_property
    def _unit_starts(self) -> list[int]:
        return [unit.start for unit in self.units]

    @cached_property
    def unit_stems(self) -> dict[Unit, tuple[frozenset[str], ...]]:
        """The stems of the words of each unit, word by word, each word once."""
        return {
            unit: tuple({stems_of(word.lower()) for word in content_words(unit.text)}) for unit in self.units
        }

    @cached_property
    def moments(self) -> list[Moment]:
        """The times that the lines name; "tomorrow" counts from the day above them."""
        above = (each.period(each.year) for each in self.moments_above if each.year)
        days = [period.first for period in above if period and period.kind == "day"]
        related = [moment for day in days[:1] for moment in relative_moments(self.text, day)]
        return [*find_moments(self.text), *related][:MOST_NAMED]

    @cached_property
    def moments_above(self) -> list[Moment]:
        """The times that stand above the lines."""
        return find_moments(self.context)

    @cached_property
    def quantities(self) -> list[Quantity]:
        """The quantities of the lines, and of what stands above; dates are none."""
        return find_quantities(without(self.text, self.moments))[:MOST_NAMED]

    @cached_property
    def durations(self) -> list[Quantity]:
        """How long what the lines name lasts: from one time of the day to the next, or a range of days."""
        clocks = [each for each in self.quantities if any(of == "clock" for of, _ in each.measures)]
        found = [
            _lasting(first.start, second.end, self.text, {(later - earlier) % 1440 * 60})
            for first, second in pairwise(clocks)
            if second.start - first.end <= FAR
            for _, earlier in list(first.measures)[:1]
            for _, later in list(second.measures)[:1]
        ]
        for moment in self.moments:
            period = moment.period(moment.year)
            if period is not None and period.kind == "span":
                days = Fraction(period.days())
                found.append(_lasting(moment.start, moment.end, self.text, {days * DAY, (days - 1) * DAY}))
        return found

    @cached_property
    def quantities_above(self) -> list[Quantity]:
        """The quantities that stand above the lines."""
        return find_quantities(without(self.context, find_moments(self.context)))

    @cached_property
    def years(self) -> set[int]:
        """The years that the lines, or what stands above them, name."""
        return {moment.year for moment in (*self.moments, *self.moments_above) if moment.year}

    @cached_property
    def counts(self) -> set[int]:
        """How many things the lines list: items, done and open tasks, rows, and what commas part."""
        items = [match for line in self.lines if (match := _ITEM.match(line))]
        rows = [line for line in self.lines if _ROW.match(line) and not _RULE.match(line)]
        boxes = [match["box"] for match in items if match["box"]]
        found = {
            len(items),
            len(rows),
            len(rows) - 1,
            len(boxes),
            boxes.count(" "),
            len(boxes) - boxes.count(" "),
        }
        found |= {int(match["number"]) for match in items if match["number"]}
        for unit in self.units:
            for match in _LISTED.finditer(unit.text):
                found.add(len(re.split(r",\s*(?:(?:and|et|or|ou)\s)?|\s(?:and|et|or|ou)\s", match[0])))
                found.add(match[0].count(",") + 1)
        return {count for count in found if count > 1}

    @cached_property
    def units(self) -> list[Unit]:
        """The sentences, list items and rows of the lines."""
        found: list[Unit] = []
        begin = 0
        alone = [_ALONE.match(line) is not None for line in self.lines]
        # A line goes on in the next one where neither stands alone and that begins no list item.
        breaks = {
            start
            for at, start in enumerate(self._starts)
            if alone[at] or alone[at - 1] or _ITEM.match(self.lines[at])
        }
        ends = [
            match.end()
            for match in _ENDS.finditer(self.text)
            if (match[0] != "\n" and not is_short_form(self.text, match.start()))
            or match.end() in breaks
            or self.text.endswith(_STOPS, 0, match.start())
        ]
        rows = {start for start, line in zip(self._starts, self.lines, strict=True) if _ROW.match(line)}
        for end in (*ends, len(self.text)):
            if self.text[begin:end].strip():
                found.append(Unit(begin, end, self.text[begin:end], begin in rows))
            begin = max(begin, end)
        return found

    @cached_property
    def language(self) -> int | None:
        """The language of the lines; that of what stands above where they are too few words to tell."""
        own = language_of(self.text)
        return language_of(f"{self.text}\n{self.context}") if own is None else own

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all their words, and of those above."""
        return frozenset(stem for word in words_of(f"{self.text}\n{self.context}") for stem in stems_of(word))

    @cached_property
    def folded(self) -> frozenset[str]:
        """All words of the lines and of what stands above, folded; targets of links count as well."""
        return folded_words("\n".join((*self.lines, self.text, self.context)))


def context_of(note: Document, first: int) -> str:
    """Return what stands above a line of a note: its path, the headings it is under, and its properties.

    Of the days on which the note was made and changed only the year, which its own days may leave out.
    """
    above: list[Heading] = []
    for heading in note.parsed.headings:
        if heading.line < first:
            above = [*(each for each in above if each.level < heading.level), heading]
    properties = [note.line(number) for number in range(2, note.parsed.body_line - 1)]
    dated = [_FILED.sub(r"\1", line) for line in properties]
    path = note.path.removesuffix(NOTE_SUFFIX).replace("/", " / ")
    return "\n".join((path, *(heading.text for heading in above), *dated))


@lru_cache(maxsize=64)
def passage_of(lines: tuple[str, ...], context: str) -> Passage:
    """Read some lines, once for all sentences that cite them."""
    return Passage(lines, context)


def without(text: str, moments: Sequence[Moment]) -> str:
    """Return a text with blanks for the times it names, so that their numbers are not taken for others."""
    kept = list(text)
    for moment in moments:
        if moment.weekday is None:
            kept[moment.start : moment.end] = "\0" * (moment.end - moment.start)
    return "".join(kept)


def words_of(text: str) -> Iterator[str]:
    """Yield the words of a text, without elided articles, and those of a joined one singly too."""
    for match in _WORD.finditer(text):
        word = re.sub(r"['’]s\Z", "", _ELIDED.sub("", match[0]))
        yield word
        if "-" in word:
            yield from word.split("-")


def folded_words(text: str) -> frozenset[str]:
    """Return the words of a text, digits and joined words included, without case and accents."""
    folded = fold(text)
    return frozenset(re.findall(r"\w+", folded)) | frozenset(
        re.findall(r"(?<!\w)\w+(?:[-./'’@]\w+)+", folded)
    )


@lru_cache(maxsize=8192)
def stems_of(word: str) -> frozenset[str]:
    """Return the stems of a word in English and in French."""
    return frozenset(stems(word.lower(), (ENGLISH, FRENCH)))


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """Return the words of English and French that carry no meaning of their own, folded."""
    return stop_words(ENGLISH) | stop_words(FRENCH)


def content_words(text: str) -> list[str]:
    """Return the words of a text that carry its meaning."""
    return [word for word in words_of(text) if len(word) > 1 and fold(word) not in function_words()]


def language_of(text: str) -> int | None:
    """Return the place of a text's language among those that are stemmed; None where that is not clear.

    English and French are told by a single word, since sentences are short; others by two at least.
    """
    words = {
        word.lower() for match in _WORD.finditer(text) for word in (match[0], *re.split("['’]", match[0]))
    }
    folded = set(map(fold, words))
    shared = stop_words(ENGLISH) & stop_words(FRENCH)
    english, french = (len((stop_words(each) - shared) & folded) for each in (ENGLISH, FRENCH))
    other = detect(words)
    if other not in (ENGLISH, FRENCH) and len(stop_words(other) & folded) > max(english, french, 1) + 1:
        return other
    if english == french:
        return None
    return ENGLISH if english > french else FRENCH
