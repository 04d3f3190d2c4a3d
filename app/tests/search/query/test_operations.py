"""The language in every operation: it filters alike, bare words rank, and an answer shows why."""

from typing import Any

from app.search.answer import search
from app.search.models import SearchResults
from app.search.query.parse import parse_query
from app.search.request import parse_request
from app.search.searcher import Searcher
from app.tests.conftest import MakeVault
from app.tests.engines import on_every_engine
from app.tests.search.conftest import Find, paths
from app.tests.search.query.conftest import kept
from app.tests.search.query.test_constructs import EVERY

pytestmark = on_every_engine

FILTERS = [
    query
    for rows in EVERY.values()
    for query, _ in rows
    # "[name]" asks for a property in fulltext, and for the text elsewhere.
    if not parse_query(query).has_bare_words
]


def ask(searcher: Searcher, operation: str, query: str, **more: Any) -> SearchResults:
    return searcher.search(parse_request({"operation": operation, "query": query, "limit": 100, **more}))


def names(results: SearchResults) -> list[str]:
    return [path.rpartition("/")[2].removesuffix(".md") for path in paths(results)]


def test_a_query_without_bare_words_keeps_the_same_notes_everywhere(searcher: Searcher) -> None:
    for query in FILTERS:
        expected = kept(searcher, query)
        for operation in ("fulltext", "combined", "fast"):
            assert set(names(ask(searcher, operation, query))) == expected, (operation, query)
        found = search(searcher.vault, query, "fast")
        assert {hit.path.rpartition("/")[2].removesuffix(".md") for hit in found} == expected, query


def test_bare_words_rank_what_operators_keep(searcher: Searcher) -> None:
    assert set(names(ask(searcher, "fast", "budget devis"))) == {"Serre", "2025-07-14"}
    assert names(ask(searcher, "fast", "tag:#work budget flour")) == ["Serre", "2025-07-14"]
    assert names(ask(searcher, "fast", "-tag:#garden budget OR absent")) == ["2025-07-14"]
    assert names(ask(searcher, "fast", "(budget OR tag:#boat) [status:published]")) == ["Bateau"]
    assert names(ask(searcher, "scoped", "path:projects budget", scopes=["Journal/*"])) == []


def test_an_answer_shows_the_lines_its_operators_meet_and_their_heading(searcher: Searcher) -> None:
    [serre] = ask(searcher, "fulltext", 'path:projects task:(appeler OR trier) "devis"').results
    assert serre.lines == "17, 19, 22"
    assert serre.excerpt == "17 | Le devis attend.\n19 | - [ ] appeler Bob\n22 | - [/] trier les pots"
    assert serre.heading == "Serre > Budget"
    [bateau] = ask(searcher, "fulltext", "line:(mix water)").results
    assert (bateau.lines, bateau.heading) == ("16", "Le bateau")
    [tagged] = ask(searcher, "fulltext", "tag:#boat").results
    assert tagged.lines is None


def test_what_is_excluded_is_neither_found_nor_told(tiny_vault: MakeVault, find: Find) -> None:
    notes = {
        ".obsidian/app.json": '{"userIgnoreFilters": ["secret/"]}',
        "secret/S.md": "---\nhidden: yes\n---\nserre [[A]] #tag\n",
        "A.md": "[[S]]\n",
    }
    vault = tiny_vault(notes)
    for query in [
        "serre",
        "/serre/",
        "line:serre",
        "tag:#tag",
        "path:secret",
        "links-to:A",
        "[hidden:yes]",
        "-[x:y]",
    ]:
        assert "secret/S.md" not in paths(find(vault, "fulltext", query=query)), query
    assert paths(find(vault, "fulltext", query="linked-from:S")) == []
    assert paths(find(vault, "fulltext", query="links-to:S")) == ["A.md"]


def test_long_and_odd_property_values_are_exact(tiny_vault: MakeVault, find: Find) -> None:
    long = "mot " * 200 + "fin"
    vault = tiny_vault(
        {
            "a.md": f'---\nlong: "{long}"\nlines: "one\\ntwo\\\\three\\tfour"\nnest: {{deep: [x, {{y: Zed}}]}}\non: true\n---\n',
            "b.md": "---\nlong: short\nlines: one two\nnest: z\non: 'True'\n---\n",
        }
    )
    for query, expected in [
        ("[long:fin]", ["a.md"]),
        (f'[long:"{long}"]', ["a.md"]),
        ("[long:-mot]", ["b.md"]),
        ("[lines:/one\\ntwo/]", ["a.md"]),
        ("[lines:two\\three]", ["a.md"]),
        ('[lines:"two\\three"]', []),
        ("[nest:zed]", ["a.md"]),
        ("[on:true]", ["a.md", "b.md"]),
    ]:
        assert sorted(paths(find(vault, "fulltext", query=query))) == expected, query
