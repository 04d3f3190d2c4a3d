"""The page that searches: results as one types, what narrows them, and why each was found."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from app.errors import VaultError
from app.search.searcher import searcher_for
from app.web.asked import PAGE, Asked, read_place
from app.web.context import WebContext, context_of
from app.web.facets import NO_FACETS, Facets, count_facets
from app.web.found import show
from app.web.marks import Marker
from app.web.pages import page, wants_fragment


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
        failed = {"asked": Asked.typed(request.query_params), "error": error, "facets": NO_FACETS}
        # Half a date is no failure while one types; the browser would log it as one.
        status = 200 if part else 400
        return page(request, "search/failed.html" if part else "search/page.html", status=status, **failed)
    answer = page(request, "search/results.html" if part else "search/page.html", **values)
    if part:
        # Without it the address would have the empty fields of the form as well.
        answer.headers["HX-Replace-Url"] = asked.url()
    return answer


def _results(context: WebContext, asked: Asked) -> dict[str, Any]:
    searcher = searcher_for(context.vault)
    results = searcher.search(asked.request())
    view = searcher.view()
    marker = Marker(view, [asked.query])
    return {
        "asked": asked,
        "found": [show(view, marker, one, asked.offset + at) for at, one in enumerate(results.results, 1)],
        "total": results.total,
        "notices": results.notices,
        "last_page": max(1, -(-results.total // PAGE)),
        "step": context.keeper.step,
    }


def _facets(context: WebContext, asked: Asked) -> Facets:
    searcher = searcher_for(context.vault)
    return searcher.mended(lambda: count_facets(searcher.view(), context.vault, asked))


def facets_part(request: Request) -> Response:
    """Show the facets and the timeline of a search."""
    asked = Asked.of(request.query_params)
    searcher_for(context_of(request).vault).freshen()
    facets = _facets(context_of(request), asked)
    return page(request, "search/facets.html", asked=asked, facets=facets, out_of_band=True)


def why_part(request: Request) -> Response:
    """Say why one result was found, and how the query was read."""
    asked, place = Asked.of(request.query_params), read_place(request.query_params)
    searcher = searcher_for(context_of(request).vault)
    results = searcher.search(asked.request(explain=True, offset=place - 1, limit=1))
    reason = results.results[0].relevance_reason if results.results else None
    return page(request, "search/why.html", reason=reason, notices=results.notices)
