"""fast and scoped: chunks by keywords, inside the filters, literal text first."""

from pathlib import Path
from typing import Any

import pytest

from app.errors import BadRequestError, SearchError
from app.limits import QUERY_CHARS
from app.search.models import SearchResults
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


def test_chunks_have_lines_heading_date_and_context(tiny_vault: MakeVault, find: Find) -> None:
    [result] = find(tiny_vault({"changelog.md": CHANGELOG}), "fast", query="voté").results
    assert (result.lines, result.heading, result.date) == ("9-13", "2025-07-02", "2025-07-02")
    assert (result.date_field, result.date_source) == ("date", "heading")
    context = (result.chunk_with_context or "").split("\n")
    assert (result.title, context[0], context[-1]) == ("changelog", "7  | une décision banale", "15 | ")


@pytest.mark.parametrize(
    "query", ["[décision]", "[De\u0301cision]", "status: en-cours", "2025-07-14", "C++", "⏫", '5" disk']
)
def test_chunks_with_the_literal_query_are_first(query: str, tiny_vault: MakeVault, find: Find) -> None:
    words = query.replace("[", " ").replace("]", " ").replace(":", " ").replace('"', " ")
    vault = tiny_vault(
        {f"l{n}.md": f"{'mot ' * 40 * n}un texte {query.lower()} au milieu\n" for n in range(6)}
        | {f"w{n}.md": f"{words} {words} {words}\n" for n in range(6) if words != query}
        | {"x.md": "cours en status disk 5 c\n"}
    )  # fmt: skip
    assert set(paths(find(vault, "fast", query=query))[:6]) == {f"l{n}.md" for n in range(6)}


def test_several_queries_are_merged_by_the_best_score(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "budget serre\n", "b.md": "serre\n", "c.md": "rien\n"})
    merged = find(vault, "fast", queries=["budget", "serre"])
    assert sorted(paths(merged)) == ["a.md", "b.md"]
    alone = {q: {r.path: r.score for r in find(vault, "fast", query=q).results} for q in ("budget", "serre")}
    best = {r.path: r.score for r in merged.results}
    assert best["a.md"] == max(alone["budget"]["a.md"], alone["serre"]["a.md"])


def test_a_star_lists_everything_newest_first_with_score_1(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"changelog.md": CHANGELOG, "a.md": "---\nupdated: 2025-07-10\n---\nx\n"})
    results = find(vault, "fast", query="*")
    days = ["2025-07-14", "2025-07-10", "2025-07-02", "2025-06-30"]
    assert [(result.date, result.score) for result in results.results] == [(day, 1.0) for day in days]


def test_a_heading_scope_keeps_chunks_and_within_them_lines(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {"changelog.md": CHANGELOG, "plan.md": "## Avant\nbudget ancien\n\n## Après\nbudget nouveau\n"}
    )
    found = find(vault, "fast", query="budget", scopes=["changelog.md#2025-07"])
    assert places(found) == [("changelog.md", "9-13")]
    [result] = find(vault, "fast", query="budget", scopes=["plan#apr\u00e8s"]).results
    assert (result.lines, "ancien" in result.excerpt) == ("4-5", False)
    assert places(find(vault, "fast", query="ancien", scopes=["plan.md#Après"])) == []


@pytest.mark.parametrize("written", ["ecriture", "Notes/Ecriture/"])
def test_a_folder_is_known_without_its_accents(tiny_vault: MakeVault, find: Find, written: str) -> None:
    inside = "Notes/Écriture" if "/" in written else "Écriture"
    vault = tiny_vault({f"{inside}/a.md": "larch\n", "b.md": "larch\n"})
    found = find(vault, "fast", query="larch", folder=written)
    assert (paths(found), found.total) == ([f"{inside}/a.md"], 1)


def test_a_word_as_long_as_a_query_may_be_is_no_burden(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "mot\n"})
    for operation in ("fast", "fulltext"):
        assert find(vault, operation, query="x" * QUERY_CHARS).total == 0


