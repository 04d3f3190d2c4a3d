"""How the evidence for a question is searched for."""

from pathlib import Path

from app.chat.evidence.gather import gather
from app.config.settings import IndexSettings
from app.search.index.store import Store
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.search.embedding.conftest import make_model as make_model
from app.tests.search.embedding.conftest import tiny_model as tiny_model


def test_an_index_that_the_search_makes_anew_is_searched_by_meaning_too(
    tiny_vault: MakeVault, tiny_model: Path
) -> None:
    index = IndexSettings.model_validate({"indexes": {"notes": {"embedding_model": str(tiny_model)}}})
    vault = tiny_vault({"Boat.md": "The mast is of larch.\n"}, index=index, catch_up_seconds=60)
    searcher_for(vault).update()
    assert searcher_for(vault).embed().embedded == 1
    # As where other notes are excluded: what was written under other rules is dropped at once.
    Store(searcher_for(vault).folder).discard()
    found = gather(vault, "Of what is the mast?")
    assert (found.mode, [one.path for one in found.evidence]) == ("deep", ["Boat.md"])
