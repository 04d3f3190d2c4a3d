"""fulltext: notes that hold all the words and phrases."""

from app.tests.conftest import MakeVault
from app.tests.engines import on_every_engine
from app.tests.search.conftest import Find, paths

pytestmark = on_every_engine

NOTES = {
    "a.md": "La serre est ouverte. Décision prise.\n",
    "b.md": "La serre, encore la serre.\n",
    "c.md": "Une décision sans rapport.\n",
    "d/Serre.md": "Rien que le nom.\n",
}


def test_all_words_must_occur(tiny_vault: MakeVault, find: Find) -> None:
    assert paths(find(tiny_vault(NOTES), "fulltext", query="serre décision")) == ["a.md"]


def test_a_word_is_found_in_names_and_whatever_its_accents(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(NOTES)
    assert set(paths(find(vault, "fulltext", query="serre"))) == {"a.md", "b.md", "d/Serre.md"}
    assert set(paths(find(vault, "fulltext", query="DECISION"))) == {"a.md", "c.md"}


def test_a_word_is_found_inside_longer_ones_and_below_whole_ones(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "resserrement\n", "b.md": "serre\n"})
    results = find(vault, "fulltext", query="serre")
    assert paths(results) == ["b.md", "a.md"]
    assert results.results[0].score > results.results[1].score > 0


def test_a_phrase_must_stand_as_written(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {"a.md": "en attente\ndu devis\n", "b.md": "du devis en attente\n", "c.md": "En attente du plan\n"}
    )
    assert set(paths(find(vault, "fulltext", query='"en attente du"'))) == {"a.md", "c.md"}


def test_an_excluded_word_or_phrase_leaves_notes_out(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(NOTES)
    assert paths(find(vault, "fulltext", query="décision -serre")) == ["c.md"]
    assert paths(find(vault, "fulltext", query='décision -"sans rapport"')) == ["a.md"]


def test_where_no_note_has_all_words_those_with_most_answer(tiny_vault: MakeVault, find: Find) -> None:
    results = find(tiny_vault(NOTES), "fulltext", query="serre décision absente")
    assert paths(results) == ["a.md"]
    assert results.notices == ["no note holds all 3 words; these hold 2 of them"]


def test_signs_hyphens_emoji_and_unspaced_scripts_are_found(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {
            "a.md": "status: en-cours ⏫\n",
            "b.md": "C++ et l'été\n",
            "c.md": "会議の記録です\n",
            "d.md": "en cours\n",
        }
    )
    for query, expected in [
        ("en-cours", ["a.md"]),
        ("⏫", ["a.md"]),
        ("C++", ["b.md"]),
        ("l'été", ["b.md"]),
        ("記録", ["c.md"]),
        ("の", ["c.md"]),
    ]:
        assert paths(find(vault, "fulltext", query=query)) == expected, query


def test_lines_are_those_of_the_pieces_that_were_asked(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {
            "a.md": "## Serre\n\n- [x] arroser ⏫\n- [ ] semer ⏫\n\narroser\n\n## Serre et semis\n\n- [/] semer ⏫\n"
        }
    )
    for query, lines in [
        ("task-todo:(⏫)", "4"),
        ("task:(semer)", "4, 10"),
        ("section:(arroser semer)", "3, 4, 6"),
        ("heading:semis", "8"),
        ("line:(semer ⏫)", "4, 10"),
    ]:
        assert [result.lines for result in find(vault, "fulltext", query=query).results] == [lines], query
