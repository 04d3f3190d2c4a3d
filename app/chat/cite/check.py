"""Check what an answer says, and where it says that it stands, against the notes themselves."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from app.chat.cite.cited import SHOWN_NAME, Cited, hold, holds, look_up, write, write_range
from app.chat.cite.named import known_names
from app.chat.cite.names import NamedNotes
from app.chat.cite.parse import Range, beside, find_citations, find_quotes
from app.chat.cite.passage import FRENCH, context_of, language_of
from app.chat.cite.places import write_places
from app.chat.cite.second import SecondJudge, second_judge
from app.chat.cite.sentence import find_sentences, is_checkable, lines_of, marked, struck_out
from app.chat.cite.support import Judgement, judge
from app.chat.evidence.evidence import Claim, Evidence, Verdict
from app.chat.offline.phrases import phrases
from app.errors import VaultError
from app.notes.document import Document
from app.notices import ClaimKind, Language, Notice, NoticeKind
from app.showing import in_line
from app.vault.client import VaultClient

SHOWN_LINE = 160
_BLOCKS = re.compile(r"(?:(?!\n[ \t]*\n).)+", re.DOTALL)

MOST_SHOWN = 10
MOST_QUOTED = 2000
"""Characters of cited lines that a claim gives as its quotation; of more it gives none."""


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer of which what does not hold is struck out or marked, and what was wrong with it."""

    text: str
    remarks: tuple[Notice, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    """Citations that were repaired: as they were written, and as they stand now."""
    claims: tuple[Claim, ...] = ()
    """What it states, a sentence each."""


@dataclass
class _Check:
    """The state of checking one answer: the notes it may name, and the remarks and claims gathered so far."""

    notes: NamedNotes
    evidence: Sequence[Evidence]
    question: str
    language: Language
    marks_uncited: bool
    judge: SecondJudge | None = None
    remarks: list[Notice] = field(default_factory=list)
    changes: list[tuple[str, str]] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names in the titles of the notes that may be shown, and in the evidence."""
        titles = (PurePosixPath(path).stem for path in self.notes.shown)
        return known_names(titles, (piece.text for piece in self.evidence))

    def names_known(self, notes: Iterable[Document | None]) -> frozenset[str]:
        """Return the folded words that are names there, in the titles or in the evidence."""
        return self._names.union(*(names_in(note.text) for note in notes if note is not None))


@lru_cache(maxsize=32)
def names_in(text: str) -> frozenset[str]:
    """Return the names in a note; a long one takes seconds, so that they are kept for the next answer."""
    return known_names((), (text,))


def check_citations(
    text: str,
    notes: NamedNotes,
    evidence: Sequence[Evidence] = (),
    *,
    question: str = "",
    language: Language | None = None,
    marks_uncited: bool = True,
    judged_by: str | None = None,
) -> Checked:
    """Hold every note, line range and quotation that an answer names, and what it states, against the vault.

    A name or a range with a slip is repaired, and the number of a piece of evidence becomes its place. A
    citation of what is not there is struck out with ``~~``; the name of a note that the vault's settings hide
    is not repeated. A sentence whose lines do not bear it out is struck out whole, and one that cites nothing
    is marked as the model's own.

    Args:
        text: An answer.
        notes: The notes of the vault.
        evidence: What the answer may cite by number.
        question: What was asked; its names may be repeated.
        language: Of the marks and reasons; without it, that of the text.
        marks_uncited: Whether sentences without a citation are marked.
        judged_by: The model that is asked of what the rules let pass; none is without it.
    """
    if language is None:
        language = "fr" if language_of(text) == FRENCH else "en"
    judge = second_judge(judged_by) if judged_by else None
    check = _Check(notes, evidence, question, language, marks_uncited, judge)
    text, unknown = write_places(text, evidence, language)
    check.remarks += unknown
    shown: list[str] = []
    done = 0
    for block in _BLOCKS.finditer(text):
        shown += [text[done : block.start()], _block(block[0], check)]
        done = block.end()
    whole = "".join([*shown, text[done:]])
    remarks, changes = tuple(dict.fromkeys(check.remarks)), tuple(dict.fromkeys(check.changes))
    return Checked(whole, remarks, changes, tuple(check.claims))


def _block(text: str, check: _Check) -> str:
    citations = list(find_citations(text, check.notes.written_before))
    quotes = find_quotes(text)
    inside = {each: quote for each in citations for quote in quotes if quote.holds(each)}
    outer = [each for each in citations if each not in inside]
    verdicts = [look_up(citation, check.notes, check.remarks) for citation in outer]
    for quote in quotes:
        hold(quote, beside(text, quote, outer), verdicts)
    # What a note says of other notes is quoted as it stands.
    verdicts += [
        look_up(each, check.notes, check.remarks)
        for each, quote in inside.items()
        if not any(holds(verdict, quote) for verdict in verdicts)
    ]
    shown, done = "", 0
    placed: list[tuple[int, int, Cited]] = []
    for verdict in sorted(verdicts, key=lambda verdict: verdict.citation.start):
        citation = verdict.citation
        before, after = text[citation.start : citation.end], write(text, verdict)
        shown += text[done : citation.start]
        placed.append((len(shown), len(shown) + len(after), verdict))
        shown += after
        # Of what is struck out a remark tells.
        if before != after and not verdict.is_struck:
            check.changes.append((before, after))
        done = citation.end
    return _sentences(shown + text[done:], placed, check)


def _sentences(text: str, placed: Sequence[tuple[int, int, Cited]], check: _Check) -> str:
    """Judge the sentences of a block, and strike out or mark those that are not borne out.

    A line of sentences without any citation is marked once, behind the last of them that states something.
    """
    shown, done = "", 0
    mark = Notice(ClaimKind.UNCITED).said(check.language)
    starts = [first for first, _, _ in placed]
    for line in lines_of(text, find_sentences(text, [(first, last) for first, last, _ in placed])):
        cited = [placed[bisect_left(starts, start) : bisect_left(starts, end)] for start, end in line]
        judged = [_sentence(text, span, inside, check) for span, inside in zip(line, cited, strict=True)]
        own = [at for at, sentence in enumerate(judged) if sentence is None]
        to_mark = set(own if any(cited) else own[-1:]) if check.marks_uncited else set()
        for at, ((start, end), sentence) in enumerate(zip(line, judged, strict=True)):
            if sentence is None:
                sentence = marked(text[start:end], mark) if at in to_mark else text[start:end]
            shown += text[done:start] + sentence
            done = end
    return shown + text[done:]


def _sentence(text: str, span: Range, placed: Sequence[tuple[int, int, Cited]], check: _Check) -> str | None:
    """Return a sentence as it is to stand; None where it cites nothing, and is the model's own."""
    sentence = text[slice(*span)]
    stated = _without_citations(text, span, placed)
    bearing = [verdict for _, _, verdict in placed if verdict.bears]
    # Where lines are cited, a note without them is only spoken of.
    cited = [verdict for verdict in bearing if verdict.ranges] or bearing
    if not is_checkable(stated, is_cited=any(verdict.ranges for verdict in cited)):
        return sentence
    if not cited:
        if any(verdict.note is None and not verdict.is_struck for _, _, verdict in placed):
            # A note that was there before can no longer be read.
            return sentence
        check.claims.append(Claim(sentence.strip(), "uncited"))
        return None
    judged = _judged(stated, cited, bearing, check)
    is_misquoted = any(verdict.is_misquoted for verdict in cited)
    first = cited[0]
    path, lines = first.note.path if first.note else "", ", ".join(map(write_range, first.ranges))
    reason = judged.reason
    if reason is None and is_misquoted:
        reason = Notice(ClaimKind.OTHER_WORDS, words=_shortened(stated))
    if reason is None:
        check.claims.append(Claim(sentence.strip(), "supported", path, lines, _quotation(first)))
        return sentence
    line = in_line(judged.line, SHOWN_LINE)
    remark = (
        Notice(ClaimKind.STRUCK, path=path, line=line, reason=reason)
        if line
        else Notice(ClaimKind.STRUCK_OUT, path=path, reason=reason)
    )
    check.remarks.append(remark)
    verdict: Verdict = "contradicted" if judged.verdict == "contradicted" else "unsupported"
    said = remark.said(check.language)
    check.claims.append(Claim(sentence.replace("~~", "").strip(), verdict, path, lines, reason=said))
    return struck_out(sentence)


def _shortened(text: str) -> str:
    return in_line(text.strip(), SHOWN_NAME)


def _without_citations(text: str, span: Range, placed: Sequence[tuple[int, int, Cited]]) -> str:
    """Return a sentence with a link for its text, and without the citations that are no part of it."""
    shown, done = "", span[0]
    for start, end, verdict in placed:
        written = text[start:end]
        form, kept = verdict.citation.form, ""
        if verdict.is_struck:
            kept = ""
        elif form == "wiki":
            inside = written.replace("~~", "").strip("![]")
            kept = inside.rpartition("|")[2] if "|" in inside else inside.partition("#")[0].rpartition("/")[2]
            # A backquote in a name would make code of what lies between it and the next.
            kept = kept.partition("]]")[0].replace("`", "'")
        elif form == "link":
            kept = written[written.find("[") + 1 : written.find("](")]
        shown += text[done:start] + kept
        done = max(done, end)
    whole = shown + text[done : span[1]]
    return re.sub(r"\(\s*(?:[;,]\s*)*\)|~~[^~]*~~", "", whole)


def _judged(stated: str, cited: Sequence[Cited], bearing: Sequence[Cited], check: _Check) -> Judgement:
    lines: list[str] = []
    above: list[str] = []
    for verdict in bearing:
        if verdict.note is None:
            continue
        if verdict not in cited:
            above.append(PurePosixPath(verdict.note.path).stem)
            continue
        note = verdict.note
        for first, last in verdict.ranges or [(note.parsed.body_line, note.line_count)]:
            # Lines of different places are no neighbours.
            lines += [*([""] if lines else []), *(note.line(number) for number in range(first, last + 1))]
            above.append(context_of(note, first))
    names = check.names_known(verdict.note for verdict in cited)
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
) -> tuple[list[str], str]:
    """Check the parts of an answer against the vault, for any surface that shows text as it comes.

    Args:
        vault: The vault, as it stands at the end of the turn.
        texts: What was said, part by part.
        language: In which the corrections are said.
        former: Names of notes that the conversation may speak of though they are gone.
        question: What was asked.

    Returns:
        The parts as they are to be kept, and what to say below the answer: empty where all of it holds.
    """
    notes = NamedNotes(vault, former)
    # Talk that speaks of no note at all is the model's own anyway.
    cites = any(True for text in texts for _ in find_citations(text, notes.written_before))
    checked = [
        check_citations(
            text,
            notes,
            question=question,
            language=language,
            marks_uncited=cites,
            judged_by=vault.settings.ask_judge,
        )
        for text in texts
    ]
    changes = dict.fromkeys(f"{before} → {after}" for each in checked for before, after in each.changes)
    remarks = dict.fromkeys(notice.said(language) for each in checked for notice in each.remarks)
    own = sum(claim.verdict == "uncited" for each in checked for claim in each.claims) if cites else 0
    if own:
        remarks[Notice(ClaimKind.OWN_WORDS, count=own).said(language)] = None
    lines = [" ".join(line.split()) for line in (*remarks, *changes)]
    if len(lines) > MOST_SHOWN:
        more = Notice(NoticeKind.MORE_NOTICES, count=len(lines) - MOST_SHOWN + 1)
        lines = [*lines[: MOST_SHOWN - 1], more.said(language)]
    said = "\n".join([phrases(language).corrected, *(f"- {line}" for line in lines)]) if lines else ""
    return [each.text for each in checked], said
