"""Find words in the text of a note and show the place."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from app.vault.paths import normalized

ELLIPSIS = "…"

MOST_WORDS = 100
"""Of a longer query, the first so many words show where it stands in a text, and score a text."""

NEAR_BLANK = 20
"""How far from where a line would be cut a blank is looked for."""
_IN_NUMBERS = ".,:/-'’"
_BLANKS = re.compile(r"\s+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def literal(text: str) -> str:
    """Return the form in which literal texts are compared: NFC, no case, blanks as one space."""
    return " ".join(without_case(text).split())


def without_case(text: str) -> str:
    """Return a text in NFC and without case, its blanks as they are."""
    return normalized("NFC", text).casefold()


@lru_cache(maxsize=4096)
def _bare(char: str) -> str:
    parts = unicodedata.normalize("NFKD", char)
    kept = "".join(part for part in parts if not unicodedata.combining(part))
    return kept if len(kept) == 1 else char


def fold(text: str) -> str:
    """Drop case and accents, sign by sign: position i of the result is position i of NFC ``text``."""
    composed = normalized("NFC", text)
    lowered = composed.lower()
    # A sign that becomes two stays as it is; and by itself a final sigma is an ordinary one.
    if len(lowered) != len(composed) or "Σ" in composed:
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in composed)
    if not lowered.isascii():
        # A text has few signs with accents: replacing one everywhere is much faster than asking of each.
        for char in set(_NOT_ASCII.findall(lowered)):
            if (bare := _bare(char)) != char:
                lowered = lowered.replace(char, bare)
    return lowered


def _strip_properties(content: str) -> str:
    """Return the text of a note without its property block."""
    from app.markdown.properties import find_properties

    found = find_properties(content, content.replace("\r", "\n"))
    return content[found.body_start :] if found else content


def query_words(query: str) -> list[str]:
    """Return the folded words of a query, each once, in order; signs alone count as a word."""
    words = re.findall(r"\w+", fold(query)) or fold(query).split()
    return list(dict.fromkeys(words))


def match_position(text: str, queries: Iterable[str]) -> tuple[int, int] | None:
    """Find where a query shows best in NFC ``text``: start and end, in characters.

    The query as it stands wins, else the place where most of its words stand close together.
    """
    folded = fold(text)
    best: tuple[int, int, int] | None = None
    for query in queries:
        whole = fold(query).strip()
        if whole and (at := folded.find(whole)) >= 0:
            return at, at + len(whole)
        words = [word for word in query_words(query)[:MOST_WORDS] if len(word) > 1 or not word.isalnum()]
        places = sorted(
            (match.start(), match.end(), word)
            for word in words
            for match in re.finditer(
                r"(?<!\w)" + re.escape(word) if word[0].isalnum() else re.escape(word), folded
            )
        )
        for index, (start, end, _) in enumerate(places):
            near = {word for at, _, word in places[index : index + 12] if at < start + 160}
            if best is None or len(near) > best[0]:
                best = (len(near), start, end)
    return best[1:] if best else None


def match_line(lines: Sequence[str], queries: Iterable[str]) -> int | None:
    """Return the number, from 1, of the line where a query shows best; None where no word occurs."""
    text = normalized("NFC", "\n".join(lines))
    found = match_position(text, queries)
    return text.count("\n", 0, found[0]) + 1 if found else None


def clip(text: str, at: int, max_length: int) -> str:
    """Cut one line of at most ``max_length`` characters out of ``text``, centred on ``at``.

    It is cut at blanks where some are near, and else beside a word or a number; only one that is longer than
    half of the room is cut itself.
    """
    if len(text) <= max_length:
        return text
    room = max(max_length - 2 * len(ELLIPSIS), 1)
    start = min(max(at - room // 2, 0), len(text) - room)
    if start > 0:
        start = _beside_words(text, start, range(start, min(start + room // 2, at + 1)))
    end = min(start + room, len(text))
    if end < len(text):
        end = _beside_words(text, end, range(end, max(end - room // 2, at), -1))
    head = ELLIPSIS if start > 0 else ""
    tail = ELLIPSIS if end < len(text) else ""
    return (head + text[start:end].strip() + tail)[:max_length]


def _beside_words(text: str, cut: int, places: range) -> int:
    """Return the place that breaks no word: beside the first blank if one is near, else the first of all."""
    blank = next((at for at in places[:NEAR_BLANK] if text[at - 1].isspace() or text[at].isspace()), None)
    return blank if blank is not None else next((at for at in places if not _is_inside(text, at)), cut)


def _is_inside(text: str, at: int) -> bool:
    """Return whether a place lies inside a word, or a number with the signs that may stand in one."""
    before, after = text[at - 1], text[at]
    if before.isalnum() and after.isalnum():
        return True
    digits = before.isdigit() and after in _IN_NUMBERS and text[at + 1 : at + 2].isdigit()
    return digits or (after.isdigit() and before in _IN_NUMBERS and text[at - 2 : at - 1].isdigit())


def generate_excerpt(content: str, query: str, max_length: int = 150) -> str:
    """Cut a one-line excerpt around the match, without properties.

    Args:
        content: The note, with or without its property block.
        query: What was looked for; where it does not occur, the excerpt is the beginning.
        max_length: Most characters to return, ellipses included.
    """
    text = _BLANKS.sub(" ", normalized("NFC", _strip_properties(content))).strip()
    found = match_position(text, [query]) if query else None
    return clip(text, sum(found) // 2 if found else 0, max_length)


def calculate_relevance(content: str, query: str, title: str) -> float:
    """Score one text against a query without an index, in 0..1.

    A word in the title counts more than any frequency in the text, a whole word more than a part of one.
    """
    words = query_words(query)[:MOST_WORDS]
    if not words:
        return 0.0
    text, name = fold(_strip_properties(content)), fold(title)
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
