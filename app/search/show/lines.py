"""Tell where the words that rank stand in the lines of a note, and which lines show them best."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from app.search.excerpt import Place, alone, best_stretch, fold, typed_places, worth_of
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
WHOLE = -1
"""The number of what stands for all of a query, as it was typed."""
Worth = Mapping[int, float]
"""Words of the queries, by their numbers, with the information of each."""


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
        # By language: what a run of a text has.
        self._runs: dict[int, dict[str, list[Place]]] = {}
        self._typed = [typed for text in asked if (typed := " ".join(fold(text).split()))]
        self._phrases = list(map(fold, phrases))
        self.information = sum(one.worth for one in self._sought)

    def places(self, lines: Sequence[str], language: int) -> list[list[Place]]:
        """Find the words in each of some lines of a note that is stemmed in a language."""
        runs, text = self._runs.setdefault(language, {}), "\n".join(lines)
        # Few lines of a text have a word: the others are not taken apart.
        initials = "" if language in BEGIN_OTHERWISE else "".join(sorted(filter(str.isascii, self._initials)))
        found = set(_beginning(initials).findall(text)) if self._sought else set()
        if not text.isascii():
            odd = " ".join(piece for piece in text.split() if not piece.isascii())
            found.update(run_pattern(odd).findall(odd))
        telling = [run for run in found if self._known(runs, run, language)]
        having = {at for run in telling for at, line in enumerate(lines) if run in line}
        return [
            list(self._in_line(line, runs, language)) if at in having else [] for at, line in enumerate(lines)
        ]

    def _known(self, runs: dict[str, list[Place]], run: str, language: int) -> list[Place]:
        if run not in runs:
            runs[run] = self._in_run(run, language)
        return runs[run]

    def _in_line(self, line: str, runs: dict[str, list[Place]], language: int) -> Iterator[Place]:
        for run in run_pattern(line).finditer(line):
            for place in self._known(runs, run[0], language):
                start = run.start()
                yield Place(place.part, start + place.start, start + place.end, place.worth)

    def _in_run(self, run: str, language: int) -> list[Place]:
        """Find the words in one run, its places counted from its own beginning."""
        found: list[Place] = []
        for atom in atoms(run.lower()):
            # Most words begin as their stems do: the others need not be stemmed.
            if atom.term[0] not in self._initials and language not in BEGIN_OTHERWISE:
                continue
            (stem,) = stems(atom.raw, (language,))
            stemmed, exact = self._stems.get(stem, ()), self._exact.get(atom.term, ())
            if not (stemmed or exact):
                continue
            worth = {number: STEM_SHARE * self._sought[number].worth for number in stemmed}
            worth |= {number: self._sought[number].worth for number in exact}
            # Words of a text without blanks stand inside its runs; one with points of its own is all of it.
            start = fold(run).find(atom.term)
            start, end = (start, start + len(atom.term)) if start >= 0 else (0, len(run))
            found += [Place(number, start, end, one) for number, one in worth.items()]
        return found

    def worth(self, lines: Sequence[str], language: int) -> dict[int, float]:
        """Return which words some lines have, each at its best place."""
        return worth_of(place for places in self.places(lines, language) for place in places)

    def told(self, lines: Sequence[str], language: int) -> float:
        """Return how much information of the query some lines have, each word counted once."""
        return _total(self.worth(lines, language))

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
        found = best_stretch(self._shown([line], language)[0], max(room - MARGIN, 1))
        return sum(found) // 2 if found else 0

    def parts(self, text: str, language: int) -> list[Part]:
        """Return a text in parts, as NFC, each with whether a query found it; none of them is empty."""
        text, parts, done = nfc(text), list[Part](), 0
        places = [*self.places([text], language)[0], *self._whole(text)]
        for _, start, end, _ in sorted(places, key=lambda place: (place.start, place.end)):
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

    def _whole(self, text: str) -> list[Place]:
        """Find the queries as they stand, without regard to case and accents."""
        folded = fold(text)
        worth = self.information or 1.0
        return [
            Place(WHOLE, at, at + len(typed), worth) for typed in self._typed for at in alone(typed, folded)
        ]

    def _shown(self, lines: Sequence[str], language: int) -> list[list[Place]]:
        """Find what makes lines worth showing: words, else what no posting has, such as a part of a word."""
        found = self.places(lines, language)
        return found if any(found) else [typed_places(nfc(line), self._typed) for line in lines]

    def shows(self, line: str, language: int) -> bool:
        """Return whether a line has anything that was asked for."""
        return bool(self._shown([line], language)[0])

    def best_lines(
        self,
        lines: Sequence[str],
        count: int,
        language: int,
        shared: Sequence[bool],
        near: tuple[int, int] | None = None,
        has_room: Callable[[int, int], bool] = lambda first, last: True,
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
        found = self._shown(lines, language)
        tells_little = _total(_together(map(worth_of, found))) <= LEAST_TELLING * self.information
        folded = fold("\n".join(lines))
        if any(typed in folded for typed in self._typed):
            found = [[*places, *self._whole(line)] for line, places in zip(lines, found, strict=True)]
        worth = [
            {part: one * (SHARED_SHARE if is_shared else 1) for part, one in worth_of(places).items()}
            if places
            else {}
            for places, is_shared in zip(found, shared, strict=True)
        ]
        first, last = 0, len(lines) - 1
        if near and (tells_little or any(worth[near[0] : near[1] + 1])):
            first, last = near
        if last - first >= count:
            first = _best_window(worth, shared, range(first, last - count + 2), count)
            last = first + count - 1

        def trimmed(first: int, last: int) -> tuple[int, int]:
            """Leave out what is blank or in many notes at both ends, but for words that stand there alone."""
            window = range(first, last + 1)
            kept = [at for at in window if lines[at].strip() and not shared[at]]
            if not any(worth[at] for at in kept):
                kept = [at for at in window if worth[at] or at in kept] or [first]
            return kept[0], kept[-1]

        first, last = trimmed(first, last)
        while last > first and not has_room(first, last):
            without_first = _total(_together(worth[first + 1 : last + 1]))
            if without_first > _total(_together(worth[first:last])) * 1.000001:
                first, last = trimmed(first + 1, last)
            else:
                first, last = trimmed(first, last - 1)
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
    """Return what finds words of plain letters that begin so, with what is joined; no initials: all."""
    either = "".join(map(re.escape, initials + initials.upper())) or r"^\W_"
    # A class of signs at the beginning is looked for several times faster than a border of words.
    return re.compile(rf"[{either}](?<![^\W_].)\w*(?:[-./'@&]\w+)*(?:\+\+|#(?!\w))?")


def _together(worth: Iterable[Worth]) -> Worth:
    """Return what some lines together show of a query, each part once."""
    best: dict[int, float] = {}
    for line in worth:
        for part, one in line.items():
            best[part] = max(one, best.get(part, 0.0))
    return best


def _total(worth: Worth) -> float:
    """Sum what parts of a query are worth, in one order, so that equal ones have equal sums."""
    return sum(worth[part] for part in sorted(worth))


def _best_window(worth: Sequence[Worth], shared: Sequence[bool], starts: range, count: int) -> int:
    """Return where the lines begin that show most: of all words, else the same ones most often."""
    alone = [sum(line.values()) for line in worth]
    best = max(range(starts.start, starts.stop + count - 1), key=alone.__getitem__)
    # One that shows nothing is no better than one that shows anything, and most lines of a text show nothing.
    telling = {start for at in range(len(worth)) if alone[at] for start in range(at - count + 1, at + 1)}

    def key(at: int) -> tuple[float, float, int, int, int]:
        end = at + count
        covered, sums = _total(_together(worth[at:end])), sum(alone[at:end])
        # Of equal ones that which shows a line before the best and the rest after it reads best.
        return round(covered, 6), round(sums, 6), -sum(shared[at:end]), -abs(at + 1 - best), -at

    return max(telling.intersection(starts) or starts, key=key)
