"""Words that stand nowhere in the notes: searched, or suggested, as the nearest words that do."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from app.config.settings import Settings
from app.notices import NoticeKind
from app.search.searcher import searcher_for
from app.tests.conftest import EXAMPLES, MakeVault
from app.tests.engines import on_every_engine
from app.tests.search.conftest import Find, paths
from app.vault.client import VaultClient

pytestmark = on_every_engine

NOTES = {
    "larch.md": "# Larch\n\nThe larch lost its needles, and the kiln is cold.\n",
    "kiln.md": "# Kiln\n\nThe kiln broke on Friday.\n",
    "log.md": "# Log\n\nThe change log names every release.\n",
    "fr.md": "# Réunion\n\nLa réunion de l'équipe a décidé, son activité est débordante.\n",
}


SAID = (NoticeKind.SPELT, NoticeKind.NOTHING_HOLDS)


def said(find: Find, vault: VaultClient, query: str, operation: str = "fast") -> tuple[list[str], list[str]]:
    """The notes found, and what is said of spelling."""
    results = find(vault, operation, query=query)
    spelt = [str(one) for one in results.notices if one.template in SAID]
    return paths(results), spelt


@pytest.mark.parametrize(
    ("query", "first", "notice"),
    [
        ("larhc", "larch.md", "larhc: searched as larch too"),
        ("lardh cold", "larch.md", "lardh: searched as larch too"),
        ("relaese", "log.md", "relaese: searched as release too"),
        ("l'equpie", "fr.md", "l'equpie: searched as l'équipe too"),
        ("debordnate", "fr.md", "debordnate: searched as débordante too"),
    ],
)
def test_near_words_are_tried(tiny_vault: MakeVault, find: Find, query: str, first: str, notice: str) -> None:
    found, notices = said(find, tiny_vault(NOTES), query)
    assert (found[0], notices) == (first, [notice])


@pytest.mark.parametrize(
    "query",
    [
        "larch", "larches", "arch", "neede", "reunion", "réûnion", "equipe", "cold kiln", "kil", "frj", "larch2",
        "lar_hc", "larhc.md", "C++", '"larhc" kiln', "path:larhc kiln", "-larhc kiln", "xylophone", "*", "水", "",
    ],
)  # fmt: skip
def test_what_stands_or_was_meant_as_it_is_stays(tiny_vault: MakeVault, find: Find, query: str) -> None:
    vault = tiny_vault(NOTES)
    if query:
        assert said(find, vault, query)[1] == []


@pytest.mark.parametrize(
    ("query", "notices"),
    [
        ("alendar guild", ["alendar: searched as calendar too"]),
        ("query.allTsaks guild", []),
        ("orthodox guild", []),
    ],
)
def test_a_cut_word_is_made_whole(tiny_vault: MakeVault, find: Find, query: str, notices: list[str]) -> None:
    vault = tiny_vault(
        {"a.md": "The calendar of the unorthodox.", "b.md": "Call query.allTasks here.", "c.md": "A guild."}
    )
    assert said(find, vault, query)[1] == notices
    # Inside a longer word it is found there, and nothing is suggested instead.
    assert said(find, vault, "alendar", "fulltext") == (["a.md"], [])
    assert said(find, vault, "alendar xylophone", "fulltext")[1] == []


@pytest.mark.parametrize("query", ["what happened last week?", "kiln yesterday", "la semaine dernière"])
def test_the_words_of_a_time_are_no_typos(tiny_vault: MakeVault, find: Find, query: str) -> None:
    vault = tiny_vault(
        {"a.md": "The weak kiln happened to last, yesterdayz, semainez, dernierez.\n", "b.md": "weak\n"}
    )
    assert said(find, vault, query)[1] == []
    assert said(find, vault, "the wewk kiln")[1] == ["wewk: searched as weak too"]


def test_a_corrected_word_ranks_as_the_word_itself(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({**NOTES, "both.md": "kiln larches, cold larch, cold kiln\n"})
    typed = find(vault, "fast", query="cold larch kiln")
    spelt = find(vault, "fast", query="cold larhc kiln")
    assert [(one.path, one.score) for one in spelt.results] == [
        (one.path, one.score) for one in typed.results
    ]


def test_words_of_hidden_notes_are_neither_known_nor_named(tiny_vault: MakeVault, find: Find) -> None:
    hidden = '{"userIgnoreFilters": ["private/"]}'
    files = {"private/s.md": "larch\n", "a.md": "kiln\n", ".obsidian/app.json": hidden}
    assert said(find, tiny_vault(files), "larhc") == ([], [])
    project = {"overview.md": "x", "projects/p/state.md": "kiln\n", "inbox/new.md": "larch\n"}
    assert said(find, tiny_vault(project), "larhc") == ([], [])
    project["projects/p/other.md"] = "lurch\n"
    assert said(find, tiny_vault(project), "lurch lrch")[1] == ["lrch: searched as lurch too"]


@pytest.mark.parametrize("operation", ["fulltext", "combined"])
def test_where_words_filter_the_nearest_is_told(tiny_vault: MakeVault, find: Find, operation: str) -> None:
    vault = tiny_vault({**NOTES, "second.md": "a larch\n"})
    suggested = ["nothing holds larhc; larch stands in 2 notes"]
    assert said(find, vault, "larhc", operation) == ([], suggested)
    assert said(find, vault, "kiln larhc", operation) == (said(find, vault, "kiln", operation)[0], suggested)


EDITS: tuple[Callable[[str, int, str], str], ...] = (
    lambda word, at, letter: word[:at] + letter + word[at:],
    lambda word, at, _: word[:at] + word[at + 1 :],
    lambda word, at, letter: word[:at] + letter + word[at + 1 :],
    lambda word, at, _: word[:at] + word[at + 1] + word[at] + word[at + 2 :],
)


def test_typos_from_a_seed_find_the_word_they_were_made_of(tmp_path: Path) -> None:
    vault = VaultClient(EXAMPLES / "vault", Settings(cache_dir=tmp_path))
    searcher_for(vault).update()
    snapshot = searcher_for(vault).view().snapshot
    plain = re.compile(r"[a-z]{6,12}")
    known = sorted(word for word in snapshot.lexical.lexicon() if plain.fullmatch(word))
    chance = random.Random(7)
    missed, corrected = [], 0
    for word in chance.sample(known, 200):
        at = chance.randrange(1, len(word) - 1)
        typo = chance.choice(EDITS)(word, at, chance.choice("abcdefghijklmnopqrstuvwxyz"))
        if len(snapshot.lexical.containing(typo)):
            continue
        texts = [one.text for one in snapshot.speller.spellings(typo)]
        corrected += word in texts
        # A stem can stand where the word does not, and three other words can be as near.
        if word not in texts:
            missed.append((word, typo, texts))
    assert corrected > 170
    assert all(len(texts) in (0, 3) for _, _, texts in missed), missed


@pytest.mark.parametrize(
    ("typed", "said"),
    [("numero", []), ("moteurs", []), ("nuemros", ["nuemros: searched as numéros too"])],
)
def test_a_plural_is_not_announced(tiny_vault: MakeVault, find: Find, typed: str, said: list[str]) -> None:
    vault = tiny_vault({"A.md": "Les numéros du moteur.\n", "B.md": "Rien.\n"})
    found = find(vault, "fast", query=typed)
    assert [one.path for one in found.results] == ["A.md"]
    assert [str(one.said("en")) for one in found.notices] == said
