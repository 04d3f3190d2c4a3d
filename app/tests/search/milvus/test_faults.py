"""A database that goes, hangs or comes back: an error in one line, or an answer that says what it lacks."""

import os
import signal
import socket
import threading
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


class Wire:
    """Stands between a client and the server, and breaks after so many bytes of answers."""

    def __init__(self, port: int) -> None:
        self.port, self.breaks = port, 0
        self._left: int | None = None
        self._open: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.uri = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def break_after(self, answered: int) -> None:
        """Let so many bytes of answers through, then close every connection, once."""
        self._left = answered

    def close(self) -> None:
        self._listening.close()
        self._cut()

    def _accept(self) -> None:
        while True:
            try:
                near = self._listening.accept()[0]
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.port))
            self._open += [near, far]
            threading.Thread(target=self._pass, args=(near, far, False), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, True), daemon=True).start()

    def _pass(self, source: socket.socket, to: socket.socket, answers: bool) -> None:
        try:
            while data := source.recv(1 << 16):
                if answers:
                    if self._left is not None and (left := self._left - len(data)) < 0:
                        to.sendall(data[:left])
                        self._left, self.breaks = None, self.breaks + 1
                        self._cut()
                        return
                    self._left = None if self._left is None else left
                to.sendall(data)
        except OSError:
            # The other side was closed, here or there.
            pass
        for one in (source, to):
            one.close()

    def _cut(self) -> None:
        cut, self._open = self._open, []
        for one in cut:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                # It was closed before.
                continue


@pytest.fixture
def wire(server: LiteServer) -> Iterator[Wire]:
    made = Wire(server.port)
    yield made
    made.close()


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


def one_line(error: SearchError, uri: str) -> str:
    text = str(error)
    assert "\n" not in text
    assert "Traceback" not in text
    assert uri in text
    return text


def test_a_server_killed_between_two_searches(root: Path, server: LiteServer, in_milvus: Open) -> None:
    searcher = in_milvus(root, uri=server.uri, remote_name="team")
    searcher.update()
    reader = in_milvus(root, folder="reader", uri=server.uri, remote_name="team", feeds=False)
    assert ask(reader, "fulltext", query="larch").total == 30
    server.kill()
    with pytest.raises(SearchError) as error:
        ask(reader, "fulltext", query="larch")
    assert "see that it runs there" in one_line(error.value, server.uri)
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
    one_line(error.value, server.uri)
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
    one_line(error.value, server.uri)
    assert ask(reader, "fast", query="larch").total == 30


@pytest.mark.parametrize("answered", [0, 300, 3_000, 12_000])
def test_cut_in_an_answer(answered: int, root: Path, server: LiteServer, wire: Wire, in_milvus: Open) -> None:
    in_milvus(root, uri=server.uri, remote_name="team").update()
    reader = in_milvus(root, folder="reader", uri=wire.uri, remote_name="team", feeds=False)
    queries = ("larch 7", "larch 8", "larch -8")
    whole = {query: paths(ask(reader, "fast", query=query)) for query in queries}
    for query in queries:
        # What was read is asked for anew.
        engine_of(reader)._part.cache_clear()
        before = wire.breaks
        wire.break_after(answered)
        try:
            found = ask(reader, "fast", query=query)
        except SearchError as error:
            one_line(error, wire.uri)
        else:
            assert (paths(found), found.notices) == (whole[query], [])
        assert wire.breaks == before + 1, "the answer ended before the connection was to be cut"
        wait_until(lambda: answers(reader))
        assert paths(ask(reader, "fast", query=query)) == whole[query]


@pytest.mark.parametrize("answered", [500, 2_000, 5_000])
def test_a_connection_cut_while_notes_are_brought_loses_none(
    answered: int, root: Path, wire: Wire, in_milvus: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.search.milvus.feed.NOTES_AT_ONCE", 5)
    searcher = in_milvus(root, uri=wire.uri, remote_name="team")
    wire.break_after(answered)
    try:
        searcher.update()
    except SearchError as error:
        one_line(error, wire.uri)
    assert wire.breaks == 1
    wait_until(lambda: answers(searcher))
    searcher.update()
    reader = in_milvus(root, folder="reader", uri=wire.uri, remote_name="team", feeds=False)
    assert set(paths(ask(reader, "fulltext", query="larch"))) == {f"n{number}.md" for number in range(30)}
