"""Searching on the page: results, what narrows them, and why each was found."""

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from app.config.settings import IndexDefinition, IndexSettings
from app.errors import ModelError, VaultError
from app.markdown.plain import code_lines
from app.search.models import Ranking, SearchRequest, SearchResult
from app.search.operations import OPERATIONS
from app.search.query.parse import parse_question
from app.search.searcher import searcher_for
from app.search.show.lines import Marks, line_words
from app.search.vectors.vectors import Semantic
from app.search.view import View
from app.serving import keeper as module
from app.serving.keeper import Keeper
from app.tests.conftest import MakeVault
from app.tests.waiting import wait_until
from app.tests.web.conftest import LEXICAL, visit
from app.vault.client import VaultClient
from app.web.request import Asked
from app.web.results import marked, wikilink
from app.web.search import count_facets

NO_MODEL = IndexSettings(indexes={"notes": IndexDefinition(embedding_model="/nowhere/model")})
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
    result = page.split("<li data-path=")[1 + paths(page).index("Work/Plan.md")]
    assert 'title="Work/Plan.md · lines 1-9"' in result
    assert '<p class="where">Work</p>' in result
    assert '<p class="heading"><span class="number" aria-hidden="true">7</span>Next</p>' in result
    assert "Ask about the <mark>kiln</mark>." in result
    assert '<time datetime="2025-08-20">2025-08-20</time>' in result
    assert '<a class="tag" href="/?q=kiln&amp;tag=work">#work</a>' in result
    assert 'href="obsidian://open?vault=vault&amp;file=Work%2FPlan.md"' in result


def test_what_notes_hold_is_text_in_a_result(client: TestClient) -> None:
    page = client.get("/?q=kiln").text
    assert "The <mark>kilns</mark> broke twice." in page
    assert "The larch came late &amp; the <mark>kiln</mark> broke." in page


@pytest.mark.parametrize("strict", [True, False])
def test_lines_of_a_paragraph_flow_where_the_vault_says_so(tiny_vault: MakeVault, strict: bool) -> None:
    text = "# Lamp\n\nPut the lamp\nbehind the joint.\n\n- one\n  more\n- two\n> said\n> so\n"
    settings = f'{{"strictLineBreaks": {str(strict).lower()}}}'
    vault = tiny_vault({"N.md": text, ".obsidian/app.json": settings}, index=LEXICAL)
    page = visit(vault).get("/?q=lamp joint more two said so").text
    said = [
        " ".join(re.sub("<[^>]*>", "", line).split())
        for line in re.findall(
            r'<p class="[a-z]+"><span class="number" aria-hidden="true">\d+</span>(.*?)</p>', page
        )
    ]
    whole = ["Put the lamp behind the joint.", "one more", "two", "said so"]
    apart = ["Put the lamp", "behind the joint.", "one", "more", "two", "said", "so"]
    assert set(said) <= set(whole if strict else apart)
    assert said[0] == (whole if strict else apart)[0]


def test_a_note_without_a_day_of_its_own_shows_none(client: TestClient) -> None:
    page = client.get("/?q=nothing").text
    assert paths(page) == ["Other.md"]
    assert "<time" not in page


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


# What narrows


def test_templates_are_no_newest_notes(tiny_vault: MakeVault) -> None:
    notes = {
        "Home.md": "home\n",
        "Modèles (a+b)/Cours.md": "# {{title}}\n",
        ".obsidian/templates.json": '{"folder": "modèles (a+b)"}',
    }
    client = visit(tiny_vault(notes, index=LEXICAL))
    shown = client.get("/").text
    assert ("/note/Home.md" in shown, "Cours.md" in shown) == (True, False)
    assert [each["name"] for each in client.get("/names").json()] == ["Home"]
    assert "Cours.md" in client.get("/?q=title").text


def test_each_count_says_what_a_click_leaves(client: TestClient) -> None:
    page = client.get("/?q=kiln").text
    found = counts(page)
    assert found == {"Garden": 2, "Work": 1, "#project": 2, "#project/garden": 2, "#wood": 1, "#work": 1}
    for name, url in links(page).items():
        assert len(paths(client.get(url).text)) == found[name], name


