"""An answer without a language model: quotations that answer, or that the notes do not seem to say."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from app.chat.ask.concat import Document, Source, concat
from app.chat.cite.parse import place_of
from app.chat.evidence.evidence import Evidence
from app.chat.evidence.gather import Found, gather, names_a_note
from app.chat.evidence.quote import Quoted, read
from app.chat.offline.phrases import NOT_SAID, lines_named, phrase, quotation
from app.errors import VaultError
from app.notices import Language, Notice
from app.search.index.chunk import split_lines
from app.search.query.explain import not_searched
from app.showing import cut, in_line
from app.vault.client import VaultClient

MOST_FILES = 5
MOST_NEAREST, NEAREST_CHARS = 2, 300
"""Places that are quoted where the notes do not answer, and the most characters of each."""
RELATIVE_SCORE = 0.35
"""A note is shown below when its best passage has at least this share of the best score of all."""


def offline_answer(
    vault: VaultClient,
    question: str,
    language: Language,
    *,
    budget: int,
    remarks: Sequence[Notice] = (),
    found: Callable[[Found], None] | None = None,
    before: str = "",
) -> Document:
    """Answer a question by what the notes say, word for word.

    Args:
        vault: The vault.
        question: What a person wants to know.
        language: In which it is answered.
        budget: Most characters of the document.
        remarks: What must be said besides.
        found: Is given what the search finds, before it is read.
        before: The question before, whose words are taken along where this one names no note, and the notes
            are likelier to answer both together.

    Raises:
        VaultError: the vault cannot be searched.
    """
    if not question.strip(" ?!."):
        return Document(phrase("Ask a question about what the notes say.", language), is_answered=False)
    gathered = gather(vault, question)
    if before and not names_a_note(gathered.view, question):
        both = gather(vault, f"{question} {before}")
        least = read(gathered).probability if gathered.evidence else vault.settings.ask_probability
        gathered = both if read(both).probability > least else gathered
    if found is not None:
        found(gathered)
    return answer_of(vault, gathered, language, budget=budget, remarks=remarks)


def answer_of(
    vault: VaultClient,
    found: Found,
    language: Language,
    *,
    budget: int,
    remarks: Sequence[Notice] = (),
    least: float | None = None,
) -> Document:
    """Answer by what a search found; see `offline_answer`.

    What is less likely to answer than ``least``, or the setting `ask_probability`, is not quoted.
    """
    if not found.evidence:
        query = in_line(found.question.strip(" ?!."))
        nothing = phrase("I found nothing in the vault for “{query}”.", language, query=query)
        return concat(
            nothing, (), budget=budget, remarks=[*remarks, *found.notices], language=language
        ).unanswered()
    least = vault.settings.ask_probability if least is None else least
    reading = read(found)
    said = [*remarks, *found.notices, *reading.notices]
    if not reading.quoted or reading.probability < least:
        nearest = _nearest(reading.nearest, found.evidence)
        said = list(dict.fromkeys((*said, *filter(None, [not_searched(found.view)]))))
        document = concat(not_said(nearest, language), (), budget=budget, remarks=said, language=language)
        return document.unanswered()
    quoted = reading.quoted
    heading = phrase("Here is what the notes say:", language)
    overview = "\n".join([heading, *(quoted_line(one, language) for one in quoted)])
    sources = _sources(quoted, found.evidence, vault)
    document = concat(overview, sources, budget=budget, remarks=said, language=language)
    return replace(document, claims=tuple(one.claim for one in quoted))


def quoted_line(quoted: Quoted, language: Language) -> str:
    """Write a quotation with its place: on one line between quotation marks, or as a block of its lines."""
    claim, day = quoted.claim, quoted.span.day
    place = f"{f'{day}, ' if day else ''}`{in_line(claim.path)}` {lines_named(claim.lines, language)}"
    if quoted.span.is_struck:
        place += f", {phrase('struck through, so that it no longer holds', language)}"
    if "\n" in claim.quotation:
        lines = [*_columns(quoted), *split_lines(claim.quotation)]
        return "\n".join(
            [f"{place}{phrase(':', language)}", *(f"> {line}" if line else ">" for line in lines), ""]
        )
    return "\n".join([*_columns(quoted)[:1], quotation(claim.quotation, place, language)])


def _columns(quoted: Quoted) -> list[str]:
    """Return the header of rows that are quoted without it, and the rule that makes it one."""
    columns = len(re.split(r"(?<!\\)\|", quoted.header.strip().strip("|")))
    return [in_line(quoted.header.strip()), "|" + " --- |" * columns] if quoted.header else []


def not_said(evidence: Sequence[Evidence], language: Language) -> str:
    """Say that the notes do not answer, and what stands nearest to it, with its lines."""
    nearest = {(piece.path, piece.first): piece for piece in reversed(evidence)}
    lines = [
        quotation(
            cut(in_line(" ".join(piece.text.split())), NEAREST_CHARS), place_of(piece, language), language
        )
        for piece in [*reversed(nearest.values())][:MOST_NEAREST]
    ]
    heading = [phrase("What comes nearest:", language)] if lines else []
    return "\n".join([phrase(NOT_SAID, language), *heading, *lines])


def _nearest(quoted: Sequence[Quoted], evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return what is nearest to a question: the lines that would have been quoted, else the passages."""
    lines = [
        Evidence(at, one.candidate.note.path, one.span.first, one.span.last, one.span.text)
        for at, one in enumerate(quoted, 1)
    ]
    return lines or list(evidence)


def _sources(quoted: Sequence[Quoted], evidence: Sequence[Evidence], vault: VaultClient) -> list[Source]:
    """Return what is shown below: what is quoted from, then what is nearly as good as the best."""
    best = max(one.probability for one in evidence)
    near = [one for one in evidence if one.probability >= best * RELATIVE_SCORE]
    ranges: dict[str, list[tuple[int, int]]] = {}
    for path, lines in (
        *((one.candidate.note.path, (one.span.first, one.span.last)) for one in quoted),
        *((one.path, (one.first, one.last)) for one in near),
    ):
        if path in ranges or len(ranges) < MOST_FILES:
            ranges.setdefault(path, []).append(lines)
    sources = []
    for path, shown in ranges.items():
        # What was taken away since is quoted and not shown.
        with suppress(VaultError):
            sources.append(Source(path, vault.read(path).text, tuple(shown)))
    return sources
