"""Questions that a talk may begin with: from what the vault links, plans, says and dates."""

from datetime import date

import pytest

from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.web.visiting import LEXICAL, visit
from app.web.talk.starters import Starter, starters

TODAY = date(2025, 8, 1)
NOTES: dict[str, str | bytes] = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Kiln.md": "Dries wood. See [[Boat]] and [[Secret plan]].\n\n## Firing temperatures\n\nHot.\n",
    "Boat.md": "# The boat <b>\n\n[[Larch]] [[Kiln]]\n",
    "Larch.md": "# Larch boards\n\n[[Kiln]] [[Secret plan]]\n",
    "Todo.md": "- [ ] one\n- [ ] two\n- [x] three\n",
    "private/Secret plan.md": "# Secret plan\n\n- [ ] a\n- [ ] b\n- [ ] c\n\n## Hidden heading of some length\n",
    "Daily/2025-07-14.md": "[[Kiln]]\n\n- [ ] x\n- [ ] y\n- [ ] z\n",
    "Daily/2025-07-30.md": "Rain.\n",
    "Daily/2025-09-01.md": "Not yet.\n",
}


def found(make: MakeVault, notes: dict[str, str | bytes]) -> tuple[Starter, ...]:
    vault = make(notes, index=LEXICAL)
    searcher_for(vault).update()
    return starters(searcher_for(vault).view().snapshot, TODAY)


def test_one_of_each_kind_and_nothing_of_what_is_excluded(tiny_vault: MakeVault) -> None:
    assert found(tiny_vault, NOTES) == (
        Starter("linked", "Kiln"),
        Starter("tasks", "Todo"),
        Starter("day", "2025-07-30"),
    )


def test_no_note_is_asked_about_twice(tiny_vault: MakeVault) -> None:
    notes = NOTES | {"Log.md": "# Log of the shed\n\n## Which glue holds\n\nNone.\n"}
    assert Starter("heading", "Log of the shed", "Which glue holds") in found(tiny_vault, notes)


def test_a_saved_conversation_is_not_asked_about(tiny_vault: MakeVault) -> None:
    chat = "# What holds\n\n## The glue that holds\n\n[[Kiln]]\n\n- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d\n"
    talk = f"---\nvault-assistant: chat\n---\n{chat}".replace("What holds", "The glue")
    saved: dict[str, str | bytes] = {
        "Chats/Talk.md": talk,
        "Links.md": "[[Chats/Talk]] " * 3 + "[[Kiln]]",
        "More.md": "[[Chats/Talk]]",
        "Yet.md": "[[Chats/Talk]]",
    }
    offered = found(tiny_vault, NOTES | saved)
    assert "The glue" not in [each.name for each in offered]
    assert Starter("linked", "Kiln") in offered
    assert Starter("tasks", "Todo") in offered
    # The same note of one's own is.
    own = {**saved, "Chats/Talk.md": talk.replace("vault-assistant: chat", "kind: own")}
    assert "The glue" in [each.name for each in found(tiny_vault, NOTES | own)]


def test_names_that_read_badly_or_mean_several_notes_are_left_out(tiny_vault: MakeVault) -> None:
    notes: dict[str, str | bytes] = {
        "a/Index.md": "x",
        "b/Index.md": "y",
        "[[x]] <script>.md": "- [ ] a\n- [ ] b\n",
        "12.md": "z",
        "Links.md": "[[a/Index]] [[12]] [[[[x]] <script>]]",
    }
    assert found(tiny_vault, notes) == ()


def test_a_vault_of_several_top_headings_goes_by_its_files_names(tiny_vault: MakeVault) -> None:
    notes: dict[str, str | bytes] = {"Plans.md": "# Paint it\n\n- [ ] a\n\n# Sell it\n\n- [ ] b\n"}
    assert found(tiny_vault, notes) == (Starter("tasks", "Plans"),)


@pytest.mark.parametrize(
    ("settings", "offers"),
    [({"model": "test"}, True), ({}, False), ({"model": "test", "writes": "refuse"}, False)],
)
def test_an_empty_vault_is_told_how_to_begin(
    tiny_vault: MakeVault, settings: dict[str, str], offers: bool
) -> None:
    page = visit(tiny_vault({".obsidian/app.json": "{}"}, index=LEXICAL, **settings)).get("/ask").text
    assert "This vault has no notes yet." in page
    assert ("Make a note called Ideas" in page) == offers


def test_what_makes_no_sentence_is_not_asked_and_names_stand_in_quotation_marks(
    tiny_vault: MakeVault,
) -> None:
    notes: dict[str, str | bytes] = {
        "About Boats.md": "[[Larch]]\n",
        "How to sail.md": "[[About Boats]]\n\n- [ ] a\n- [ ] b\n\n## A heading that says much\n",
        "Larch.md": "[[About Boats]]\n\n## Overview\n",
        "Sails.md": "[[About Boats]] [[Larch]]\n\n- [ ] a\n- [ ] b\n",
        "2025-07-01.md": "[[About Boats]]\n",
    }
    assert [(each.kind, each.name) for each in found(tiny_vault, notes)] == [
        ("linked", "Larch"),
        ("tasks", "Sails"),
        ("day", "2025-07-01"),
    ]
    vault = tiny_vault(notes | {"Zinc.md": "## Boards for the hull\n"}, index=LEXICAL)
    searcher_for(vault).update()
    page = visit(vault).get("/ask", headers={"Accept-Language": "fr"}).text
    assert "Quelles tâches restent à faire dans «\u202fSails\u202f»\u202f?" in page
    assert "Que dit «\u202fZinc\u202f» sur «\u202fBoards for the hull\u202f»\u202f?" in page
    assert "Que s'est-il passé le 1er juillet 2025\u202f?" in page
