"""``ask`` and ``chat`` in the terminal."""

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from app.cli import output
from app.cli.chat import IN_ENGLISH
from app.tests.cli.conftest import Outcome, Run
from app.tests.cli.session import END, Session
from app.tests.cli.terminal import read_until

ROOT = Path(__file__).parents[3]


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


def test_ask_without_an_answer_is_exit_code_1(run: Run, garden: str) -> None:
    answered = run("ask", "zeppelin?", "--vault", garden)
    assert answered.code == 1
    assert answered.out.startswith("I found nothing in the vault for “zeppelin”.")


def test_excluded_notes_are_never_quoted(run: Run, garden: str) -> None:
    answered = run("ask", "What is the secret of the diary?", "--vault", garden)
    assert "Diary" not in answered.out
    assert "The secret" not in answered.out


@pytest.mark.parametrize(
    ("model", "error", "hint"),
    [
        ("gpt-5", "unknown model 'gpt-5'", "set 'model' to a name"),
        (
            "anthropic:x",
            "model 'anthropic:x' is not set up",
            "set the environment variable ANTHROPIC_API_KEY",
        ),
        ("mistral:x", "model 'mistral:x' needs a package that is missing", "Please install"),
    ],
)
@pytest.mark.parametrize("command", ["ask", "chat"])
def test_a_model_that_cannot_be_used_is_one_error(
    run: Run, garden: str, command: str, model: str, error: str, hint: str
) -> None:
    words = ["hello"] if command == "ask" else []
    failed = run(command, *words, "--model", model, "--vault", garden)
    assert failed.code == 2
    first, second = failed.err.splitlines()
    assert first == f"error: {error}"
    assert second.startswith(f"hint: {hint}")


