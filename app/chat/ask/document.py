"""From the search agent's answer to the document that is shown: every name, line and quotation is checked."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from app.chat.ask.concat import Document, Range, Source, concat
from app.chat.cite.check import check_citations
from app.chat.cite.names import NamedNotes
from app.errors import NoteNotFoundError, VaultError
from app.notices import Language, Notice, NoticeKind
from app.showing import in_line
from app.vault.client import VaultClient
from app.vault.paths import NotePath

MOST_FILES = 50
"""Notes of one answer that are looked at."""

LEAST_LINES, MOST_LINES = 2, 5
MOST_CHARS = 2000
"""Most characters of an overview."""
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}\Z")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])(?=\s)")

MOST_RANGES = 20
SHOWN_NAME = 80
_RANGE = re.compile(r"L?(\d{1,18})(?:\s*[-–—]\s*(?:L?(\d{1,18}))?)?", re.IGNORECASE)
_RANGES = re.compile(
    rf"\s*(?:lines?|lignes?)?\s*{_RANGE.pattern}(?:[\s,;]+{_RANGE.pattern})*\s*", re.IGNORECASE
)


def _as_text(value: Any) -> Any:  # noqa: ANN401 - what a model wrote, before it is checked
    """Take a range in any form models give it: 9, [9, 14], ["1-45", "60-80"], {"start": 9, "end": 14}."""
    match value:
        case int():
            return str(value)
        case [int() as first, int() as last]:
            return f"{first}-{last}"
        case [*parts]:
            return ", ".join(str(_as_text(part)) for part in parts)
        case {"start": first, "end": last}:
            return f"{first}-{last}"
    return value


class NamedFile(BaseModel):
    """A note to show, whole or some lines of it."""

    path: str = Field(description='The note as the tools name it, such as "projects/apollo/state.md".')
    lines: Annotated[str | None, BeforeValidator(_as_text)] = Field(
        default=None,
        description='The lines that matter, such as "1-45" or "1-45, 120-160"; null for a note to be shown '
        "whole, as suits a short one.",
    )


class SearchAnswer(BaseModel):
    """What was found: where it stands and why it matters, then the notes themselves."""

    overview: str = Field(
        description="Two to five lines: what was found, in which notes, and why it matters for the "
        "question. An orientation, not a synthesis."
    )
    files: list[NamedFile] = Field(
        default_factory=list, description="The notes to show below the overview, the most relevant first."
    )


def overview_lines(overview: str) -> list[str]:
    """Return the lines of an overview.

    Headings lose their signs and rules are left out: nothing in it may look like the end of the overview
    or the beginning of a file. One long line is taken as its sentences.
    """
    lines = [_HEADING.sub("", line).rstrip() for line in overview.splitlines()]
    lines = [line for line in lines if line.strip() and not _RULE.match(line)]
    if len(lines) != 1:
        return lines
    sentences = [part.strip() for part in _SENTENCE_END.split(lines[0]) if part.strip()]
    each = -(-len(sentences) // MOST_LINES)
    return [" ".join(sentences[at : at + each]) for at in range(0, len(sentences), each)]


def _tidy(overview: str) -> tuple[str, bool]:
    """Bring an overview into at most five lines; and say whether something was cut."""
    lines = overview_lines(overview)
    text = "\n".join(lines[:MOST_LINES])
    is_cut = len(lines) > MOST_LINES or len(text) > MOST_CHARS
    return (text if len(text) <= MOST_CHARS else text[: MOST_CHARS - 1] + "…"), is_cut


def assemble(
    vault: VaultClient,
    answer: SearchAnswer,
    language: Language,
    remarks: Sequence[Notice] = (),
    budget: int | None = None,
    *,
    question: str = "",
    is_offline: bool = False,
) -> Document:
    """Make the document of an answer: its overview, checked, then the notes it names, as they stand.

    Args:
        vault: The vault.
        answer: What an agent answered.
        language: In which remarks are made.
        remarks: What must be said besides.
        budget: Most characters of it; without it, those of the setting `ask_chars`.
        question: What was asked.
        is_offline: Whether no model wrote the overview, so that all of it is quoted or the program's own.
    """
    notes = NamedNotes(vault)
    overview, is_cut = _tidy(answer.overview)
    checked = check_citations(
        overview, notes, question=question, language=language, marks_uncited=not is_offline
    )
    sources, said = _sources(notes, answer.files)
    shortened = [Notice(NoticeKind.OVERVIEW_CUT, lines=MOST_LINES, characters=MOST_CHARS)] if is_cut else []
    document = concat(
        checked.text,
        sources,
        budget=budget or vault.settings.ask_chars,
        remarks=[*remarks, *shortened, *checked.remarks, *said],
        language=language,
    )
    return replace(document, claims=() if is_offline else checked.claims)


def _sources(notes: NamedNotes, files: Sequence[NamedFile]) -> tuple[list[Source], list[Notice]]:
    """Open the notes that were named; a slip in a name is repaired, what is not there is left out."""
    sources: list[Source] = []
    remarks: list[Notice] = []
    for file in files[:MOST_FILES]:
        path = _found(notes, file.path, remarks)
        if path is None:
            continue
        try:
            document = notes.open(path)
        except VaultError as error:
            remarks.append(Notice(NoticeKind.WENT_WRONG, reason=error.message))
            continue
        ranges = _ranges(file.lines or "", document.line_count)
        if ranges is None:
            lines = in_line(file.lines or "", SHOWN_NAME)
            remarks.append(Notice(NoticeKind.NOT_LINES, lines=lines, path=path))
        sources.append(Source(path, document.text, tuple(ranges or ())))
    if len(files) > MOST_FILES:
        remarks.append(Notice(NoticeKind.FILES_NOT_LOOKED_AT, count=len(files) - MOST_FILES))
    return sources, remarks


def _found(notes: NamedNotes, name: str, remarks: list[Notice]) -> NotePath | None:
    try:
        return notes.find(name)
    except VaultError as error:
        path, shown = notes.guess(name), in_line(name, SHOWN_NAME)
        if path is not None:
            remarks.append(Notice(NoticeKind.SHOWN_INSTEAD, name=shown, path=path))
        elif isinstance(error, NoteNotFoundError):
            remarks.append(Notice(NoticeKind.NAMED_MISSING, name=shown))
        else:
            remarks.append(Notice(NoticeKind.WENT_WRONG, reason=error.message))
        return path


def _ranges(written: str, count: int) -> list[Range] | None:
    """Read lines such as ``1-45, 120-``; none mean the whole note, and None that they are not understood."""
    if not written.strip():
        return []
    if _RANGES.fullmatch(written) is None:
        return None
    found = list(_RANGE.finditer(written))[:MOST_RANGES]
    return [(int(each[1]), _last(each, count)) for each in found]


def _last(each: re.Match[str], count: int) -> int:
    if each[2]:
        return int(each[2])
    first = int(each[1])
    return max(first, count) if re.search(r"[-–—]", each[0]) else first
