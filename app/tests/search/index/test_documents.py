import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.search.index import documents
from app.search.index.documents import LONG_RUN, accented_terms, name_terms
from app.search.lexical.analysis import fold
from app.search.lexical.schema import ACCENTED
from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find, paths
from app.vault.paths import nfc

ALPHABET = "aabt1é\u0301É ıŁœﬁａＴ\u00ad\u200b-./[~\n\u2003\x1c東ßſ"
TEXTS = st.text(st.sampled_from(ALPHABET), max_size=80) | st.text(max_size=40)


def slowly(text: str) -> set[str]:
    """Look through each run without blanks for each of its folded words, as it is defined."""
    return {
        ACCENTED + letters
        for run in re.split(r"\s", nfc(text).casefold())
        if not run.isascii()
        for letters in re.findall("[a-z0-9]+", fold(run))
        if letters not in run
    }


@given(TEXTS)
def test_a_word_spelt_otherwise_has_a_term_whatever_the_text(text: str) -> None:
    assert set(accented_terms(text)) == slowly(text)


@given(TEXTS)
def test_in_a_long_run_a_word_may_have_a_term_too_many_and_never_one_too_few(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "LONG_RUN", 5)
        found, wanted = set(accented_terms(text)), slowly(text)
    assert wanted <= found
    for letters in (term.removeprefix(ACCENTED) for term in found - wanted):
        runs = [run for run in nfc(text).casefold().split() if len(run) > 5 and letters in run]
        assert runs, "only letters that stand in a longer word of the same run"


def test_the_terms_of_a_text() -> None:
    text = "la tâche, tache, ra\u00adttacher l'été"
    assert list(accented_terms(text)) == ["accented:tache", "accented:rattacher", "accented:ete"]
    assert list(accented_terms("plain words only")) == []
    assert list(accented_terms("tâche-tachez")) == []
    filler = "-x" * LONG_RUN
    assert list(accented_terms(f"tâche-tachez{filler}")) == ["accented:tache"]


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


def test_a_long_run_does_not_change_what_is_found(tiny_vault: MakeVault, find: Find) -> None:
    filler = "-x" * LONG_RUN
    vault = tiny_vault(
        {
            "both.md": f"tâche-tachez{filler}",
            "accented.md": f"tâche{filler}",
            "plain.md": f"tache{filler}\u200b",
        }
    )
    assert sorted(paths(find(vault, "fulltext", query="line:tache"))) == ["both.md", "plain.md"]
    assert sorted(paths(find(vault, "fulltext", query="line:tâche"))) == ["accented.md", "both.md"]


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
