"""Check what an answer says, and where it says that it stands, against the notes themselves."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

from app.chat.cite.named import find_names, known_names
from app.chat.cite.names import Cited, NamedNotes
from app.chat.cite.parse import (
    Range,
    find_citations,
    find_quote,
    find_quotes,
    place_of,
    write_places,
    write_range,
)
from app.chat.cite.second import SecondJudge, second_judge
from app.chat.cite.sentence import find_sentences, marked, struck_out
from app.chat.cite.support import Judgement, judge, named_in, stems_in
from app.chat.cite.words import content_words, stems_of
from app.chat.evidence.evidence import Claim, Evidence
from app.chat.offline.phrases import language_of, phrase
from app.errors import VaultError
from app.markdown.models import Heading, ParsedNote
from app.markdown.plain import plain_line
from app.notes.document import Document
from app.notices import ClaimKind, Language, Notice, NoticeKind
from app.search.index.chunk import split_lines
from app.showing import in_line
from app.vault.client import VaultClient
from app.vault.paths import NOTE_SUFFIX

SHOWN_LINE = 160
MOST_SHOWN = 10
MOST_QUOTED = 2000
"""Characters of cited lines that a claim gives as its quotation; of more it gives none."""
FEWEST_WORDS = 2
"""Words of meaning without which a sentence that names no number, time or name states nothing."""
SHARED = 0.5
"""Share of the words of a sentence that a passage must have, for a citation to be put behind it."""
_BLOCKS = re.compile(r"(?:(?!\n[ \t]*\n).)+", re.DOTALL)
_CODE_OR_LINK = re.compile(r"`[^`]*`|\[[^\]]*\]\([^()]*\)")

Placed = tuple[int, int, Cited]
"""Where a citation stands in a block, and what it refers to."""


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer of which what does not hold is struck out or marked, and what was wrong with it."""

    text: str
    remarks: tuple[Notice, ...] = ()
    claims: tuple[Claim, ...] = ()
    """What it states, a sentence each."""

    @property
    def is_struck(self) -> bool:
        """Whether all that it states is struck out."""
        return bool(self.claims) and all(claim.verdict == "unsupported" for claim in self.claims)


@dataclass
class _Check:
    """The state of checking one answer: the notes it may name, and the remarks and claims gathered so far."""

    notes: NamedNotes
    evidence: Sequence[Evidence]
    question: str
    language: Language
    is_talk: bool
    judge: SecondJudge | None = None
    remarks: list[Notice] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    @cached_property
    def known(self) -> frozenset[str]:
        """The names in the titles of the notes that may be shown, and in the evidence."""
        titles = (PurePosixPath(path).stem for path in self.notes.shown)
        return known_names(titles, (piece.text for piece in self.evidence))

    @cached_property
    def spoken_of(self) -> frozenset[str]:
        """The words of the question, in talk for which nothing was looked up: all else in it is no claim."""
        return stems_in(self.question) if self.is_talk and not self.evidence else frozenset()


def check_citations(
    text: str,
    notes: NamedNotes,
    evidence: Sequence[Evidence] = (),
    *,
    question: str = "",
    language: Language | None = None,
    is_talk: bool = False,
    judged_by: str | None = None,
) -> Checked:
    """Hold every note, line range and quotation that an answer names, and what it states, against the vault.

    The number of a piece of evidence becomes its place. A citation of a note or of lines that are not there
    is struck out with ``~~``. A sentence whose lines do not bear it out is struck out whole. One that cites
    nothing is held against the evidence: it is given the citation of a passage that bears it out, is struck
    out where no passage has a number, date, name or quotation of it, and is else marked as the model's own.

    Args:
        text: An answer.
        notes: The notes of the vault.
        evidence: What the answer may cite by number.
        question: What was asked; its names may be repeated.
        language: Of the marks and reasons; without it, that of the text.
        is_talk: Whether it may be talk for which nothing was looked up, such as a greeting.
        judged_by: The model that is asked of what the rules let pass; none is without it.
    """
    language = language or language_of(text) or "en"
    judge = second_judge(judged_by) if judged_by else None
    check = _Check(notes, evidence, question, language, is_talk, judge)
    text, unknown = write_places(text, evidence, language)
    check.remarks += unknown
    text = _BLOCKS.sub(lambda block: _block(block[0], check), text)
    return Checked(text, tuple(dict.fromkeys(check.remarks)), tuple(check.claims))


