"""A resident that dies, hangs or talks nonsense costs a moment, and the caller answers alone."""

import signal
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.serving import wire
from app.serving.ask_resident import answer_by_resident
from app.serving.resident import Resident
from app.serving.socket import address_of
from app.serving.wire import UNABLE, WORKING, GoneError, receive, send
from app.tests.cli.conftest import Outcome
from app.tests.llm.conftest import server as server
from app.tests.llm.server import ModelServer, Reply
from app.tests.serving.conftest import Process, ended, found_by_resident, said_by_resident
from app.tests.waiting import wait_until
from app.vault.client import VaultClient

Start = Callable[..., Process]
Talk = Callable[[socket.socket], None]
HEATING = {"operation": "fast", "query": "heating"}


@contextmanager
def listening(vault: VaultClient, talk: Talk) -> Iterator[None]:
    """Listen where the resident would, and treat each connection as a test wishes."""
    path = address_of(vault)
    assert path is not None
    path.parent.mkdir(mode=0o700, parents=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen()

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                receive(connection)
                talk(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        yield
        thread.join(timeout=100)
        assert not thread.is_alive()


def silent(connection: socket.socket) -> None:
    assert connection.recv(1) == b""


def silent_later(connection: socket.socket) -> None:
    send(connection, WORKING)
    silent(connection)


def garbled(connection: socket.socket) -> None:
    connection.sendall(struct.pack(">I", 7) + b"garbage")


def listed(connection: socket.socket) -> None:
    connection.sendall(struct.pack(">I", 2) + b"[]")


def huge(connection: socket.socket) -> None:
    connection.sendall(struct.pack(">I", 4_000_000_000))
    silent(connection)


def cut(connection: socket.socket) -> None:
    send(connection, WORKING)
    connection.sendall(struct.pack(">I", 1000) + b'{"kind"')


def strange(connection: socket.socket) -> None:
    send(connection, {"kind": "strange"})


def unable(connection: socket.socket) -> None:
    send(connection, UNABLE)


@pytest.mark.parametrize("talk", [silent, silent_later, garbled, listed, huge, cut, strange, unable])
def test_the_caller_answers_alone(
    garden: VaultClient, run: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch, talk: Talk
) -> None:
    monkeypatch.setattr(wire, "FIRST_SECONDS", 0.1)
    monkeypatch.setattr(wire, "QUIET_SECONDS", 0.1)
    alone = run("find", "fast", "heating", "--vault", str(garden.root), alone=True)
    with listening(garden, talk):
        assert run("find", "fast", "heating", "--vault", str(garden.root)) == alone
    assert alone.code == 0


def test_a_resident_that_is_killed_in_the_middle_is_done_without(
    start: Start,
    garden: VaultClient,
    tmp_path: Path,
    run: Callable[..., Outcome],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Only the end of the resident ends the wait.
    monkeypatch.setattr(wire, "FIRST_SECONDS", 3600.0)
    alone = run("ask", "heating", "--vault", str(garden.root), alone=True)
    path = address_of(garden)
    assert path is not None
    resident = start("index", "--watch", "--vault", str(garden.root))
    resident.wait_until(path.exists)
    resident.process.send_signal(signal.SIGSTOP)
    killer = threading.Thread(target=ended, args=[resident])
    receives = receive

    def waited(connection: socket.socket) -> Any:
        # The request is sent, and nothing came back.
        killer.start()
        return receives(connection)

    monkeypatch.setattr(wire, "receive", waited)
    assert run("ask", "heating", "--vault", str(garden.root)) == alone
    killer.join()


def test_a_resident_that_fails_unexpectedly_is_done_without(
    garden: VaultClient, caplog: pytest.LogCaptureFixture
) -> None:
    with Resident(garden):
        assert answer_by_resident(garden, {"call": "find"}) is None
        assert "resident_failed" in [record.message for record in caplog.records]
        assert found_by_resident(garden, **HEATING) is not None


def test_a_request_that_is_too_large_is_not_sent(garden: VaultClient) -> None:
    with Resident(garden):
        assert found_by_resident(garden, operation="fast", query="heating " * 200_000) is None
        assert found_by_resident(garden, **HEATING) is not None


def test_a_client_that_says_nothing_or_nonsense_does_no_harm(garden: VaultClient) -> None:
    with Resident(garden) as resident:
        for said in (b"", b"\xff\xff\xff\xff", struct.pack(">I", 5) + b"[1,2]", struct.pack(">I", 99) + b"{"):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.connect(str(resident.path))
                connection.sendall(said)
                connection.shutdown(socket.SHUT_WR)
                assert connection.recv(1) == b""
        assert found_by_resident(garden, **HEATING) is not None


def test_a_large_answer_arrives_whole() -> None:
    text = "é\udce9\x00\n" * 1_000_000
    ours, theirs = socket.socketpair()
    with ours, theirs:
        sender = threading.Thread(target=send, args=(ours, {"text": text}))
        sender.start()
        assert receive(theirs) == {"text": text}
        sender.join()
        with pytest.raises(GoneError, match="more than 10"):
            send(ours, {"text": text}, most=10)
        send(ours, {"text": "long"})
        with pytest.raises(GoneError, match="more than 10"):
            receive(theirs, most=10)


def test_an_answer_that_takes_long_is_waited_for(
    garden: VaultClient, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.serving.resident.BEAT_SECONDS", 0.05)
    server.replies = [Reply(status=400, body=b"{}", delay=0.5)]
    with Resident(garden):
        answer = said_by_resident(garden, "heating?", "ollama:qwen3")
    assert answer is not None
    assert answer["err"].startswith("error: ")
    assert "ollama:qwen3" in answer["err"]
    assert (answer["out"], answer["code"]) == ("", 2)
    assert len(server.seen) == 1


def test_a_question_whose_asker_is_gone_is_dropped(
    garden: VaultClient,
    server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("app.serving.resident.BEAT_SECONDS", 0.05)
    caplog.set_level("INFO")
    server.replies = [Reply("late", delay=30)]
    with Resident(garden) as resident:
        from app.serving.front import about

        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(str(resident.path))
            question = {
                "call": "ask",
                "question": "heating?",
                "model": "ollama:qwen3",
                "is_json": True,
                "is_for_agent": True,
                "is_full": False,
            }
            send(connection, question | about())
            waited = 0
            while not server.seen:
                assert receive(connection) in (WORKING, {"kind": "tell", "text": "search: heating?"})
                assert (waited := waited + 1) < 400
        wait_until(lambda: any(record.message == "resident_answered" for record in caplog.records))
