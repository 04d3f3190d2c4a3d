"""Find the citations in an answer and what is quoted beside them; no file is touched."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from urllib.parse import unquote

from app.markdown.plain import plain_line
from app.vault.paths import nfc

Form = Literal["code", "wiki", "link", "bare"]
Range = tuple[int, int]
_NUMBERED = r"(?:^  \d+ *\|[^\n]*(?:\n|\Z))+"
_FENCED = r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?^ {0,3}(?P=fence)[`~]*[ \t]*(?:\n|\Z)|.*\Z)"
VERBATIM = re.compile(f"(?P<numbered>{_NUMBERED})|{_FENCED}", re.MULTILINE | re.DOTALL)
"""Lines with their numbers, ``  12 | text``, and fenced code: in what stands as it is, nothing is cited."""
SHORTEST_QUOTE = 3
"""Words; less, such as a title or a word in doubt, is no quotation unless a verb of saying introduces it."""
# A date is no line.
_NUMBER = r"(?!\d{4}-\d\d-\d\d)L?\d{1,9}(?:\s*(?:[-–—]|to|à|au)\s*L?\d{1,9})?"
_NUMBERS = rf"{_NUMBER}(?:\s*(?:,|&|and|et)\s*{_NUMBER})*"
_PLACE = re.compile(
    rf"(?P<lead>:)(?P<colon>(?>L?\d{{1,9}}(?:[-–]L?\d{{1,9}})?))(?!\w|:\d)"
    rf"|(?P<words>\s*,?\s*\(?\s*(?:lines?|lignes?)\s+)(?P<numbers>{_NUMBERS})",
    re.IGNORECASE,
)
_NAMES = re.compile(
    r"`(?P<code>[^`\n]+)`"
    r"|!?\[\[(?P<wiki>[^\[\]\n]+)\]\]"
    r"|!?\[[^\[\]\n]*\]\((?P<link><[^<>\n]+>|[^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)"
    r"|(?<![^\s`\[\]<>|])(?P<bare>[^\s`\[\]<>|]*?\.md)(?!\w)"
    r"|(?<![\w.'/-])(?P<slashed>[\w.'-]+(?:/[\w.'-]+)+)(?=,?\s*\(?\s*(?:lines?|lignes?)\s+\d)",
    re.IGNORECASE,
)
_INSIDE = re.compile(r"(?P<name>.+?\.md)(?P<subpath>#.*?)?", re.IGNORECASE)
_OPENING = "([{\"'“«*_~,;"
_QUOTE = re.compile(r"“([^“”]+)”|«([^«»]+)»|\"([^\"\n]+)\"|((?:^[ \t]*>[^\n]*\n?)+)", re.MULTILINE)

_SAYING = re.compile(
    r"\b(?:sa(?:ys|id|ying)|wr(?:ites|ote)|reads?|states?|notes?\sthat|quot(?:es|ed)|words?|dit|disait|écrit|note"
    r"|cite|parle\sde|mots?)\s*[:,]?\s*\Z",
    re.IGNORECASE,
)
"""What introduces even two words as a quotation."""

_BLANKS = re.compile(r"\s+")
_SIGNS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-"})
_GAP = re.compile(r"…|\.\.\.|\[(?:…|\.\.\.)\]")
_TIGHT = "\"';:!?"
_EDGE = " \"'.,;:!?()-"


@dataclass(frozen=True, slots=True)
class Citation:
    """A note that an answer names, from ``start`` to ``end`` of its text, perhaps with lines."""

    start: int
    end: int
    name: str
    form: Form
    subpath: str = ""
    ranges: tuple[Range, ...] = ()
    place: tuple[int, int] | None = None
    """From where to where of the text the line numbers stand, with the words before them."""


@dataclass(frozen=True, slots=True)
class Quote:
    """What an answer gives as the words of a note."""

    start: int
    end: int
    text: str

    def holds(self, citation: Citation) -> bool:
        """Return whether a citation stands inside the quotation."""
        return self.start <= citation.start and citation.end <= self.end


def find_citations(text: str, written_before: Callable[[str], str]) -> Iterator[Citation]:
    """Yield the citations of a text, in order.

    Args:
        text: An answer.
        written_before: Gives the longest name of a note that a text ends with, for names with blanks.
    """
    done = 0
    for match in _NAMES.finditer(text):
        if match.start() < done:
            continue
        found = _citation(text, match, done, written_before)
        if found is not None:
            done = found.end
            yield found


def _citation(
    text: str, match: re.Match[str], done: int, written_before: Callable[[str], str]
) -> Citation | None:
    kind, written = match.lastgroup or "", match[match.lastgroup or 0]
    after = _PLACE.match(text, match.end())
    if kind == "code":
        return _code(match, written, after)
    if kind == "wiki":
        target = re.split(r"\\?\|", written, maxsplit=1)[0]
        name, mark, rest = target.partition("#")
        return _made(match.start(), match.end(), name.strip(), "wiki", mark + rest, after)
    if kind == "link":
        inside = _INSIDE.fullmatch(unquote(written.strip("<>")))
        if inside is None or "://" in written:
            return None
        return _made(match.start(), match.end(), inside["name"], "link", inside["subpath"] or "", after)
    if "://" in written:
        return None
    start = match.end() - len(written.lstrip(_OPENING))
    name = written_before(text[done : match.end()]) if kind == "bare" else ""
    if len(name) > match.end() - start:
        start = match.end() - len(name)
    return _made(start, match.end(), text[start : match.end()], "bare", "", after)


def _code(match: re.Match[str], written: str, after: re.Match[str] | None) -> Citation | None:
    """Understand a code span as a note where its ending, or lines beside it, say so."""
    for place in (*_PLACE.finditer(written), None):
        if place is not None and place.end() != len(written.rstrip(" )")):
            continue
        inside = _INSIDE.fullmatch(written[: place.start()] if place else written)
        if inside is not None:
            offset = match.start() + 1
            within = (offset + place.start(), offset + place.end()) if place else None
            made = _made(
                match.start(),
                match.end(),
                inside["name"],
                "code",
                inside["subpath"] or "",
                None if place else after,
            )
            if place is None or within is None:
                return made
            return Citation(made.start, made.end, made.name, "code", made.subpath, _ranges(place), within)
    if after is None or after["lead"]:
        return None
    return _made(match.start(), match.end(), written, "code", "", after)


def _made(start: int, end: int, name: str, form: Form, subpath: str, place: re.Match[str] | None) -> Citation:
    if place is None:
        return Citation(start, end, name, form, subpath)
    return Citation(start, place.end(), name, form, subpath, _ranges(place), place.span())


def _ranges(place: re.Match[str]) -> tuple[Range, ...]:
    written = place["colon"] or place["numbers"]
    ranges = []
    for part in re.findall(_NUMBER, written, re.IGNORECASE):
        numbers = [int(number) for number in re.findall(r"\d+", part)]
        ranges.append((numbers[0], numbers[-1]))
    return tuple(ranges)


def find_quotes(text: str) -> list[Quote]:
    """Find what stands in quotation marks or a block quote and is long enough to be a quotation."""
    quotes = []
    for match in _QUOTE.finditer(text):
        inside = next(group for group in match.groups() if group is not None)
        words = len(re.findall(r"\w+", inside))
        if words >= SHORTEST_QUOTE or (
            words > 1 and _SAYING.search(text, max(0, match.start() - 40), match.start())
        ):
            quotes.append(Quote(match.start(), match.end(), inside))
    return quotes


def in_block_quote(text: str, at: int) -> bool:
    """Return whether a place of a text stands on a line of a block quote."""
    return text[text.rfind("\n", 0, at) + 1 : at].lstrip().startswith(">")


def beside(text: str, quote: Quote, citations: list[Citation]) -> Citation | None:
    """Return which citation a quotation belongs to; None where there is none.

    One on the same line before one on another; one before it that ends in a colon before any; else the
    nearest, and of two as near the one that follows.
    """
    if not citations:
        return None

    def distance(citation: Citation) -> tuple[int, int, bool]:
        follows = citation.start >= quote.end
        between = text[quote.end : citation.start] if follows else text[citation.end : quote.start]
        introduces = not follows and between.rstrip("\n >*_").rstrip().endswith(":")
        if introduces and not between.strip(" \n):>*_"):
            return 0, 0, False
        return between.count("\n"), len(between.strip()), not follows

    return min(citations, key=distance)


def _compared(text: str) -> str:
    """Return the form in which a quotation and what it quotes are compared."""
    folded = nfc(text).casefold().translate(_SIGNS)
    # A blank beside a quotation mark or before a colon is a matter of language.
    return re.sub(rf"\s*([{_TIGHT}])\s*", r"\1", _BLANKS.sub(" ", folded)).strip()


def find_quote(quote: str, lines: Sequence[str], first: int = 1) -> tuple[int, int] | None:
    """Find where a quotation stands in some lines; a gap in it, written as an ellipsis, may hold anything.

    Args:
        quote: What is said to stand there.
        lines: Lines of a note.
        first: The number of the first of them.

    Returns:
        The numbers of the first and the last line it stands on; None where it does not stand there.
    """
    written = "\n".join(lines)
    if quote.strip() and (at := written.find(quote)) >= 0:
        # Byte for byte it may be a piece of a link or of a table, which no reader sees as it is written.
        begin = first + written.count("\n", 0, at)
        return begin, begin + quote.count("\n")
    text, starts = _as_compared(tuple(lines))
    at, begin = 0, -1
    for part in _GAP.split(quote):
        wanted = _compared(" ".join(map(plain_line, part.split("\n")))).strip(_EDGE)
        if not wanted:
            continue
        found = text.find(wanted, at)
        if found < 0:
            return None
        begin, at = (found if begin < 0 else begin), found + len(wanted)
    if begin < 0:
        return None
    return first + bisect_right(starts, begin) - 1, first + bisect_right(starts, at - 1) - 1


@lru_cache(maxsize=32)
def _as_compared(lines: tuple[str, ...]) -> tuple[str, list[int]]:
    """Return lines as one text in the form that is compared, and where each begins in it.

    Each quotation is looked for in all that is cited, so that a long note would be read many times.
    """
    text, starts = "", []
    for line in lines:
        shown = _compared(plain_line(line))
        is_tight = not (text and shown) or text[-1] in _TIGHT or shown[0] in _TIGHT
        text += shown if is_tight else " " + shown
        starts.append(len(text) - len(shown))
    return text, starts
