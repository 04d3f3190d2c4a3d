"""From the search agent's answer to the document that is shown: every name, line and quotation is checked."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from app.chat.ask.concat import Document, Range, Source, concat
from app.chat.ask.forms import NamedFile, SearchAnswer
from app.chat.cite.check import check_citations
from app.chat.cite.names import NamedNotes
from app.chat.cite.parse import find_citations, write_range
from app.chat.evidence.evidence import Evidence
from app.chat.offline.answer import not_said
from app.errors import NoteNotFoundError, VaultError
from app.notices import FailureKind, Language, Notice, NoticeKind
from app.showing import cut, in_line
from app.vault.client import VaultClient

MOST_FILES = 50
"""Notes of one answer that are looked at."""

MOST_LINES = 5
MOST_CHARS = 2000
"""Most characters of an overview."""
MOST_BEST = 5
NEARLY, LIKELY = 0.35, 0.1
"""How likely evidence is, at least, that is shown for an answer which cites nothing: as a share of the best,
and by itself."""
_RULE = re.compile(r"(?:[-*_=]\s*){3,}|(?:`{3,}|~{3,})[^`]*|\|(?:\s*:?-+:?\s*\|)+")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_NUMBER = re.compile(r"\[?(?:\^|#)?(\d{1,3})\]?")

MOST_RANGES = 20
SHOWN_NAME = 80
LOOKED_AT = 8000
"""Characters of an overview in which a loop is looked for."""
_LOOP = re.compile(r"(?P<unit>.{8,200}?)(?P=unit){2,}", re.DOTALL)
_RANGE = re.compile(r"L?(\d{1,18})(?:\s*([-–—])\s*(?:L?(\d{1,18}))?)?", re.IGNORECASE)


def overview_text(overview: str) -> str:
    """Return an overview in at most `MOST_LINES` lines, with all that it says: the last holds the rest.

    Headings lose their signs; rules, fences and the alignment of tables are left out: nothing in it may look
    like the end of the overview or the beginning of a file.
    """
    lines = [_HEADING.sub("", line).strip() for line in overview.splitlines()]
    lines = [line for line in lines if line and not _RULE.fullmatch(line)]
    return "\n".join([*lines[: MOST_LINES - 1], " ".join(lines[MOST_LINES - 1 :])]).rstrip()


def _unlooped(text: str) -> tuple[str, bool]:
    """Cut a text where it begins to say the same again and again; and say whether it does."""
    for match in _LOOP.finditer(text[:LOOKED_AT]):
        if re.search(r"[^\W\d_]", match["unit"]):
            return text[: match.end("unit")].rstrip(), True
    return text, False


def assemble(
    vault: VaultClient,
    answer: SearchAnswer,
    language: Language,
    remarks: Sequence[Notice],
    budget: int,
    evidence: Sequence[Evidence],
    question: str,
) -> Document:
    """Make the document of an answer: its overview, checked, then the notes it names, as they stand.

    An answer that names no files shows those that it cites, and without a citation that holds the best of
    the evidence. Of one that says that the notes do not answer, the nearest places are named instead.

    Args:
        vault: The vault.
        answer: What an agent answered.
        language: In which remarks are made.
        remarks: What must be said besides.
        budget: Most characters of it.
        evidence: What the agent was given, by the numbers that it may cite.
        question: What was asked.
    """
    if answer.is_refusal:
        overview = not_said([piece for piece in evidence if piece.number > 0], language)
        return concat(overview, (), budget=budget, remarks=remarks, language=language).unanswered()
    notes = NamedNotes(vault)
    begun, is_looped = _unlooped(answer.overview)
    overview = overview_text(begun)
    if is_looped:
        remarks = [Notice(NoticeKind.ANSWER_BROKE_OFF, reason=Notice(FailureKind.MODEL_LOOPED)), *remarks]
    if len(overview) > MOST_CHARS:
        remarks = [*remarks, Notice(NoticeKind.OVERVIEW_CUT, lines=MOST_LINES, characters=MOST_CHARS)]
    checked = check_citations(
        cut(overview, MOST_CHARS),
        notes,
        evidence,
        question=question,
        language=language,
        judged_by=vault.settings.ask_judge,
    )
    files = [_numbered(file, evidence) for file in answer.files]
    if not files:
        files = _cited(checked.text, notes) or _best(evidence)
    sources, said = _sources(notes, files)
    document = concat(
        checked.text,
        sources,
        budget=budget,
        remarks=[*remarks, *checked.remarks, *said],
        language=language,
    )
    return replace(document, claims=checked.claims, is_answered=not checked.is_struck)


def _numbered(file: NamedFile, evidence: Sequence[Evidence]) -> NamedFile:
    """Name the note of a passage that was named by its number."""
    number = _NUMBER.fullmatch(file.path.strip())
    piece = next((each for each in evidence if number and each.number == int(number[1])), None)
    return file if piece is None else NamedFile(path=piece.path, lines=file.lines or piece.range)


def _best(evidence: Sequence[Evidence]) -> list[NamedFile]:
    """Name the pieces that may answer, and nearly as likely as the best."""
    least = max(LIKELY, NEARLY * max((piece.probability for piece in evidence), default=0.0))
    best = [piece for piece in evidence if piece.probability >= least]
    return [NamedFile(path=piece.path, lines=piece.range) for piece in best[:MOST_BEST]]


def _cited(overview: str, notes: NamedNotes) -> list[NamedFile]:
    """Return the notes that an overview cites, in its order, where they are there."""
    files: list[NamedFile] = []
    for citation in find_citations(overview, notes.written_before):
        # The check of the citations has said what is not there.
        if not overview[: citation.start].endswith("~~"):
            with suppress(VaultError):
                lines = ", ".join(map(write_range, citation.ranges))
                files.append(NamedFile(path=notes.find(citation.name), lines=lines or None))
    return files


def _sources(notes: NamedNotes, files: Sequence[NamedFile]) -> tuple[list[Source], list[Notice]]:
    """Open the notes that were named; what is not there is left out."""
    sources: list[Source] = []
    remarks: list[Notice] = []
    for file in files[:MOST_FILES]:
        try:
            document = notes.open(notes.find(file.path))
        except NoteNotFoundError:
            remarks.append(Notice(NoticeKind.NAMED_MISSING, name=in_line(file.path, SHOWN_NAME)))
            continue
        except VaultError as error:
            remarks.append(Notice(NoticeKind.WENT_WRONG, reason=error.message))
            continue
        ranges = _ranges(file.lines or "", document.line_count)
        if ranges is None:
            lines = in_line(file.lines or "", SHOWN_NAME)
            remarks.append(Notice(NoticeKind.NOT_LINES, lines=lines, path=document.path))
        sources.append(Source(document.path, document.text, tuple(ranges or ())))
    if len(files) > MOST_FILES:
        remarks.append(Notice(NoticeKind.FILES_NOT_LOOKED_AT, count=len(files) - MOST_FILES))
    return sources, remarks


def _ranges(written: str, count: int) -> list[Range] | None:
    """Read lines such as ``1-45, 120-``; none mean the whole note, and None that they are not understood."""
    found = [match.groups() for match in _RANGE.finditer(written)]
    if written.strip() and not found:
        return None
    read = [(int(first), int(last or (max(count, int(first)) if on else first))) for first, on, last in found]
    return read[:MOST_RANGES]
