"""A key in a note: a person at the terminal is asked before it leaves, a pipe leaves it out and says so."""

import io
import sys
from collections.abc import Callable
from typing import Any

import pytest

from app.cli import output
from app.config.settings import Settings
from app.llm.log import read_sent
from app.tests.cli.conftest import GARDEN, Run
from app.tests.cli.session import INTERRUPT, Session
from app.tests.llm.server import ModelServer, Reply

KEY = "sk-proj-abcDEF1234567890abcdEFGH"
MODEL = "ollama:m-cloud"
NOTICE = f"1 text that looks like a key was left out of what was sent to {MODEL}"
ACCOUNTS = f"# Accounts\n\nThe key of the greenhouse is {KEY}, from May.\n"
QUESTION = "What is the key of the greenhouse?"
CALL = {"query": "key greenhouse"}
ANSWER = {"overview": "One line.\nTwo lines.", "files": []}
COMMANDS: dict[str, tuple[tuple[str, ...], list[Reply]]] = {
    "ask": (("ask", QUESTION), [Reply(call=CALL, tool="search"), Reply(call=ANSWER, tool="final_result")]),
    "chat": (("chat",), [Reply(call={"operation": "fast", **CALL}), Reply("It is there.")]),
    "explain": (("find", "fast", "key greenhouse", "--explain"), [Reply("1: it names the key")]),
    "keyword": (
        ("find", "keyword", "which key", "--search-terms", "key of the"),
        [Reply("Accounts.md: it names the key")],
    ),
}
"""Every command that has a model read what a note says, and what the model replies."""


@pytest.fixture
def garden(tiny_vault: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("VAULT_ASSISTANT_MODEL", MODEL)
    return str(tiny_vault({**GARDEN, "Accounts.md": ACCOUNTS}, name="garden").root)


def bodies(server: ModelServer) -> str:
    return "".join(str(seen.body) for seen in server.seen)


@pytest.mark.parametrize("name", COMMANDS)
def test_in_a_pipe_it_is_left_out_and_the_answer_says_so(
    run: Run, garden: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    words, replies = COMMANDS[name]
    server.replies = list(replies)
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{QUESTION}\nAnd now?\n"))
    answered = run(*words, "--vault", garden)
    assert answered.code in (0, 1), answered.err
    assert (answered.out + answered.err).count(NOTICE) == 1
    assert "[key left out]" in bodies(server)
    assert KEY not in bodies(server)
    assert KEY not in "".join(entry.text for entry in read_sent(Settings().state_folder))
    assert "characters · 1 × [key left out]" in run("status", "--sent").out


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("ask", "s"),
        ("ask", ""),
        ("ask", "q"),
        ("chat", "s"),
        ("chat", "q"),
        ("explain", ""),
        ("keyword", "q"),
    ],
)
def test_a_person_is_asked_and_their_word_holds(
    run: Run, garden: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch, name: str, word: str
) -> None:
    words, replies = COMMANDS[name]
    server.replies = list(replies)
    lines = f"{QUESTION}\n{word}\n/quit\n" if name == "chat" else f"{word}\n{word}\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    monkeypatch.setattr(output, "is_interactive", lambda: True)
    answered = run(*words, "--vault", garden)
    question = f"A text that looks like a key would be sent to {MODEL}, at {server.url}/v1:"
    assert answered.err.count(question) == 1
    assert "  sk-p…, near 'Accounts.md'\n[s] send it, [Enter] leave it out this time" in answered.err
    assert KEY not in answered.err
    assert (KEY in bodies(server)) is (word == "s")
    assert ("[key left out]" in bodies(server)) is (word == "")
    assert (answered.out + answered.err).count(NOTICE) == (word == "")
    said = f"nothing was sent to {MODEL}: you stopped at a text that looks like a key"
    assert (said in answered.out + answered.err) is (word == "q")


def test_on_a_real_terminal_with_ctrl_c(garden: str, server: ModelServer) -> None:
    words = (*COMMANDS["explain"][0], "--lang", "fr", "--vault", garden)
    with Session(*words, environment={"TERM": "dumb"}) as session:
        session.wait_for("[q] ne rien envoyer")
        assert f"Un texte qui ressemble à une clé serait envoyé à {MODEL}" in session.text
        session.type(INTERRUPT)
        assert session.end() == 130
    assert "sk-p" in session.text
    assert KEY not in session.text
    assert server.seen == []
