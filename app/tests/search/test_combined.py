"""combined: notes that satisfy everything asked."""

from app.tests.conftest import MakeVault
from app.tests.engines import on_every_engine
from app.tests.search.conftest import Find, paths

pytestmark = on_every_engine

NOTES = {
    "x/a.md": "---\ntags: [p, q]\ncreated: 2025-01-01\n---\nserre [[hub]]\n",
    "x/b.md": "---\ntags: [p]\ncreated: 2025-02-01\n---\nserre serre [[hub]]\n",
    "y/c.md": "---\ntags: [p, q]\ncreated: 2025-03-01\n---\nserre [[x/b]]\n",
    "hub.md": "centre\n",
}


def test_each_criterion_narrows(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(NOTES)
    assert set(paths(find(vault, "combined", query="serre"))) == {"x/a.md", "x/b.md", "y/c.md"}
    assert paths(find(vault, "combined", query="serre", tags=["p", "q"], match_all=True, folder="X")) == [
        "x/a.md"
    ]
    assert paths(find(vault, "combined", query="serre", start_date="2025-02", end_date="2025-02")) == [
        "x/b.md"
    ]
    assert paths(find(vault, "combined", scopes=["y/*"], tags=["q"])) == ["y/c.md"]
    assert paths(find(vault, "combined", note_path="hub", query="serre", tags=["q"])) == ["x/a.md"]
    assert set(paths(find(vault, "combined", note_path="hub", depth=2, tags=["q"]))) == {"x/a.md", "y/c.md"}
    assert paths(find(vault, "combined", note_path="x/b", direction="forward")) == ["hub.md"]


def test_without_words_the_newest_modified_comes_first(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {
            name: f"---\ntags: [p]\nupdated: 2025-01-0{day}\n---\n"
            for name, day in [("a.md", 1), ("b.md", 3), ("c.md", 2)]
        }
    )
    assert paths(find(vault, "combined", tags=["p"])) == ["b.md", "c.md", "a.md"]


def test_nothing_found_says_what_a_wider_search_would_give(tiny_vault: MakeVault, find: Find) -> None:
    results = find(tiny_vault(NOTES), "combined", query="serre", folder="y", start_date="2026-01-01")
    assert results.total == 0
    assert "without the folder and the dates there would be 3" in results.notices
