"""What can be asked of a vault: one function an operation, and the menu."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from app.notices import Notice, NoticeKind
from app.search.index.snapshot import VaultSnapshot
from app.search.models import Operation, Ranked, Ranking, SearchRequest
from app.search.query.explain import near_terms
from app.search.query.filters import note_filter
from app.search.rank.merge import rank_passages
from app.search.rank.notes import newest, rank_worded
from app.search.view import View

if TYPE_CHECKING:
    from app.search.query.link_walk import LinkedNotes

Operate = Callable[[View, SearchRequest], Ranking]


def fulltext(view: View, request: SearchRequest) -> Ranking:
    """Notes that hold all the words and phrases, ranked by relevance."""
    return rank_worded(view, request, note_filter(view, request))


def by_tag(view: View, request: SearchRequest) -> Ranking:
    """Notes with any, or all, of the tags, in text and properties; a parent finds its children."""
    return newest(view.snapshot, note_filter(view, request))


def by_link(view: View, request: SearchRequest) -> Ranking:
    """Notes that link to a note, or that it links to, with the lines the links stand on."""
    linked = _linked(view, request)
    mask = note_filter(view, request)
    near_first = sorted({found.distance for found in linked.notes.values()})
    items = [
        Ranked(doc, 1.0, linked.notes[doc].lines, linked.notes[doc].remark)
        for distance in near_first
        for doc in view.snapshot.newest_first(
            [d for d, found in linked.notes.items() if found.distance == distance]
        )
        if mask[doc]
    ]
    return Ranking(tuple(items), len(items), (*linked.notices, *_unshown(view.snapshot, linked)))


def by_date(view: View, request: SearchRequest) -> Ranking:
    """Notes created or modified within a range of days, newest first."""
    return newest(view.snapshot, note_filter(view, request), request.date_field)


def combined(view: View, request: SearchRequest) -> Ranking:
    """Notes that satisfy all of query, tags, dates, folder, scopes and links."""
    mask = note_filter(view, request)
    notices: tuple[Notice, ...] = ()
    if request.note_path:
        linked = _linked(view, request)
        among = np.zeros_like(mask)
        among[list(linked.notes)] = True
        mask = mask & among
        notices = linked.notices
    ranking = rank_worded(view, request, mask) if request.queries else newest(view.snapshot, mask)
    return ranking._replace(notices=(*notices, *ranking.notices))


def fast(view: View, request: SearchRequest) -> Ranking:
    """Chunks ranked by keywords (BM25); no model is loaded."""
    return rank_passages(view, request)


def deep(view: View, request: SearchRequest) -> Ranking:
    """Chunks ranked by keywords and meaning together."""
    return rank_passages(view, request)


def scoped(view: View, request: SearchRequest) -> Ranking:
    """Chunks ranked as by fast, or deep with mode=deep, inside the scopes only."""
    return rank_passages(view, request)


def keyword(view: View, request: SearchRequest) -> Ranking:
    """Notes found by terms with ripgrep, then judged by the language model."""
    from app.search.keyword.keyword import judged_notes

    ranking = judged_notes(view, request)
    near = near_terms(view.snapshot, request.search_terms)
    return ranking._replace(notices=(*ranking.notices, *near))


OPERATIONS: dict[Operation, Operate] = {
    "fulltext": fulltext,
    "by_tag": by_tag,
    "by_link": by_link,
    "by_date": by_date,
    "combined": combined,
    "fast": fast,
    "deep": deep,
    "scoped": scoped,
    "keyword": keyword,
}


def _linked(view: View, request: SearchRequest) -> "LinkedNotes":
    from app.search.query.link_walk import linked_notes

    return linked_notes(view.snapshot, str(request.note_path), request.direction, request.depth, view.hides)


def _unshown(snapshot: VaultSnapshot, linked: "LinkedNotes") -> list[Notice]:
    """Count the linked notes that no search shows, by the reason."""
    hidden = {"hidden:excluded": NoticeKind.EXCLUDED_NOTES, "hidden:left-out": NoticeKind.LEFT_OUT_NOTES}
    counts = {
        kind: len(set(snapshot.lexical.docs_with(term).tolist()) & set(linked.notes))
        for term, kind in hidden.items()
    }
    return [Notice(kind, count=count) for kind, count in counts.items() if count]
