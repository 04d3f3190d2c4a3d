"""Tell where the words that rank stand in the lines of a note, and which lines show them best."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from app.search.excerpt import (
    Place,
    alone,
    best_stretch,
    fold,
    literal,
    places_of,
    typed_places,
    without_case,
    worth_of,
)
from app.search.lexical.analysis import atoms, run_pattern
from app.search.lexical.bm25 import EXACT_WEIGHTS, STEM_WEIGHTS
from app.search.lexical.language import BEGIN_OTHERWISE, stems
from app.search.lexical.ranker import Ranker, Sought
from app.search.models import Part
from app.search.query.tree import Query, is_phrase, positive_texts
from app.vault.paths import nfc

STEM_SHARE = STEM_WEIGHTS["body"] / (STEM_WEIGHTS["body"] + EXACT_WEIGHTS["body"])
"""What a word counts for that shares only its stem with the word asked for, as in the ranking."""
SHARED_SHARE = 0.05
"""What a word counts for in a line that stands word for word in many notes."""
LEAST_TELLING = 0.1
"""Words with a smaller share of a query's information do not choose lines where the meaning can."""
MARGIN = 50
"""Characters at the ends of a cut line that may be lost to blanks and ellipses."""
NEAR = 160
"""Within so many characters the parts of what was typed are looked for together."""


