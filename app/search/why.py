"""Why a search of passages did not find one note: the step that lost it, and what would bring it up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

import numpy as np

from app.errors import VaultError
from app.notices import Notice, NoticeKind, WhyKind
from app.search.lexical.bm25 import ranking_words
from app.search.lexical.index import Ids, Mask
from app.search.models import Ranked, SearchRequest
from app.search.query.evaluate import matching_notes
from app.search.query.explain import describe
from app.search.query.filters import chunk_filter
from app.search.query.link_walk import find_target
from app.search.query.read import queries_of
from app.search.rank.merge import merged, rankings
from app.search.rank.pipeline import Found
from app.search.view import View
from app.sentences import ParameterName
from app.vault.paths import clean_path, path_key

Step = Literal[
    "unknown", "no note", "not indexed", "left out", "filtered", "no words", "below", "low score", "found"
]
"""Where a note was lost; ``unknown`` is said of one that is excluded as well."""

MOST_SHOWN = 100
"""The largest limit that a request may name; later passages are reached by an offset."""
_FILTERS: dict[NoticeKind, tuple[str, ...]] = {
    NoticeKind.FOLDER: ("folder",),
    NoticeKind.SCOPES: ("scopes",),
    NoticeKind.TAGS: ("tags",),
    NoticeKind.DATES: ("start", "end"),
}
"""The filters of a request, and the fields that each is written in."""


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


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a note's best passage stands in a ranking; ``rankings`` are those of the single queries."""

    at: int
    total: int
    best: Ranked | None
    rankings: Sequence[Found]


def why(view: View, request: SearchRequest) -> Why:
    """Find out where a search of passages lost the note that the request names.

    An excluded note is answered for as one that does not exist.

    Raises:
        BadRequestError: the name means several notes, or a filter of the request cannot be read.
    """
    snapshot, name = view.snapshot, str(request.note_path)
    path = find_target(snapshot, name, view.vault.is_excluded)
    if path is None or snapshot.is_excluded(path):
        return Why(name, "unknown", (Notice(WhyKind.UNKNOWN, name=name),), _near_names(view, name))
    doc = snapshot.doc(path)
    if doc is None:
        is_note = path.lower().endswith(".md")
        kind = WhyKind.NOT_INDEXED if is_note else WhyKind.NO_NOTE
        return Why(path, "not indexed" if is_note else "no note", (Notice(kind, path=path),))
    if not snapshot.visible[doc]:
        return Why(path, "left out", (Notice(WhyKind.LEFT_OUT, path=path),))
    return _Search(view, request.model_copy(update={"note_path": None}), path, doc).why()


def _near_names(view: View, name: str) -> tuple[Notice, ...]:
    """Name the notes whose names are nearest to one; none that is hidden is among them."""
    names: dict[str, list[str]] = {}
    for path, doc in view.lexical.paths().items():
        if view.snapshot.visible[doc] and not view.vault.is_excluded(path):
            for key in (path, path.rpartition("/")[2]):
                names.setdefault(path_key(key.removesuffix(".md")), []).append(path)
    wanted = path_key(clean_path(name).removesuffix(".md"))
    keys = dict.fromkeys((wanted, wanted.rpartition("/")[2]))
    near = [key for each in keys for key in get_close_matches(each, names, n=3, cutoff=0.6)]
    paths = tuple(dict.fromkeys(path for key in near for path in names[key]))[:5]
    return (Notice(NoticeKind.NEAR_NAMES, paths=paths),) if paths else ()