def test_tags_narrow_one_after_the_other_and_can_be_dropped(client: TestClient) -> None:
    page = client.get("/?q=kiln&tag=project").text
    assert links(page)["#wood"] == "/?q=kiln&tag=project&tag=wood"
    both = client.get("/?q=kiln&tag=project&tag=wood").text
    assert paths(both) == ["Garden/Deep/Larch.md"]
    assert '<a href="/?q=kiln&amp;tag=wood" title="Drop this tag">#project' in both
    assert '<input type="hidden" name="tag" value="wood">' in both


def test_folders_are_gone_down_into(client: TestClient) -> None:
    page = client.get("/?q=kiln&folder=Garden").text
    assert len(paths(page)) == 2
    assert links(page)["Deep"] == "/?q=kiln&folder=Garden%2FDeep"
    assert '<a href="/?q=kiln" title="Leave this folder">Garden/' in page


def test_scope_and_dates_narrow(client: TestClient) -> None:
    assert paths(client.get("/?q=kiln&scope=Work/*").text) == ["Work/Plan.md"]
    assert paths(client.get("/?q=kiln&to=2025-06-30").text) == ["Garden/Kiln.md"]


def test_facets_count_what_lies_within_the_days(client: TestClient) -> None:
    august = client.get("/?q=kiln&from=2025-08&to=2025-08").text
    assert sorted(paths(august)) == ["Garden/Deep/Larch.md", "Work/Plan.md"]
    assert counts(august)["#project"] == 1


def test_the_facets_come_alone(client: TestClient) -> None:
    part = client.get("/facets?q=kiln", headers=FRAGMENT).text
    assert counts(part)["Garden"] == 2
    assert "<main" not in part


def test_meaning_counts_nothing_and_a_facet_what_a_click_leaves(embedded_example: VaultClient) -> None:
    asked = Asked(query="What should a newcomer know?", mode="deep")
    searcher = searcher_for(embedded_example)
    found = searcher.search(asked.request())
    by_words = replace(asked, mode="fast")
    facets = count_facets(searcher.view(), asked)
    assert searcher.search(by_words.request()).total < found.total
    assert facets == count_facets(searcher.view(), by_words)
    for folder in facets.folders:
        left = searcher.search(replace(by_words, folder=folder.value).request())
        assert left.total == folder.count, folder
    page = visit(embedded_example).get(asked.url()).text
    assert "1–10, likeliest first</p>" in page
    assert not re.search(r"of \d+ passages|passages found|Page 1 of", page)
    # A note stands where its best passage does.
    assert list(dict.fromkeys(paths(page))) == list(dict.fromkeys(quote(one.path) for one in found.results))


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


def test_where_meaning_is_not_there_it_is_said_quietly(client: TestClient) -> None:
    answer = client.get("/meaning?q=kiln", headers=FRAGMENT)
    assert answer.status_code == 200
    assert '<p id="not-by-meaning">this index has no embedding model</p>' in answer.text
    assert paths(answer.text) == []


def test_a_model_that_is_made_ready_is_asked_again(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "kiln\n"}, catch_up_seconds=0.05)
    client = visit(vault)
    vectors = searcher_for(vault).vectors
    assert vectors is not None
    # The thread of this test makes it ready, so to say, and the page's own do not wait.
    vectors.claim()
    waiting = client.get("/meaning?q=kiln", headers=FRAGMENT).text
    assert '<p id="not-by-meaning" data-again>' in waiting
    assert "still being made ready" in waiting
    # A link to a search by meaning does not claim it either.
    assert "found by meaning too</span>" not in client.get("/?q=kiln&mode=deep").text
    vectors.release()
    assert "found by meaning too</span>" in client.get("/?q=kiln&mode=deep").text
    assert paths(client.get("/meaning?q=kiln", headers=FRAGMENT).text) == ["A.md"]


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