class LineWords:
    """The words of some queries, to be found in lines just as the ranking finds them in chunks.

    Args:
        sought: The words.
        asked: The queries as they stand.
        phrases: What is asked for as a phrase alone, and is told by no word of it.
    """

    def __init__(self, sought: Sequence[Sought], asked: Sequence[str], phrases: Iterable[str] = ()) -> None:
        self._sought = list(dict.fromkeys(sought))
        self._exact: dict[str, list[int]] = {}
        self._stems: dict[str, list[int]] = {}
        for number, one in enumerate(self._sought):
            self._exact.setdefault(one.term.exact, []).append(number)
            for stem in dict.fromkeys(one.term.stems):
                self._stems.setdefault(stem, []).append(number)
        self._initials = {word[0] for word in (*self._exact, *self._stems) if word}
        # By language: whether a piece of a text has a word, and what a run may mean.
        self._pieces: dict[int, dict[str, bool]] = {}
        self._runs: dict[int, dict[str, list[Place]]] = {}
        self._typed = [typed for text in asked if (typed := fold(text).strip())]
        self._texts = [text for text in map(literal, asked) if text]
        self._phrases = list(map(fold, phrases))
        self.information = sum(one.worth for one in self._sought)
        self.count = len(self._sought)
        """How many words."""

    def places(self, lines: Sequence[str], language: int) -> list[list[Place]]:
        """Find the words in each of some lines of a note that is stemmed in a language."""
        found: list[list[Place]] = [[] for _ in lines]
        text = "\n".join(lines)
        if text.count("\n") >= len(lines):
            # A question may have several lines, and is taken as one.
            lines = [line.replace("\n", " ") for line in lines]
            text = "\n".join(lines)
        # Few lines of a text have a word: the others are not taken apart.
        telling = self._telling(text, language) if self._sought else []
        for at in _lines_with(telling, text):
            found[at] = list(self._in_line(lines[at], telling, language))
        return found

    def _telling(self, text: str, language: int) -> list[str]:
        """Return runs of a text, or their ends, that have a word: each run with one has one of them in it."""
        initials = "" if language in BEGIN_OTHERWISE else "".join(sorted(filter(str.isascii, self._initials)))
        found = set(_beginning(initials).findall(text))
        if not text.isascii():
            odd = " ".join(piece for piece in text.split() if not piece.isascii())
            found.update(run_pattern(odd).findall(odd))
        known = self._pieces.setdefault(language, {})
        known.update((piece, self._tells(piece, language)) for piece in found - known.keys())
        return [piece for piece in found if known[piece]]

    def _tells(self, piece: str, language: int) -> bool:
        if piece.isascii() and piece.isalnum():
            word = piece.lower()
            return word in self._exact or stems(word, (language,))[0] in self._stems
        return bool(self._in_run(piece, language))

    def _in_line(self, line: str, telling: Sequence[str], language: int) -> Iterator[Place]:
        runs = self._runs.setdefault(language, {})
        for run in run_pattern(line).finditer(line):
            known = runs.get(run[0])
            if known is None:
                has_word = any(piece in run[0] for piece in telling)
                known = runs[run[0]] = self._in_run(run[0], language) if has_word else []
            start = run.start()
            for place in known:
                yield Place(place.part, start + place.start, start + place.end, place.worth)

    def _in_run(self, run: str, language: int) -> list[Place]:
        """Find the words in one run, its places counted from its own beginning."""
        if run.isascii() and run.isalnum():
            word = run.lower()
            worth = self._worth_of(word, word, language)
            return [Place(number, 0, len(run), one) for number, one in worth.items()]
        pieces = [atom for atom in atoms(run.lower()) if self._may_be(atom.term[0], language)]
        found: list[Place] = []
        for atom in pieces:
            worth = self._worth_of(atom.term, atom.raw, language)
            # Words of a text without blanks stand inside its runs; one with points of its own is all of it.
            start = fold(run).find(atom.term) if worth else 0
            start, end = (start, start + len(atom.term)) if start >= 0 else (0, len(run))
            found += [Place(number, start, end, one) for number, one in worth.items()]
        return found

    def _may_be(self, initial: str, language: int) -> bool:
        """Return whether a word that begins so may be asked for; most begin as their stems do."""
        return initial in self._initials or language in BEGIN_OTHERWISE

    def _worth_of(self, term: str, raw: str, language: int) -> dict[int, float]:
        """Return what one word counts for, by the number of each word that is asked for and that it is."""
        (stem,) = stems(raw, (language,))
        if stem not in self._stems and term not in self._exact:
            return {}
        worth = {number: STEM_SHARE * self._sought[number].worth for number in self._stems.get(stem, ())}
        return worth | {number: self._sought[number].worth for number in self._exact.get(term, ())}

    def told(self, lines: Sequence[str], language: int) -> float:
        """Return how much information of the query some lines have, each word counted once."""
        return _covered([worth_of(places) for places in self.places(lines, language)])

    def written(self, lines: Sequence[str], language: int) -> dict[str, str]:
        """Return how some lines write each word that they have in another form only, by the folded word."""
        forms: dict[str, dict[str, str]] = {}
        for line, places in zip(lines, self.places(lines, language), strict=True):
            for place in places:
                word = line[place.start : place.end].lower()
                forms.setdefault(self._sought[place.part].term.exact, {}).setdefault(fold(word), word)
        return {asked: next(iter(words.values())) for asked, words in forms.items() if asked not in words}

    def centre(self, line: str, language: int, room: int) -> int:
        """Return the middle of the place, of at most ``room`` characters, that shows the words best."""
        places = self.places([line], language)[0] or typed_places(nfc(line), self._typed)
        found = best_stretch(places, max(room - MARGIN, 1))
        return sum(found) // 2 if found else 0

    def parts(self, text: str, language: int) -> list[Part]:
        """Return a text in parts, as NFC, each with whether a query found it; none of them is empty."""
        text = nfc(text)
        folded, parts, done = fold(text), list[Part](), 0
        spans = [(place.start, place.end) for place in self.places([text], language)[0]]
        spans += [(at, at + len(whole)) for whole in self._typed for at in alone(whole, folded)]
        for start, end in sorted(spans):
            if start > done or not parts:
                parts += [(text[done:start], False), (text[start:end], True)]
            elif end > done:
                parts[-1] = parts[-1][0] + text[done:end], True
            done = max(done, end)
        return [part for part in (*parts, (text[done:], False)) if part[0]]

    def holding(self, lines: Sequence[str], language: int) -> list[int]:
        """Return which of some lines hold what was asked for, as places: those with a phrase, else a word."""
        folded = [fold(line) for line in lines]
        having = [at for at, line in enumerate(folded) if any(phrase in line for phrase in self._phrases)]
        return having or [
            at for at, line in enumerate(lines) if any(found for _, found in self.parts(line, language))
        ]

    def _whole(self, lines: Sequence[str]) -> Mapping[int, int]:
        """Return the lines that hold queries as they stand, as places, and how many of them.

        What was typed without accents is met with any, as where notes are looked for.
        """
        cased, counts = without_case("\n".join(lines)), Counter[int]()
        plain = fold(cased) if not cased.isascii() and any(map(str.isascii, self._texts)) else cased
        for text in self._texts:
            among, pieces = plain if text.isascii() else cased, text.split()
            if all(piece in among for piece in pieces):
                whole = among.split("\n")
                having = _lines_with([max(pieces, key=len)], among)
                counts.update(at for at in having if text in " ".join(whole[at].split()))
        return counts

    def best_line(
        self, lines: Sequence[str], language: int, shared: Callable[[Sequence[str]], Sequence[bool]]
    ) -> int | None:
        """Return the line that `best_lines` chooses of a whole note, as a place.

        Where no line has a word, it is one that has what no posting has, such as a sign or a part of a word;
        None where none has that.

        Args:
            lines: All there are to choose from.
            language: Of the note.
            shared: Returns which of some lines stand word for word in many notes.
        """
        worth = {at: worth_of(places) for at, places in enumerate(self.places(lines, language)) if places}
        if not worth:
            text = nfc("\n".join(lines))
            typed = best_stretch(typed_places(text, self._typed), NEAR)
            return text.count("\n", 0, typed[0]) if typed else None
        for at, whole in self._whole(lines).items():
            worth.setdefault(at, {})[-1] = whole * (self.information or 1.0)
        among = sorted(worth)
        copies = dict(zip(among, shared([lines[at] for at in among]), strict=True))
        each = {at: sum(worth[at].values()) * (SHARED_SHARE if copies[at] else 1) for at in among}
        best = max(among, key=each.__getitem__)
        return -max((round(each[at], 6), not copies[at], -abs(at + 1 - best), -at) for at in among)[-1]

    def best_lines(
        self,
        lines: Sequence[str],
        count: int,
        language: int,
        shared: Sequence[bool],
        near: tuple[int, int] | None = None,
        has_room: Callable[[int, int], bool] | None = None,
    ) -> tuple[int, int]:
        """Choose up to ``count`` neighbouring lines that show the queries best.

        Lines that stand in many notes count little. They and blank ones are left out at both ends, where
        others remain. Where there is no room for all, that end goes first whose words the others have too.

        Args:
            lines: All there are to choose from.
            count: The most to choose.
            language: Of the note.
            shared: Which of the lines stand word for word in many notes.
            near: The lines nearest in meaning, as places in ``lines``; chosen from where they have a word of
                the queries, or where the lines have next to none.
            has_room: Whether there is room for the lines between two places; a single one is chosen anyhow.

        Returns:
            The first and the last line, as places in ``lines``.
        """
        if not lines:
            return 0, 0
        worth = [worth_of(places) if places else {} for places in self.places(lines, language)]
        tells_little = near is not None and _covered(worth) <= LEAST_TELLING * self.information
        for at, whole in self._whole(lines).items():
            worth[at][-1] = whole * (self.information or 1.0)
        for at, one in enumerate(worth):
            if one and shared[at]:
                worth[at] = {part: share * SHARED_SHARE for part, share in one.items()}
        first, last = 0, len(lines) - 1
        if near and (any(worth[near[0] : near[1] + 1]) or tells_little):
            first, last = near
        if last - first >= count:
            first = _best_window(worth, shared, first, last, count)
            last = first + count - 1
        idle = [one or not line.strip() for one, line in zip(shared, lines, strict=True)]
        first, last = _trimmed(worth, idle, first, last)
        while has_room and last > first and not has_room(first, last):
            first, last = _trimmed(worth, idle, *_without_an_end(worth, first, last))
        return first, last


