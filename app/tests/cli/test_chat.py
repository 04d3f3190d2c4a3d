"""``ask`` and ``chat`` in the terminal."""

import io
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.cli import output
from app.cli.chat import IN_ENGLISH
from app.tests.cli.conftest import Run
from app.tests.cli.session import END, ENTER, INTERRUPT, Session

ROOT = Path(__file__).parents[3]
NEW_MODEL = (
    "import asyncio, json, os, sys\n"
    "from pydantic_ai.messages import ToolReturnPart\n"
    "from pydantic_ai.models.function import DeltaToolCall, FunctionModel\n"
    "import app.chat.ask.answer as answer\n"
    "from app.cli.main import main\n"
    "{model}"
    "answer.model_for = lambda vault, name: FunctionModel(stream_function=says)\n"
    "sys.exit(main(sys.argv[1:]))\n"
)


def test_ask_answers_with_the_note_and_its_lines(run: Run, garden: str) -> None:
    answered = run("ask", "--full", "How is the greenhouse heated?", "--vault", garden)
    assert (answered.code, answered.err) == (0, "")
    assert answered.out.startswith(
        "Here is what the notes say:\n`projects/garden/Greenhouse.md` lines 7-8:\n"
        "> The heating of the greenhouse\n> is electric. Back to [[Home]].\n"
    )
    assert "\nNote: this is the offline assistant: it searches and quotes" in answered.out
    note = Path(garden, "projects/garden/Greenhouse.md").read_text()
    assert f"\n\n---\n\n## projects/garden/Greenhouse.md\n\n{note}" in answered.out


def test_ask_says_what_it_cannot_answer_and_never_quotes_an_excluded_note(run: Run, garden: str) -> None:
    answered = run("ask", "zeppelin?", "--vault", garden)
    assert (answered.code, answered.out[:22]) == (1, "I found nothing in the")
    assert run("ask", " ", "--vault", garden).err.startswith("error: Invalid value: the question is empty\n")
    hidden = run("ask", "What is the secret of the diary?", "--vault", garden)
    assert not re.search("Diary|The secret", hidden.out)


def test_a_model_that_cannot_be_used_is_one_error(run: Run, garden: str) -> None:
    for command, model, error in (
        (["ask", "x"], "gpt-5", "error: unknown model 'gpt-5'\nhint: set 'model' to a name"),
        (
            ["chat"],
            "anthropic:x",
            "error: model 'anthropic:x' is not set up\nhint: set the environment variable",
        ),
    ):
        failed = run(*command, "--model", model, "--vault", garden)
        assert (failed.code, failed.out, failed.err.startswith(error)) == (2, "", True)
        assert len(failed.err.splitlines()) == 2