def _block(text: str, check: _Check) -> str:
    citations, quotes = list(find_citations(text, check.notes.written_before)), find_quotes(text)
    inside = {each: quote for each in citations for quote in quotes if quote.holds(each)}
    found = [check.notes.look_up(each, check.remarks) for each in citations if each not in inside]
    lines = [split_lines(each.note.text) for each in found if each.note]
    found += [
        check.notes.look_up(each, check.remarks)
        for each, quote in inside.items()
        # What a note says of other notes is quoted as it stands.
        if not any(find_quote(quote.text, note) for note in lines)
    ]
    shown, done = "", 0
    placed: list[Placed] = []
    for cited in sorted(found, key=lambda each: each.citation.start):
        citation, written = cited.citation, text[cited.citation.start : cited.citation.end]
        written = f"~~{written}~~" if cited.is_struck else written
        shown += text[done : citation.start]
        placed.append((len(shown), len(shown) + len(written), cited))
        shown, done = shown + written, citation.end
    return _sentences(shown + text[done:], placed, check)


def _sentences(text: str, placed: Sequence[Placed], check: _Check) -> str:
    """Judge the sentences of a block, and strike out or mark those that are not borne out."""
    shown, done = "", 0
    mark = Notice(ClaimKind.UNCITED).said(check.language)
    starts = [first for first, _, _ in placed]
    for start, end in find_sentences(text, [(first, last) for first, last, _ in placed]):
        inside = placed[bisect_left(starts, start) : bisect_left(starts, end)]
        sentence = _sentence(text, (start, end), inside, check)
        shown += text[done:start] + (marked(text[start:end], mark) if sentence is None else sentence)
        done = end
    return shown + text[done:]


def _sentence(text: str, span: Range, placed: Sequence[Placed], check: _Check) -> str | None:
    """Return a sentence as it is to stand; None where it cites nothing, and is the model's own."""
    sentence = text[slice(*span)]
    stated = _without_citations(text, span, placed)
    bearing = [cited for _, _, cited in placed if cited.note is not None]
    # Where lines are cited, a note without them is only spoken of.
    cited = [verdict for verdict in bearing if verdict.ranges] or bearing
    if not _states(stated, check, is_cited=any(verdict.ranges for verdict in cited)):
        return sentence
    if not cited:
        if any(verdict.note is None and not verdict.is_struck for _, _, verdict in placed):
            # A note that was there before can no longer be read.
            return sentence
        return _uncited(sentence, stated, check)
    judged, first = _judged(stated, cited, bearing, check), cited[0]
    reason = judged.reason
    path, lines = first.note.path if first.note else "", ", ".join(map(write_range, first.ranges))
    if reason is None:
        check.claims.append(Claim(sentence.strip(), "supported", path, lines, _quotation(first)))
        return sentence
    kind, line = (ClaimKind.STRUCK if judged.line else ClaimKind.STRUCK_OUT), in_line(judged.line, SHOWN_LINE)
    facts = {"line": line} if line else {}
    return _struck(sentence, Notice(kind, path=path, reason=reason, **facts), check, path, lines)


def _struck(sentence: str, remark: Notice, check: _Check, path: str = "", lines: str = "") -> str:
    check.remarks.append(remark)
    said = remark.said(check.language)
    check.claims.append(Claim(sentence.replace("~~", "").strip(), "unsupported", path, lines, reason=said))
    return struck_out(sentence)


