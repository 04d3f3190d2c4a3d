"""A real server holds few connections, waits for none for ever, and still answers who asks."""

import re
import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.limits import CONNECTIONS, HEADER_BYTES
from app.tests.conftest import MakeVault

# The command with shorter waits, so that a test need not wait as long as a person may.
PROGRAM = """
import sys
import app.serving.http
app.serving.http.HEAD_SECONDS, app.serving.http.BODY_SECONDS = {head}, {body}
from app.cli.main import main
sys.exit(main({arguments!r}))
"""
TOKEN = "a token of decent length"
Port = int


@pytest.fixture(params=["serve", "mcp"])
def surface(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def started(vault: Path, surface: str, *, head: float = 30, body: float = 30) -> Iterator[Port]:
    """Run the server of one of the two surfaces until the test is over."""
    more = {"serve": ["serve", "--no-browser"], "mcp": ["mcp", "--http"]}[surface]
    arguments = [*more, "--vault", str(vault), "--port", "0", "--token", TOKEN]
    server = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(head=head, body=body, arguments=arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stderr is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", server.stderr.readline())
        assert found is not None
        yield int(found[1])
    finally:
        server.terminate()
        server.communicate(timeout=200)


@pytest.fixture
def port(tiny_vault: MakeVault, surface: str) -> Iterator[Port]:
    yield from started(tiny_vault({"A.md": "larch"}).root, surface)


@pytest.fixture
def hasty(tiny_vault: MakeVault, surface: str) -> Iterator[Port]:
    """A server that waits a moment only."""
    yield from started(tiny_vault({"A.md": "larch"}).root, surface, head=0.4, body=0.6)


def connect(port: Port, data: bytes = b"") -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), timeout=300)
    made.sendall(data)
    return made


def rest(connection: socket.socket) -> bytes:
    """What comes until the server closes; it may close before it has read all."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def head(method: str = "GET", *more: str) -> bytes:
    lines = [f"{method} /mcp HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {TOKEN}", *more]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode()


def is_open(connection: socket.socket, seconds: float = 0) -> bool:
    # `select.select` takes no file whose number is above 1,023, and many tests leave their indexes open.
    waiting = select.poll()
    waiting.register(connection, select.POLLIN)
    return not waiting.poll(seconds * 1000)


def test_a_head_that_never_ends_is_waited_for_a_while(hasty: Port) -> None:
    with closing(connect(hasty)) as silent, closing(connect(hasty, b"GET / HTTP/1.1\r\nHost: a\r\n")) as half:
        for connection in (silent, half):
            answer = rest(connection)
            assert answer.startswith(b"HTTP/1.1 408")
            assert b"the request did not arrive within 0.4 seconds" in answer


def test_a_head_that_drips_gains_no_time(hasty: Port) -> None:
    with closing(connect(hasty, b"GET / HTTP/1.1\r\n")) as slow:
        for _ in range(3_000):
            try:
                slow.sendall(b"X: y\r\n")
            except OSError:
                break
            if not is_open(slow, 0.05):
                break
        else:
            pytest.fail("the server was still waiting")


def test_a_body_that_never_comes_is_waited_for_a_while(hasty: Port, surface: str) -> None:
    sent = head("POST", "Content-Type: application/json", "Content-Length: 50") + b"abc"
    with closing(connect(hasty, sent)) as half:
        answer = rest(half)
    # The page refuses who has not come in without waiting for what he brings.
    assert (b"within 0.6 seconds" in answer) if surface == "mcp" else answer.startswith(b"HTTP/1.1 401")


def test_many_who_ask_nothing_lock_nobody_out(port: Port) -> None:
    silent = [connect(port) for _ in range(CONNECTIONS + 50)]
    try:
        with closing(connect(port, head())) as asking:
            assert re.match(rb"HTTP/1\.1 (401|4\d\d|200)", rest(asking))
        answers = [rest(connection) for connection in silent[:51]]
        assert all(b"this server holds 100 connections at once" in answer for answer in answers)
        assert all(map(is_open, silent[51:]))
    finally:
        for connection in silent:
            connection.close()


@pytest.mark.parametrize("size", [HEADER_BYTES + 1, 3 * HEADER_BYTES])
def test_a_head_that_is_too_large_is_told_the_limit(port: Port, size: int) -> None:
    with closing(connect(port, head("GET", "X: " + "a" * size))) as connection:
        answer = rest(connection)
    assert answer.startswith(b"HTTP/1.1 431")
    assert b"address and headers have more than 131,072 bytes" in answer
