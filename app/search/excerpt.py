"""Find words in the text of a note and show the place."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from app.search.lexical.analysis import fold as word_form
from app.vault.paths import normalized

ELLIPSIS = "…"

MOST_WORDS = 100
"""Of a longer query, the first so many words show where it stands in a text, and score a text."""
MOST_PLACES = 200
"""Of more places in a text, the first so many are compared."""
NEAR_BLANK = 30
"""How far from where a line would be cut a blank is looked for."""
_BLANKS = re.compile(r"\s+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def literal(text: str) -> str:
    """Return the form in which literal texts are compared: NFC, no case, blanks as one space."""
    return " ".join(normalized("NFC", text).casefold().split())


@lru_cache(maxsize=4096)
def _bare(char: str) -> str:
    kept = word_form(char)
    return kept if len(kept) == 1 else char


def fold(text: str) -> str:
    """Fold as words are, but sign by sign: position i of the result is position i of NFC ``text``."""
    composed = normalized("NFC", text)
    lowered = composed.lower()
    # A sign that becomes two stays as it is; and by itself a final sigma is an ordinary one.
    if len(lowered) != len(composed) or "Σ" in composed:
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in composed)
    # A text has few signs with accents: replacing one everywhere is much faster than asking of each.
    for char in () if lowered.isascii() else set(_NOT_ASCII.findall(lowered)):
        lowered = lowered.replace(char, _bare(char))
    return lowered


def without_properties(content: str) -> str:
    """Return the text of a note without its property block."""
    from app.markdown.properties import find_properties

    found = find_properties(content, content.replace("\r", "\n"))
    return content[found.body_start :] if found else content


def query_words(query: str) -> list[str]:
    """Return the folded words of a query, each once, in order; signs alone count as a word."""
    words = re.findall(r"\w+", fold(query)) or fold(query).split()
    return list(dict.fromkeys(words))


class Place(NamedTuple):
    """Where a text has a part of what is asked for: ``part`` is its number, ``worth`` what it counts for."""

    part: int
    start: int
    end: int
    worth: float


def typed_places(text: str, queries: Sequence[str]) -> list[Place]:
    """Find queries in NFC ``text`` as they were typed; of one that it has not, the words that begin so."""
    folded, found = fold(text), list[Place]()
    words: dict[str, int] = {}
    for query in queries:
        whole = fold(query).strip()
        asked = query_words(query)[:MOST_WORDS]
        if places := list(alone(whole, folded)):
            part = words.setdefault(whole, len(words))
            found += [Place(part, at, at + len(whole), float(len(asked))) for at in places]
            continue
        for word in asked:
            if len(word) > 1 or not word.isalnum():
                part = words.setdefault(word, len(words))
                begins = re.compile((r"(?<!\w)" if word[0].isalnum() else "") + re.escape(word))
                found += [Place(part, *match.span(), 1.0) for match in begins.finditer(folded)]
    return found


def alone(piece: str, text: str) -> Iterator[int]:
    """Yield where a text has a piece; one letter, such as ``a``, only where it is no letter of a word."""
    at = text.find(piece) if piece else -1
    while at >= 0:
        around = text[max(at - 1, 0) : at] + text[at + 1 : at + 2]
        if not (len(piece) == 1 and piece.isascii() and any(char.isalnum() for char in around)):
            yield at
        at = text.find(piece, at + 1)


def best_stretch(places: Iterable[Place], room: int) -> tuple[int, int] | None:
    """Return the stretch, of at most ``room`` characters, whose parts are worth most together."""
    ordered = sorted(places, key=lambda place: (place.start, place.end))[:MOST_PLACES]
    best, stretch = 0.0, None
    for at, first in enumerate(ordered):
        inside = [place for place in ordered[at:] if place.end <= first.start + room] or [first]
        covered = sum(worth_of(inside).values())
        if covered > best * 1.0001:
            best, stretch = covered, (first.start, max(place.end for place in inside))
    return stretch


def worth_of(places: Iterable[Place]) -> dict[int, float]:
    """Return what each part that has a place counts for, at its best one."""
    worth: dict[int, float] = {}
    for place in places:
        worth[place.part] = max(place.worth, worth.get(place.part, 0.0))
    return worth


def clip(text: str, at: int, max_length: int) -> str:
    """Cut one line of at most ``max_length`` characters out of ``text``, centred on ``at``.

    It is cut at blanks; a word is cut itself where none is near.
    """
    if len(text) <= max_length:
        return text
    room = max(max_length - 2 * len(ELLIPSIS), 1)
    near = min(room // 2, NEAR_BLANK)
    start = min(max(at - room // 2, 0), len(text) - room)
    if start > 0 and not text[start - 1].isspace():
        blank = _BLANKS.search(text, start, min(start + near, at))
        start = blank.end() if blank else start
    end = min(start + room, len(text))
    if end < len(text) and not text[end].isspace():
        blanks = list(_BLANKS.finditer(text, max(end - near, at), end))
        end = blanks[-1].start() if blanks else end
    head = ELLIPSIS if start > 0 else ""
    tail = ELLIPSIS if end < len(text) else ""
    return (head + text[start:end].strip() + tail)[:max_length]


def generate_excerpt(content: str, query: str, max_length: int = 150) -> str:
    """Cut a one-line excerpt around the match, without properties.

    Args:
        content: The note, with or without its property block.
        query: What was looked for; where it does not occur, the excerpt is the beginning.
        max_length: Most characters to return, ellipses included.
    """
    text = _BLANKS.sub(" ", normalized("NFC", without_properties(content))).strip()
    found = best_stretch(typed_places(text, [query]), max_length)
    return clip(text, sum(found) // 2 if found else 0, max_length)


def calculate_relevance(content: str, query: str, title: str) -> float:
    """Score one text against a query without an index, in 0..1.

    A word in the title counts more than any frequency in the text, a whole word more than a part of one.
    """
    words = query_words(query)[:MOST_WORDS]
    if not words:
        return 0.0
    text, name = fold(without_properties(content)), fold(title)
    score = 0.0
    for word in words:
        count, alone = text.count(word), _count_whole(word, text)
        frequency = alone + 0.25 * (count - alone)
        in_title = 0.6 if _count_whole(word, name) else 0.3 if word in name else 0.0
        score += in_title + 0.4 * frequency / (frequency + 1.0)
    return min(1.0, max(0.0, score / len(words)))


def _count_whole(word: str, text: str) -> int:
    """Count where a word stands as a whole one; signs do so wherever they stand."""
    if not word.isalnum() or word not in text:
        return text.count(word)
    # What stands before it is looked at last: an expression that begins with letters is searched for them.
    return len(re.findall(rf"{word}(?!\w)(?<!\w{word})", text))


def numbered(lines: Sequence[str], start: int) -> str:
    """Print lines as ``N  | text``, the first with the number ``start``, numbers padded to the widest."""
    width = len(str(start + len(lines) - 1))
    return "\n".join(f"{number:<{width}} | {line}" for number, line in enumerate(lines, start))
