"""The search page: its results, the facets beside them, and why a note was found."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from app.chat.evidence.gather import MOST
from app.errors import VaultError
from app.markdown.plain import read_line
from app.notices import Fact, Notice, NoticeKind
from app.search.embedding.loading import is_installed
from app.search.index.chunk import split_lines
from app.search.index.snapshot import VaultSnapshot
from app.search.inventory import spelling
from app.search.lexical.analysis import in_order
from app.search.lexical.sparse import Ids
from app.search.models import SearchRequest, SearchResult
from app.search.query.filters import chunk_filter
from app.search.query.read import parse_question
from app.search.rank.by_model import unasked
from app.search.rank.merge import rank_passages
from app.search.searcher import searcher_for
from app.search.view import View
from app.sentences import Sentence, Worded
from app.stopping import go_on
from app.vault.client import VaultClient
from app.vault.obsidian import template_places
from app.vault.paths import path_key
from app.web.pages import WebContext, context_of, page, wants_fragment
from app.web.request import EVERYTHING, PAGE, Asked, read_position
from app.web.results import Found, show

if TYPE_CHECKING:
    from app.search.vectors.vectors import Semantic

TAG, FOLDER = "tag:", "folder:"
"""What the index puts before them, where it lists what a note has."""
MOST_TAGS = 60
LEAST_NEAR = 0.05
"""Where even the first result by meaning is less likely to be right, nothing is said to be found."""
MOST_OPENING = 4
"""Lines of a note that is listed without having been searched for its words."""
HOW_IT_WAS_READ = (NoticeKind.ASKS_FOR, NoticeKind.ASKS_FOR_ALL)


@dataclass(frozen=True, slots=True)
class Count:
    """How many results have a value; ``value`` is what the address is given."""

    name: str
    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """The results by what can narrow them."""

    tags: tuple[Count, ...] = ()
    folders: tuple[Count, ...] = ()


NO_FACETS = Facets()


def count_facets(view: View, asked: Asked) -> Facets:
    """Count what a search finds by words.

    Raises:
        VaultError: as a search does.
    """
    docs = _found(view, _whole(asked))
    go_on()
    counts = np.bincount(view.lexical.note_of[docs], minlength=view.lexical.size)
    if asked.lists_notes:
        counts = np.minimum(counts, 1)
    return Facets(
        _tag_counts(view.snapshot, counts, asked.tags), _folder_counts(view.snapshot, counts, asked.folder)
    )


def _whole(asked: Asked) -> SearchRequest:
    """Return a search by words of which all is wanted.

    By meaning nothing is found or not: all of a small vault is merely nearer or further.
    """
    return replace(asked, mode="fast").request(offset=0).model_copy(update={"limit": None})


def _found(view: View, request: SearchRequest) -> Ids:
    """Return all passages that a request finds, in any order."""
    if request.query == EVERYTHING:
        # There is nothing to rank by, and to put all in order would take longer than to count them.
        return np.flatnonzero(chunk_filter(view, request).mask)
    return np.array([item.doc for item in rank_passages(view, request).items], np.int64)


def _tag_counts(snapshot: VaultSnapshot, counts: Ids, chosen: Sequence[str]) -> tuple[Count, ...]:
    """Count by tag, the most frequent first; those that are chosen are left out."""
    sums = dict(snapshot.lexical.tally(TAG, counts))
    for tag in chosen:
        sums.pop(TAG + path_key(tag), None)
    ordered = sorted(sums, key=lambda term: (-sums[term], in_order(term)))[:MOST_TAGS]
    names = {
        term: spelling(snapshot.note(_first(snapshot, term, counts)).tags, term.removeprefix(TAG))
        for term in ordered
    }
    return tuple(Count(names[term], names[term], sums[term]) for term in ordered)


def _folder_counts(snapshot: VaultSnapshot, counts: Ids, chosen: str) -> tuple[Count, ...]:
    """Count by the folders directly below the chosen one."""
    inside = FOLDER + (path_key(chosen) + "/" if chosen else "")
    sums = snapshot.lexical.tally(inside, counts)
    paths = {
        spelling([snapshot.lexical.path(_first(snapshot, term, counts))], term.removeprefix(FOLDER)): sums[
            term
        ]
        for term in sums
        if "/" not in term[len(inside) :]
    }
    ordered = sorted(paths, key=lambda path: (-paths[path], in_order(path)))
    return tuple(Count(path.rpartition("/")[2], path, paths[path]) for path in ordered)


def _first(snapshot: VaultSnapshot, term: str, counts: Ids) -> int:
    """Return the first note that is counted and has a term."""
    notes = snapshot.lexical.docs_with(term)
    return int(notes[counts[notes] > 0][0])


def search_page(request: Request) -> Response:
    """Show the box and its results; for htmx the results alone, which then ask for the facets.

    What is wrong with a search is said in the place of the results, so that it can be mended.
    """
    part = wants_fragment(request)
    try:
        asked = Asked.of(request.query_params)
        values = _results(context_of(request), asked)
        if not part:
            values["facets"] = _facets(context_of(request), asked)
    except VaultError as error:
        keeper = context_of(request).keeper
        failed = {
            "asked": Asked.typed(request.query_params),
            "error": error,
            "facets": NO_FACETS,
            "keeper": keeper,
            "is_part": part,
        }
        # Half a date is no failure while one types; the browser would log it as one.
        status = 200 if part else 400
        return page(request, "search/failed.html" if part else "search/page.html", status=status, **failed)
    answer = page(request, "search/results.html" if part else "search/page.html", **values)
    if part:
        # Without it the address would have the empty fields of the form as well.
        answer.headers["HX-Replace-Url"] = asked.url()
    return answer


def meaning_part(request: Request) -> Response:
    """Show the results of a search by words and meaning, with what narrows them; where it has none, why."""
    context = context_of(request)
    vectors = searcher_for(context.vault).vectors
    try:
        if vectors is not None and (waits_for := _without_vectors(context, vectors)):
            return page(request, "search/meaning.html", reason=waits_for, is_waiting=True)
        asked = replace(Asked.of(request.query_params), mode="deep")
        with unasked():
            values = _results(context, asked)
        if missing := _without_meaning(values["notices"]):
            is_waiting = vectors is not None and vectors.is_being_made
            return page(request, "search/meaning.html", reason=missing, is_waiting=is_waiting)
        facets = NO_FACETS if values["is_distant"] else _facets(context, asked)
    except VaultError as error:
        return page(request, "search/meaning.html", reason=error.message, is_waiting=False)
    return page(request, "search/meaning.html", **values, facets=facets)


def _without_vectors(context: WebContext, vectors: "Semantic") -> Notice | None:
    """Say what a search by meaning would have to wait for; None where it can be asked, or never will.

    It is asked where most passages have vectors, as by a question that names no mode.

    Raises:
        VaultError: the model cannot be used.
    """
    keeper = context.keeper
    # Without the library the search says at once what to install.
    if not is_installed() or not keeper.want_meaning():
        return None
    keeper.check_meaning()
    if not vectors.is_open:
        return Sentence(
            "search by meaning waits until the index is built"
            if keeper.pace
            else "search by meaning is being made ready: its model is loading"
        )
    snapshot = searcher_for(context.vault).view().snapshot
    share = vectors.wanted().joined(snapshot).share
    if share <= MOST and keeper.gives_meaning:
        return Sentence(
            "search by meaning is being prepared: {share:.0%} of the passages are ready", share=share
        )
    return None


def _without_meaning(notices: Sequence[Notice]) -> str:
    """Return why words alone found what a search by meaning gave; empty where they did not."""
    for notice in notices:
        if notice.template is NoticeKind.FOUND_BY_WORDS:
            return str(notice.facts["reason"])
        if notice.template is NoticeKind.SOME_HAVE_VECTORS and notice.facts["share"] == 0:
            return notice
    return ""


def _results(context: WebContext, asked: Asked) -> dict[str, Any]:
    """Return what the page of a search shows."""
    searcher = searcher_for(context.vault)
    results, view = searcher.searched(_request(context.vault, asked))
    found = _shown(view, results.results, asked)
    is_distant = asked.mode == "deep" and bool(found) and results.results[0].score < LEAST_NEAR
    return {
        "asked": asked,
        "is_distant": is_distant and asked.page == 1,
        "found": found,
        "notes": _by_note(found),
        "nearest": _shown(view, results.nearest, asked),
        "total": results.total,
        "notices": results.notices,
        "last_page": max(1, -(-results.total // PAGE)),
        "keeper": context.keeper,
        "is_by_meaning": asked.mode == "deep" and bool(asked.query) and not _without_meaning(results.notices),
        "can_join": searcher.vectors is not None
        and asked.mode == "fast"
        and asked.page == 1
        and bool(parse_question(asked.query).positive),
    }


def _request(vault: VaultClient, asked: Asked) -> SearchRequest:
    """Return the request of a page; where nothing is asked, for the newest notes but templates."""
    if asked.query or asked.is_narrowed:
        return asked.request()
    starts = template_places(vault.root).starts
    escaped = (re.sub(r"[/\\^$.*+?()\[\]{}|]", r"\\\g<0>", start) for start in starts)
    return asked.request(query=" ".join(f"-path:/^{start}/" for start in escaped) or EVERYTHING)


def _shown(view: View, results: Sequence[SearchResult], asked: Asked) -> list[Found]:
    """Prepare results to be shown; a note that was not searched for its words shows how it begins."""
    found, flows = [], view.vault.obsidian.strict_line_breaks
    lists_notes, snapshot = asked.lists_notes, view.snapshot
    for place, result in enumerate(results, asked.offset + 1):
        doc = snapshot.doc(result.path)
        # The lines of a result were held against this text when they were read from the vault just now.
        text = "" if doc is None else snapshot.texts[doc].raw
        opened = _opened(view, result, split_lines(text)) if lists_notes else result
        found.append(show(snapshot, opened, place, flows=flows, text=text))
    return found


def _opened(view: View, result: SearchResult, lines: Sequence[str]) -> SearchResult:
    """Show of a note the lines it begins with, below its title."""
    doc = view.snapshot.doc(result.path)
    body = view.snapshot.note(doc).body if doc is not None else 1
    begun = [
        (number, line)
        for number, line in enumerate(lines[body - 1 :], body)
        if line.strip() and line.lstrip("# ").strip() != result.title
    ]
    return result.model_copy(update={"excerpt_lines": tuple(begun[:MOST_OPENING])})


def _by_note(found: Sequence[Found]) -> list[list[Found]]:
    """Put the passages of one note together, where the best of them stands."""
    notes: dict[str, list[Found]] = {}
    for one in found:
        notes.setdefault(one.path, []).append(one)
    return list(notes.values())


def _facets(context: WebContext, asked: Asked) -> Facets:
    searcher, whole = searcher_for(context.vault), _whole(asked)

    def count() -> Facets:
        view = searcher.view(whole)
        return count_facets(view, asked)

    return searcher.mended(count)


def facets_part(request: Request) -> Response:
    """Show the facets of a search."""
    asked = Asked.of(request.query_params)
    searcher_for(context_of(request).vault).freshen()
    facets = _facets(context_of(request), asked)
    return page(request, "search/facets.html", asked=asked, facets=facets)


def why_part(request: Request) -> Response:
    """Say why one result was found, how likely it answers, and how the query was read."""
    asked, place = Asked.of(request.query_params), read_position(request.query_params)
    searcher = searcher_for(context_of(request).vault)
    results = searcher.search(asked.request(explain=True, offset=place - 1, limit=1))
    found = results.results[0] if results.results else None
    because = found.because if found else None
    given = found.relevance_reason if found else None
    return page(
        request,
        "search/why.html",
        found=found,
        words=because.words if because else (),
        nearest=read_line(because.nearest).text if because else "",
        # What a language model said, where one is configured and did.
        told="" if because is not None and isinstance(given, Worded) else given or "",
        score=found.score if found and asked.query else None,
        kept=list(_kept(results.notices)),
        notices=[each for each in results.notices if each.template not in HOW_IT_WAS_READ],
    )


def _kept(notices: Sequence[Notice]) -> Iterator[Fact]:
    """Yield what a query lets through, each part that filters."""
    for notice in notices:
        parts = notice.facts.get("parts", ()) if notice.template is NoticeKind.ASKS_FOR else ()
        for part in parts if isinstance(parts, tuple) else ():
            if isinstance(part, Notice) and part.template is NoticeKind.COUNTED_PART:
                yield part.facts["part"]
