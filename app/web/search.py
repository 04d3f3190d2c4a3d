"""The page that searches: results as one types, what narrows them, and why each was found."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from app.search.searcher import searcher_for
from app.web.asked import PAGE, Asked, read_place
from app.web.context import context_of
from app.web.facets import count_facets
from app.web.found import show
from app.web.marks import Marker
from app.web.pages import page, wants_fragment


def search_page(request: Request) -> Response:
    """Show the box and its results; for htmx the results alone, which then ask for the facets."""
    asked = Asked.of(request.query_params)
    context = context_of(request)
    searcher = searcher_for(context.vault)
    results = searcher.search(asked.request())
    view = searcher.view()
    marker = Marker(view, [asked.query])
    found = [
        show(view, marker, result, asked.offset + number) for number, result in enumerate(results.results, 1)
    ]
    values: dict[str, Any] = {
        "asked": asked,
        "found": found,
        "total": results.total,
        "notices": results.notices,
        "last_page": max(1, -(-results.total // PAGE)),
        "step": context.keeper.step,
    }
    if wants_fragment(request):
        return page(request, "search/results.html", **values)
    facets = count_facets(view, context.vault, asked)
    return page(request, "search/page.html", facets=facets, **values)


def facets_part(request: Request) -> Response:
    """Show the facets and the timeline of a search."""
    asked = Asked.of(request.query_params)
    vault = context_of(request).vault
    facets = count_facets(searcher_for(vault).view(), vault, asked)
    return page(request, "search/facets.html", asked=asked, facets=facets, out_of_band=True)


def why_part(request: Request) -> Response:
    """Say why one result was found, and how the query was read."""
    asked, place = Asked.of(request.query_params), read_place(request.query_params)
    searcher = searcher_for(context_of(request).vault)
    results = searcher.search(asked.request(explain=True, offset=place - 1, limit=1))
    reason = results.results[0].relevance_reason if results.results else None
    return page(request, "search/why.html", reason=reason, notices=results.notices)
