"""The sentences of notes, each with the lines it stands on, and those that answer a question best."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from app.chat.cite.parse import plain_line
from app.chat.offline.quoting import Lines, blocks_of, is_heading, without_properties
from app.notices import Language
from app.search.lexical.language import LANGUAGES, stems
from app.vault.dates import dated_heading

SHORTEST = 4
"""Words; less is a label rather than a sentence."""

RANK = 0.8
"""What a sentence of a note counts beside one of the note before it."""
HEADING = 1.0
"""What a word in the heading above a sentence counts beside one in it."""
AGAIN = 0.25
"""What a word counts that another sentence has already."""

_END = re.compile(r"(?<![\s.(]\w\.)(?<=[.!?…])[\"”»’)]*\s+(?=[\"“«‘(]?\s?[^\W\d_a-z])")
_FENCE = re.compile(r"\s*(?:>\s*)*(`{3,}|~{3,}|\$\$)")
_TABLE = re.compile(r"\s*(?:>\s*)*\|")
_FIELD = re.compile(r"\s*[^\W\d][\w-]*: \S+\s*")

_STEMMERS: dict[Language, int] = {"en": LANGUAGES.index("english"), "fr": LANGUAGES.index("french")}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without marks, and the first and last line it stands on."""

    text: str
    first: int
    last: int
    heading: str = ""
    """The heading above it."""
    day: str = ""
    """The day of the dated H1 above it, such as ``2025-07-14``."""


Placed = tuple[str, Sentence]
"""A sentence and the path of its note."""


def sentences_of(lines: Lines) -> Iterator[Sentence]:
    """Yield the sentences of some lines; code, formulas, tables, headings and fields are none."""
    heading = day = ""
    for block in blocks_of(_prose(without_properties(lines))):
        if is_heading(block):
            heading = plain_line(block[0][1])
            if block[0][1].startswith("# "):
                day = str(dated_heading(heading) or "")
            continue
        text, starts = "", []
        for number, line in block:
            shown = plain_line(line)
            text += " " + shown if text and shown else shown
            starts.append((len(text) - len(shown), number))
        begin = 0
        for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
            sentence = text[begin:end].strip()
            # What ends in a colon only introduces something.
            if len(re.findall(r"\w+", sentence)) >= SHORTEST and not sentence.endswith(":"):
                last = begin + len(text[begin:end].rstrip()) - 1
                yield Sentence(sentence, _line_at(starts, begin), _line_at(starts, last), heading, day)
            begin = end


def _prose(lines: Lines) -> Lines:
    """Put a blank line for what is no prose, so that nothing is joined across it."""
    kept: list[tuple[int, str]] = []
    fence = ""
    for number, line in lines:
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) else fence
            kept.append((number, ""))
        elif mark:
            # A formula may begin and end on one line.
            fence = "" if mark[1] == "$$" and line.count("$$") > 1 else mark[1]
            kept.append((number, ""))
        else:
            kept.append((number, "" if _TABLE.match(line) or _FIELD.fullmatch(line) else line))
    return tuple(kept)


def _line_at(starts: list[tuple[int, int]], place: int) -> int:
    return max(number for start, number in starts if start <= place)


def choose_sentences(
    found: Sequence[Placed], question: str, language: Language | None, most: int
) -> list[Placed]:
    """Choose sentences, each for what of the question those before it leave out.

    Args:
        found: Sentences with their notes, the best note first.
        question: The words that matter; the rarer one is in ``found``, the more it counts.
        language: In which words are taken for forms of each other; None where it is not known.
        most: How many.
    """
    languages: tuple[Language, ...] = (language,) if language else ("en", "fr")
    words = [word_stems(word, languages) for word in re.findall(r"\w+", question)]
    inside = {each: _matched(words, each[1].text, languages) for each in found}
    above = {each: _matched(words, each[1].heading, languages) - inside[each] for each in found}
    openings = {(path, sentence.heading): sentence for path, sentence in reversed(found)}
    opens = {each for each in found if openings[each[0], each[1].heading] == each[1]}
    counts = Counter(
        word for each in found for word in (inside[each] | above[each] if each in opens else inside[each])
    )
    ranks = {path: at for at, path in enumerate(dict.fromkeys(path for path, _ in found))}
    covered: set[int] = set()

    def worth(each: Placed) -> float:
        # What a heading promises, the sentence below it says.
        share = HEADING if each in opens else HEADING / 2
        total = 0.0
        for word in inside[each] | above[each]:
            weight = (1.0 if word in inside[each] else share) / math.sqrt(counts[word] or 1)
            total += weight * AGAIN if word in covered else weight
        return total * RANK ** ranks[each[0]]

    chosen: list[Placed] = []
    left = [each for each in found if inside[each] or above[each]]
    while left and len(chosen) < most:
        best = max(left, key=worth)
        chosen.append(best)
        left.remove(best)
        covered |= inside[best]
    return chosen


def _matched(words: Sequence[Set[str]], text: str, languages: tuple[Language, ...]) -> set[int]:
    """Return which words of the question a text holds, in one form or another."""
    found = {stem for word in re.findall(r"\w+", text) for stem in word_stems(word, languages)}
    return {at for at, each in enumerate(words) if each & found}


def word_stems(word: str, languages: tuple[Language, ...]) -> frozenset[str]:
    """Return the stems of a word in some languages."""
    return frozenset(stems(word.lower(), tuple(_STEMMERS[language] for language in languages)))
