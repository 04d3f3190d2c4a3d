"""From the numbers by which an answer cites its evidence to the places where that stands."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from app.chat.cite.parse import Quote, find_quote, find_quotes
from app.chat.evidence.evidence import Evidence
from app.chat.offline.phrases import phrases
from app.notices import Language, Notice, NoticeKind
from app.search.index.chunk import split_lines
from app.showing import in_line
from app.vault.paths import NOTE_SUFFIX

_NUMBERS = r"\^?\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*"
# In backquotes stands code, and before a parenthesis the text of a link.
_CITED = re.compile(
    rf"`[^`\n]*`|[ \t]?(?:\(\[(?P<inner>{_NUMBERS})\]\)|(?<!\[)\[(?P<outer>{_NUMBERS})\](?![(\]:])"
    rf"|【(?P<wide>{_NUMBERS})(?:†[^】\n]*)?】)"
)
# Behind it a quotation, or a line of one, holds no more words, though perhaps another number.
_AT_END = re.compile(r"(?:[^\w\n]|\d)*(?:\n|\Z)")
MOST_OF_RANGE = 20


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
    pieces = {piece.number: piece for piece in evidence}
    unknown: list[Notice] = []
    quotes = find_quotes(text)
    starts = [quote.start for quote in quotes]

    def written(match: re.Match[str]) -> str:
        numbers = match["inner"] or match["outer"] or match["wide"]
        at = bisect_right(starts, match.start()) - 1
        if numbers is None or (at >= 0 and _is_quoted(match, quotes[at], evidence)):
            return match[0]
        asked = _expanded(numbers)
        known = [_place(pieces[number], language) for number in asked if number in pieces]
        lost = [number for number in asked if number not in pieces]
        unknown.extend(Notice(NoticeKind.CITED_MISSING, name=f"[{number}]") for number in lost)
        shown = [f"({phrases(language).between.join(known)})"] if known else []
        shown += [f"~~[{', '.join(map(str, lost))}]~~"] if lost else []
        return " " + " ".join(shown)

    return (_CITED.sub(written, text), unknown) if pieces else (text, [])


def place_of(piece: Evidence, language: Language) -> str:
    """Write where a piece of evidence stands, such as "`tasks.md` lines 9-14", for people to read."""
    return in_line(_place(piece, language))


def _place(piece: Evidence, language: Language) -> str:
    """Write where a piece of evidence stands, with the name as it is: the note is looked up by it."""
    path = piece.path if "\n" not in piece.path else in_line(piece.path)
    # A code span ends at the first backquote.
    name = f"[[{path.removesuffix(NOTE_SUFFIX)}]]" if "`" in path else f"`{path}`"
    return f"{name} {phrases(language).place_of(piece.first, piece.last)}"


def _is_quoted(match: re.Match[str], quote: Quote, evidence: Sequence[Evidence]) -> bool:
    """Return whether a number belongs to the quotation before whose end it may stand.

    A number behind all the words may also be the answer's own; it is where no evidence has the words with it.
    """
    if match.start() >= quote.end:
        return False
    if not _AT_END.match(match.string, match.end(), quote.end):
        return True
    written = match[0].strip()
    return any(
        written in piece.text and find_quote(quote.text, split_lines(piece.text)) for piece in evidence
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
