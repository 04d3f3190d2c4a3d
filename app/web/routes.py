"""Every address of the page, in one place."""

from typing import Any

from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from app.web.enter import enter
from app.web.files import file_part
from app.web.note import graph_data, note_page
from app.web.pages import STATIC
from app.web.search import facets_part, search_page, why_part
from app.web.status import progress_part, status_page
from app.web.talk.routes import talk_routes


def routes() -> list[BaseRoute]:
    """Give all routes, in the order in which they are tried."""
    return [
        Route("/", search_page),
        Route("/facets", facets_part),
        Route("/why", why_part),
        Route("/note/{path:path}", note_page),
        Route("/graph/{path:path}", graph_data),
        Route("/file/{path:path}", file_part),
        Route("/status", status_page),
        Route("/status/progress", progress_part),
        Route("/enter", enter, methods=["GET", "POST"]),
        *talk_routes(),
        Mount("/static", _Static(directory=STATIC)),
    ]


class _Static(StaticFiles):
    """Our own scripts and styles, asked for again each time: another version may have been installed."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - Starlette's own
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response
