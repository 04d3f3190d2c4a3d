"""What the search page is asked, to and from its address."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import quote_plus

from starlette.datastructures import QueryParams

from app.errors import BadRequestError
from app.search.models import Mode, SearchRequest
from app.search.query.read import parse_question
from app.search.query.tree import asks_of_notes
from app.search.request import parse_request
from app.sentences import Quoted

PAGE = 10
MOST_PAGES = 1000
EVERYTHING = "*"


@dataclass(frozen=True, slots=True)
class Asked:
    """One search as the address holds it; texts are as they were typed."""

    query: str = ""
    mode: Mode = "fast"
    tags: tuple[str, ...] = ()
    folder: str = ""
    scopes: tuple[str, ...] = ()
    start: str = ""
    end: str = ""
    page: int = 1

    @classmethod
    def of(cls, params: QueryParams) -> "Asked":
        """Read an address.

        Raises:
            BadRequestError: the page is not a number, or too high.
        """
        page = _whole(params.get("page", "1"), "page", MOST_PAGES)
        return replace(cls.typed(params), page=page)

    @classmethod
    def typed(cls, params: QueryParams) -> "Asked":
        """Read what was typed, right or wrong, on its first page."""
        return cls(
            query=params.get("q", "").strip(),
            mode="deep" if params.get("mode") == "deep" else "fast",
            tags=_texts(params, "tag"),
            folder=params.get("folder", "").strip().strip("/"),
            scopes=_texts(params, "scope"),
            start=params.get("from", "").strip(),
            end=params.get("to", "").strip(),
        )

    @property
    def is_narrowed(self) -> bool:
        """Whether anything besides the words says what is looked for."""
        return bool(self.tags or self.folder or self.scopes or self.start or self.end)

    @property
    def lists_notes(self) -> bool:
        """Whether notes are listed and counted, and not passages: nothing is asked of their text or days."""
        if self.start or self.end:
            return False
        try:
            root = parse_question(self.query).root
        except BadRequestError:
            return False
        return asks_of_notes(root)

    @property
    def offset(self) -> int:
        """How many results come before this page's."""
        return (self.page - 1) * PAGE

    def url(self, path: str = "/", **changes: Any) -> str:  # noqa: ANN401 - as the fields
        """Return the address of this search with some of its fields changed; the page starts over."""
        other = replace(self, **{"page": 1, **changes})
        fields = (
            ("q", (other.query,)),
            ("mode", ("" if other.mode == "fast" else other.mode,)),
            ("tag", other.tags),
            ("folder", (other.folder,)),
            ("scope", other.scopes),
            ("from", (other.start,)),
            ("to", (other.end,)),
            ("page", ("" if other.page == 1 else str(other.page),)),
        )
        query = "&".join(f"{name}={_quoted(value)}" for name, values in fields for value in values if value)
        return f"{path}?{query}" if query else path

    def request(self, **more: Any) -> SearchRequest:  # noqa: ANN401 - as `parse_request`
        """Return the request for one page of results.

        Args:
            more: Further parameters, which win.

        Raises:
            BadRequestError: something in it is not understood.
        """
        parameters = {
            "operation": "combined" if self.lists_notes else self.mode,
            "query": self.query or EVERYTHING,
            "tags": list(self.tags) or None,
            # Each further tag narrows.
            "match_all": True,
            "folder": self.folder or None,
            "scopes": list(self.scopes) or None,
            "start_date": self.start or None,
            "end_date": self.end or None,
            "limit": PAGE,
            "offset": self.offset,
        }
        return parse_request(parameters | more)


_quoted = lru_cache(maxsize=1024)(quote_plus)
"""A page has a hundred addresses, which differ by one field."""


def _texts(params: QueryParams, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in params.getlist(name) if text.strip()))


def _whole(text: str, name: str, most: int) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) < 9 and 1 <= int(text) <= most):
        raise BadRequestError(
            "'{name}' is {text}",
            "give a number from 1 to {most}",
            name=name,
            text=Quoted(text[:40]),
            most=most,
        )
    return int(text)


def read_position(params: QueryParams) -> int:
    """Read which result of a search is meant, from 1.

    Raises:
        BadRequestError: it is not a number, or too high.
    """
    return _whole(params.get("at", ""), "at", MOST_PAGES * PAGE)