def test_a_model_that_cannot_be_loaded_is_said_at_once(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "kiln\n"}, index=NO_MODEL)
    keeper = Keeper(vault)
    keeper.start()
    try:
        client = visit(vault, keeper)
        client.get("/meaning?q=kiln", headers=FRAGMENT)
        wait_until(lambda: not keeper.gives_meaning)
        said = unescape(client.get("/meaning?q=kiln", headers=FRAGMENT).text)
        assert '<p id="not-by-meaning">' in said
        assert "/nowhere/model" in said
    finally:
        keeper.close()


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (ModelError("the download broke off", "try again"), "the download broke off"),
        (OSError(28, "No space left on device"), "No space left on device"),
    ],
)
def test_a_model_that_could_not_be_loaded_once_is_tried_again(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch, failure: Exception, reason: str
) -> None:
    vault = tiny_vault({"A.md": "kiln\n"})
    monkeypatch.setattr(module, "MEANING_RETRY_SECONDS", 1000.0)
    prepare, begun = Semantic.prepare, list[bool]()

    def breaks_once(vectors: Semantic, stopped: Callable[[], bool]) -> None:
        begun.append(True)
        if len(begun) == 1:
            vectors.release()
            raise failure
        prepare(vectors, stopped)

    monkeypatch.setattr(Semantic, "prepare", breaks_once)
    keeper = Keeper(vault)
    keeper.start()
    try:
        client = visit(vault, keeper)
        client.get("/meaning?q=kiln", headers=FRAGMENT)
        wait_until(lambda: not keeper.gives_meaning)
        for _ in range(3):
            assert reason in client.get("/meaning?q=kiln", headers=FRAGMENT).text
        assert len(begun) == 1
        raised = list[VaultError]()
        for _ in range(2):
            with pytest.raises(VaultError, match=f"(?i){reason}") as caught:
                keeper.check_meaning()
            raised.append(caught.value)
        assert raised[0] is not raised[1]
        # The pause is over.
        monkeypatch.setattr(keeper, "_meaning_again", 0.0)
        client.get("/meaning?q=kiln", headers=FRAGMENT)
        wait_until(lambda: not keeper.gives_meaning)
        assert len(begun) == 2
        assert paths(client.get("/meaning?q=kiln", headers=FRAGMENT).text) == ["A.md"]
    finally:
        keeper.close()


def test_what_has_a_tag_is_listed_and_counted_by_note(tiny_vault: MakeVault) -> None:
    part = "---\ntags: [wood]\n---\n# Kiln\n\n" + "## Part\n\nfiller of the note. \n\n" * 120
    vault = tiny_vault(
        {"In/A.md": part, "In/B.md": "---\ntags: [wood, old]\n---\n# B\n\nThe **second**.\n"}, index=LEXICAL
    )
    client = visit(vault)
    assert searcher_for(vault).search(Asked(query="filler").request()).total > 1
    page = client.get("/?tag=wood").text
    assert sorted(paths(page)) == ["In/A.md", "In/B.md"]
    assert "1–2 of 2 notes, newest first" in " ".join(page.split())
    assert counts(page) == {"In": 2, "#old": 1}
    assert "The second.</p>" in page
    tags = client.get("/tags").text
    assert '>#wood</a> <span class="soft">2</span>' in tags
    assert (
        '<p id="said" hx-swap-oob="innerHTML">2 notes found</p>'
        in client.get("/?tag=wood", headers=FRAGMENT).text
    )


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


def test_operators_alone_ask_for_no_meaning(embedded_example: VaultClient) -> None:
    client = visit(embedded_example)
    for query in ("tag:#boat", "path:projects", ""):
        assert "data-meaning" not in client.get("/", params={"q": query}).text


def test_passages_of_one_note_stand_together_below_its_title(tiny_vault: MakeVault) -> None:
    part = "oak and larch.\n\n" + "filler of the note. " * 60
    notes: dict[str, str | bytes] = {"A.md": f"# One\n\n{part}\n\n# Two\n\n{part}\n", "B.md": "an oak\n"}
    page = visit(tiny_vault(notes, index=LEXICAL)).get("/?q=oak").text
    listed = [
        item.split("</li>")[0] for item in page.split('<ol class="results"')[1].split("<li data-path=")[1:]
    ]
    assert sorted(len(re.findall(r"data-result", item)) for item in listed) == [1, 2]
    of_a = next(item for item in listed if "A.md" in item)
    assert (of_a.count("<h2>"), of_a.count("Why this?")) == (1, 2)
    assert {"One", "Two"} <= set(re.findall(r"\w+", of_a))


