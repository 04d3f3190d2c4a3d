"""An answer as a terminal shows it: short, with its sources below it, as places that a terminal opens."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from app.chat.ask.concat import Document
from app.chat.cite.check import headings_above
from app.chat.cite.names import NamedNotes
from app.chat.cite.parse import find_citations
from app.chat.evidence.evidence import Claim
from app.errors import VaultError
from app.markdown.parse import parse_note
from app.search.models import Part
from app.search.show.listing import columns, wrapped
from app.showing import HEADING, Screen, cut, in_line, showing
from app.vault.client import VaultClient
from app.vault.daily import DayReader
from app.vault.dates import dated_heading, note_dates
from app.vault.here import path_from

MOST_NOTES = 5
"""Notes that are named where an answer does not say which lines it rests on."""

_SIGN = re.compile(r" (?=[:;?!»](?:\s|\Z))|(?<=«) ")
_SIGN = re.compile(r"\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*")
_NUMBER = re.compile(r"\d+")

Place = tuple[str, int]
"""A note, and the line where what is meant begins, 1-based; 0 for the whole note."""


def shown_answer(document: Document, vault: VaultClient, screen: Screen) -> str:
    """Return what answers, below it where that stands, and last what must be said besides.

    All is broken between words to the width of the terminal; elsewhere a quotation stands as it is.
    """
    quoted, places = _quotations(document), _places(document, vault)
    if quoted and document.is_answered:
        answer = "\n\n".join(_quoted(claim, places, screen) for claim in quoted)
    else:
        answer = _wrapped(document.overview, screen)
    sources = [f"{_opened(vault.root, place, screen)}{screen.dim(_facts(vault, place))}" for place in places]
    if quoted and document.is_answered and len(places) > 1:
        sources = [f"[{number}] {source}" for number, source in enumerate(sources, 1)]
    remarks = [screen.dim(_wrapped(remark, screen)) for remark in document.remarks]
    return "\n\n".join(filter(None, (answer, "\n".join(sources), "\n".join(remarks)))) + "\n"


def _quotations(document: Document) -> list[Claim]:
    """Return the claims of an answer that is nothing but quotations; none of any other."""
    claims = list(document.claims)
    return claims if all(claim.verdict == "quoted" and claim.quotation for claim in claims) else []


def _quoted(claim: Claim, places: Sequence[Place], screen: Screen) -> str:
    """Show a quotation below the header of its table, with the number of its source if there are several.

    What most likely says it is set out.
    """
    number = f" [{places.index(_place(claim)) + 1}]" if len(places) > 1 else ""
    # Behind the row of a table it would read as one more cell.
    if number and claim.quotation.rstrip("\n").rpartition("\n")[2].lstrip(" >").startswith("|"):
        number, end = "", f"\n{screen.dim(number.strip())}"
    else:
        end = screen.dim(number)
    width = screen.columns - len(number) if screen.columns else 0
    before, answering, behind = map(
        showing, claim.quotation.rstrip("\n").partition(claim.answering or claim.quotation)
    )
    parts = [(before, False), (answering, bool(claim.answering)), (behind, False)]
    lines = [row for line in _lines(parts) for row in _rows(line, width)]
    quotation = "\n".join(
        "".join(screen.bold(text) if is_answer and text else text for text, is_answer in row) for row in lines
    )
    quotation += end
    return f"{screen.dim(in_line(claim.header))}\n{quotation}" if claim.header else quotation


def _lines(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Yield the lines of a text that is marked in part."""
    line = list[Part]()
    for text, is_answer in parts:
        first, *more = text.split("\n")
        line.append((first, is_answer))
        for each in more:
            yield line
            line = [(each, is_answer)]
    yield line


def _rows(line: list[Part], width: int) -> Iterator[list[Part]]:
    """Break a line between words, set in as its list item or quotation is; with no width, not at all."""
    text = "".join(part for part, _ in line)
    if not width or columns(text) <= width:
        yield line
        return
    sign = _SIGN.match(text)
    margin = len(sign[0]) if sign and len(sign[0]) < width // 2 else 0
    before, after, left = list[Part](), list[Part](), margin
    for part, is_answer in line:
        before.append((part[:left], is_answer))
        after.append((part[left:], is_answer))
        left = max(0, left - len(part))
    for row in wrapped(after, width - margin):
        last, is_answer = row[-1]
        yield [*before, *row[:-1], (last.rstrip(), is_answer)]
        before = [(" " * margin, False)]


def _places(document: Document, vault: VaultClient) -> list[Place]:
    """Return where an answer stands, each place once.

    That is what its claims rest on, else what its overview cites, else the notes that it names.
    """
    claimed = [_place(claim) for claim in document.claims if claim.path]
    named = [(block.path, block.lines[0] if block.lines else 0) for block in document.blocks]
    return list(dict.fromkeys(claimed or _cited(document.overview, vault) or named[:MOST_NOTES]))


def _place(claim: Claim) -> Place:
    first = _NUMBER.match(claim.lines)
    return claim.path, int(first[0]) if first else 0


def _cited(overview: str, vault: VaultClient) -> list[Place]:
    """Return the places that an overview cites with their lines."""
    notes = NamedNotes(vault)
    places: list[Place] = []
    for citation in find_citations(overview, notes.written_before):
        # An overview was checked before: what is not found now was struck out, or has been deleted since.
        with suppress(VaultError):
            places += [(notes.find(citation.name), lines[0]) for lines in citation.ranges[:1]]
    return places


def _opened(root: Path, place: Place, screen: Screen) -> str:
    """Write a place as a terminal opens it."""
    path, line = place
    written = path_from(root, screen.folder, path)
    return in_line(f"{written}:{line}" if line else written)


def _facts(vault: VaultClient, place: Place) -> str:
    """Return the day and the heading above a place, after two blanks, as far as they are known."""
    path, line = place
    try:
        note = parse_note(vault.read(path).text, path)
    except VaultError:
        # It is gone since it was read for the answer.
        return ""
    above = headings_above(note, line)
    heading = above[-1].text if above and above[-1].text != note.title else ""
    dated = next((day for one in reversed(above) if (day := dated_heading(one.text))), None)
    day = dated or note_dates(note.properties, DayReader(vault.root).named(path), mtime=0.0).day
    is_said = day is None or heading.startswith(str(day)) or note.title.startswith(str(day))
    facts = ", ".join(filter(None, ("" if is_said else str(day), cut(in_line(heading), HEADING))))
    return f"  {facts}" if facts else ""


def _wrapped(text: str, screen: Screen) -> str:
    """Break lines between words to the width of the terminal."""
    lines = ([(line, False)] for line in showing(text).split("\n"))
    rows = (row for line in lines for row in _rows(line, screen.columns))
    return "\n".join("".join(part for part, _ in row).rstrip() for row in rows)