def test_the_configured_model_is_used_and_the_flag_wins(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_ASSISTANT_MODEL", "test")
    answered = run("ask", "hello", "--json", "--vault", garden).json
    assert answered["model"] == "test"
    assert "Home.md" in [file["path"] for file in answered["files"]], "what its text names is shown"
    offline = run("ask", "greenhouse", "--json", "--model", "offline", "--vault", garden).json
    assert offline["model"] == "offline"


def test_an_empty_question_is_refused(run: Run, garden: str) -> None:
    assert run("ask", " ", "--vault", garden).err.startswith("error: Invalid value: the question is empty\n")


def test_a_chat_from_a_pipe_answers_line_by_line(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (
        "How is the greenhouse heated?\n\nWhat is electric?\n/new\nheating\n/unknown\n/quit\nnever reached\n"
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    talked = run("chat", "--vault", garden)
    assert talked.code == 0
    assert talked.out.count("projects/garden/Greenhouse.md") >= 2
    assert talked.out.count("this is the offline assistant") == 2, "once in each conversation"
    assert talked.err == "A new conversation.\nunknown command '/unknown'; /help lists the commands\n"
    assert "never" not in talked.out
    assert "> Here" not in talked.out, "no prompt in a pipe"
    assert "> There" not in talked.out


@pytest.mark.parametrize("word", ["/quit", "/exit", "quit", "exit"])
def test_a_chat_ends_on_any_word_for_it(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{word}\nnever reached\n"))
    talked = run("chat", "--vault", garden)
    assert (talked.code, talked.out, talked.err) == (0, "", "")


def test_a_model_that_fails_in_a_chat_does_not_end_it(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The tests allow no request to a real provider; that refusal stands for a server that is gone.
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("VAULT_ASSISTANT_MODEL_RETRIES", "0")
    monkeypatch.setattr("pydantic_ai.models.ALLOW_MODEL_REQUESTS", True)
    monkeypatch.setattr(sys, "stdin", io.StringIO("one\ntwo\n"))
    failed = run("chat", "--model", "ollama:m", "--vault", garden)
    assert failed.code == 2
    assert (
        failed.err.count("error: model 'ollama:m' did not come to an answer: its server cannot be reached")
        == 2
    )


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


@pytest.mark.usefixtures("interruptible")
def test_a_chat_on_a_real_terminal(garden: str) -> None:
    with Session("chat", "--vault", garden, columns=80, environment={"TERM": "dumb"}) as session:
        session.wait_for(">")
        session.type("How is the greenhouse heated?\n")
        # What is quoted stands behind the same sign as the prompt.
        session.wait_for("config.json")
        session.type(END)
        assert session.end() == 0
    said = session.text
    assert "Vault garden, model offline. /new starts afresh, /help lists the commands,\r\n/quit ends." in said
    assert "· question to the notes: How is the greenhouse heated?" in said
    assert "`projects/garden/Greenhouse.md` lin" in said
    assert "Pydantic" not in said


def test_on_a_real_terminal_a_write_after_an_interrupt_is_asked_about_afresh(
    garden: str, interruptible: None
) -> None:
    """A model that appends what it is told, each line numbered by the turn, and two interrupts."""
    script = (
        "import fcntl, json, sys, termios\n"
        "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
        "from pydantic_ai.messages import ToolReturnPart, UserPromptPart\n"
        "from pydantic_ai.models.function import DeltaToolCall, FunctionModel\n"
        "import app.chat.ask.answer as answer\n"
        "async def appends(messages, info):\n"
        "    last = messages[-1].parts[-1]\n"
        "    if isinstance(last, ToolReturnPart):\n"
        "        yield 'Told: ' + last.content\n"
        "    else:\n"
        "        call = {'operation': 'append', 'path': 'Home', 'content': last.content}\n"
        "        yield {0: DeltaToolCall('note_operations', json.dumps(call), tool_call_id='1')}\n"
        "answer.model_for = lambda vault, name: FunctionModel(stream_function=appends)\n"
        "from app.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    primary, secondary = pty.openpty()
    with (
        subprocess.Popen(
            [sys.executable, "-c", script, "chat", "--vault", garden],
            cwd=ROOT,
            stdin=secondary,
            stdout=secondary,
            stderr=secondary,
            env={**os.environ, "TERM": "dumb"},
            start_new_session=True,
        ) as process,
        ExitStack() as stack,
    ):
        stack.callback(process.kill)
        os.close(secondary)
        read_until(primary, b"> ")
        for turn in (b"first", b"second"):
            os.write(primary, turn + b"\n")
            assert b"+" + turn in read_until(primary, b"[y/N] ")
            os.write(primary, b"\x03")
            assert b"(interrupted)" in read_until(primary, b"\n> ")
        os.write(primary, b"third\n")
        asked = read_until(primary, b"[y/N] ")
        os.write(primary, b"y\n")
        told = read_until(primary, b"\n> ")
        os.write(primary, b"\x04")
        assert process.wait(200) == 0
    os.close(primary)
    assert asked.count(b"Write this?") == 1
    assert b"+third" in asked
    assert b"second" not in asked
    assert b"Told: Done: append to 'Home.md'." in told
    assert Path(garden, "Home.md").read_text().endswith("\n\nthird\n")


def test_a_chat_streams_to_a_pipe_as_it_comes(garden: str) -> None:
    """A model that answers word by word, watched from outside: the first words come before the last."""
    script = (
        "import asyncio, os, sys\n"
        "from pydantic_ai.models.function import FunctionModel\n"
        "import app.chat.ask.answer as answer\n"
        "async def words(messages, info):\n"
        "    yield 'first '\n"
        "    await asyncio.to_thread(os.read, int(sys.argv.pop()), 1)\n"
        "    yield 'last'\n"
        "answer.model_for = lambda vault, name: FunctionModel(stream_function=words)\n"
        "from app.cli.main import main\n"
        "sys.exit(main(sys.argv[1:-1]))\n"
    )
    waits, go_on = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", script, "chat", "--vault", garden, str(waits)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=[waits],
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


def test_the_answer_of_json_is_one_document(run: Run, garden: str) -> None:
    assert list(json.loads(run("--json", "ask", "greenhouse", "--vault", garden).out)) == [
        "question",
        "model",
        "answer",
        "overview",
        "answered",
        "claims",
        "files",
        "notices",
    ]


class TestSave:
    """``/save`` in a chat."""

    @pytest.fixture
    def talk(self, run: Run, garden: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Outcome]:
        def talk(lines: str) -> Outcome:
            monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
            return run("chat", "--vault", garden)

        return talk

    def test_the_conversation_becomes_a_note(self, talk: Callable[[str], Outcome], garden: str) -> None:
        talked = talk("How is the greenhouse heated?\n/save Talks/Heating\n")
        assert talked.code == 0
        assert talked.err == "Saved as 'Talks/Heating.md'; 'vault-assistant undo' takes it back.\n"
        text = Path(garden, "Talks/Heating.md").read_text(encoding="utf-8")
        assert '\nmodel: "offline"\nvault-assistant: chat\n---\n# How is the greenhouse heated?\n' in text
        linked = talked.out.strip().replace("`projects/garden/Greenhouse.md`", "[[Greenhouse]]")
        # A quoted task is none of this note.
        assert linked.replace("- [ ]", "- \\[ ]").replace("- [x]", "- \\[x]") in text

    def test_without_a_name_it_gets_the_day_and_the_question(
        self, talk: Callable[[str], Outcome], run: Run, garden: str
    ) -> None:
        assert talk("heating\n/save\n").code == 0
        (saved,) = Path(garden, "Chats").iterdir()
        assert re.fullmatch(r"\d{4}-\d\d-\d\d heating\.md", saved.name)
        assert run("undo", "--yes", "--vault", garden).code == 0
        assert not saved.exists()

    def test_a_new_conversation_is_saved_without_the_one_before(
        self, talk: Callable[[str], Outcome], garden: str
    ) -> None:
        talk("heating\n/new\nhello\n/save New\n")
        headings = [line for line in Path(garden, "New.md").read_text().splitlines() if line.startswith("#")]
        assert headings == ["# hello"]

    def test_what_cannot_be_saved_is_said_and_the_chat_goes_on(
        self, talk: Callable[[str], Outcome], garden: str
    ) -> None:
        talked = talk("/save\nheating\n/save Home\n/save ../out\n/saveall\n/save Kept\n")
        assert talked.code == 2
        assert talked.err.splitlines() == [
            "error: there is nothing to save yet",
            "hint: ask something first",
            "error: there is a note at 'Home.md' already",
            "hint: choose another name",
            "error: the path '../out' leads out of the vault",
            "hint: give a path inside the vault, such as 'Projects/Plan.md'",
            "unknown command '/saveall'; /help lists the commands",
            "Saved as 'Kept.md'; 'vault-assistant undo' takes it back.",
        ]
        assert Path(garden, "Home.md").read_text().startswith("# Home")


def test_the_commands_of_a_chat_have_french_names_too(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    lines = "heating\n/enregistrer Gardée\n/nouveau\n/aide\n/aider\n/quitter\nnever reached\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    talked = run("chat", "--vault", garden)
    said = talked.err.splitlines()
    assert said[:3] == [
        "Enregistré dans « Gardée.md » ; « vault-assistant undo » l'annule.",
        "Une nouvelle conversation.",
        "/nouveau      (ou /new) oublier la conversation et en commencer une nouvelle",
    ]
    assert all(name in talked.err for each in IN_ENGLISH.items() for name in each)
    assert said[-1] == "commande inconnue : « /aider » ; /aide liste les commandes"
    assert "never" not in talked.out
