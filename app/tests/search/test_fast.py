"""fast and scoped: chunks by keywords, inside the filters, literal text first."""

from pathlib import Path

import pytest

from app.errors import BadRequestError, SearchError
from app.limits import QUERY_CHARS
from app.search.answer import search
from app.search.models import SearchResult, SearchResults
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.engines import on_every_engine
from app.tests.search.conftest import Find, paths

pytestmark = on_every_engine

CHANGELOG = (
    "# 2025-07-14\n\n## [décision] API\nabandon de l'API externe\n\n## [note] divers\nune décision banale\n\n"
    "# 2025-07-02\n\n## [décision] Budget\nle budget est voté\n\n# 2025-06-30\n\n## [note] Budget\nbudget à revoir\n"
)


def places(results: SearchResults) -> list[tuple[str, str | None]]:
    return [(result.path, result.lines) for result in results.results]


def test_a_missing_word_never_empties_the_answer(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "le budget\n", "b.md": "rien\n"})
    assert paths(find(vault, "fast", query="budget introuvable")) == ["a.md"]


def test_chunks_have_lines_heading_date_and_context(tiny_vault: MakeVault, find: Find) -> None:
    [result] = find(tiny_vault({"changelog.md": CHANGELOG}), "fast", query="voté").results
    assert (result.lines, result.heading, result.date) == ("9-13", "2025-07-02", "2025-07-02")
    assert (result.date_field, result.date_source) == ("date", "heading")
    [hit] = search(tiny_vault({"changelog.md": CHANGELOG}), "voté", "fast")
    assert (hit.date, hit.date_source) == ("2025-07-02", "heading")
    assert result.title == "changelog"
    assert result.chunk_with_context is not None
    assert result.chunk_with_context.split("\n")[0] == "7  | une décision banale"
    assert result.chunk_with_context.split("\n")[-1] == "15 | "
    assert "11 | ## [décision] Budget" in result.chunk_with_context


@pytest.mark.parametrize(
    "query", ["[décision]", "[De\u0301cision]", "status: en-cours", "2025-07-14", "C++", "⏫", '5" disk']
)
def test_chunks_that_hold_the_query_as_it_stands_come_first_and_none_is_missing(
    query: str, tiny_vault: MakeVault, find: Find
) -> None:
    words = query.replace("[", " ").replace("]", " ").replace(":", " ").replace('"', " ")
    vault = tiny_vault(
        {f"l{n}.md": f"{'mot ' * 40 * n}un texte {query.lower()} au milieu\n" for n in range(6)}
        | {f"w{n}.md": f"{words} {words} {words}\n" for n in range(6) if words != query}
        | {"x.md": "cours en status disk 5 c\n"}
    )  # fmt: skip
    assert set(paths(find(vault, "fast", query=query))[:6]) == {f"l{n}.md" for n in range(6)}


def test_scores_fall_and_lie_between_0_and_1(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({f"n{n}.md": "budget " * n + "mot " * (20 - n) for n in range(1, 15)})
    scores = [result.score for result in find(vault, "fast", query="budget serre").results]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_a_query_mostly_absent_scores_lower_than_one_that_is_answered(
    tiny_vault: MakeVault, find: Find
) -> None:
    vault = tiny_vault({"a.md": "le budget de la serre\n", "b.md": "autre chose ici\n"})
    answered = find(vault, "fast", query="budget serre").results[0].score
    absent = find(vault, "fast", query="budget zéphyr baobab quasar").results[0].score
    assert absent < answered / 2


def test_several_queries_are_merged_each_chunk_once_with_its_best_score(
    tiny_vault: MakeVault, find: Find
) -> None:
    vault = tiny_vault({"a.md": "budget serre\n", "b.md": "serre\n", "c.md": "rien\n"})
    merged = find(vault, "fast", queries=["budget", "serre"])
    assert sorted(paths(merged)) == ["a.md", "b.md"]
    alone = {q: {r.path: r.score for r in find(vault, "fast", query=q).results} for q in ("budget", "serre")}
    best = {r.path: r.score for r in merged.results}
    assert best["a.md"] == max(alone["budget"]["a.md"], alone["serre"]["a.md"])


def test_a_star_lists_everything_newest_first_with_score_1(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"changelog.md": CHANGELOG, "a.md": "---\nupdated: 2025-07-10\n---\nx\n"})
    results = find(vault, "fast", query="*")
    assert [result.date for result in results.results] == [
        "2025-07-14",
        "2025-07-10",
        "2025-07-02",
        "2025-06-30",
    ]
    assert {result.score for result in results.results} == {1.0}