def test_the_configured_model_is_used_and_the_flag_wins(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_ASSISTANT_MODEL", "test")
    answered = run("ask", "hello", "--json", "--vault", garden).json
    assert answered["model"] == "test"
    assert "projects/garden/Greenhouse.md" in answered["overview"], "what is nearest is shown"
    offline = run("ask", "greenhouse", "--json", "--model", "offline", "--vault", garden).json
    assert offline["model"] == "offline"


def test_a_chat_from_a_pipe_answers_line_by_line(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (
        "How is the greenhouse heated?\n\nWhat is electric?\n/new\nheating\n/unknown\nexit\nnever reached\n"
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    talked = run("chat", "--vault", garden)
    assert talked.code == 0
    assert talked.out.count("projects/garden/Greenhouse.md") >= 2
    assert talked.out.count("this is the offline assistant") == 2, "once in each conversation"
    assert talked.err == "A new conversation.\nunknown command '/unknown'; /help lists the commands\n"
    assert "never" not in talked.out
    assert "> Here" not in talked.out, "no prompt in a pipe"


def test_a_model_that_fails_in_a_chat_does_not_end_it(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("VAULT_ASSISTANT_MODEL_RETRIES", "0")
    monkeypatch.setattr("pydantic_ai.models.ALLOW_MODEL_REQUESTS", True)
    monkeypatch.setattr(sys, "stdin", io.StringIO("one\ntwo\n"))
    failed = run("chat", "--model", "ollama:m", "--vault", garden)
    assert failed.code == 2
    assert failed.err.count("model 'ollama:m' did not come to an answer: its server cannot be reached") == 2


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_answer_in_a_pipe_ends_with_130(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(text: str) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)

    monkeypatch.setattr(sys, "stdin", io.StringIO("greenhouse\n"))
    monkeypatch.setattr(output, "say", interrupted)
    assert run("chat", "--vault", garden).code == 130


def test_on_a_real_terminal_a_write_after_an_interrupt_is_asked_about_afresh(garden: str) -> None:
    """A model that appends what it is told, and an interrupt at the question."""
    model = (
        "async def says(messages, info):\n"
        "    last = messages[-1].parts[-1]\n"
        "    if isinstance(last, ToolReturnPart):\n"
        "        yield 'Told: ' + last.content\n"
        "    else:\n"
        "        call = {'operation': 'append', 'path': 'Home', 'content': last.content}\n"
        "        yield {0: DeltaToolCall('note_operations', json.dumps(call), tool_call_id='1')}\n"
    )
    program = (sys.executable, "-c", NEW_MODEL.replace("{model}", model))
    with Session(
        "chat", "--vault", garden, program=program, rows=90, environment={"TERM": "dumb"}
    ) as session:
        session.wait_for(">")
        session.type("first" + ENTER)
        session.wait_for("[y/N]")
        assert "+first" in session.text
        session.type(INTERRUPT)
        session.wait_for("(interrupted)")
        at = len(session.text)
        session.type("third" + ENTER)
        session.wait_for("[y/N]", times=2)
        asked = session.text[at:]
        assert "+third" in asked
        session.type("y" + ENTER)
        session.wait_for("Told: Done: append to 'Home.md'.")
        session.type(END)
        assert session.end() == 0
    assert (asked.count("Write this?"), "first" in asked) == (1, False)
    assert Path(garden, "Home.md").read_text().endswith("\n\nthird\n")


def test_a_chat_streams_to_a_pipe_as_it_comes(garden: str) -> None:
    """A model that answers word by word, watched from outside: the first words come before the last."""
    model = (
        "async def says(messages, info):\n"
        "    yield 'first '\n"
        "    await asyncio.to_thread(os.read, int(os.environ['WAITS']), 1)\n"
        "    yield 'last'\n"
    )
    waits, go_on = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", NEW_MODEL.replace("{model}", model), "chat", "--vault", garden],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=[waits],
        env={**os.environ, "WAITS": str(waits)},
    ) as process:
        os.close(waits)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"hello\n")
        process.stdin.close()
        assert os.read(process.stdout.fileno(), 100) == b"first "
        os.close(go_on)
        assert process.stdout.read() == b"last\n"
    assert process.returncode == 0


def test_a_conversation_is_saved_as_a_note_and_what_cannot_be_is_said(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "/save\nHow is the greenhouse heated?\n/save Home\n/save ../out\n/save Talks/Heating\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    talked = run("chat", "--vault", garden)
    assert talked.code == 2
    assert talked.err.splitlines()[::2] == [
        "error: there is nothing to save yet",
        "error: there is a note at 'Home.md' already",
        "error: the path '../out' leads out of the vault",
        "Saved as 'Talks/Heating.md'; 'vault-assistant undo' takes it back.",
    ]
    saved = Path(garden, "Talks/Heating.md")
    assert '\nmodel: "offline"\nvault-assistant: chat\n---\n# How is the greenhouse' in saved.read_text()
    assert "[[Greenhouse]]" in saved.read_text()
    assert run("undo", "--yes", "--vault", garden).code == 0
    assert not saved.exists()


def test_the_commands_of_a_chat_have_french_names_too(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    lines = "heating\n/enregistrer Gardée\n/nouveau\n/aide\n/aider\n/quitter\nnever reached\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    talked = run("chat", "--vault", garden)
    said = talked.err.splitlines()
    assert said[:2] == [
        "Enregistré dans « Gardée.md » ; « vault-assistant undo » l'annule.",
        "Une nouvelle conversation.",
    ]
    assert all(name in talked.err for each in IN_ENGLISH.items() for name in each)
    assert said[-1] == "commande inconnue : « /aider » ; /aide liste les commandes"
    assert "never" not in talked.out
