"""Find the citations in an answer and what is quoted beside them; no file is touched."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from urllib.parse import unquote

from app.chat.evidence.evidence import Evidence
from app.chat.offline.phrases import lines_named, phrase
from app.markdown.plain import plain_line
from app.notices import Language, Notice, NoticeKind
from app.search.index.chunk import split_lines
from app.showing import in_line
from app.vault.paths import NOTE_SUFFIX, nfc

Form = Literal["code", "wiki", "link", "bare"]
Range = tuple[int, int]
_NUMBERED = r"(?:^  \d+ *\|[^\n]*(?:\n|\Z))+"
_FENCED = r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?^ {0,3}(?P=fence)[`~]*[ \t]*(?:\n|\Z)|.*\Z)"
VERBATIM = re.compile(f"(?P<numbered>{_NUMBERED})|{_FENCED}", re.MULTILINE | re.DOTALL)
"""Lines with their numbers, ``  12 | text``, and fenced code: in what stands as it is, nothing is cited."""
SHORTEST_QUOTE = 2
"""Words; a single one, such as a word in doubt, is no quotation."""
MOST_OF_RANGE = 20
# A date is no line.
_NUMBER = r"(?!\d{4}-\d\d-\d\d)L?\d{1,9}(?:\s*(?:[-–—]|to|à|au)\s*L?\d{1,9})?"
_LINES = (
    r"(?:(?P<colon>:)(?P<one>(?>L?\d{1,9}(?:[-–]L?\d{1,9})?))(?!\w|:\d)"
    rf"|\s*,?\s*\(?\s*(?:lines?|lignes?)\s+(?P<more>{_NUMBER}(?:\s*(?:,|&|and|et)\s*{_NUMBER})*))"
)
_PLACE = re.compile(_LINES, re.IGNORECASE)
_INSIDE = re.compile(rf"(?P<name>.+?\.md)(?P<subpath>#.*?)?(?P<place>{_LINES})?[ )]*", re.IGNORECASE)
_NAMES = re.compile(
    r"`(?P<code>[^`\n]+)`"
    r"|!?\[\[(?P<wiki>[^\[\]\n]+)\]\]"
    r"|!?\[[^\[\]\n]*\]\((?P<link><[^<>\n]+>|[^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)"
    r"|(?<![^\s`\[\]<>|])(?P<bare>[^\s`\[\]<>|]*?\.md)(?!\w)"
    r"|(?<![\w.'/-])(?P<slashed>[\w.'-]+(?:/[\w.'-]+)+)(?=,?\s*\(?\s*(?:lines?|lignes?)\s+\d)",
    re.IGNORECASE,
)
_OPENING = "([{\"'“«*_~,;"
_QUOTE = re.compile(r"“([^“”]+)”|«([^«»]+)»|\"([^\"\n]+)\"|((?:^[ \t]*>[^\n]*\n?)+)", re.MULTILINE)
_NUMBERS = r"\^?\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*"
# In backquotes stands code, and before a parenthesis the text of a link.
_NUMBERS_CITED = re.compile(
    rf"`[^`\n]*`|[ \t]?(?:\(\[(?P<inner>{_NUMBERS})\]\)|(?<!\[)\[(?P<outer>{_NUMBERS})\](?![(\]:])"
    rf"|【(?P<wide>{_NUMBERS})(?:†[^】\n]*)?】)"
)
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
        found = _citation(text, match, done, written_before) if match.start() >= done else None
        if found is not None:
            done = found.end
            yield found


def _citation(
    text: str, match: re.Match[str], done: int, written_before: Callable[[str], str]
) -> Citation | None:
    kind, written = match.lastgroup or "", match[match.lastgroup or 0]
    (start, end), after = match.span(), _PLACE.match(text, match.end())
    if kind == "wiki":
        name, mark, rest = re.split(r"\\?\|", written, maxsplit=1)[0].partition("#")
        return _made(start, end, name.strip(), "wiki", mark + rest, after)
    if "://" in written:
        return None
    if kind in ("code", "link"):
        inside = _INSIDE.fullmatch(unquote(written.strip("<>")) if kind == "link" else written)
        if inside is None:
            # Lines beside a code span say that it is a note.
            named = kind == "code" and after is not None and not after["colon"]
            return _made(start, end, written, "code", "", after) if named else None
        subpath = inside["subpath"] or ""
        if kind == "link" or not inside["place"]:
            return _made(start, end, inside["name"], "link" if kind == "link" else "code", subpath, after)
        place = start + 1 + inside.start("place"), start + 1 + inside.end("place")
        return Citation(start, end, inside["name"], "code", subpath, _ranges(inside), place)
    start = end - len(written.lstrip(_OPENING))
    name = written_before(text[done:end]) if kind == "bare" else ""
    start = min(start, end - len(name))
    return _made(start, end, text[start:end], "bare", "", after)


def _made(start: int, end: int, name: str, form: Form, subpath: str, place: re.Match[str] | None) -> Citation:
    if place is None:
        return Citation(start, end, name, form, subpath)
    return Citation(start, place.end(), name, form, subpath, _ranges(place), place.span())


def _ranges(place: re.Match[str]) -> tuple[Range, ...]:
    parts = re.findall(_NUMBER, place["one"] or place["more"], re.IGNORECASE)
    numbers = [[int(number) for number in re.findall(r"\d+", part)] for part in parts]
    return tuple((each[0], each[-1]) for each in numbers)


def find_quotes(text: str) -> list[Quote]:
    """Find what stands in quotation marks or a block quote and is long enough to be a quotation."""
    found = ((match, next(filter(None, match.groups()))) for match in _QUOTE.finditer(text))
    return [
        Quote(*match.span(), inside)
        for match, inside in found
        if len(re.findall(r"\w+", inside)) >= SHORTEST_QUOTE
    ]


def in_block_quote(text: str, at: int) -> bool:
    """Return whether a place of a text stands on a line of a block quote."""
    return text[text.rfind("\n", 0, at) + 1 : at].lstrip().startswith(">")


def _compared(text: str) -> str:
    """Return the form in which a quotation and what it quotes are compared."""
    folded = nfc(text).casefold().translate(_SIGNS)
    # A blank beside a quotation mark or before a colon is a matter of language.
    return re.sub(rf"\s*([{_TIGHT}])\s*", r"\1", _BLANKS.sub(" ", folded)).strip()


def find_quote(quote: str, lines: Sequence[str], first: int = 1) -> Range | None:
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


def write_places(text: str, evidence: Sequence[Evidence], language: Language) -> tuple[str, list[Notice]]:
    """Write for each number that cites evidence where it stands; a number of none is struck out.

    A number among quoted words belongs to the note that they are from, and stays.

    Args:
        text: An answer, with citations such as ``[1]`` and ``[2, 3]``.
        evidence: What it may cite; without any, the text is left as it is.
        language: In which lines are named.

    Returns:
        The text, and what was wrong.
    """
    pieces = {piece.number: piece for piece in evidence if piece.number > 0}
    unknown: list[Notice] = []
    quotes = find_quotes(text)

    def written(match: re.Match[str]) -> str:
        numbers = match["inner"] or match["outer"] or match["wide"]
        if numbers is None or any(_is_quoted(match, quote, evidence) for quote in quotes):
            return match[0]
        asked = _expanded(numbers)
        known = [_place(pieces[number], language) for number in asked if number in pieces]
        lost = [number for number in asked if number not in pieces]
        unknown.extend(Notice(NoticeKind.CITED_MISSING, name=f"[{number}]") for number in lost)
        shown = [f"({phrase('; ', language).join(known)})"] if known else []
        return " " + " ".join([*shown, *([f"~~[{', '.join(map(str, lost))}]~~"] if lost else [])])

    return (_NUMBERS_CITED.sub(written, text), unknown) if pieces else (text, [])


def write_range(lines: Range) -> str:
    """Write lines, such as "9-14" or "9"."""
    return str(lines[0]) if lines[0] == lines[1] else f"{lines[0]}-{lines[1]}"


def place_of(piece: Evidence, language: Language) -> str:
    """Write where a piece of evidence stands, such as "`tasks.md` lines 9-14", for people to read."""
    return in_line(_place(piece, language))


def _place(piece: Evidence, language: Language) -> str:
    """Write where a piece of evidence stands, with the name as it is: the note is looked up by it."""
    path = piece.path if "\n" not in piece.path else in_line(piece.path)
    # A code span ends at the first backquote.
    name = f"[[{path.removesuffix(NOTE_SUFFIX)}]]" if "`" in path else f"`{path}`"
    return f"{name} {lines_named(piece.range, language)}"


def _is_quoted(match: re.Match[str], quote: Quote, evidence: Sequence[Evidence]) -> bool:
    """Return whether a number belongs to a quotation: a piece of evidence has the words with it."""
    return quote.start <= match.start() < quote.end and any(
        match[0].strip() in piece.text and find_quote(quote.text, split_lines(piece.text))
        for piece in evidence
    )


def _expanded(numbers: str) -> list[int]:
    """Read numbers such as ``1, 3-5``, each once."""
    found: list[int] = []
    for part in re.split(r"[,;]", numbers):
        ends = [int(each) for each in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 <= ends[1] - ends[0] < MOST_OF_RANGE:
            ends = list(range(ends[0], ends[1] + 1))
        found += ends
    return list(dict.fromkeys(found))
