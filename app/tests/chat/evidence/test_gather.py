"""How the evidence for a question is searched for."""

import os
import time
from pathlib import Path

from app.chat.evidence.gather import gather
from app.config.settings import IndexSettings
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.search.embedding.conftest import make_model as make_model
from app.tests.search.embedding.conftest import tiny_model as tiny_model
from app.vault.client import VaultClient


def test_the_first_question_after_other_notes_are_excluded_is_searched_by_meaning_too(
    tiny_vault: MakeVault, tiny_model: Path
) -> None:
    index = IndexSettings.model_validate({"indexes": {"notes": {"embedding_model": str(tiny_model)}}})
    vault = tiny_vault(
        {"Boat.md": "The mast is of larch.\n", "Private/Diary.md": "Tired.\n"},
        index=index,
        catch_up_seconds=60,
    )
    for note in vault.root.rglob("*.md"):
        os.utime(note, (time.time() - 3600, time.time() - 3600))
    searcher_for(vault).update()
    assert searcher_for(vault).embed().embedded == 2
    searcher_for(vault).close()
    (vault.root / ".obsidian").mkdir()
    (vault.root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["Private/"]}')
    found = gather(VaultClient(vault.root, vault.settings), "Of what is the mast?")
    assert (found.mode, [one.path for one in found.evidence]) == ("deep", ["Boat.md"])
