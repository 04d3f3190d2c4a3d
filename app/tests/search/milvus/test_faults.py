"""A database that goes, hangs or comes back: an error in one line, or an answer that says what it lacks."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.errors import SearchError
from app.search.milvus import database
from app.search.milvus.database import NOTES
from app.search.searcher import Searcher
from app.tests.engines import LiteServer, free_port, no_milvus
from app.tests.search.conftest import paths
from app.tests.search.milvus.conftest import Open, ask, write
from app.tests.search.milvus.test_feed import engine_of
from app.tests.waiting import wait_until

pytestmark = [no_milvus, pytest.mark.slow]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiteServer]:
    monkeypatch.setattr(database, "SECONDS", 20.0)
    made = LiteServer(tmp_path / "data", free_port())
    made.start()
    yield made
    made.kill()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "vault", {f"n{number}.md": f"# N{number}\n\nlarch {number}\n" for number in range(30)})
    return tmp_path / "vault"


def answers(searcher: Searcher) -> bool:
    """Whether the connection stands again, which a client tries once a second."""
    try:
        return searcher.status() is not None
    except SearchError:
        return False


def one_line(error: pytest.ExceptionInfo[SearchError], server: LiteServer) -> str:
    text = str(error.value)
    assert "\n" not in text
    assert "Traceback" not in text
    assert server.uri in text
    return text


def test_a_server_killed_between_two_searches_is_named_and_found_again(
    root: Path, server: LiteServer, in_milvus: Open
) -> None:
    searcher = in_milvus(root, uri=server.uri, remote_name="team")
    searcher.update()
    reader = in_milvus(root, folder="reader", uri=server.uri, remote_name="team", feeds=False)
    assert ask(reader, "fulltext", query="larch").total == 30
    server.kill()
    with pytest.raises(SearchError) as error:
        ask(reader, "fulltext", query="larch")
    assert "see that it runs there" in one_line(error, server)
    server.start()
    wait_until(lambda: answers(reader))
    assert ask(reader, "fulltext", query="larch").total == 30


def test_a_server_killed_while_notes_are_brought_loses_none(
    root: Path, server: LiteServer, in_milvus: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.search.milvus.feed.NOTES_AT_ONCE", 5)
    searcher = in_milvus(root, uri=server.uri)
    remote = engine_of(searcher).remote
    upsert, left = remote.upsert, [3]

    def killing(kind: str, rows: list[dict[str, object]]) -> None:
        left[0] -= kind == NOTES
        if left[0] == 0:
            server.kill()
        upsert(kind, rows)

    monkeypatch.setattr(remote, "upsert", killing)
    with pytest.raises(SearchError) as error:
        searcher.update()
    one_line(error, server)
    monkeypatch.setattr(remote, "upsert", upsert)
    server.start()
    wait_until(lambda: answers(searcher))
    # The lease that could not be given back is this machine's own.
    searcher.update()
    assert set(paths(ask(searcher, "fulltext", query="larch"))) == {f"n{number}.md" for number in range(30)}


def test_a_server_that_hangs_ends_a_search_after_a_set_time(
    root: Path, server: LiteServer, in_milvus: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_milvus(root, uri=server.uri, remote_name="team").update()
    reader = in_milvus(root, folder="reader", uri=server.uri, remote_name="team", feeds=False)
    assert server.process is not None
    monkeypatch.setattr(database, "SECONDS", 2.0)
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        with pytest.raises(SearchError) as error:
            ask(reader, "fast", query="larch")
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
        monkeypatch.setattr(database, "SECONDS", 20.0)
    one_line(error, server)
    assert ask(reader, "fast", query="larch").total == 30


def test_where_bringing_fails_the_answer_says_so(
    root: Path, server: LiteServer, in_milvus: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    searcher = in_milvus(root, uri=server.uri)
    searcher.update()
    write(root, {"new.md": "larch, new\n"})

    def full(*_: object) -> None:
        raise SearchError("the disk there is full", "")

    monkeypatch.setattr(engine_of(searcher).remote, "upsert", full)
    found = ask(searcher, "fulltext", query="larch")
    assert found.total == 30
    assert any(
        "could not be brought up to date in Milvus: the disk there is full" in n for n in found.notices
    )


def test_an_address_where_nothing_listens_is_named(
    root: Path, in_milvus: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "SECONDS", 2.0)
    uri = f"http://127.0.0.1:{free_port()}"
    reader = in_milvus(root, uri=uri, feeds=False)
    with pytest.raises(SearchError, match="Milvus at '" + uri):
        ask(reader, "fast", query="larch")
