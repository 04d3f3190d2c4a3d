"""The page that searches."""

from starlette.requests import Request
from starlette.responses import Response

from app.web.pages import page


def search_page(request: Request) -> Response:
    """Show the box."""
    return page(request, "search.html")
