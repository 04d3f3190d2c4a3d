"""Sentences as questions: what stands in quotation marks, OR, slashes, and much said beside the question."""

import pytest

from app.search import search
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
        'why does the larch "drop its leaves" before the winter comes',
        "does the larch loses OR keeps its needles in autumn?",
        "which larch needles are found below /needles/.*autumn/ here?",
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


def test_operators_filter_in_a_sentence_too(vault: VaultClient, find: Find) -> None:
    asked = 'tag:#boat which planks are "made of larch" for the keel?'
    assert paths(find(vault, "fast", query=asked)) == ["boat.md"]


def test_an_operator_that_cannot_be_read_is_text_in_a_sentence(vault: VaultClient, find: Find) -> None:
    asked = "what does modified:soonish mean for the bark of a larch?"
    assert paths(find(vault, "fast", query=asked))[0] == "larch.md"


def test_a_phrase_that_stands_nowhere_is_dropped_and_said(vault: VaultClient, find: Find) -> None:
    found = find(vault, "fast", query='larch "grows thin"')
    assert paths(found)[0] == "larch.md"
    assert found.notices == ['nothing found holds "grows thin"; this is what was found without it']
    assert [notice.said("fr") for notice in found.notices] == [
        'aucun résultat ne contient "grows thin" ; voici les résultats sans cette condition'
    ]


def test_in_fulltext_a_phrase_filters_whatever_is_around(vault: VaultClient, find: Find) -> None:
    asked = 'which tree will it be that has a bark that "grows thin"?'
    assert paths(find(vault, "fulltext", query=asked)) == []


def test_what_stands_as_quoted_comes_first(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {
            "a.md": "Paint the red boat, and the house, before the winter storms come over the house.\n",
            "b.md": "Storms come over the hills; the boat house, painted red, is before them in winter.\n",
        }
    )
    plain = find(vault, "fast", query="where are winter storms and the red house and boat?")
    quoted = find(vault, "fast", query='where are winter storms and the red house and "boat house"?')
    assert paths(plain)[0] == "a.md"
    assert paths(quoted)[0] == "b.md"


def test_a_word_asked_for_twice_counts_more(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(
        {"oak.md": "oak planks lie here\n", "elm.md": "elm planks lie here\n", "ash.md": "nothing\n"}
    )
    scores = {hit.path: hit.score for hit in search(vault, ["oak or elm, rather oak"], "fast")}
    assert scores["oak.md"] > scores["elm.md"]
    even = {hit.path: hit.score for hit in search(vault, ["oak or elm"], "fast")}
    assert even["oak.md"] == even["elm.md"]


TAGGED = {
    "a.md": "---\ntags: [a]\nstatus: open\n---\nWe decided about the larch in spring.\n",
    "b.md": "---\ntags: [b]\nstatus: done\n---\nThe larch was decided about again.\n",
    "c.md": "---\ntags: [c]\n---\nNobody decided about the larch here.\n",
}


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("tag:(a OR b) what did we decide about larch", {"a.md", "b.md"}),
        ("tag:a OR tag:b what did we decide about larch", {"a.md", "b.md"}),
        ("(tag:a OR tag:b) what did we decide about larch", {"a.md", "b.md"}),
        ("[status:done OR open] what did we decide about larch?", {"a.md", "b.md"}),
        ("line:(spring OR again) what did we decide about larch", {"a.md", "b.md"}),
        ("what did we decide about larch -(tag:a OR tag:b)", {"c.md"}),
        ("what did we decide about larch -tag:a", {"b.md", "c.md"}),
        ("tag:a OR larch what did we decide", {"a.md"}),
        ('content:"in spring" what did we decide about larch', {"a.md"}),
    ],
)
def test_operators_keep_their_or_and_minus_in_a_sentence(
    tiny_vault: MakeVault, find: Find, question: str, kept: set[str]
) -> None:
    assert set(paths(find(tiny_vault(TAGGED), "fast", query=question))) == kept


@pytest.mark.parametrize(
    "query", ['content:"green oak" larch', 'match-case:"The Larch" larch', "line:/gr..n/ larch"]
)
def test_an_operator_is_never_dropped(tiny_vault: MakeVault, find: Find, query: str) -> None:
    assert paths(find(tiny_vault(TAGGED), "fast", query=query)) == []


def test_each_phrase_counts_where_all_are_dropped(tiny_vault: MakeVault, find: Find) -> None:
    found = find(tiny_vault(TAGGED), "fast", query='"in spring" "about again" larch')
    assert found.notices[0].startswith('nothing found holds "in spring" and "about again"; this is')
