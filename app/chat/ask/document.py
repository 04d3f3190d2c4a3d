"""From what an agent answers to the document that is shown: every name, line and quotation is checked."""

import re
from collections.abc import Sequence

from app.chat.ask.named_files import MOST_FILES, NamedFile, SearchAnswer
from app.chat.ask.overview import MOST_CHARS, MOST_LINES, tidy
from app.chat.cite.check import check_citations
from app.chat.named import NamedNotes
from app.chat.phrases import PHRASES, Language
from app.chat.remarks import remark
from app.dependencies import VaultClient
from app.errors import NoteNotFoundError, VaultError
from app.search.concat import Document, Range, Source, concat
from app.showing import in_line
from app.vault.paths import NotePath

MOST_RANGES = 20
SHOWN_NAME = 80

_RANGE = re.compile(r"L?(\d{1,18})(?:\s*[-–—]\s*(?:L?(\d{1,18}))?)?", re.IGNORECASE)
_RANGES = re.compile(
    rf"\s*(?:lines?|lignes?)?\s*{_RANGE.pattern}(?:[\s,;]+{_RANGE.pattern})*\s*", re.IGNORECASE
)


def assemble(
    vault: VaultClient,
    answer: SearchAnswer,
    language: Language,
    remarks: Sequence[str] = (),
    budget: int | None = None,
) -> Document:
    """Make the document of an answer: its overview, checked, then the notes it names, as they stand.

    Args:
        vault: The vault.
        answer: What an agent answered.
        language: In which remarks are made.
        remarks: What must be said besides.
        budget: Most characters of it; without it, those of the setting `ask_chars`.
    """
    notes = NamedNotes(vault)
    overview, is_cut = tidy(answer.overview)
    checked = check_citations(overview, notes)
    sources, said = _sources(notes, answer.files)
    shortened = [f"the overview was cut to {MOST_LINES} lines and {MOST_CHARS} characters"] if is_cut else []
    return concat(
        checked.text,
        sources,
        budget=budget or vault.settings.ask_chars,
        remarks=[*remarks, *shortened, *checked.remarks, *said],
        say=lambda text: PHRASES[language].notice.format(notice=remark(text, language)),
    )


def _sources(notes: NamedNotes, files: Sequence[NamedFile]) -> tuple[list[Source], list[str]]:
    """Open the notes that were named; a slip in a name is repaired, what is not there is left out."""
    sources: list[Source] = []
    remarks: list[str] = []
    for file in files[:MOST_FILES]:
        path = _found(notes, file.path, remarks)
        if path is None:
            continue
        try:
            document = notes.open(path)
        except VaultError as error:
            remarks.append(error.message)
            continue
        ranges = _ranges(file.lines or "", document.line_count)
        if ranges is None:
            remarks.append(
                f"'{in_line(file.lines or '', SHOWN_NAME)}' are no lines of '{path}', which is shown whole"
            )
        sources.append(Source(path, document.text, tuple(ranges or ())))
    if len(files) > MOST_FILES:
        remarks.append(f"{len(files) - MOST_FILES} further files were named, and left out")
    return sources, remarks


def _found(notes: NamedNotes, name: str, remarks: list[str]) -> NotePath | None:
    try:
        return notes.find(name)
    except VaultError as error:
        path = notes.guess(name)
        if path is not None:
            remarks.append(f"'{in_line(name, SHOWN_NAME)}' was named, and '{path}' is shown")
        elif isinstance(error, NoteNotFoundError):
            remarks.append(f"'{in_line(name, SHOWN_NAME)}' was named, and there is no such note")
        else:
            remarks.append(error.message)
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
