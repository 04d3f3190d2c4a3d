"""From the numbers by which an answer cites its evidence to the places where that stands."""

import re
from collections.abc import Sequence

from app.chat.evidence.evidence import Evidence
from app.chat.offline.phrases import PHRASES
from app.notices import Language, Notice, NoticeKind

_NUMBERS = r"\^?\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*"
# In backquotes stands code, and before a parenthesis the text of a link.
_CITED = re.compile(
    rf"`[^`\n]*`|[ \t]?(?:\(\[(?P<inner>{_NUMBERS})\]\)|(?<!\[)\[(?P<outer>{_NUMBERS})\](?![(\]:])"
    rf"|【(?P<wide>{_NUMBERS})(?:†[^】\n]*)?】)"
)
MOST_OF_RANGE = 20


def write_places(text: str, evidence: Sequence[Evidence], language: Language) -> tuple[str, list[Notice]]:
    """Write for each number that cites evidence where it stands; a number of none is struck out.

    Args:
        text: An answer, with citations such as ``[1]`` and ``[2, 3]``.
        evidence: What it may cite; without any, the text is left as it is.
        language: In which lines are named.

    Returns:
        The text, and what was wrong.
    """
    pieces = {piece.number: piece for piece in evidence}
    unknown: list[Notice] = []

    def written(match: re.Match[str]) -> str:
        numbers = match["inner"] or match["outer"] or match["wide"]
        if numbers is None:
            return match[0]
        asked = _expanded(numbers)
        known = [place_of(pieces[number], language) for number in asked if number in pieces]
        lost = [number for number in asked if number not in pieces]
        unknown.extend(Notice(NoticeKind.CITED_MISSING, name=f"[{number}]") for number in lost)
        shown = [f"({'; '.join(known)})"] if known else []
        shown += [f"~~[{', '.join(map(str, lost))}]~~"] if lost else []
        return " " + " ".join(shown)

    return (_CITED.sub(written, text), unknown) if pieces else (text, [])


def place_of(piece: Evidence, language: Language) -> str:
    """Write where a piece of evidence stands, such as "`tasks.md` lines 9-14"."""
    said = PHRASES[language]
    form = said.line if piece.first == piece.last else said.lines
    return f"`{piece.path}` {form.format(numbers=piece.range)}"


def _expanded(numbers: str) -> list[int]:
    """Read numbers such as ``1, 3-5``, each once."""
    found: list[int] = []
    for part in re.split(r"[,;]", numbers):
        ends = [int(each) for each in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 <= ends[1] - ends[0] < MOST_OF_RANGE:
            ends = list(range(ends[0], ends[1] + 1))
        found += ends
    return list(dict.fromkeys(found))
