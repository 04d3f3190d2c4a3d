"""A key in a note: a person at the terminal is asked before it leaves, a pipe leaves it out and says so."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli import output
from app.config.settings import Settings
from app.llm.log import read_sent
from app.tests.cli.conftest import GARDEN, Run
from app.tests.cli.session import INTERRUPT, Session
from app.tests.llm.server import ModelServer, Reply

ROOT = Path(__file__).parents[3]
KEY = "sk-proj-abcDEF1234567890abcdEFGH"
MODEL = "ollama:m-cloud"
NOTICE = f"1 text that looks like a key was left out of what was sent to {MODEL}"
ACCOUNTS = f"# Accounts\n\nThe key of the greenhouse is {KEY}, from May.\n"
QUESTION = "What is the key of the greenhouse?"


@pytest.fixture
def garden(tiny_vault: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("VAULT_ASSISTANT_MODEL", MODEL)
    return str(tiny_vault({**GARDEN, "Accounts.md": ACCOUNTS}, name="garden").root)


def commands(garden: str) -> dict[str, tuple[str, ...]]:
    """Every command that has a model read what a note says."""
    at = ("--vault", garden)
    return {
        "ask": ("ask", QUESTION, *at),
        "chat": ("chat", *at),
        "explain": ("find", "fast", "key greenhouse", "--explain", *at),
        "keyword": ("find", "keyword", "which key", "--search-terms", "key of the", *at),
    }


def replies(name: str) -> list[Reply]:
    answer = {"overview": "One line.\nTwo lines.", "files": []}
    return {
        "ask": [
            Reply(call={"query": "key greenhouse"}, tool="search"),
            Reply(call=answer, tool="final_result"),
        ],
        "chat": [Reply(call={"operation": "fast", "query": "key greenhouse"}), Reply("It is there.")],
        "explain": [Reply("1: it names the key")],
        "keyword": [Reply("Accounts.md: it names the key")],
    }[name]


def bodies(server: ModelServer) -> str:
    return "".join(str(seen.body) for seen in server.seen)


@pytest.mark.parametrize("name", ["ask", "chat", "explain", "keyword"])
def test_in_a_pipe_it_is_left_out_and_the_answer_says_so(
    run: Run, garden: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    server.replies = list(replies(name))
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{QUESTION}\nAnd now?\n"))
    answered = run(*commands(garden)[name])
    assert answered.code in (0, 1), answered.err
    assert (answered.out + answered.err).count(NOTICE) == 1
    assert "[key left out]" in bodies(server)
    assert KEY not in bodies(server)
    entries = read_sent(Settings().state_folder)
    assert KEY not in "".join(entry.text for entry in entries)
    # With `ask` the note stands in what comes with the question, and in what the model's own search finds.
    assert max(entry.left_out for entry in entries) == (2 if name == "ask" else 1)
    shown = run("status", "--sent").out
    assert "characters · 1 × [key left out]" in shown


def test_the_notice_is_french_where_the_question_is(run: Run, garden: str, server: ModelServer) -> None:
    server.replies = list(replies("ask"))
    answered = run("ask", f"Quelle est la clé de la serre : {KEY} ?", "--vault", garden)
    assert (
        f"Remarque : 1 texte qui ressemble à une clé a été laissé de côté dans ce qui a été envoyé à {MODEL}."
    ) in answered.out


@pytest.mark.parametrize("name", ["ask", "chat", "explain", "keyword"])
@pytest.mark.parametrize("word", ["s", "", "q"])
def test_a_person_is_asked_and_their_word_holds(
    run: Run, garden: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch, name: str, word: str
) -> None:
    server.replies = list(replies(name))
    lines = f"{QUESTION}\n{word}\n/quit\n" if name == "chat" else f"{word}\n{word}\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    monkeypatch.setattr(output, "is_interactive", lambda: True)
    answered = run(*commands(garden)[name])
    assert (
        answered.err.count(f"A text that looks like a key would be sent to {MODEL}, at {server.url}/v1:") == 1
    )
    assert "  sk-p…, near 'Accounts.md'\n[s] send it, [Enter] leave it out this time, [q] send nothing: " in (
        answered.err
    )
    assert KEY not in answered.err
    assert (KEY in bodies(server)) is (word == "s")
    assert ("[key left out]" in bodies(server)) is (word == "")
    assert (answered.out + answered.err).count(NOTICE) == (word == "")
    if word == "q":
        said = f"nothing was sent to {MODEL}: you stopped at a text that looks like a key"
        assert said in answered.out + answered.err
    if word == "s":
        monkeypatch.setattr(output, "is_interactive", lambda: False)
        server.seen.clear()
        server.replies = list(replies("explain"))
        run(*commands(garden)["explain"])
        assert KEY in bodies(server), "it was let go for good"


def test_a_person_who_writes_french_is_asked_in_french(
    run: Run, garden: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.replies = [Reply("1: la serre")]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    monkeypatch.setattr(output, "is_interactive", lambda: True)
    asked = run("find", "fast", "quelle est la key of the greenhouse", "--explain", "--vault", garden).err
    assert f"Un texte qui ressemble à une clé serait envoyé à {MODEL}" in asked
    assert "[e] l'envoyer, [Entrée] le laisser de côté cette fois, [q] ne rien envoyer : " in asked


def test_on_a_real_terminal_with_ctrl_c(garden: str, server: ModelServer) -> None:
    with Session(*commands(garden)["explain"], environment={"TERM": "dumb"}) as session:
        session.wait_for("send nothing:")
        session.type(INTERRUPT)
        assert session.end() == 130
    assert "sk-p" in session.text
    assert KEY not in session.text
    assert server.seen == []
