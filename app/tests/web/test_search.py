"""Searching on the page: results, what narrows them, and why each was found."""

import re
import threading
from collections.abc import Callable
from html import unescape
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from app.search.models import Ranking, SearchRequest, SearchResult
from app.search.operations import OPERATIONS
from app.search.query.read import parse_question
from app.search.searcher import searcher_for
from app.search.show.lines import Marks, line_words
from app.search.vectors.vectors import Semantic
from app.search.view import View
from app.serving.keeper import Keeper
from app.tests.conftest import MakeVault
from app.tests.waiting import wait_until
from app.tests.web.conftest import visit
from app.vault.client import VaultClient
from app.web.request import Asked
from app.web.results import marked

FRAGMENT = {"HX-Request": "true"}
NOTES: dict[str, str | bytes] = {
    "Garden/Kiln.md": "---\ntags: [project/garden]\ndate: 2025-06-03\n---\n# Kiln\n\nThe kilns broke <b>twice</b>.\n",
    "Garden/Deep/Larch.md": "---\ntags: [project/garden, wood]\ndate: 2025-08-01\n---\nThe larch came late & the kiln broke.\n",
    "Work/Plan.md": "---\ntags: [work]\ndate: 2025-08-20\n---\n# Plan\n\n## Next\n\nAsk about the kiln.\n",
    "Other.md": "nothing of it\n",
    **{f"Many/{n:02}.md": f"# Number {n}\n\nmany of these\n" for n in range(1, 24)},
}


def paths(page: str) -> list[str]:
    return re.findall(r'<h2><a href="/note/([^"?]*)', page)


def counts(page: str) -> dict[str, int]:
    """What narrows the results, by name, with the count beside it."""
    rows = re.findall(r'<li><a href="[^"]*">([^<]*)</a> <span>(\d+)</span></li>', page)
    return {name: int(count) for name, count in rows}


def links(page: str) -> dict[str, str]:
    return {
        name: unescape(url) for url, name in re.findall(r'<li><a href="([^"]*)">([^<]*)</a> <span>', page)
    }


def test_a_result_says_where_it_is_and_marks_what_was_found(client: TestClient) -> None:
    page = client.get("/?q=kiln").text
    assert sorted(paths(page)) == ["Garden/Deep/Larch.md", "Garden/Kiln.md", "Work/Plan.md"]
    assert "The <mark>kilns</mark> broke twice." in page
    assert "The larch came late &amp; the <mark>kiln</mark> broke." in page
    result = page.split("<li data-path=")[1 + paths(page).index("Work/Plan.md")]
    assert 'href="/note/Work/Plan.md?lines=7-9#cited"' in result
    assert 'title="Work/Plan.md · lines 1-9"' in result
    assert '<p class="where">Work</p>' in result
    assert '<p class="heading"><span class="number" aria-hidden="true">7</span>Next</p>' in result
    assert "Ask about the <mark>kiln</mark>." in result
    assert '<time datetime="2025-08-20">2025-08-20</time>' in result
    assert '<a class="tag" href="/?q=kiln&amp;tag=work">#work</a>' in result
    assert 'href="obsidian://open?vault=vault&amp;file=Work%2FPlan.md"' in result


def test_htmx_is_given_the_results_alone(client: TestClient) -> None:
    answer = client.get("/?q=kiln&scope=&from=&mode=fast", headers=FRAGMENT)
    assert answer.headers["hx-replace-url"] == "/?q=kiln"
    part = answer.text
    assert "<!doctype" not in part
    assert '<p id="said" hx-swap-oob="innerHTML">3 passages found</p>' in part
    assert len(paths(part)) == 3
    assert 'hx-get="/facets?q=kiln"' in part
    # Going back asks for the whole page.
    assert (
        "<!doctype" in client.get("/?q=kiln", headers={**FRAGMENT, "HX-History-Restore-Request": "true"}).text
    )


def test_without_words_the_newest_come_first(client: TestClient) -> None:
    page = client.get("/?tag=project").text
    assert paths(page) == ["Garden/Deep/Larch.md", "Garden/Kiln.md"]
    assert "2 notes, newest first" in " ".join(page.split())


