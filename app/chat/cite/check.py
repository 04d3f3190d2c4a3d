"""Check what an answer says about where something stands, against the notes themselves."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from app.chat.cite.names import NamedNotes
from app.chat.cite.parse import Citation, Quote, Range, beside, find_citations, find_quote, find_quotes
from app.chat.offline.phrases import PHRASES
from app.errors import NoteNotFoundError, VaultError
from app.notes.document import Document
from app.notices import Language, Notice, NoticeKind
from app.search.index.chunk import split_lines
from app.vault.client import VaultClient
from app.vault.paths import nfc

SHOWN_NAME = 80
_BLOCKS = re.compile(r"(?:(?!\n[ \t]*\n).)+", re.DOTALL)

MOST_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer whose citations hold, or are struck out, and what was wrong with them."""

    text: str
    remarks: tuple[Notice, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    """Citations that were repaired: as they were written, and as they stand now."""


@dataclass(slots=True)
class _Verdict:
    """What becomes of one citation; ``note`` is None where there is no such note."""

    citation: Citation
    note: Document | None = None
    ranges: list[Range] = field(default_factory=list)
    name: str = ""
    """What the citation is to say instead of the name that was written."""
    is_struck: bool = False
    drops_subpath: bool = False


def check_citations(text: str, notes: NamedNotes) -> Checked:
    """Hold every note, line range and quotation that an answer names against the vault.

    A name or a range with a slip is repaired. What is not there, or does not hold what is quoted beside it,
    is struck out with ``~~``; the name of a note that the vault's settings hide is not repeated.
    """
    shown: list[str] = []
    remarks: list[Notice] = []
    changes: list[tuple[str, str]] = []
    done = 0
    for block in _BLOCKS.finditer(text):
        checked = _block(block[0], notes)
        shown += [text[done : block.start()], checked.text]
        remarks += checked.remarks
        changes += checked.changes
        done = block.end()
    whole = "".join([*shown, text[done:]])
    return Checked(whole, tuple(dict.fromkeys(remarks)), tuple(dict.fromkeys(changes)))


def _block(text: str, notes: NamedNotes) -> Checked:
    citations = list(find_citations(text, notes.written_before))
    if not citations:
        return Checked(text)
    remarks: list[Notice] = []
    quotes = find_quotes(text)
    inside = {each: quote for each in citations for quote in quotes if quote.holds(each)}
    outer = [each for each in citations if each not in inside]
    verdicts = [_looked_up(citation, notes, remarks) for citation in outer]
    for quote in quotes:
        _hold(quote, beside(text, quote, outer), verdicts, remarks)
    # What a note says of other notes is quoted as it stands.
    verdicts += [
        _looked_up(each, notes, remarks)
        for each, quote in inside.items()
        if not any(_holds(verdict, quote) for verdict in verdicts)
    ]
    shown, changes, done = list[str](), list[tuple[str, str]](), 0
    for verdict in sorted(verdicts, key=lambda verdict: verdict.citation.start):
        citation = verdict.citation
        before, after = text[citation.start : citation.end], _written(text, verdict)
        shown += [text[done : citation.start], after]
        # Of what is struck out a remark tells.
        if before != after and not verdict.is_struck:
            changes.append((before, after))
        done = citation.end
    return Checked("".join([*shown, text[done:]]), tuple(remarks), tuple(changes))


def _looked_up(citation: Citation, notes: NamedNotes, remarks: list[Notice]) -> _Verdict:
    """Find the note of a citation, and the lines that it has of those named."""
    verdict = _Verdict(citation)
    shown = citation.name if len(citation.name) <= SHOWN_NAME else citation.name[: SHOWN_NAME - 1] + "…"
    if notes.was_there(citation.name):
        return verdict
    try:
        path = notes.find(citation.name)
    except VaultError as error:
        guess = notes.guess(citation.name)
        if guess is None:
            verdict.is_struck = not (citation.form == "wiki" and notes.has_file(citation.name))
            if verdict.is_struck:
                is_missing = isinstance(error, NoteNotFoundError)
                remarks.append(
                    Notice(NoticeKind.CITED_MISSING, name=shown)
                    if is_missing
                    else Notice(NoticeKind.WENT_WRONG, reason=error.message)
                )
            return verdict
        path, verdict.name = guess, guess
        remarks.append(Notice(NoticeKind.CITED_OTHERWISE, name=shown, path=path))
    try:
        verdict.note = notes.open(path)
    except VaultError as error:
        verdict.is_struck = True
        remarks.append(Notice(NoticeKind.WENT_WRONG, reason=error.message))
        return verdict
    if citation.form in ("code", "bare") and path != citation.name.removeprefix("./"):
        verdict.name = path
    verdict.drops_subpath = bool(citation.subpath) and not _has_part(verdict.note, citation.subpath)
    count = verdict.note.line_count
    for first, last in citation.ranges:
        clamped = max(min(first, last), 1), min(max(first, last), count)
        if clamped[0] <= clamped[1]:
            verdict.ranges.append(clamped)
        else:
            lines = f"{first}-{last}"
            remarks.append(Notice(NoticeKind.NO_SUCH_LINES, path=path, count=count, lines=lines))
    return verdict


def _has_part(note: Document, subpath: str) -> bool:
    """Return whether a note has the heading or the block that a citation names after its ``#``."""
    last = subpath.rpartition("#")[2].strip()
    if last.startswith("^"):
        return any(block.id.casefold() == last[1:].casefold() for block in note.parsed.blocks)
    return any(_words(heading.text) == _words(last) for heading in note.parsed.headings)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", nfc(text).casefold())


def _hold(quote: Quote, cited: Citation | None, verdicts: Sequence[_Verdict], remarks: list[Notice]) -> None:
    """See that a quotation stands where it is said to; else move the citation, or strike it out."""
    verdict = next((each for each in verdicts if each.citation is cited), None)
    if verdict is None or verdict.is_struck or any(_holds(each, quote) for each in verdicts):
        return
    for each in (verdict, *verdicts):
        if each.note is None:
            continue
        found = find_quote(quote.text, split_lines(each.note.text))
        if found is None:
            continue
        if each is not verdict:
            verdict.note, verdict.name = each.note, each.note.path
        if verdict.citation.ranges:
            verdict.ranges = [found]
        return
    verdict.is_struck = True
    if verdict.note is not None:
        remarks.append(Notice(NoticeKind.WORDS_NOT_THERE, path=verdict.note.path))


def _holds(verdict: _Verdict, quote: Quote) -> bool:
    if verdict.note is None or verdict.is_struck or (verdict.citation.ranges and not verdict.ranges):
        return False
    lines = split_lines(verdict.note.text)
    if not verdict.ranges:
        return find_quote(quote.text, lines) is not None
    return any(find_quote(quote.text, lines[first - 1 : last]) for first, last in verdict.ranges)


def _written(text: str, verdict: _Verdict) -> str:
    """Write a citation as it is to stand."""
    citation = verdict.citation
    if verdict.is_struck:
        return f"~~{text[citation.start : citation.end]}~~"
    name_end = citation.end if citation.place is None else citation.place[0]
    head, place, tail = text[citation.start : name_end], "", ""
    if citation.place is not None:
        place, tail = text[slice(*citation.place)], text[citation.place[1] : citation.end]
    if verdict.name:
        head = head.replace(citation.name, _name_in(citation, verdict.name), 1)
    if verdict.drops_subpath:
        head = head.replace(citation.subpath, "", 1)
    if citation.ranges and not verdict.ranges:
        opening = re.match(r"[\s,:(]*", place)[0]  # type: ignore[index]  # it matches nothing, too
        # Inside a code span nothing can be struck out.
        return f"{head}{tail}{' ' if tail else opening}~~{place[len(opening) :]}~~"
    if tuple(verdict.ranges) != citation.ranges:
        lead = re.split(r"L?\d", place, maxsplit=1)[0]
        if len(verdict.ranges) > 1 or verdict.ranges[0][0] < verdict.ranges[0][1]:
            lead = re.sub(r"(?<=line|igne)(?=\s*\Z)", "s", lead)
        place = lead + ", ".join(_range(each) for each in verdict.ranges)
    return head + place + tail


def _name_in(citation: Citation, path: str) -> str:
    return path if citation.name[-3:].lower() == ".md" or citation.form != "wiki" else path[:-3]


def _range(lines: Range) -> str:
    return str(lines[0]) if lines[0] == lines[1] else f"{lines[0]}-{lines[1]}"


def check_answer(
    vault: VaultClient, texts: Sequence[str], language: Language, former: Iterable[str] = ()
) -> tuple[list[str], str]:
    """Check the parts of an answer against the vault, for any surface that shows text as it comes.

    Args:
        vault: The vault, as it stands at the end of the turn.
        texts: What was said, part by part.
        language: In which the corrections are said.
        former: Names of notes that the conversation may speak of though they are gone.

    Returns:
        The parts as they are to be kept, and what to say below the answer: empty where all of it holds.
    """
    notes = NamedNotes(vault, former)
    checked = [check_citations(text, notes) for text in texts]
    changes = dict.fromkeys(f"{before} → {after}" for each in checked for before, after in each.changes)
    remarks = dict.fromkeys(notice.said(language) for each in checked for notice in each.remarks)
    lines = [" ".join(line.split()) for line in (*remarks, *changes)]
    if len(lines) > MOST_SHOWN:
        more = Notice(NoticeKind.MORE_NOTICES, count=len(lines) - MOST_SHOWN + 1)
        lines = [*lines[: MOST_SHOWN - 1], more.said(language)]
    said = "\n".join([PHRASES[language].corrected, *(f"- {line}" for line in lines)]) if lines else ""
    return [each.text for each in checked], said