# Pages, reasons, failures


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


def test_an_empty_vault_says_so(tiny_vault: MakeVault) -> None:
    page = visit(tiny_vault({}, index=LEXICAL)).get("/")
    assert page.status_code == 200
    assert "There is no note yet." in page.text


def test_a_query_cannot_write_into_the_page(client: TestClient) -> None:
    evil = '"><script>alert(1)</script>'
    for url in ("/", "/facets", "/why"):
        for name in ("q", "tag", "folder", "scope", "from"):
            page = client.get(url, params={name: evil, "at": "1"}).text
            assert "<script>alert" not in page


# Marks and links


def mark(vault: VaultClient, query: str, text: str) -> str:
    words = line_words(searcher_for(vault).view().lexical, [parse_question(query)])
    return str(marked(SearchResult(path="a.md", title="a", marks=Marks(words, 0)), text))


def test_marks_are_what_ranks(vault: VaultClient) -> None:
    searcher_for(vault).update()
    assert mark(vault, "kiln broke", "Kilns broke; the kilnman broken") == (
        "<mark>Kilns</mark> <mark>broke</mark>; the kilnman broken"
    )
    assert mark(vault, "décision", "DECISION: décisif") == "<mark>DECISION</mark>: décisif"
    assert mark(vault, "[x] a<b", "see [x] a<b!") == "see <mark>[x] a&lt;b</mark>!"
    assert mark(vault, "tag:#wood", "wood & tag") == "wood &amp; tag"
    assert mark(vault, "a", "At a lake") == "At <mark>a</mark> lake"
    assert mark(vault, "東京", "私は東京に") == "私は<mark>東京</mark>に"


