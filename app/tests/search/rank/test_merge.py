"""Sentences as questions: what stands in quotation marks, OR, slashes, and much said beside the question."""

import pytest

from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find, paths
from app.vault.client import VaultClient

NOTES = {
    "larch.md": "# Larch\n\nThe larch loses its needles in autumn, and the bark grows thick.\n",
    "fir.md": "# Fir\n\nFirs keep their needles all winter. Needles of the fir are flat.\n",
    "paths.md": "# Folders\n\nThe folder /var/lib/larch holds what the server wrote.\n",
    "boat.md": "---\ntags: [boat]\n---\n# Boat\n\nLarch planks for the boat, oak for the keel.\n",
}


@pytest.fixture
def vault(tiny_vault: MakeVault) -> VaultClient:
    return tiny_vault(NOTES)


@pytest.mark.parametrize(
    "question",
    [
        'which tree is said to "lose all needles in autumn"?',
        "does the larch loses OR keeps its needles in autumn?",
        "is the larch a tree that -needles- its autumn bark?",
    ],
)
def test_a_sentence_filters_nothing(vault: VaultClient, find: Find, question: str) -> None:
    found = find(vault, "fast", query=question)
    assert paths(found)[0] == "larch.md"
    assert "fir.md" in paths(found)
    assert found.notices == []


def test_few_words_beside_a_phrase_filter(vault: VaultClient, find: Find) -> None:
    assert paths(find(vault, "fast", query='larch "oak for the keel"')) == ["boat.md"]
    assert set(paths(find(vault, "fast", query="larch OR firs"))) == set(NOTES)
    assert paths(find(vault, "fast", query="needles -larch")) == ["fir.md"]


def test_a_phrase_that_stands_nowhere_is_dropped_and_said(vault: VaultClient, find: Find) -> None:
    found = find(vault, "fast", query='larch "grows thin"')
    assert paths(found)[0] == "larch.md"
    assert found.notices == ['nothing found holds "grows thin"; this is what was found without it']
    assert [notice.said("fr") for notice in found.notices] == [
        'aucun résultat ne contient "grows thin" ; voici les résultats sans cette condition'
    ]


def test_what_stands_as_quoted_comes_first(tiny_vault: MakeVault, find: Find) -> None:
    notes = {
        "a.md": "Paint the red boat, and the house, before the winter storms come over the house.\n",
        "b.md": "Storms come over the hills; the boat house, painted red, is before them in winter.\n",
    }
    vault = tiny_vault(notes)
    plain = find(vault, "fast", query="where are winter storms and the red house and boat?")
    quoted = find(vault, "fast", query='where are winter storms and the red house and "boat house"?')
    assert paths(plain)[0] == "a.md"
    assert paths(quoted)[0] == "b.md"


TAGGED = {
    "a.md": "---\ntags: [a]\nstatus: open\n---\nWe decided about the larch in spring.\n",
    "b.md": "---\ntags: [b]\nstatus: done\n---\nThe larch was decided about again.\n",
    "c.md": "---\ntags: [c]\n---\nNobody decided about the larch here.\n",
}


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("tag:(a OR b) what did we decide about larch", {"a.md", "b.md"}),
        ("(tag:a OR tag:b) what did we decide about larch", {"a.md", "b.md"}),
        ("[status:done OR open] what did we decide about larch?", {"a.md", "b.md"}),
        ("what did we decide about larch -(tag:a OR tag:b)", {"c.md"}),
        ('content:"in spring" what did we decide about larch', {"a.md"}),
    ],
)
def test_operators_keep_or_and_not(tiny_vault: MakeVault, find: Find, question: str, kept: set[str]) -> None:
    assert set(paths(find(tiny_vault(TAGGED), "fast", query=question))) == kept


@pytest.mark.parametrize(
    "query", ['content:"green oak" larch', 'match-case:"The Larch" larch', "line:/gr..n/ larch"]
)
def test_an_operator_is_never_dropped(tiny_vault: MakeVault, find: Find, query: str) -> None:
    assert paths(find(tiny_vault(TAGGED), "fast", query=query)) == []
