"""Why a search of passages did not find one note: the step that lost it, and what would bring it up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.errors import VaultError
from app.notices import Notice, NoticeKind, WhyKind
from app.search.lexical.bm25 import ranking_words
from app.search.lexical.sparse import Ids
from app.search.models import SearchRequest
from app.search.query.evaluate import matching_notes
from app.search.query.explain import filters_of, unfiltered, written
from app.search.query.filters import chunk_filter
from app.search.query.link_walk import find_target
from app.search.query.read import queries_of
from app.search.rank.merge import rank_passages
from app.search.view import View
from app.sentences import ParameterName
from app.vault.names import near_notes

Step = Literal[
    "unknown", "no note", "not indexed", "left out", "filtered", "no words", "below", "low score", "found"
]
"""Where a note was lost; ``unknown`` is said of one that is excluded as well."""

MOST_SHOWN = 100
"""The largest limit that a request may name; later passages are reached by an offset."""


@dataclass(frozen=True, slots=True)
class Why:
    """What became of one note in a search of passages.

    ``place`` is that of its best passage among the ``total`` that were ranked, from 1, and 0 where it is not
    among them; ``score`` belongs to that passage. ``advice`` says what would bring the note up.
    """

    note: str
    step: Step
    reasons: tuple[Notice, ...]
    advice: tuple[Notice, ...] = ()
    place: int = 0
    total: int = 0
    score: float = 0.0

    @property
    def notices(self) -> tuple[Notice, ...]:
        """All that is said of it."""
        return (*self.reasons, *self.advice)


def why(view: View, request: SearchRequest) -> Why:
    """Find out where a search of passages lost the note that the request names.

    An excluded note is answered for as one that does not exist.

    Raises:
        BadRequestError: the name means several notes, or a filter of the request cannot be read.
    """
    snapshot, name = view.snapshot, str(request.note_path)
    path = find_target(snapshot, name, view.vault.is_excluded)
    if path is None or snapshot.is_excluded(path):
        near = near_notes(name, (p for p in snapshot.visible_paths if not view.vault.is_excluded(p)))
        advice = (Notice(NoticeKind.NEAR_NAMES, paths=near),) if near else ()
        return Why(name, "unknown", (Notice(WhyKind.UNKNOWN, name=name),), advice)
    doc = snapshot.doc(path)
    if doc is None:
        is_note = path.lower().endswith(".md")
        kind = WhyKind.NOT_INDEXED if is_note else WhyKind.NO_NOTE
        return Why(path, "not indexed" if is_note else "no note", (Notice(kind, path=path),))
    if not snapshot.visible[doc]:
        return Why(path, "left out", (Notice(WhyKind.LEFT_OUT, path=path),))
    request = request.model_copy(update={"note_path": None})
    place = _place(view, request, doc)
    step, reasons = _step(view, request, doc, *place)
    if step in ("no words", "low score", "below") and (lacking := _lacking(view, request, doc)):
        reasons.append(Notice(WhyKind.LACKS, path=path, words=lacking))
    reasons += [Notice(WhyKind.PROBLEM, path=path, reason=reason) for reason in snapshot.note(doc).problems]
    return Why(path, step, tuple(reasons), tuple(_advice(view, request, doc, step, place[0])), *place)


def _place(view: View, request: SearchRequest, doc: int) -> tuple[int, int, float]:
    """Return place, total and score of a note as `Why` has them, in the whole ranking of a request."""
    update = {"limit": None, "offset": 0, "min_score": None, "explain": False}
    items = rank_passages(view, request.model_copy(update=update)).items
    for at, item in enumerate(items, start=1):
        if int(view.lexical.note_of[item.doc]) == doc:
            return at, len(items), item.score
    return 0, len(items), 0.0


def _step(
    view: View, request: SearchRequest, doc: int, at: int, total: int, score: float
) -> tuple[Step, list[Notice]]:
    """Return the step that lost a note, or that none did, and what is to be said of it."""
    path = view.lexical.path(doc)
    if not at:
        reasons = []
        if failed := _failed_filters(view, request, doc):
            reasons.append(Notice(WhyKind.FILTERED, path=path, filters=tuple(map(Notice, failed))))
        if parts := _failed_parts(view, request, doc):
            reasons.append(Notice(WhyKind.PART, path=path, parts=parts))
        if reasons:
            return "filtered", reasons
        if request.is_deep:
            most = view.vault.settings.deep.candidates
            return "no words", [Notice(WhyKind.NOT_LISTED, path=path, most=most)]
        return "no words", [Notice(WhyKind.NO_WORDS, path=path)]
    if not request.allows(score):
        least = ParameterName(f"min_score={request.min_score:.2f}")
        return "low score", [Notice(WhyKind.LOW_SCORE, path=path, score=score, least=least)]
    last = total if request.limit is None else request.offset + request.limit
    if at > last:
        return "below", [Notice(WhyKind.BELOW, path=path, place=at, total=total, shown=last)]
    return "found", [Notice(WhyKind.FOUND, path=path, place=at, total=total, score=score)]


def _failed_filters(view: View, request: SearchRequest, doc: int) -> list[NoticeKind]:
    """Return the request's filters that no passage of a note passes; all of them, if only together."""
    given = filters_of(request)

    def passes(filters: Sequence[NoticeKind]) -> bool:
        others = [kind for kind in given if kind not in filters]
        return bool(chunk_filter(view, unfiltered(request, others)).mask[_chunks(view, doc)].any())

    return [kind for kind in given if not passes([kind])] or ([] if passes(given) else given)


def _chunks(view: View, doc: int) -> Ids:
    return np.flatnonzero((view.lexical.note_of == doc) & view.lexical.chunks)


def _failed_parts(view: View, request: SearchRequest, doc: int) -> tuple[str, ...]:
    """Return what the queries ask for that a note does not meet; nothing where one lets it through."""
    note = np.zeros_like(view.snapshot.visible)
    note[doc] = True
    failed = [
        [part for part in query.filters if not matching_notes(view, [part], note).any()]
        for query in queries_of(view.snapshot, request)
    ]
    return tuple(dict.fromkeys(written(part) for each in failed for part in each)) if all(failed) else ()


def _lacking(view: View, request: SearchRequest, doc: int) -> tuple[str, ...]:
    """Return the words of the queries that no passage of a note has."""
    lexical, held, words = view.lexical, set[str](), list[str]()
    for query in queries_of(view.snapshot, request):
        words += [word.text for word in ranking_words(query.positive, lexical.languages, query.spellings)]
        for chunk in _chunks(view, doc).tolist():
            held.update(lexical.matched(chunk, query.positive, query.spellings))
    return tuple(dict.fromkeys(word for word in words if word not in held))


def _advice(view: View, request: SearchRequest, doc: int, step: Step, at: int) -> list[Notice]:
    """Say which mode, limit or offset shows a note that passes all filters."""
    advice: list[Notice] = []
    if step in ("no words", "low score", "below") and not request.is_deep and view.vectors is not None:
        try:
            deep = _place(view, request.model_copy(update={"operation": "deep", "mode": "deep"}), doc)[0]
        except VaultError:
            # Without a model that can be run there is nothing to advise.
            deep = 0
        if deep and (not at or deep < at):
            advice.append(Notice(WhyKind.TRY_DEEP, place=deep))
    if step == "below":
        further = f"offset={at - 1}" if at > MOST_SHOWN else f"limit={at}"
        advice.append(Notice(WhyKind.TRY_FURTHER, further=ParameterName(further)))
    return advice