def test_each_count_says_what_a_click_leaves(client: TestClient) -> None:
    page = client.get("/?q=kiln").text
    found = counts(page)
    wanted = {"Garden": 2, "Work": 1, "#project": 2, "#project/garden": 2, "#wood": 1, "#work": 1}
    assert list(found.items()) == list(wanted.items())
    for name, url in links(page).items():
        assert len(paths(client.get(url).text)) == found[name], name


def test_tags_narrow_one_after_the_other_and_can_be_dropped(client: TestClient) -> None:
    page = client.get("/?q=kiln&tag=project").text
    assert links(page)["#wood"] == "/?q=kiln&tag=project&tag=wood"
    both = client.get("/?q=kiln&tag=project&tag=wood").text
    assert paths(both) == ["Garden/Deep/Larch.md"]
    assert '<a href="/?q=kiln&amp;tag=wood" title="Drop this tag">#project' in both
    assert '<input type="hidden" name="tag" value="wood">' in both


def test_meaning_joins_with_what_narrows_it_from_one_ranking(
    embedded_example: VaultClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = visit(embedded_example)
    asked = Asked(query="what should a newcomer know?")
    by_words = client.get(asked.url(), headers=FRAGMENT).text
    assert unescape(re.findall(r'data-meaning="([^"]*)"', by_words)[0]) == asked.url("/meaning")
    found = searcher_for(embedded_example).search(asked.request(operation="deep"))
    rankings: list[SearchRequest] = []
    deep = OPERATIONS["deep"]

    def counted(view: View, request: SearchRequest) -> Ranking:
        rankings.append(request)
        return deep(view, request)

    monkeypatch.setitem(OPERATIONS, "deep", counted)
    joined = client.get(asked.url("/meaning"), headers=FRAGMENT).text
    assert len(rankings) == 1
    assert list(dict.fromkeys(paths(joined))) == list(dict.fromkeys(quote(one.path) for one in found.results))
    whole = client.get(asked.url(mode="deep")).text
    assert counts(joined) == counts(whole) != {}
    # What narrows starts again by words; the pages go on with this ranking, and so do the reasons.
    assert all("mode=deep" not in url for url in links(joined).values())
    assert unescape(re.findall(r'rel="next" href="([^"]*)"', joined)[0]) == asked.url(mode="deep", page=2)
    assert "mode=deep" in re.findall(r'hx-get="(/why[^"]*)"', joined)[0]
    assert "data-meaning" not in joined + whole


def test_nobody_waits_for_a_model_that_is_loading(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tiny_vault({"A.md": "kiln\n"})
    go, begun = threading.Event(), threading.Event()
    prepare = Semantic.prepare

    def held(vectors: Semantic, stopped: Callable[[], bool]) -> None:
        begun.set()
        assert go.wait(300)
        prepare(vectors, stopped)

    monkeypatch.setattr(Semantic, "prepare", held)
    keeper = Keeper(vault)
    keeper.start()
    try:
        client = visit(vault, keeper)
        assert keeper.wait(300)
        for _ in range(2):
            waiting = client.get("/meaning?q=kiln", headers=FRAGMENT).text
            assert '<p id="not-by-meaning" data-again>' in waiting
            assert "search by meaning is being made ready: its model is loading" in waiting
            assert begun.wait(300)
        go.set()
        wait_until(lambda: not keeper.gives_meaning)
        assert paths(client.get("/meaning?q=kiln", headers=FRAGMENT).text) == ["A.md"]
    finally:
        go.set()
        keeper.close()


def test_a_query_that_cannot_be_read_shows_where_and_leaves_nothing_of_the_one_before(
    client: TestClient,
) -> None:
    part = client.get("/", params={"q": "kiln /(/"}, headers=FRAGMENT).text
    assert "<code>kiln /<mark>(</mark>/</code>" in part
    assert "Expected here: a valid regular expression (missing ))." in part
    assert "position" not in part
    assert '<div id="facets" hx-swap-oob="innerHTML"></div>' in part
    # What was typed is text, in what is said of it too.
    typed = client.get("/", params={"q": "file:(<b>100%s:x)"}, headers=FRAGMENT)
    assert typed.status_code == 200
    assert "<b>" not in typed.text
    whole = client.get("/", params={"q": "kiln /(/"}, headers={"Accept-Language": "fr"})
    assert whole.status_code == 400
    assert "Attendu ici\u202f: une expression régulière valide (missing ))." in whole.text
    assert whole.text.count('id="facets"') == 1


def test_there_are_pages(client: TestClient) -> None:
    seen = []
    url = "/?q=many"
    while url:
        page = client.get(url).text
        seen += paths(page)
        following = re.search(r'<a rel="next" href="([^"]*)"', page)
        url = unescape(following[1]) if following else ""
    assert len(seen) == len(set(seen)) == 23
    assert "21–23 of 23" in page
    assert '<a rel="prev" href="/?q=many&amp;page=2">' in page
    beyond = client.get("/?q=many&page=9").text
    assert "There are only 3 pages." in beyond


def test_why_this(client: TestClient) -> None:
    page = client.get("/?q=kiln&tag=wood").text
    address = unescape(re.findall(r'hx-get="(/why[^"]*)"', page)[0])
    assert address == "/why?q=kiln&tag=wood&at=1"
    said = client.get(address, headers=FRAGMENT).text
    assert "It contains kiln." in said
    assert "asks for" not in said
    assert "no longer there" in client.get("/why?q=kiln&at=7").text
    assert "Il contient kiln." in client.get(address, headers={"Accept-Language": "fr"}).text


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("q=kiln&from=2025-13", "Date &#39;2025-13&#39; is not understood."),
        ("q=kiln&folder=Gardn", "Did you mean &#39;Garden&#39;"),
        ("q=kiln&page=0", "Give a number from 1 to 1000"),
        ("q=kiln&page=x", "&#39;page&#39; is &#39;x&#39;"),
        ("q=kiln&scope=../x", "leads out of the vault"),
    ],
)
def test_what_is_wrong_is_said_where_the_results_would_be(client: TestClient, query: str, said: str) -> None:
    whole, part = client.get(f"/?{query}"), client.get(f"/?{query}", headers=FRAGMENT)
    assert (whole.status_code, part.status_code) == (400, 200)
    assert said in whole.text
    assert said in part.text
    assert 'value="kiln"' in whole.text


