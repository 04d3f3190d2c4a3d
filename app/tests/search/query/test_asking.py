"""Words that only ask count no more than stop words: forty wordings of ten questions find the same first."""

import shutil
from pathlib import Path

import pytest

from app.config.settings import Settings
from app.dependencies import VaultClient
from app.search import search
from app.search.query.read import parse_question

EXAMPLE = Path(__file__).parents[4] / "examples" / "vault"
ENGLISH = (
    "What did I write about {}?",
    "what do we know about {}?",
    "show me everything I noted about {}",
    "is there anything about {} in my notes?",
)
FRENCH = (
    "qu'est-ce que j'ai noté sur {} ?",
    "Qu’a-t-on écrit à propos de {} ?",
    "que disent mes notes sur {} ?",
    "montre-moi mes notes sur {} dans mes notes",
)
SUBJECTS = {
    "the boat in April 2025": ENGLISH, "Erwan Maout": ENGLISH, "scarfing": ENGLISH, "the letters": ENGLISH,
    "the slip last August": ENGLISH, "Hélène Vasseur": FRENCH, "le poêle": FRENCH, "la glacière": FRENCH,
    "livre de sel": FRENCH, "les outils": FRENCH,
}  # fmt: skip


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> VaultClient:
    folder = tmp_path_factory.mktemp("asked")
    shutil.copytree(EXAMPLE, folder / "vault")
    return VaultClient(folder / "vault", Settings(cache_dir=folder / "cache"))


@pytest.mark.parametrize("subject", SUBJECTS)
def test_wordings_of_one_question_have_one_first_hit(subject: str, example: VaultClient) -> None:
    asked = [subject, *(wording.format(subject) for wording in SUBJECTS[subject])]
    first = {text: search(example, [text], "fast")[0] for text in asked}
    assert len({(hit.path, hit.lines) for hit in first.values()}) == 1, first


def test_a_question_that_asks_for_its_time_alone_keeps_it() -> None:
    asked = ["what happened last week?", "quoi de neuf cette semaine ?", "what did I do on 14 July 2025?"]
    assert [parse_question(text).positive for text in asked] == [
        "last week",
        "cette semaine",
        "on 14 July 2025",
    ]
