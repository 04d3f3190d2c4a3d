"""by_tag: property and inline tags, nested, whatever their case."""

from app.tests.conftest import MakeVault
from app.tests.engines import on_every_engine
from app.tests.search.conftest import Find, paths

pytestmark = on_every_engine

NOTES = {
    "a.md": "---\ntags: [Projet/Serre, idée]\nupdated: 2025-01-03\n---\n",
    "b.md": "---\nupdated: 2025-01-02\n---\nun #projet inline\n",
    "c.md": "---\nupdated: 2025-01-01\n---\n#projetil et #idee\n",
}


def test_a_parent_finds_its_children_newest_first(tiny_vault: MakeVault, find: Find) -> None:
    assert paths(find(tiny_vault(NOTES), "by_tag", tags=["projet"])) == ["a.md", "b.md"]


def test_hash_case_and_a_single_text_do_not_matter(tiny_vault: MakeVault, find: Find) -> None:
    assert paths(find(tiny_vault(NOTES), "by_tag", tags="#PROJET/serre/")) == ["a.md"]


def test_any_or_all(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(NOTES)
    assert paths(find(vault, "by_tag", tags=["idée", "idee"])) == ["a.md", "c.md"]
    assert paths(find(vault, "by_tag", tags=["idée", "projet"], match_all=True)) == ["a.md"]


def test_folder_scopes_and_dates_narrow(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({f"{folder}/{path}": text for folder in ("x", "y") for path, text in NOTES.items()})
    found = find(
        vault, "by_tag", tags=["projet"], folder="x", scopes=["**/b.md", "y/*"], start_date="2025-01-01",
        end_date="2025-01-02", date_field="modified",
    )  # fmt: skip
    assert paths(found) == ["x/b.md"]


def test_a_query_by_tag_suggests_what_the_operation_does(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "#Recette flour", "b.md": "#noël rye"})
    for tag, near in (("recete", "#recette"), ("noel", "#noël")):
        by_query = find(vault, "fast", query=f"tag:#{tag}").notices
        by_tag = find(vault, "by_tag", tags=[tag]).notices
        assert [
            [line.lower() for line in said if line.startswith("similar")] for said in (by_query, by_tag)
        ] == [[f"similar tags: {near}"]] * 2
    assert not any(
        line.startswith("similar") for line in find(vault, "fast", query="zeppelin -tag:#recete").notices
    )