def test_a_copied_link_is_the_shortest_that_is_clear(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A/x.md": "", "B/x.md": "", "B/y.md": ""}, index=LEXICAL)
    searcher_for(vault).update()
    view = searcher_for(vault).view()
    assert wikilink(view.snapshot, "B/y.md") == "[[y]]"
    assert wikilink(view.snapshot, "A/x.md") == "[[A/x]]"
    assert wikilink(view.snapshot, "B/y.md", "One > Two") == "[[y#Two]]"
    assert wikilink(view.snapshot, "B/y.md", "[a] | b") == "[[y]]"


def test_code_is_shown_as_code_where_an_excerpt_begins_inside_it(tiny_vault: MakeVault) -> None:
    code = [f"filler_{n} = {n}" for n in range(400)]
    text = "\n".join(
        [
            "# Kiln",
            "",
            "````python",
            *code[:200],
            "```",
            "# zephyr *stays* as it is",
            *code[200:],
            "````",
            "# Below",
        ]
    )
    page = visit(tiny_vault({"A.md": text}, index=LEXICAL)).get("/?q=zephyr").text
    assert '<p class="code">' in page
    assert re.search(
        r'<p class="code"><span[^>]*>\d+</span># <mark>zephyr</mark> \*stays\* as it is</p>', page
    )
    assert code_lines(["a", "~~~", "b", "~~~ c", "~~~", "d", "```x``` y", "> ```", "> e", "> ```", "f"]) == {
        2,
        3,
        4,
        5,
        8,
        9,
        10,
    }


def test_why_is_said_in_words_and_without_markdown(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(
        {"A.md": "---\ntags: [wood]\n---\n## The **kiln**\n\n[[Larch|boards]] dry.\n"}, index=LEXICAL
    )
    client = visit(vault)
    why = client.get("/why", params={"q": "kiln larch tag:#wood", "at": "1"}).text
    said = " ".join(re.sub("<[^>]*>", " ", unescape(why)).split())
    assert said.startswith("It contains kiln, larch.")
    assert "Every result matches: tag:#wood" in said
    assert re.search(
        r"Of 10 results like this one, (about \d are|fewer than one is) what people were looking for\.", said
    )
    for jargon in ("**", "##", "[[", "language model", "ranks", "deviations", "covers"):
        assert jargon not in said
    french = unescape(client.get("/why?q=kiln&at=1", headers={"Accept-Language": "fr"}).text)
    assert "Il contient kiln." in french


def test_why_by_meaning_names_the_sentence_that_is_nearest(embedded_example: VaultClient) -> None:
    asked = {"q": "Where do I sleep in Port-Avel?", "mode": "deep", "at": "1"}
    said = unescape(visit(embedded_example).get("/why", params=asked).text)
    assert re.search("Its closest sentence: “[^*#\\[]+”", said)


def test_an_address_is_shown_as_it_is_written_only_where_nothing_else_was_found(
    tiny_vault: MakeVault,
) -> None:
    note = "## The `kiln` [[Kiln|house]]\n\nsee [[Larch 1|boards]]\n"
    vault = tiny_vault({"A.md": note, "B.md": "The larch.\nsee [[Larch 1|boards]]\n"}, index=LEXICAL)
    searcher_for(vault).update()
    text = re.sub(r"</?mark>", "", visit(vault).get("/?q=larch").text)
    assert text.count("see [[Larch 1|boards]]") == 1
    assert text.count("see boards") == 1
    assert "The kiln house" in text
    assert "`kiln`" not in text


def test_a_hit_in_properties_shows_their_names_and_values(tiny_vault: MakeVault) -> None:
    properties = (
        'aliases:\n  - Kiln\n  - The "hot" box\nup: "[[Garden/Index|The kiln garden]]"\nkiln: true\n'
        "maker: {name: kiln}\nother: x\ncount: 3\nnothing:\n"
    )
    vault = tiny_vault({"A.md": f"---\n{properties}---\nSome text.\n"}, index=LEXICAL)
    searcher_for(vault).update()
    text = visit(vault).get("/?q=kiln").text
    shown = [
        " ".join(re.sub(r"<(?!/?mark)[^>]+>", " ", row).split())
        for row in re.findall(r'<p class="property">(.*?)</p>', text, re.DOTALL)
    ]
    assert shown == [
        "aliases <mark>Kiln</mark> The &#34;hot&#34; box",
        "up The <mark>kiln</mark> garden",
        "<mark>kiln</mark> yes",
        "maker {&#34;name&#34;: &#34;<mark>kiln</mark>&#34;}",
    ]
    assert "aliases:" not in text
    assert "[[Garden" not in text


def test_a_property_that_a_query_asks_for_is_shown_where_nothing_else_is(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "---\nstatus: draft\nother: x\n---\n"}, index=LEXICAL)
    searcher_for(vault).update()
    text = visit(vault).get("/?q=[status:draft]").text
    assert '<span class="name">status</span>' in text
    assert "status: draft" not in text


@pytest.mark.parametrize(
    ("query", "counted"),
    [
        ("tag:#wood", "2 notes"),
        ("path:In", "2 notes"),
        ("tag:#wood -file:B", "1 note"),
        ("tag:#wood OR path:Nowhere", "2 notes"),
        ("tag:#wood filler", "3 passages"),
        ("section:(filler)", "3 passages"),
        ("/fill/", "3 passages"),
    ],
)
def test_what_asks_of_whole_notes_alone_lists_and_counts_notes(
    tiny_vault: MakeVault, query: str, counted: str
) -> None:
    part = "---\ntags: [wood]\n---\n" + "## Part\n\nfiller of the note. \n\n" * 120
    vault = tiny_vault({"In/A.md": part, "In/B.md": "---\ntags: [wood]\n---\n# B\n"}, index=LEXICAL)
    searcher_for(vault).update()
    client = visit(vault)
    assert f" of {counted}" in client.get("/", params={"q": query}).text
    facets = client.get("/facets", params={"q": query}).text
    count = counted.split(" ", maxsplit=1)[0]
    assert re.search(rf">In</a> <span>{count}</span>", facets)


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