def _states(sentence: str, check: _Check, *, is_cited: bool) -> bool:
    """Return whether a sentence states something that notes could bear out.

    Questions, and what only introduces something, do not; nor, where nothing was looked up, does a sentence
    without a number, a time or a name that shares no word with the question, such as a greeting. Of one that
    cites lines, a single word and the row of a table are something.
    """
    text = plain_line(sentence.replace("\n", " "))
    if find_quotes(sentence):
        return True
    if text.endswith((":", "?")) or sentence.lstrip().startswith("#" if is_cited else ("#", "|")):
        return False
    words = content_words(text)
    if is_cited and words:
        return True
    is_named = named_in(text) or bool(words and find_names(sentence))
    is_spoken_of = not check.spoken_of or not check.spoken_of.isdisjoint(stems_in(text))
    return is_named or (len(words) >= FEWEST_WORDS and is_spoken_of)


def _uncited(sentence: str, stated: str, check: _Check) -> str | None:
    """Cite the passage that bears a sentence out, strike it where none has what it names, or give None."""
    if check.evidence:
        stated = _CODE_OR_LINK.sub(" ", stated)
        piece = _bearing(stated, check)
        if piece is not None:
            check.claims.append(Claim(sentence.strip(), "supported", piece.path, piece.range, piece.text))
            return marked(sentence, f"({place_of(piece, check.language)})")
        judged = _beside(stated, check.evidence, check)
        if judged.reason is not None:
            named = str(next(iter(judged.reason.facts.values())))
            # A name in small letters is code or an address.
            if judged.reason.template is not ClaimKind.OTHER_NAME or named[0].isupper():
                remark = Notice(ClaimKind.NOWHERE, words=named)
                return _struck(sentence, remark, check)
    check.claims.append(Claim(sentence.strip(), "uncited"))
    return None


def _bearing(stated: str, check: _Check) -> Evidence | None:
    """Return the evidence that bears a sentence out and has most of its words; None where none does."""
    words = [stems_of(word) for word in content_words(stated)]

    def shared(piece: Evidence) -> int:
        there = stems_in(f"{piece.heading}\n{piece.text}")
        return sum(not each.isdisjoint(there) for each in words)

    least = max(2, SHARED * len(words))
    enough = [piece for piece in sorted(check.evidence, key=shared, reverse=True) if shared(piece) >= least]
    return next((piece for piece in enough if not _beside(stated, [piece], check).reason), None)


def _beside(stated: str, pieces: Sequence[Evidence], check: _Check) -> Judgement:
    lines = [line for piece in pieces for line in ("", *split_lines(piece.text))]
    above = "\n".join(f"{_path_words(piece.path)}\n{piece.heading}\n{piece.day}" for piece in pieces)
    return judge(stated, lines[1:], context=above, question=check.question, names=check.known)


def _without_citations(text: str, span: Range, placed: Sequence[Placed]) -> str:
    """Return a sentence with a link for its text, and without the citations that are no part of it."""
    shown, done = "", span[0]
    for start, end, verdict in placed:
        written = text[start:end]
        form, kept = verdict.citation.form, ""
        if form == "wiki" and verdict.note is not None and not verdict.is_struck:
            inside = written.replace("~~", "").strip("![]")
            kept = inside.rpartition("|")[2] if "|" in inside else inside.partition("#")[0].rpartition("/")[2]
            # A backquote in a name would make code of what lies between it and the next.
            kept = f"[[{kept.partition(']]')[0].replace('`', chr(39))}]]"
        elif form == "link" and not verdict.is_struck:
            kept = written[written.find("[") + 1 : written.find("](")]
        shown += text[done:start] + kept
        done = max(done, end)
    return re.sub(r"\(\s*(?:[;,]\s*)*\)|~~[^~]*~~", "", shown + text[done : span[1]])


