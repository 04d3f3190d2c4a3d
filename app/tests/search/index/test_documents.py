import pytest

from app.search.index.documents import accented_terms, name_terms
from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find, paths


def test_a_word_with_accents_has_a_term_of_its_plain_letters() -> None:
    text = "la tâche, tache, l'été, Œuvre, 東京 \u017fort"
    assert list(accented_terms(text)) == [f"accented:{word}" for word in ("tache", "ete", "oeuvre")]
    assert list(accented_terms("plain words only")) == []


# Before, a run without blanks was read anew from each of its signs on: minutes for one of these.
@pytest.mark.parametrize(
    "run", ["-+" * 100_000, "é" + "".join(f"á{n:x}-" for n in range(40_000)), "[(" * 100_000, "/b" * 100_000]
)
def test_a_note_of_one_long_run_and_an_invisible_sign_is_indexed(
    tiny_vault: MakeVault, find: Find, run: str
) -> None:
    vault = tiny_vault({"a.md": f"\u200b needle {run} tâche", "b.md": "tache"})
    assert paths(find(vault, "fulltext", query="needle")) == ["a.md"]
    assert sorted(paths(find(vault, "fulltext", query="tache"))) == ["a.md", "b.md"]
    assert paths(find(vault, "fulltext", query='"tache"')) == ["b.md"]


# The library alone would take over ten minutes for this note, and its square for a longer one.
def test_a_note_of_a_hundred_thousand_marks_is_indexed_and_found(tiny_vault: MakeVault, find: Find) -> None:
    marks = "\u0301\u0323" * 50_000
    vault = tiny_vault({"a.md": f"needle a{marks} pin", "b.md": "other"})
    assert paths(find(vault, "fulltext", query="needle")) == ["a.md"]
    assert paths(find(vault, "fulltext", query='"pin"')) == ["a.md"]
    some = marks[:9_000]
    assert [hit.path for hit in find(vault, "fast", query=f"a{some} pin").results] == ["a.md"]


@pytest.mark.parametrize(
    ("name", "terms"),
    [
        ("Harbour Society", ["harbour society"]),
        ("L’Amicale des Pêcheurs!", ["l amicale des pecheurs"]),
        ("Brand (play)", ["brand play", "brand"]),
        ("2025-06-21", ["2025 06 21"]),
        ("1984 (novel)", ["1984 novel", "1984"]),
        ("x", ["x"]),
        ("C++", ["c++"]),
        ("…", ["..."]),
        ("", []),
        ("word " * 60, [" ".join(["word"] * 60)]),
        ("word " * 61, []),
        ("(" + " " * 100_000, []),
    ],
)
def test_a_name_is_a_term(name: str, terms: list[str]) -> None:
    assert list(dict.fromkeys(name_terms([name]))) == [f"name:{term}" for term in terms]