def test_phrases_and_exclusions_filter_by_note(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {"a.md": "le budget voté\n", "b.md": "budget le voté\n", "c.md": "le budget voté, serre\n"}
    )
    assert paths(find(vault, "fast", query='"le budget" -serre')) == ["a.md"]


def test_dates_are_those_of_the_dated_heading_then_of_the_note(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {
            "changelog.md": CHANGELOG,
            "note.md": "---\nupdated: 2025-07-05\n---\nbudget\n",
            "journal/2025-07-06.md": "budget\n",
            "undated.md": "budget\n",
        }
    )
    found = find(vault, "fast", query="budget", start_date="2025-07", end_date="2025-07")
    assert set(places(found)) == {
        ("changelog.md", "9-13"),
        ("note.md", "1-4"),
        ("journal/2025-07-06.md", "1-1"),
    }


def test_a_scope_keeps_notes_and_void_ones_are_ignored(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"projects/x/a.md": "budget\n", "projects/y/a.md": "budget\n", "b.md": "budget\n"})
    assert paths(find(vault, "scoped", query="budget", scopes=["projects/x/*", "absent/*"])) == [
        "projects/x/a.md"
    ]
    assert set(paths(find(vault, "scoped", query="budget", scopes=["project:y", "b"]))) == {
        "projects/y/a.md",
        "b.md",
    }
    empty = find(vault, "scoped", query="budget", scopes=["absent/*"])
    assert empty.total == 0
    assert "without the scopes there would be 3" in empty.notices


def test_a_heading_scope_keeps_chunks_and_within_them_lines(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {"changelog.md": CHANGELOG, "plan.md": "## Avant\nbudget ancien\n\n## Après\nbudget nouveau\n"}
    )
    assert places(find(vault, "fast", query="budget", scopes=["changelog.md#2025-07"])) == [
        ("changelog.md", "9-13")
    ]
    [result] = find(vault, "fast", query="budget", scopes=["plan#apr\u00e8s"]).results
    assert (result.lines, "ancien" in result.excerpt) == ("4-5", False)
    assert places(find(vault, "fast", query="ancien", scopes=["plan.md#Après"])) == []


def test_limit_and_offset_page_through_one_order(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({f"n{n}.md": "serre " * (n + 1) for n in range(9)})
    whole = paths(find(vault, "fast", query="serre"))
    pages = [paths(find(vault, "fast", query="serre", limit=4, offset=offset)) for offset in (0, 4, 8)]
    assert [path for page in pages for path in page] == whole
    assert find(vault, "fast", query="serre", limit=4, offset=4).total == 9


def test_an_unknown_folder_gives_near_names(tiny_vault: MakeVault, find: Find) -> None:
    with pytest.raises(BadRequestError, match=r"unknown folder 'Projcts'\. did you mean 'Projects'\?"):
        find(tiny_vault({"Projects/a.md": "x"}), "fast", query="x", folder="Projcts")


@pytest.mark.parametrize("written", ["ecriture", "Notes/Ecriture/", "notes/ECRITURE"])
def test_a_folder_without_its_accents_is_the_one_that_has_them(
    tiny_vault: MakeVault, find: Find, written: str
) -> None:
    inside = "Notes/Écriture" if "/" in written else "Écriture"
    vault = tiny_vault({f"{inside}/a.md": "larch\n", "b.md": "larch\n"})
    found = find(vault, "fast", query="larch", folder=written)
    assert (paths(found), found.total) == ([f"{inside}/a.md"], 1)


def test_a_folder_without_accents_that_could_be_two_is_not_known(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"Été/a.md": "larch\n", "Eté/b.md": "larch\n"})
    with pytest.raises(BadRequestError, match="unknown folder 'ete'"):
        find(vault, "fast", query="larch", folder="ete")