def test_a_cache_that_cannot_be_written_is_named(tiny_vault: MakeVault, find: Find, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    vault = tiny_vault({"a.md": "mot\n"}, cache_dir=tmp_path / "file")
    with pytest.raises(SearchError, match="cannot keep an index in"):
        find(vault, "fast", query="mot")


def test_a_query_of_thousands_of_repeated_words(tiny_vault: MakeVault, find: Find) -> None:
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
    assert paths(find(vault, "fulltext", query=words)) == ["words.md"]
    assert set(paths(find(vault, "fast", query=words))) == {"words.md"}
    # A pattern would read on from each of 200,000 false starts.
    assert paths(find(vault, "fulltext", query='"' + "fuel " * 700 + 'other"')) == []
    found = paths(find(vault, "fulltext", query='"' + "fuel " * 700 + 'fuel"'))
    assert sorted(found) == ["lines.md", "one line.md"]


def order(results: SearchResults) -> list[str]:
    return [path.removesuffix(".md") for path in paths(results)]


@pytest.mark.parametrize(
    ("word", "notes"),
    [
        ("Zahler", {"strom"}),
        ("buche", {"bois"}),
        ("straße", {"rad", "bahn"}),
        ("Zählern", set()),
    ],
)
def test_parts_of_words_are_found(tiny_vault: MakeVault, find: Find, word: str, notes: set[str]) -> None:
    vault = tiny_vault(
        {
            "strom.md": "Vermieter: Herr Krause.\n\n" * 9 + "Der Zählerstand im Januar.\n",
            "bois.md": "Le bûcheron passe mardi.\n",
            "rad.md": "Die Werkstatt in der Humboldtstraße.\n",
            "bahn.md": "Strassenbahn, Linie 6.\n",
        }
    )
    assert set(order(find(vault, "fast", query=word))) == notes


@pytest.mark.parametrize(
    ("folder", "hint"),
    [
        ("École", "there are 'Modèles', 'Projets', 'Projets/Vélo'"),
        ("velo", "did you mean 'Projets/Vélo'?"),
    ],
)
def test_only_a_near_folder_is_suggested(tiny_vault: MakeVault, find: Find, folder: str, hint: str) -> None:
    vault = tiny_vault({"Modèles/a.md": "larch", "Projets/Vélo/b.md": "larch"})
    with pytest.raises(BadRequestError) as refused:
        find(vault, "fast", query="larch", folder=folder)
    assert refused.value.hint == hint


@pytest.mark.parametrize(("linked", "is_behind"), [("[[Greenhouse]]", True), ("[[Nowhere]]", False)])
def test_chats_stand_behind_notes(tiny_vault: MakeVault, find: Find, linked: str, is_behind: bool) -> None:
    chat = f"---\nvault-assistant: chat\n---\n# How is the greenhouse heated?\n\nBy a stove, says {linked}.\n"
    vault = tiny_vault(
        {
            "Greenhouse.md": "# Greenhouse\n\nIt has a stove, said Callum, who brought wood and coal.\n",
            "Other.md": "A greenhouse was sold.\n",
            "Chats/a.md": chat,
        }
    )
    whole = find(vault, "fast", query="how is the greenhouse heated")
    names = paths(whole)
    assert (names.index("Chats/a.md") == names.index("Greenhouse.md") + 1) is is_behind
    assert [one.score for one in whole.results] == sorted((one.score for one in whole.results), reverse=True)


DATES = {
    "changelog.md": CHANGELOG,
    "note.md": "---\nupdated: 2025-07-05\n---\nbudget\n",
    "journal/2025-07-06.md": "budget\n",
    "undated.md": "budget\n",
}
SCOPES = {"projects/x/a.md": "budget\n", "projects/y/a.md": "budget\n", "b.md": "budget\n"}


@pytest.mark.parametrize(
    ("notes", "operation", "asked", "found"),
    [
        (DATES, "fast", {"start_date": "2025-07", "end_date": "2025-07"}, set(DATES) - {"undated.md"}),
        (SCOPES, "scoped", {"scopes": ["projects/x/*", "absent/*"]}, {"projects/x/a.md"}),
        (SCOPES, "scoped", {"scopes": ["project:y", "b"]}, {"projects/y/a.md", "b.md"}),
        (SCOPES, "scoped", {"scopes": ["absent/*"]}, set()),
    ],
    ids=["days", "glob", "project", "void"],
)
def test_a_filter_keeps_what_passes_it(
    tiny_vault: MakeVault,
    find: Find,
    notes: dict[str, str],
    operation: str,
    asked: dict[str, Any],
    found: set[str],
) -> None:
    results = find(tiny_vault(notes), operation, query="budget", **asked)
    assert set(paths(results)) == found
    assert found or "without the scopes there would be 3" in results.notices


FILLER = "et voici encore une phrase qui parle de tout autre chose " * 12


@pytest.mark.parametrize(
    ("query", "texts", "first"),
    [
        (
            "bloqué",
            {"a": "la rue est bloquer", "b": "la rue est bloqué", "c": "la rue est bloque"},
            ["b", "c", "a"],
        ),
        ("larches quokkas", {"a": "# larch\nlarch larch", "b": f"{FILLER} larch {FILLER} quokka"}, ["b"]),
    ],
    ids=["forms", "all words"],
)
def test_better_matches_are_first(
    tiny_vault: MakeVault, find: Find, query: str, texts: dict[str, str], first: list[str]
) -> None:
    vault = tiny_vault({f"{name}.md": f"{text}\n" for name, text in texts.items()})
    assert order(find(vault, "fast", query=query))[: len(first)] == first