class _Search:
    """One request, and the note that it is asked about."""

    def __init__(self, view: View, request: SearchRequest, path: str, doc: int) -> None:
        self.view, self.request, self.path, self.doc = view, request, path, doc
        self.queries = queries_of(view.snapshot, request)
        self.note = np.zeros_like(view.snapshot.visible)
        self.note[doc] = True

    def why(self) -> Why:
        """Rank as the request does, without an end, and tell what stands before the note."""
        place = self._place(self.request)
        problems = tuple(
            Notice(WhyKind.PROBLEM, path=self.path, reason=reason)
            for reason in self.view.snapshot.note(self.doc).problems
        )
        if place.best is None:
            step, reasons, advice = self._not_ranked()
            return Why(self.path, step, (*reasons, *problems), advice, total=place.total)
        score = place.best.score
        step, reasons, advice = self._ranked(place, score)
        return Why(self.path, step, (*reasons, *problems), advice, place.at, place.total, score)

    def _place(self, request: SearchRequest, *, deep: bool = False) -> _Place:
        """Find the note in the whole ranking of a request, nothing cut off."""
        update = {"limit": None, "offset": 0, "min_score": None, "explain": False}
        whole = request.model_copy(update=update | ({"operation": "deep", "mode": "deep"} if deep else {}))
        chunks = chunk_filter(self.view, whole)
        found = rankings(self.view, whole, chunks)
        items = merged(self.view, whole, chunks, found).items
        for at, item in enumerate(items, start=1):
            if self._is_of_note(item.doc):
                return _Place(at, len(items), item, found)
        return _Place(0, len(items), None, found)

    def _is_of_note(self, chunk: int) -> bool:
        return int(self.view.lexical.note_of[chunk]) == self.doc

    # The note is not in the ranking

    def _not_ranked(self) -> tuple[Step, tuple[Notice, ...], tuple[Notice, ...]]:
        failed = self._failed_filters()
        parts = self._failed_parts()
        reasons = []
        if failed:
            reasons.append(Notice(WhyKind.FILTERED, path=self.path, filters=tuple(map(Notice, failed))))
        if parts:
            reasons.append(Notice(WhyKind.PART, path=self.path, parts=parts))
        if reasons:
            return "filtered", tuple(reasons), () if parts else tuple(self._wider(failed))
        if self.request.is_deep:
            most = self.view.vault.settings.deep.candidates
            reasons.append(Notice(WhyKind.NOT_LISTED, path=self.path, most=most))
        else:
            reasons.append(Notice(WhyKind.NO_WORDS, path=self.path))
        return "no words", (*reasons, *self._lacks()), (*self._spells(), *self._deeper(0))

    def _failed_filters(self) -> list[NoticeKind]:
        """Return the request's filters that no passage of the note passes; all of them, if only together."""
        given = {
            kind: fields
            for kind, fields in _FILTERS.items()
            if any(getattr(self.request, field) for field in fields)
        }
        failed = [kind for kind, fields in given.items() if not self._passes(fields)]
        everything = [field for fields in given.values() for field in fields]
        return failed or (list(given) if not self._passes(everything) else [])

    def _passes(self, fields: Sequence[str]) -> bool:
        """Return whether a passage of the note passes some of the request's filters."""
        others = [field for each in _FILTERS.values() for field in each if field not in fields]
        mask = chunk_filter(self.view, self._without(others)).mask
        return bool((mask & self._chunks()).any())

    def _without(self, fields: Sequence[str]) -> SearchRequest:
        defaults = {field: SearchRequest.model_fields[field].get_default() for field in fields}
        return self.request.model_copy(update=defaults)

    def _chunks(self) -> Mask:
        return self.view.snapshot.chunks_of(self.note)

    def _failed_parts(self) -> tuple[Notice, ...]:
        """Return what the queries ask for that the note does not meet; nothing where one lets it through."""
        failed = [
            [part for part in query.filters if not matching_notes(self.view, [part], self.note).any()]
            for query in self.queries
        ]
        return tuple(dict.fromkeys(describe(part) for each in failed for part in each)) if all(failed) else ()

    def _wider(self, failed: Sequence[NoticeKind]) -> Iterator[Notice]:
        """Say at which place the note stands without the filters that it fails."""
        place = self._place(self._without([field for kind in failed for field in _FILTERS[kind]]))
        if place.best is not None:
            yield Notice(WhyKind.TRY_WITHOUT, filters=tuple(map(Notice, failed)), place=place.at)

    # The note is in the ranking

    def _ranked(self, place: _Place, score: float) -> tuple[Step, tuple[Notice, ...], tuple[Notice, ...]]:
        limit, least = self.request.limit, self.request.min_score
        last = place.total if limit is None else self.request.offset + limit
        if least is not None and not self.request.allows(score):
            parameter = ParameterName(f"min_score={least:.2f}")
            low = Notice(WhyKind.LOW_SCORE, path=self.path, score=score, least=parameter)
            reasons = (low, *self._lists(place), *self._lacks())
            return "low score", reasons, (*self._spells(), *self._deeper(place.at))
        path, at, total = self.path, place.at, place.total
        if at <= last:
            there = Notice(WhyKind.FOUND, path=path, place=at, total=total, score=score)
            return "found", (there, *self._lists(place)), ()
        below = Notice(WhyKind.BELOW, path=path, place=at, total=total, shown=last)
        far = at > MOST_SHOWN
        parameter = ParameterName(f"offset={at - 1}" if far else f"limit={at}")
        further = Notice(WhyKind.TRY_FURTHER, further=parameter)
        reasons = (below, *self._lists(place), *self._lacks())
        return (
            "below",
            reasons,
            (*self._spells(), *self._deeper(at), further),
        )

    def _lists(self, place: _Place) -> Iterator[Notice]:
        """Say where the note stands by its words and by its meaning, where both were asked."""
        for ranking in place.rankings:
            if "words" in ranking.legs and "vectors" in ranking.legs:
                yield Notice(
                    WhyKind.LISTS,
                    words=self._at(ranking.legs["words"]),
                    meaning=self._at(ranking.legs["vectors"]),
                )
                if ranking.pool is not None and self.doc not in ranking.pool.notes:
                    yield Notice(WhyKind.BELOW_POOL, pool=len(ranking.pool.docs))

    def _at(self, ranked: Ids) -> Notice:
        at = np.flatnonzero(self.view.lexical.note_of[ranked] == self.doc)
        return (
            Notice(WhyKind.AT_PLACE, place=int(at[0]) + 1)
            if len(at)
            else Notice(WhyKind.NO_PLACE, most=len(ranked))
        )

    # What would bring it up

    def _lacking(self) -> tuple[str, ...]:
        """Return the words of the queries that no passage of the note has."""
        lexical, held, words = self.view.lexical, set[str](), list[str]()
        for query in self.queries:
            ranking = ranking_words(query.positive, lexical.languages, query.spellings)
            words += [word.text for word in ranking]
            for chunk in np.flatnonzero(self._chunks()).tolist():
                held.update(lexical.matched(chunk, query.positive, query.spellings))
        return tuple(dict.fromkeys(word for word in words if word not in held))

    def _lacks(self) -> Iterator[Notice]:
        if lacking := self._lacking():
            yield Notice(WhyKind.LACKS, path=self.path, words=lacking)

    def _spells(self) -> Iterator[Notice]:
        """Say which words of the note are nearest to those that it lacks."""
        for one in self.view.lexical.speller(self._chunks()).spellings(" ".join(self._lacking())):
            yield Notice(WhyKind.SPELLS, path=self.path, typed=one.typed, word=one.text)

    def _deeper(self, place: int) -> Iterator[Notice]:
        """Say where `deep` has the note, if that is further up than here and it can be asked."""
        if self.request.is_deep or self.view.vectors is None:
            return
        try:
            found = self._place(self.request, deep=True)
        except VaultError:
            # Without a model that can be run there is nothing to advise.
            return
        if any(ranking.legs for ranking in found.rankings) and found.at and (not place or found.at < place):
            yield Notice(WhyKind.TRY_DEEP, place=found.at)
