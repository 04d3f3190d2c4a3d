"""``status --sent``: a person sees what left the machine, and that without a model nothing did."""

import io
import sys
from pathlib import Path

import pytest

from app.config.settings import Settings
from app.llm.log import Sent, read_sent, record_sent
from app.tests.cli.conftest import Run
from app.tests.llm.server import ModelServer, Reply

SEARCH = {"operation": "fast", "query": "heating greenhouse"}


def record(count: int) -> None:
    for number in range(1, count + 1):
        text = f"[instructions]\nBe brief.\n\n[user]\nquestion {number}"
        entry = Sent(f"2025-07-14T09:30:{number:02}+02:00", "ollama:m", "http://here/v1", len(text), text)
        record_sent(Settings().state_folder, entry)


def test_a_chat_is_listed_with_what_its_tools_returned(
    run: Run, garden: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.replies = [Reply(call=SEARCH), Reply("It is electric."), Reply("You are welcome.")]
    monkeypatch.setattr(sys, "stdin", io.StringIO("How is it heated?\nThanks\n"))
    talked = run("chat", "--model", "openai-chat:m", "--vault", garden)
    assert (talked.code, talked.out, talked.err) == (0, "It is electric.\nYou are welcome.\n", "")

    entries = run("status", "--sent", "--json").json
    assert len(entries) == 3
    assert [entry["text"].count("The heating of the greenhouse") for entry in entries] == [1, 1, 0]
    assert "[user]\nThanks" in entries[0]["text"]

    shown = run("status", "--sent")
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0] == "3 texts were sent to language models, newest first:"
    when = entries[0]["when"][:19].replace("T", " ")
    count = entries[0]["characters"]
    assert lines[1] == f"{when} · openai-chat:m · {server.url}/v1 · {count} characters"
    assert [lines[2][:8], lines[6]] == [
        "  Thanks",
        "  How is it heated?",
    ]
    folder = Settings().state_folder / "sent"
    assert lines[7] == f"--json shows all of them with their texts, which are kept in {folder}"


def test_the_state_folder_of_the_configuration_is_used(
    run: Run, garden: str, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VAULT_ASSISTANT_STATE_DIR")
    config = tmp_path / "own.json"
    config.write_text(f'{{"model": "ollama:m", "state_dir": "{tmp_path}/own"}}')
    server.replies = [Reply("1: it says so")]
    run("find", "fast", "electric greenhouse", "--explain", "--vault", garden, "--config", str(config))
    assert len(read_sent(tmp_path / "own")) == 1
    assert run("status", "--sent", "--config", str(config)).out.startswith(
        "1 text was sent to language models"
    )


def test_without_a_model_nothing_is_sent_whatever_is_asked(
    run: Run, garden: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keys and addresses of three providers are set, as on many a machine; no model is named."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("How is the greenhouse heated?\nmore\n/save\n"))
    commands = [
        ("chat",),
        ("ask", "How is the greenhouse heated?"),
        ("find", "fast", "heating", "--explain"),
        ("find", "fulltext", "heating"),
        ("find", "keyword", "how is it heated", "--search-terms", "heating"),
        ("status",),
    ]
    for command in commands:
        assert run(*command, "--vault", garden).code == 0, command
    assert server.seen == []
    assert not (Settings().state_folder / "sent").exists()
    assert run("status", "--sent").out == "Nothing was sent to a language model so far.\n"


def test_nothing_sent_is_exit_code_1(run: Run) -> None:
    nothing = run("status", "--sent")
    assert (nothing.code, nothing.out, nothing.err) == (
        1,
        "Nothing was sent to a language model so far.\n",
        "",
    )
    assert (run("status", "--sent", "--json").code, run("status", "--sent", "--json").json) == (1, [])


def test_a_long_list_says_how_to_see_all(run: Run) -> None:
    record(12)
    lines = run("status", "--sent").out.splitlines()
    assert lines[0] == "12 texts were sent to language models, newest first:"
    assert lines[1:3] == ["2025-07-14 09:30:12 · ollama:m · http://here/v1 · 44 characters", "  question 12"]
    assert lines[19:21] == ["2025-07-14 09:30:03 · ollama:m · http://here/v1 · 43 characters", "  question 3"]
    assert lines[21].startswith("--json shows all of them with their texts, which are kept in /")
    assert [entry["text"][-2:] for entry in run("status", "--sent", "--json").json][:3] == ["12", "11", "10"]


def test_it_is_not_about_a_note(run: Run, garden: str) -> None:
    refused = run("status", "Home", "--sent", "--vault", garden)
    assert refused.code == 2
    assert refused.err.startswith(
        "error: Invalid value: --sent is about all that was sent; leave the note out\n"
    )