@dataclass(frozen=True, slots=True)
class Marks:
    """Marks what was found in texts of one note: the words of the queries, in its language."""

    words: LineWords = field(compare=False)
    language: int

    def parts(self, text: str) -> list[Part]:
        """See `LineWords.parts`."""
        return self.words.parts(text, self.language)

    def holding(self, lines: Sequence[str]) -> list[int]:
        """See `LineWords.holding`."""
        return self.words.holding(lines, self.language)


def line_words(lexical: Ranker, queries: Iterable[Query]) -> LineWords:
    """Return what finds the words of some queries in lines, as an index ranks by them."""
    asked = [query for query in queries if query.positive]
    phrases = [query for query in asked if all(map(is_phrase, query.parts))]
    return LineWords(
        [one for query in asked for one in lexical.sought(query.positive, query.spellings)],
        [query.positive for query in asked],
        [text for query in phrases for part in query.parts for text in positive_texts(part)],
    )


@lru_cache(maxsize=64)
def _beginning(initials: str) -> re.Pattern[str]:
    """Return what finds words of plain letters that begin so, and what is joined to them; no initials: all.

    A part of a joined word is found too where it begins so and those before it do not.
    """
    either = "".join(map(re.escape, initials + initials.upper())) or r"^\W_"
    # A class of signs at the beginning is looked for several times faster than a border of words.
    return re.compile(rf"[{either}](?<![^\W_].)\w*(?:[-./'@&]\w+)*(?:\+\+|#(?!\w))?")