def test_a_scope_that_no_note_lies_in_is_named_where_nothing_is_found(
    tiny_vault: MakeVault, find: Find
) -> None:
    vault = tiny_vault({"projects/petrel/a.md": "larch\n"})
    notices = find(vault, "scoped", query="larch", scopes=["project:petrl"]).notices
    assert "scope 'project:petrl' matches no note" in notices


def test_a_word_as_long_as_a_query_may_be_is_no_burden(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "mot\n"})
    for operation in ("fast", "fulltext"):
        assert find(vault, operation, query="x" * QUERY_CHARS).total == 0


def test_a_cache_that_cannot_be_written_is_one_clear_error(
    tiny_vault: MakeVault, find: Find, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    vault = tiny_vault({"a.md": "mot\n"}, cache_dir=tmp_path / "file")
    with pytest.raises(SearchError, match="cannot keep an index in"):
        find(vault, "fast", query="mot")


def test_the_lines_shown_stand_around_the_match(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {"a.md": "".join(f"ligne {n}\n" for n in range(10)) + "## Ouverture\n\nle samedi 20\n" + "fin\n" * 6}
    )
    [result] = find(vault, "fast", query="ouverture").results
    assert result.excerpt.split("\n")[:4] == [
        "10 | ligne 9",
        "11 | ## Ouverture",
        "12 | ",
        "13 | le samedi 20",
    ]


def test_a_query_of_thousands_of_words_over_a_note_that_repeats_them(
    tiny_vault: MakeVault, find: Find
) -> None:
    words = " ".join(f"w{number}" for number in range(1000))
    vault = tiny_vault(
        {
            "one line.md": "fuel " * 200_000,
            "lines.md": "fuel\n" * 50_000,
            "words.md": f"{words}\n" * 20 + words.replace(" ", "\n"),
            "other.md": "other fuel",
        }
    )
    first, *others = paths(find(vault, "fast", query="fuel " * (QUERY_CHARS // 5)))
    assert first == "one line.md"
    assert set(others) == {"lines.md", "other.md"}
    # Each note is cut into lines once, not once for each of its chunks.
    assert searcher_for(vault).view().snapshot.lines.cache_info().misses <= 4
    assert paths(find(vault, "fulltext", query=words)) == ["words.md"]
    assert set(paths(find(vault, "fast", query=words))) == {"words.md"}
    # A pattern would read on from each of 200,000 false starts.
    assert paths(find(vault, "fulltext", query='"' + "fuel " * 700 + 'other"')) == []
    found = paths(find(vault, "fulltext", query='"' + "fuel " * 700 + 'fuel"'))
    assert sorted(found) == ["lines.md", "one line.md"]


def order(results: SearchResults) -> list[str]:
    return [path.removesuffix(".md") for path in paths(results)]


def test_the_form_as_typed_counts_more_than_the_folded_one_and_this_more_than_the_stem(
    tiny_vault: MakeVault, find: Find
) -> None:
    vault = tiny_vault(
        {
            f"{word}.md": f"Le chantier de la rue est {word} par eux.\n"
            for word in ("bloquer", "bloque", "bloqué")
        }
    )
    assert order(find(vault, "fast", query="bloqué")) == ["bloqué", "bloque", "bloquer"]


@pytest.mark.parametrize(
    ("word", "notes"),
    [
        ("Zähler", {"strom"}),
        ("Zahler", {"strom"}),
        ("bûche", {"bois"}),
        ("buche", {"bois"}),
        ("straße", {"rad", "bahn"}),
        ("strasse", {"rad", "bahn"}),
        # Another word than the one that was typed.
        ("Zählern", set()),
    ],
)
def test_a_word_is_found_within_a_longer_one(
    tiny_vault: MakeVault, find: Find, word: str, notes: set[str]
) -> None:
    vault = tiny_vault(
        {
            "strom.md": "Vermieter: Herr Krause.\n\n" * 9 + "Der Zählerstand im Januar.\n",
            "bois.md": "Le bûcheron passe mardi.\n",
            "rad.md": "Die Werkstatt in der Humboldtstraße.\n",
            "bahn.md": "Strassenbahn, Linie 6.\n",
        }
    )
    found = find(vault, "fast", query=word)
    assert set(order(found)) == notes
    if word == "Zahler":
        assert "19 | Der Zählerstand im Januar." in found.results[0].excerpt


def test_among_several_words_one_with_its_accents_counts_more(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "le paiement reste, bloque\n", "b.md": "le paiement reste, bloqué\n"})
    assert order(find(vault, "fast", query="paiement mal bloqué")) == ["b", "a"]


def test_all_of_a_few_words_come_before_one_of_them_however_often(tiny_vault: MakeVault, find: Find) -> None:
    filler = "et voici encore une phrase qui parle de tout autre chose " * 12
    vault = tiny_vault(
        {
            "one.md": "# larch\n\nlarch larch larch larch\n",
            "other.md": "# quokka\n\nquokka quokka quokka\n",
            "both.md": f"{filler} larch {filler} quokka {filler}\n",
        }
    )
    assert order(find(vault, "fast", query="larch quokka"))[0] == "both"
    assert order(find(vault, "fast", query="larches quokkas"))[0] == "both"


def test_a_rare_word_alone_may_pass_a_common_one_with_it(tiny_vault: MakeVault, find: Find) -> None:
    filler = "and here is another sentence about something else entirely " * 12
    notes = {f"{n}.md": f"budget {n}\n" for n in range(40)}
    notes |= {
        "rare.md": "# Quokka\n\nquokka quokka\n",
        "both.md": f"{filler} quokka {filler} budget {filler}",
    }
    assert order(find(tiny_vault(notes), "fast", query="budget quokka"))[0] == "rare"


def test_a_word_as_typed_comes_before_its_stem(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {"stem.md": "planning planning plans\n", "typed.md": "the plan of a long week ahead\n"}
    )
    assert order(find(vault, "fast", query="plan")) == ["typed", "stem"]


@pytest.mark.parametrize(
    ("folder", "hint"),
    [
        ("École", "there are 'Modèles', 'Projets', 'Projets/Vélo'"),
        ("Modele", "did you mean 'Modèles'?"),
        ("velo", "did you mean 'Projets/Vélo'?"),
    ],
)
def test_a_folder_is_suggested_only_where_it_is_near(
    tiny_vault: MakeVault, find: Find, folder: str, hint: str
) -> None:
    vault = tiny_vault({"Modèles/a.md": "larch", "Projets/Vélo/b.md": "larch"})
    with pytest.raises(BadRequestError) as refused:
        find(vault, "fast", query="larch", folder=folder)
    assert refused.value.hint == hint


def test_a_saved_chat_stands_behind_the_note_that_it_links_to(tiny_vault: MakeVault, find: Find) -> None:
    def order(head: str, linked: str) -> list[str]:
        vault = tiny_vault(
            {
                "Greenhouse.md": "# Greenhouse\n\nIt has a stove, said Callum, who brought wood and coal.\n",
                "Other.md": "A greenhouse was sold.\n",
                "Chats/a.md": f"---\n{head}\n---\n# How is the greenhouse heated?\n\nBy a stove, says {linked}.\n",
            }
        )

        def found(**page: int) -> list[SearchResult]:
            return find(vault, "fast", query="how is the greenhouse heated", **page).results

        whole = found()
        scores = [one.score for one in whole]
        assert scores == sorted(scores, reverse=True)
        paths = [one.path for one in whole]
        assert [found(limit=1, offset=at)[0].path for at in range(len(paths))] == paths
        return paths

    mine = order("date: 2025-07-14", "[[Greenhouse]]")
    assert mine[0] == "Chats/a.md"
    # One that links to nothing that is found stays where it ranks.
    assert order("vault-assistant: chat", "[[Nowhere]]") == mine
    saved = order("vault-assistant: chat", "[[Greenhouse]]")
    assert saved.index("Chats/a.md") == saved.index("Greenhouse.md") + 1
