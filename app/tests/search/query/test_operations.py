"""The language in every operation: it filters alike, bare words rank, and an answer shows why."""

from typing import Any

import pytest

from app.errors import BadRequestError
from app.search.answer import answer, search
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
    and query != "-[status]"
    # Where nothing holds a phrase, a ranked search drops it and says so.
    and query != '"flour the"'
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
    assert set(names(ask(searcher, "fast", "(budget OR flour) [status]"))) == {
        "Serre",
        "Bateau",
        "2025-07-14",
    }
    assert names(ask(searcher, "fast", "(budget OR tag:#boat) [status:published]")) == ["Bateau"]
    assert names(ask(searcher, "scoped", "path:projects budget", scopes=["Journal/*"])) == []


def test_in_fulltext_all_bare_words_must_occur_or_most_of_them(searcher: Searcher) -> None:
    assert names(ask(searcher, "fulltext", "tag:#work budget devis")) == ["Serre"]
    results = ask(searcher, "fulltext", "tag:#work budget absent")
    assert set(names(results)) == {"Serre", "2025-07-14"}
    assert "no note holds all 2 words; these hold 1 of them" in results.notices
    assert names(ask(searcher, "fulltext", "tag:#boat budget -flour")) == []


def test_combined_joins_the_query_with_its_other_parameters(searcher: Searcher) -> None:
    assert names(ask(searcher, "combined", "[status] -[status:done]", tags=["work"])) == ["Serre"]
    assert names(ask(searcher, "combined", "line:(budget voté)", folder="Journal")) == ["2025-07-14"]
    assert names(ask(searcher, "combined", "[price:>5]", note_path="Home", direction="forward")) == ["Bateau"]


@pytest.mark.parametrize(
    "query", ["what is [this]?", "re: budget", "[décision]", "status: en-cours", "5/6 -> x"]
)
def test_literal_forms_come_first_in_every_search_of_passages(query: str, tiny_vault: MakeVault) -> None:
    words = query.translate({ord(sign): " " for sign in "[]?:()/->"})
    vault = tiny_vault(
        {"a.md": f"{words} {words}\n", "b.md": f"{'mot ' * 99}{query.upper()} fin\n", "c.md": words}
    )
    assert search(vault, query, "fast")[0].path == "b.md"
    assert search(vault, query, "fast", scopes=["*.md"])[0].path == "b.md"
    assert "1. b.md" in answer(vault, {"operation": "fast", "query": query})


def test_brackets_are_a_property_in_fulltext_and_text_in_fast(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {"a.md": "---\nstatus: x\n---\n", "b.md": "the [status] of it\n", "c.md": "[other] status\n"}
    )
    assert paths(find(vault, "fulltext", query="[status]")) == ["a.md"]
    assert paths(find(vault, "fulltext", query='"[status]"')) == ["b.md"]
    assert paths(find(vault, "fulltext", query="[other]")) == ["c.md"]
    ranked = find(vault, "fast", query="[status]")
    assert paths(ranked)[0] == "b.md"
    notice = "'[status]' is text here; fulltext can ask for a property of that name"
    assert notice in ranked.notices
    assert notice not in find(vault, "fulltext", query="[status]").notices
    # No note has such a property.
    assert find(vault, "fast", query="[other]").notices == []


def test_a_property_that_no_note_has_is_pointed_out(searcher: Searcher) -> None:
    results = ask(searcher, "fast", "[meeting:work]")
    assert results.total == 0
    assert "no note has a property 'meeting'; text in brackets can stand in double quotes" in results.notices


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
    vault = tiny_vault(
        {
            ".obsidian/app.json": '{"userIgnoreFilters": ["secret/"]}',
            "secret/S.md": "---\nhidden: yes\n---\nserre [[A]] #tag\n",
            "A.md": "[[S]]\n",
        }
    )
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


def test_a_changed_note_is_read_anew(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "---\np: 1\n---\nmix flour\n"})
    assert paths(find(vault, "fulltext", query="line:(mix flour) [p:1]")) == ["a.md"]
    tiny_vault({"a.md": "---\np: 2\n---\nmix sugar\n"})
    assert paths(find(vault, "fulltext", query="line:(mix flour)")) == []
    assert paths(find(vault, "fulltext", query="line:(mix sugar) [p:2]")) == ["a.md"]


def test_an_error_is_one_line_with_the_position(searcher: Searcher) -> None:
    told = answer(searcher.vault, {"operation": "fast", "query": "budget line:(a b"})
    assert told == (
        "Error: query 'budget line:(a b' is not understood at position 13: expected ')' that closes this '(', "
        "with a blank after it. "
        "what is meant as text can stand in double quotes"
    )


def test_a_name_that_means_several_notes_is_an_error_that_lists_them(
    tiny_vault: MakeVault, find: Find
) -> None:
    vault = tiny_vault({"a/N.md": "", "b/N.md": "", "c.md": "[[a/N]]"})
    with pytest.raises(
        BadRequestError, match=r"'N' means several notes\. give the path of one: a/N\.md, b/N\.md"
    ):
        find(vault, "fulltext", query="links-to:N")
    assert paths(find(vault, "fulltext", query="links-to:a/N")) == ["c.md"]


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
