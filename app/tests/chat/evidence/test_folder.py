"""What a note is a part of that is called as others are, on the real index."""

from collections.abc import Callable

import pytest

from app.chat.evidence.folder import part_of
from app.chat.evidence.gather import gather
from app.chat.evidence.reader import asked_of
from app.chat.evidence.weigh import candidates_of, in_context
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.vault.paths import path_key

NOTES = {
    "projects/greenhouse/description.md": "# The greenhouse\n\nThree metres by two.\n",
    "projects/greenhouse/state.md": "# State\n\nNine panes are missing.\n",
    "projects/greenhouse/archive/2026-05-01.md": "It came from Harrow.\n",
    "projects/podcast/state.md": "# State\n\nNine panes are missing here too.\n",
    "projects/podcast/archive/2026-05-01.md": "The fridge hummed.\n",
    "Club/Club.md": "# Cycling club\n\nWe ride on Sundays.\n",
    "Club/Fee.md": "# Fee\n\n35 euros.\n",
    "docs/README.md": "# README\n\nHow it works.\n",
    "docs/Fee.md": "# Fee\n\nIt costs nothing.\n",
    "docs/Limits.md": "# Limits\n\nA thousand rows.\n",
    "State.md": "# State\n\nAll is well.\n",
}


@pytest.fixture
def whole_of(tiny_vault: MakeVault) -> Callable[[str], str]:
    searcher = searcher_for(tiny_vault(NOTES))
    searcher.update()
    snapshot = searcher.view().snapshot
    return lambda path: part_of(snapshot, path, snapshot.note(snapshot.keys[path_key(path)]).title)


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        ("projects/greenhouse/state.md", "The greenhouse"),
        ("projects/podcast/state.md", "podcast"),
        # "archive" is called so in each project.
        ("projects/greenhouse/archive/2026-05-01.md", "The greenhouse"),
        ("projects/podcast/archive/2026-05-01.md", "podcast"),
        ("Club/Fee.md", "Cycling club"),
        # A note that says no more than "README" does not name its folder.
        ("docs/Fee.md", "docs"),
        # The title of the last is its own; the first two tell of their folders, or stand in none.
        ("docs/README.md", ""),
        ("State.md", ""),
        ("docs/Limits.md", ""),
    ],
)
def test_a_note_that_is_called_as_others_are_is_a_part_of_its_folder(
    whole_of: Callable[[str], str], path: str, whole: str
) -> None:
    assert whole_of(path) == whole


def test_a_hidden_note_does_not_name_its_folder(tiny_vault: MakeVault) -> None:
    definition = {"exclude": ["projects/greenhouse/description.md"], "embedding_model": None}
    index = {"default": "notes", "indexes": {"notes": definition}}
    searcher = searcher_for(tiny_vault(NOTES, index=index))
    searcher.update()
    assert part_of(searcher.view().snapshot, "projects/greenhouse/state.md", "State") == "greenhouse"


def test_meaning_is_compared_with_what_a_note_is_a_part_of(tiny_vault: MakeVault) -> None:
    found = gather(tiny_vault(NOTES), "How many panes are missing?")
    read = {in_context(one) for one in candidates_of(asked_of(found), found.evidence)}
    assert "The greenhouse > State: Nine panes are missing." in read
    assert "podcast > State: Nine panes are missing here too." in read
