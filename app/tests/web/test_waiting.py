"""A search whose browser has gone: what it still does."""

import socket
import threading
import time
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from app.search.models import SearchRequest, SearchResult, SearchResults
from app.search.searcher import Searcher
from app.search.show.results import Shower
from app.search.view import View
from app.stopping import GivenUp, is_given_up
from app.tests.conftest import MakeVault
from app.tests.web.browser.serving import LEXICAL, TOKEN, indexed, serving

WAIT_SECONDS = 300


def test_a_search_that_its_browser_aborts_shows_no_further_result(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = indexed(tiny_vault({f"{n}.md": f"kiln {n}\n" for n in range(8)}, index=LEXICAL))
    shown: list[str] = []
    began, ended, ends = threading.Event(), threading.Event(), list[type[BaseException]]()
    show, search = Shower.result, Searcher.searched

    def counted(shower: Shower, item: object) -> SearchResult:
        result = show(shower, item)  # type: ignore[arg-type]
        shown.append(result.path)
        if not began.is_set():
            began.set()
            until = time.monotonic() + WAIT_SECONDS
            while not is_given_up() and time.monotonic() < until:
                time.sleep(0.01)
        return result

    def ending(searcher: Searcher, request: SearchRequest, **how: Any) -> tuple[SearchResults, View]:
        try:
            return search(searcher, request, **how)
        except GivenUp as error:
            ends.append(type(error))
            raise
        finally:
            ended.set()

    monkeypatch.setattr(Shower, "result", counted)
    monkeypatch.setattr(Searcher, "searched", ending)
    with serving(vault) as served, httpx2.Client(base_url=served.url, timeout=300) as client:
        client.get(f"/enter?token={TOKEN}")
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        address = urlsplit(served.url)
        with socket.create_connection((address.hostname, address.port)) as aborted:
            aborted.sendall(
                f"GET /?q=kiln HTTP/1.1\r\nHost: {address.netloc}\r\nCookie: {cookies}\r\n\r\n".encode()
            )
            assert began.wait(WAIT_SECONDS)
        assert ended.wait(WAIT_SECONDS)
        assert (len(shown), ends) == (1, [GivenUp])
        shown.clear()
        assert client.get("/?q=kiln").status_code == 200
        assert sorted(shown) == [f"{n}.md" for n in range(8)]