def test_nothing_found_says_what_to_try(client: TestClient) -> None:
    page = client.get("/?q=zyxwvut&tag=work").text
    assert "Nothing found." in page
    assert '<a href="/?q=zyxwvut">Search the whole vault</a>' in page
    # An index of words alone has nothing to join them.
    assert "data-meaning" not in page
    assert "by meaning as well" not in page


def test_a_query_cannot_write_into_the_page(client: TestClient) -> None:
    evil = '"><script>alert(1)</script>'
    for url in ("/", "/facets", "/why"):
        for name in ("q", "tag", "folder", "scope", "from"):
            page = client.get(url, params={name: evil, "at": "1"}).text
            assert "<script>alert" not in page


def mark(vault: VaultClient, query: str, text: str) -> str:
    words = line_words(searcher_for(vault).view().lexical, [parse_question(query)])
    return str(marked(SearchResult(path="a.md", title="a", marks=Marks(words, 0)), text))


def test_what_is_hardly_likely_to_answer_is_not_said_to_be_found(embedded_example: VaultClient) -> None:
    client = visit(embedded_example)

    def shown(query: str) -> tuple[float, str]:
        asked = Asked(query=query, mode="deep")
        best = searcher_for(embedded_example).search(asked.request()).results[0].score
        return best, client.get("/meaning", params={"q": query}).text

    for query in ("volcanoes of Jupiter", "cryptocurrency tax law in Brazil"):
        score, far = shown(query)
        assert score < 0.05, query
        assert "Nothing seems to answer this. The nearest in meaning:" in far
        assert "data-result" in far
        assert "data-distant" in far
        assert not re.search(r"of \d+ passages|passages found|rel=\"next\"|class=\"facet\"", far)
    score, near = shown("larch planks for the boat")
    assert score >= 0.05
    assert "Nothing seems to answer" not in near
    assert "1–10, likeliest first" in near
    assert "data-distant" not in near
