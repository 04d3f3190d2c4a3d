"""Thirty questions to the example vault, as a person would ask them, and the notes that answer."""

import json
import shutil
from pathlib import Path

import pytest

from app.chat.ask.answer import ask
from app.chat.evidence.gather import best_mode
from app.config.settings import Settings
from app.search.searcher import searcher_for
from app.tests.conftest import EXAMPLES
from app.vault.client import VaultClient

QUESTIONS = json.loads((Path(__file__).parent / "questions.json").read_text(encoding="utf-8"))
EXAMPLE = EXAMPLES / "vault"


@pytest.fixture(scope="module", params=["fast", pytest.param("deep", marks=pytest.mark.slow)])
def named(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The notes that the offline assistant names for each question, without vectors and with them."""
    if request.param == "deep":
        vault = request.getfixturevalue("embedded_example")
    else:
        folder = tmp_path_factory.mktemp("questions")
        shutil.copytree(EXAMPLE, folder / "vault")
        vault = VaultClient(folder / "vault", Settings(cache_dir=folder / "cache"))
        searcher_for(vault).update()
    assert best_mode(vault) == request.param
    documents = [ask(vault, row["question"]) for row in QUESTIONS]
    return [list(dict.fromkeys(block.path for block in document.blocks)) for document in documents]


def test_there_are_thirty_and_their_notes_exist() -> None:
    assert len({row["question"] for row in QUESTIONS}) == 30
    assert [path for row in QUESTIONS for path in row["notes"] if not (EXAMPLE / path).is_file()] == []


def test_at_most_five_files_are_named(named: list[list[str]]) -> None:
    assert max(map(len, named)) <= 5


def test_the_right_note_is_among_them_for_twenty_seven(named: list[list[str]]) -> None:
    missed = [
        row["question"]
        for row, paths in zip(QUESTIONS, named, strict=True)
        if not set(paths) & set(row["notes"])
    ]
    assert len(missed) <= 3, missed


def test_the_right_note_is_first_for_twenty(named: list[list[str]]) -> None:
    missed = [
        row["question"]
        for row, paths in zip(QUESTIONS, named, strict=True)
        if paths[:1] != [path for path in paths[:1] if path in row["notes"]] or not paths
    ]
    assert len(missed) <= 10, missed


def test_what_the_notes_do_not_answer_is_not_said_to_be_answered(embedded_example: VaultClient) -> None:
    for question in ("What is the capital of Mongolia?", "Which graphics driver does Linux need?"):
        assert not ask(embedded_example, question).is_answered
    assert ask(embedded_example, QUESTIONS[0]["question"]).is_answered


@pytest.mark.slow
def test_what_they_answer_is_said_to_be_answered_for_twenty_seven(embedded_example: VaultClient) -> None:
    refused = [row["question"] for row in QUESTIONS if not ask(embedded_example, row["question"]).is_answered]
    assert len(refused) <= 3, refused
