"""Whether dates say that what could be quoted is of a time that a question names."""

import pytest

from app.chat.evidence.gather import gather
from app.chat.evidence.reader import asked_of
from app.chat.evidence.weigh import candidates_of
from app.chat.evidence.when import lies_in
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

NOTES = {
    "Diary.md": "# Diary\n\n## 2026-02-10\n\nThe pond froze.\n\n## Ice\n\nNobody skated.\n",
    "Weeks/2026-W12.md": "# Week\n\nThe frogs came.\n",
}


@pytest.fixture
def vault(tiny_vault: MakeVault) -> VaultClient:
    made = tiny_vault(NOTES)
    searcher = searcher_for(made)
    searcher.update()
    assert searcher.embed().remaining == 0
    return made


def test_a_span_lies_in_a_time_or_in_another_one(vault: VaultClient) -> None:
    asked = asked_of(found := gather(vault, "did the pond freeze in February 2026, and the frogs?"))
    assert asked.window is not None
    spans = {
        one.span.text: lies_in(asked.window, one.note, one.span)
        for one in candidates_of(asked, found.evidence)
    }
    assert spans["The pond froze."] is True
    assert spans["The frogs came."] is False
