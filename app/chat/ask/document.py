"""From the search agent's answer to the document that is shown: every name, line and quotation is checked."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from app.chat.ask.concat import Document, Range, Source, concat
from app.chat.ask.forms import NamedFile, SearchAnswer
from app.chat.cite.check import check_citations
from app.chat.cite.names import NamedNotes
from app.chat.cite.parse import find_citations
from app.chat.evidence.evidence import Evidence
from app.chat.offline.answer import not_said
from app.errors import NoteNotFoundError, VaultError
from app.markdown.sentences import sentence_starts
from app.notices import FailureKind, Language, Notice, NoticeKind
from app.showing import in_line
from app.vault.client import VaultClient
from app.vault.paths import NotePath

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
_ITEM = re.compile(r"[-*+]\s+(?:\[.\]\s+)?")
_NUMBER = re.compile(r"\[?(?:\^|#)?(\d{1,3})\]?")

MOST_RANGES = 20
SHOWN_NAME = 80
LOOKED_AT = 8000
"""Characters of an overview in which a loop is looked for."""
_LOOP = re.compile(r"(?P<unit>.{8,200}?)(?P=unit){2,}", re.DOTALL)
_RANGE = re.compile(r"L?(\d{1,18})(?:\s*([-–—])\s*(?:L?(\d{1,18}))?)?", re.IGNORECASE)
_RANGES = re.compile(
    rf"\s*(?:lines?|lignes?)?\s*{_RANGE.pattern}(?:[\s,;]+{_RANGE.pattern})*\s*", re.IGNORECASE
)


def overview_lines(overview: str) -> list[str]:
    """Return an overview in at most `MOST_LINES` lines, with all that it says.

    Headings lose their signs; rules, fences and the alignment of tables are left out: nothing in it may look
    like the end of the overview or the beginning of a file. One long line is taken as its sentences, and more
    lines than fit are joined, those that belong to one list with semicolons.
    """
    lines = [_HEADING.sub("", line).strip() for line in overview.splitlines()]
    lines = [line for line in lines if line and not _RULE.fullmatch(line)]
    if len(lines) == 1:
        borders = [0, *sentence_starts(lines[0]), len(lines[0])]
        lines = [lines[0][first:last].strip() for first, last in pairwise(borders)]
    if len(lines) <= MOST_LINES:
        return lines
    share, more = divmod(len(lines), MOST_LINES)
    ends = [(at + 1) * share + min(at + 1, more) for at in range(MOST_LINES)]
    return [_joined(lines[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def _joined(lines: Sequence[str]) -> str:
    """Put lines behind one another; of list items after the first, only numbers stay."""
    text = lines[0]
    for line in lines[1:]:
        item = _ITEM.match(line)
        between = "; " if item and text[-1] not in ".!?…:;," else " "
        text += between + (line[item.end() :] if item else line)
    return text


def _unlooped(text: str) -> tuple[str, bool]:
    """Cut a text where it begins to say the same again and again; and say whether it does."""
    for match in _LOOP.finditer(text[:LOOKED_AT]):
        if re.search(r"[^\W\d_]", match["unit"]):
            return text[: match.end("unit")].rstrip(), True
    return text, False


def _tidy(overview: str) -> tuple[str, bool]:
    """Bring an overview into its lines and characters; and say whether something was cut."""
    text = "\n".join(overview_lines(overview))
    if len(text) <= MOST_CHARS:
        return text, False
    whole = list(sentence_starts(text[:MOST_CHARS]))
    return (text[: whole[-1]].rstrip() if whole else text[: MOST_CHARS - 1] + "…"), True


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
    overview, is_cut = _tidy(begun)
    if is_looped:
        remarks = [Notice(NoticeKind.ANSWER_BROKE_OFF, reason=Notice(FailureKind.MODEL_LOOPED)), *remarks]
    checked = check_citations(
        overview,
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
    shortened = [Notice(NoticeKind.OVERVIEW_CUT, lines=MOST_LINES, characters=MOST_CHARS)] if is_cut else []
    document = concat(
        checked.text,
        sources,
        budget=budget,
        remarks=[*remarks, *shortened, *checked.remarks, *said],
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
        is_struck = overview[: citation.start].endswith("~~")
        try:
            path = None if is_struck else notes.find(citation.name)
        except VaultError:
            # The check of the citations has said so.
            continue
        if path is not None:
            lines = ", ".join(f"{first}-{last}" for first, last in citation.ranges)
            files.append(NamedFile(path=path, lines=lines or None))
    return files


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
    if written.strip() and _RANGES.fullmatch(written) is None:
        return None
    found = (match.groups() for match in _RANGE.finditer(written))
    read = [(int(first), int(last or (max(count, int(first)) if on else first))) for first, on, last in found]
    return read[:MOST_RANGES]
