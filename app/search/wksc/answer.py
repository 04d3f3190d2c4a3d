"""Answer a question from one index: rank, let each content be found once, and show the hits."""

from dataclasses import dataclass, field

from app.search.models import Ranked, SearchRequest
from app.search.results import Shower, StaleError
from app.search.searcher import Searcher
from app.search.semantic.engine import Semantic
from app.search.semantic.kept import KeptVectors
from app.search.snapshot import VaultSnapshot
from app.search.wksc.distinct import also_in
from app.search.wksc.models import SearchHit
from app.search.wksc.ranking import Found, rank_by_cosine, rank_by_words

NOT_SEARCHED = "the others are not searched yet"

SCORE_DIGITS = 6
MOST_PLACES = 20
"""Most paths that ``also_in`` names."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: ``query`` by the meaning that ``model`` gives it, without one by its words."""

    query: str
    model: str | None
    k: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits, best first, and how many chunks the index has."""

    hits: list[SearchHit]
    total: int
    warnings: list[str] = field(default_factory=list)


def answer(searcher: Searcher, question: Question) -> Answer:
    """Answer from the last state of the vault; a note that changes meanwhile is read once more.

    Raises:
        VaultError: the vault, the index or the model cannot be used.
    """
    warnings = _prepared(searcher, question, force=False)
    try:
        return _answer(searcher, question, warnings, leave_out=False)
    except StaleError:
        warnings += _prepared(searcher, question, force=True)
        return _answer(searcher, question, warnings, leave_out=True)


def _prepared(searcher: Searcher, question: Question, *, force: bool) -> list[str]:
    warnings = searcher.freshen(force=force)
    return warnings + searcher.embed_for_search(NOT_SEARCHED) if question.model else warnings


def _answer(searcher: Searcher, question: Question, warnings: list[str], *, leave_out: bool) -> Answer:
    view, vault = searcher.view(), searcher.vault
    if question.model and view.semantic:
        kept = _answering(view.semantic, view, warnings)
        found = rank_by_cosine(view, kept.joined(view), kept.encode_query(question.query).vector, question.k)
    else:
        found = rank_by_words(view, vault, question.query, question.k)
    # Its words show where it is answered; none of its signs is an operator here.
    request = SearchRequest(operation="keyword", search_terms=(question.query,))
    shower = Shower(view, vault, request)
    said = [*warnings, *found.notices]
    hits = []
    for item in found.items:
        try:
            hits.append(_hit(view, shower, found, item, said))
        except StaleError as error:
            if not leave_out:
                raise
            said.append(f"'{error}' changed while it was searched and is left out")
    return Answer(hits, int(view.chunks_of(view.visible).sum()), said)


def _answering(semantic: Semantic, view: VaultSnapshot, warnings: list[str]) -> KeptVectors:
    kept = semantic.answering(view)
    if kept is not semantic.wanted():
        warnings.append(f"the vectors of '{semantic.name}' are being built; those of the model before answer")
    return kept


def _hit(view: VaultSnapshot, shower: Shower, found: Found, item: Ranked, warnings: list[str]) -> SearchHit:
    shown = shower.result(item)
    places = also_in(view, item.doc, found.among)
    if len(places) > MOST_PLACES:
        more = len(places) - MOST_PLACES
        warnings.append(
            f"{more} more notes hold what {shown.path}:{shown.lines} says; 'also_in' leaves them out"
        )
    return SearchHit(
        uri=f"{shown.uri}#L{shown.lines}",
        path=shown.path,
        title=shown.title,
        lines=shown.lines,
        score=round(shown.score, SCORE_DIGITS),
        excerpt="\n".join(line.rstrip() for line in shown.excerpt.splitlines()),
        also_in=tuple(places[:MOST_PLACES]),
    )
