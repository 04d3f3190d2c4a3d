"""``status --sent``: a person sees what left the machine, and that without a model nothing did."""

import io
import sys

import pytest

from app.config.settings import Settings
from app.llm.log import Sent, record_sent
from app.tests.cli.conftest import Run
from app.tests.llm.server import ModelServer, Reply


def test_a_chat_is_listed_with_what_its_tools_returned(
    run: Run, garden: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = {"operation": "fast", "query": "heating greenhouse"}
    server.replies = [Reply(call=call), Reply("It is electric."), Reply("You are welcome.")]
    monkeypatch.setattr(sys, "stdin", io.StringIO("How is it heated?\nThanks\n"))
    talked = run("chat", "--model", "openai-chat:m", "--vault", garden)
    assert (talked.code, talked.out, talked.err) == (0, "It is electric.\nYou are welcome.\n", "")
    entries = run("status", "--sent", "--json").json
    assert [entry["text"].count("The heating of the greenhouse") for entry in entries] == [1, 1, 0]
    assert "[user]\nThanks" in entries[0]["text"]
    shown = run("status", "--sent")
    assert (shown.code, shown.out.splitlines()[0]) == (
        0, "3 texts were sent to language models, newest first:",
    )  # fmt: skip


def test_without_a_model_nothing_is_sent_whatever_is_asked(
    run: Run, garden: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keys and addresses of three providers are set, as on many a machine; no model is named."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("How is the greenhouse heated?\nmore\n/save\n"))
    for command in (
        ("chat",),
        ("ask", "How is the greenhouse heated?"),
        ("find", "fast", "heating", "--explain"),
        ("find", "keyword", "how is it heated", "--search-terms", "heating"),
    ):
        assert run(*command, "--vault", garden).code == 0, command
    assert server.seen == []
    assert not (Settings().state_folder / "sent").exists()
    nothing = run("status", "--sent")
    assert (nothing.code, nothing.out) == (1, "Nothing was sent to a language model so far.\n")
    assert run("status", "--sent", "--json").json == []


def test_a_long_list_says_how_to_see_all(run: Run) -> None:
    for number in range(1, 13):
        text = f"[instructions]\nBe brief.\n\n[user]\nquestion {number}"
        entry = Sent(f"2025-07-14T09:30:{number:02}+02:00", "ollama:m", "http://here/v1", len(text), text)
        record_sent(Settings().state_folder, entry)
    lines = run("status", "--sent").out.splitlines()
    assert lines[1:3] == ["2025-07-14 09:30:12 · ollama:m · http://here/v1 · 44 characters", "  question 12"]
    assert lines[20] == "  question 3"
    assert lines[21].startswith("--json shows all of them with their texts, which are kept in /")
    assert [entry["text"][-2:] for entry in run("status", "--sent", "--json").json][:3] == ["12", "11", "10"]
