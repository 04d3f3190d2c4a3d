"""What a citation of an answer refers to, whether it stands there, and how it is written then."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import quote as percent_encoded

from app.chat.cite.names import NamedNotes
from app.chat.cite.parse import Citation, Quote, Range, find_quote
from app.errors import NoteNotFoundError, VaultError
from app.notes.document import Document
from app.notices import Notice, NoticeKind
from app.search.index.chunk import split_lines
from app.vault.paths import nfc

SHOWN_NAME = 80


@dataclass(slots=True)
class Cited:
    """One citation with the note it names; ``note`` is None where there is no such note."""

    citation: Citation
    note: Document | None = None
    ranges: list[Range] = field(default_factory=list)
    name: str = ""
    """What the citation is to say instead of the name that was written."""
    is_struck: bool = False
    is_misquoted: bool = False
    drops_subpath: bool = False

    @property
    def bears(self) -> bool:
        """Whether it names a note, and lines of it where it names lines."""
        return self.note is not None and not self.is_struck and bool(self.ranges or not self.citation.ranges)


def look_up(citation: Citation, notes: NamedNotes, remarks: list[Notice]) -> Cited:
    """Find the note of a citation, and the lines that it has of those named."""
    verdict = Cited(citation)
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


def hold(quote: Quote, cited: Citation | None, verdicts: Sequence[Cited]) -> None:
    """Check a quotation against the note cited for it: move the citation there, or mark it misquoted."""
    verdict = next((each for each in verdicts if each.citation is cited), None)
    if verdict is None or verdict.is_struck or any(holds(each, quote) for each in verdicts):
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
    verdict.is_misquoted = True


def holds(verdict: Cited, quote: Quote) -> bool:
    """Return whether a quotation stands in what a citation refers to."""
    if verdict.note is None or verdict.is_struck or (verdict.citation.ranges and not verdict.ranges):
        return False
    lines = split_lines(verdict.note.text)
    if not verdict.ranges:
        return find_quote(quote.text, lines) is not None
    return any(find_quote(quote.text, lines[first - 1 : last]) for first, last in verdict.ranges)


def write(text: str, verdict: Cited) -> str:
    """Write a citation as it is to stand."""
    citation = verdict.citation
    if verdict.is_struck:
        return f"~~{text[citation.start : citation.end]}~~"
    name_end = citation.end if citation.place is None else citation.place[0]
    head, place, tail = text[citation.start : name_end], "", ""
    if citation.place is not None:
        place, tail = text[slice(*citation.place)], text[citation.place[1] : citation.end]
    if citation.form == "link" and (verdict.name or verdict.drops_subpath):
        head = _link(head, verdict)
    else:
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
        place = lead + ", ".join(write_range(each) for each in verdict.ranges)
    return head + place + tail


def _link(link: str, verdict: Cited) -> str:
    """Return a Markdown link with its target put right, and its text where that is the name as well."""
    citation, name = verdict.citation, verdict.name or verdict.citation.name
    shown = link.partition("](")[0].replace(citation.name, name, 1)
    target = name + ("" if verdict.drops_subpath else citation.subpath)
    return f"{shown}]({percent_encoded(target, safe='/#^')})"


def _name_in(citation: Citation, path: str) -> str:
    return path if citation.name[-3:].lower() == ".md" or citation.form != "wiki" else path[:-3]


def write_range(lines: Range) -> str:
    """Write lines, such as "9-14" or "9"."""
    return str(lines[0]) if lines[0] == lines[1] else f"{lines[0]}-{lines[1]}"
