"""What small models on one's own machine say, as they were recorded: no invented number stands, no line is lost."""

import json

import pytest

from app.chat.ask.answer import ask
from app.chat.ask.concat import Document
from app.chat.ask.forms import read_answer
from app.tests.chat.ask.conftest import VAULT, Script
from app.tests.conftest import MakeVault
from app.tests.llm.conftest import server as server
from app.tests.llm.server import ModelServer, Reply
from app.vault.client import VaultClient

LOG = "projects/petrel/changelog.md"
QUESTION = "How late was the larch?"
LINE = "The larch came four weeks late."


def said(vault: VaultClient, *texts: str) -> Document:
    return ask(vault, QUESTION, model=Script(*texts).model)


def test_an_answer_of_which_nothing_stands_shows_the_lines_instead(vault: VaultClient) -> None:
    for text in ("The larch came seven weeks late.", "The larch came seven weeks late [1]."):
        document = said(vault, text)
        assert document.overview.startswith("~~The larch came seven weeks late")
        assert f"“{LINE}”" in document.overview
        assert not document.is_answered


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"name": "search", "arguments": {"query": "larch"}\n```',
        "search(query='larch')",
        'I will search.\n```json\n{"name": "search", "arguments": {"query": "larch"}\n```',
    ],
)
def test_a_broken_call_of_a_tool_is_no_answer(vault: VaultClient, text: str) -> None:
    assert read_answer(text) is None
    document = said(vault, text)
    assert "larch came four weeks late" in document.overview
    assert "query" not in document.overview


def test_a_model_in_a_loop_is_cut(vault: VaultClient) -> None:
    document = said(vault, "The larch came four weeks late [1]. " + "So the launch moved. " * 200)
    assert document.overview.count("So the launch moved") == 1
    assert document.remarks[0] == (
        "Note: the answer ends here (it said the same again and again); ask again for the rest."
    )


def too_large(status: int = 400) -> Reply:
    error = {
        "message": "the request has 5000 tokens; the context has 4096",
        "type": "exceed_context_size_error",
    }
    return Reply(status=status, body=json.dumps({"error": error}).encode())


def test_a_context_too_small_is_tried_with_half_the_evidence(
    server: ModelServer, tiny_vault: MakeVault
) -> None:
    server.replies = [too_large(), Reply("The larch came four weeks late [1].")]
    vault = tiny_vault(VAULT, model_retries=0)
    document = ask(vault, QUESTION, model="openai-chat:m")
    assert document.overview == f"The larch came four weeks late (`{LOG}` lines 9-11)."
    assert len(server.seen) == 2
    server.replies = [too_large()]
    document = ask(vault, QUESTION, model="openai-chat:m")
    assert f"“{LINE}”" in document.overview
    assert "start its server with a larger context" in document.remarks[0]