def _judged(stated: str, cited: Sequence[Cited], bearing: Sequence[Cited], check: _Check) -> Judgement:
    lines: list[str] = []
    above: list[str] = []
    for verdict in bearing:
        note = verdict.note
        if note is None:
            continue
        if verdict not in cited:
            above.append(PurePosixPath(note.path).stem)
            continue
        for first, last in verdict.ranges or [(note.parsed.body_line, note.line_count)]:
            # Lines of different places are no neighbours.
            lines += [*([""] if lines else []), *(note.line(number) for number in range(first, last + 1))]
            above.append(context_of(note, first))
    names = check.known | known_names((), (verdict.note.text for verdict in cited if verdict.note))
    context = "\n".join(dict.fromkeys(above))
    judged = judge(stated, lines, context=context, question=check.question, names=names)
    if judged.verdict != "supported" or check.judge is None or not any(verdict.ranges for verdict in cited):
        return judged
    try:
        return check.judge.judge(stated.strip(), lines)
    except VaultError as error:
        check.remarks.append(Notice(NoticeKind.NO_JUDGE, reason=str(error)))
        check.judge = None
        return judged


def headings_above(note: ParsedNote, line: int) -> list[Heading]:
    """Return the headings whose sections hold a line, outermost first."""
    above: list[Heading] = []
    for heading in note.headings:
        if heading.line <= line:
            above = [*(each for each in above if each.level < heading.level), heading]
    return above


def context_of(note: Document, first: int) -> str:
    """Return what stands above a line of a note: its path, the headings it is under, and its properties."""
    above = headings_above(note.parsed, first - 1)
    properties = [note.line(number) for number in range(2, note.parsed.body_line - 1)]
    return "\n".join((_path_words(note.path), *(heading.text for heading in above), *properties))


def _path_words(path: str) -> str:
    return path.removesuffix(NOTE_SUFFIX).replace("/", " / ")


def _quotation(verdict: Cited) -> str:
    """Return the lines that a citation names, as they stand; empty where it names none, or very many."""
    if verdict.note is None or not verdict.ranges:
        return ""
    first, last = verdict.ranges[0]
    text = verdict.note.text[verdict.note.start_of(first) : verdict.note.start_of(last + 1)].rstrip("\n")
    return text if len(text) <= MOST_QUOTED else ""


def check_answer(
    vault: VaultClient,
    texts: Sequence[str],
    language: Language,
    former: Iterable[str] = (),
    *,
    question: str = "",
    evidence: Sequence[Evidence] = (),
) -> tuple[list[str], str]:
    """Check the parts of an answer against the vault, for any surface that shows text as it comes.

    Args:
        vault: The vault, as it stands at the end of the turn.
        texts: What was said, part by part.
        language: In which the corrections are said.
        former: Names of notes that the conversation may speak of though they are gone.
        question: What was asked.
        evidence: What the tools of the turn showed.

    Returns:
        The parts as they are to be kept, and what to say below the answer: empty where all of it holds.
    """
    notes = NamedNotes(vault, former)
    checked = [
        check_citations(
            text,
            notes,
            evidence,
            question=question,
            language=language,
            is_talk=True,
            judged_by=vault.settings.ask_judge,
        )
        for text in texts
    ]
    remarks = dict.fromkeys(notice.said(language) for each in checked for notice in each.remarks)
    if own := sum(claim.verdict == "uncited" for each in checked for claim in each.claims):
        remarks[Notice(ClaimKind.OWN_WORDS, count=own).said(language)] = None
    lines = [" ".join(line.split()) for line in remarks]
    if len(lines) > MOST_SHOWN:
        more = Notice(NoticeKind.MORE_NOTICES, count=len(lines) - MOST_SHOWN + 1)
        lines = [*lines[: MOST_SHOWN - 1], more.said(language)]
    heading = phrase("Corrections, after a look at the notes:", language)
    said = "\n".join([heading, *(f"- {line}" for line in lines)]) if lines else ""
    return [each.text for each in checked], said
