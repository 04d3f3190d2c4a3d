import pytest

from app.search.index.documents import name_terms
from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find, paths


# Of these, some took minutes: a run was read anew from each of its characters, or a mark moved past all others.
@pytest.mark.parametrize(
    "run",
    [
        "-+" * 100_000,
        "é" + "".join(f"á{n:x}-" for n in range(40_000)),
        "[(" * 100_000,
        "a" + "\u0301\u0323" * 50_000,
    ],
    ids=["joined", "accents", "brackets", "marks"],
)
def test_a_note_of_one_long_run_and_an_invisible_sign_is_indexed(
    tiny_vault: MakeVault, find: Find, run: str
) -> None:
    vault = tiny_vault({"a.md": f"\u200b needle {run} tâche", "b.md": "tache"})
    assert paths(find(vault, "fulltext", query="needle")) == ["a.md"]
    assert sorted(paths(find(vault, "fulltext", query="tache"))) == ["a.md", "b.md"]
    assert paths(find(vault, "fulltext", query='"tache"')) == ["b.md"]


@pytest.mark.parametrize(
    ("name", "terms"),
    [
        ("L’Amicale des Pêcheurs!", ["l amicale des pecheurs"]),
        ("Brand (play)", ["brand play", "brand"]),
        ("2025-06-21", ["2025 06 21"]),
        ("C++", ["c++"]),
        ("", []),
        ("word " * 60, [" ".join(["word"] * 60)]),
        ("word " * 61, []),
        ("(" + " " * 100_000, []),
    ],
)
def test_a_name_is_a_term(name: str, terms: list[str]) -> None:
    assert list(dict.fromkeys(name_terms([name]))) == [f"name:{term}" for term in terms]