def _lines_with(pieces: Iterable[str], text: str) -> list[int]:
    """Return the lines of a text that have any of some pieces, inside longer ones too, ascending."""
    found: dict[int, None] = {}
    line = before = 0
    for at in sorted({at for piece in pieces for at in places_of(piece, text)}):
        line += text.count("\n", before, at)
        found[line], before = None, at
    return list(found)


def _covered(worth: Sequence[dict[int, float]]) -> float:
    """Sum what some lines together show of a query, each part once."""
    best: dict[int, float] = {}
    for line in worth:
        for part, one in line.items():
            best[part] = max(one, best.get(part, 0.0))
    return sum(best[part] for part in sorted(best))


def _best_window(
    worth: Sequence[dict[int, float]], shared: Sequence[bool], first: int, last: int, count: int
) -> int:
    """Return where the lines begin that show most: of all words, else the same ones most often."""
    alone = [sum(line.values()) for line in worth]
    best = max(range(first, last + 1), key=alone.__getitem__)
    telling = [at for at in range(first, last + 1) if alone[at]]
    windows = range(first, last - count + 2)
    # One that shows nothing is no better than one that shows anything, and most lines of a text show nothing.
    wanted = {at for line in telling for at in range(line - count + 1, line + 1)}.intersection(windows)

    @cache
    def shows(low: int, high: int) -> tuple[float, float]:
        lines = telling[low:high]
        return round(_covered([worth[at] for at in lines]), 6), round(sum(alone[at] for at in lines), 6)

    def key(at: int) -> tuple[float, float, int, int, int]:
        end = at + count
        # Of equal ones that which shows a line before the best and the rest after it reads best.
        among = shows(bisect_left(telling, at), bisect_left(telling, end))
        return *among, -sum(shared[at:end]), -abs(at + 1 - best), -at

    return max(wanted or windows, key=key)


def _without_an_end(worth: Sequence[dict[int, float]], first: int, last: int) -> tuple[int, int]:
    """Leave out the line at that end whose words are missed less, the last line where both are the same."""
    without_first, without_last = _covered(worth[first + 1 : last + 1]), _covered(worth[first:last])
    return (first + 1, last) if round(without_first - without_last, 6) > 0 else (first, last - 1)


def _trimmed(
    worth: Sequence[dict[int, float]], idle: Sequence[bool], first: int, last: int
) -> tuple[int, int]:
    """Leave out lines that are blank or in many notes at both ends; if only these tell, those that do not."""
    start, end = _without_ends(idle, first, last)
    if any(worth[start : end + 1]) and not idle[start]:
        return start, end
    if any(worth[first : last + 1]):
        return _without_ends(
            [is_idle and not one for is_idle, one in zip(idle, worth, strict=True)], first, last
        )
    return (first, last) if idle[start] else (start, end)


def _without_ends(idle: Sequence[bool], first: int, last: int) -> tuple[int, int]:
    """Leave out idle lines at both ends; one line stays."""
    while first < last and idle[first]:
        first += 1
    while last > first and idle[last]:
        last -= 1
    return first, last
