"""The links in an answer: where they lead, and what cannot become one."""

import pytest

from app.chat.cite.names import NamedNotes
from app.tests.conftest import MakeVault
from app.web.talk.citations import link_citations, render_answer

NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Work/Été à [Brest].md": "one\ntwo\nthree\n",
    "Work/plan_b.md": "one\ntwo\n",
    "private/Diary.md": "secret",
}
BREST = "/note/Work/%C3%89t%C3%A9%20%C3%A0%20%5BBrest%5D.md"


@pytest.fixture
def notes(tiny_vault: MakeVault) -> NamedNotes:
    return NamedNotes(tiny_vault(NOTES))


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            "`Work/plan_b.md` lines 1-2",
            '<a href="/note/Work/plan_b.md?lines=1-2#cited"><code>Work/plan_b.md</code> lines 1-2</a>',
        ),
        ("see `plan_b.md:2`.", 'see <a href="/note/Work/plan_b.md?lines=2#cited"><code>plan_b.md:2</code></a>.'),
        ("Work/plan_b.md, line 1", '<a href="/note/Work/plan_b.md?lines=1#cited">Work/plan_b.md, line 1</a>'),
        (
            "`Work/plan_b.md` lines 1, 2-2",
            '<a href="/note/Work/plan_b.md?lines=1%2C2#cited"><code>Work/plan_b.md</code> lines 1, 2-2</a>',
        ),
        ("[[plan_b]]", '<a href="/note/Work/plan_b.md">plan_b</a>'),
        ("[[plan_b|the *plan*]] lines 1-2", '<a href="/note/Work/plan_b.md?lines=1-2#cited">the *plan* lines 1-2</a>'),
        ("[the plan](Work/plan_b.md)", '<a href="/note/Work/plan_b.md">the plan</a>'),
        ("`Work/Été à [Brest].md` line 3", f'<a href="{BREST}?lines=3#cited"><code>Work/Été à [Brest].md</code> line 3</a>'),
        ("~~`Work/plan_b.md` line 2~~", '<s><a href="/note/Work/plan_b.md?lines=2#cited"><code>Work/plan_b.md</code> line 2</a></s>'),
    ],
)  # fmt: skip
def test_a_citation_becomes_a_link_to_its_lines(notes: NamedNotes, said: str, shown: str) -> None:
    html = render_answer(link_citations(said, notes))
    assert html.replace(' rel="noopener noreferrer nofollow"', "") == f"<p>{shown}</p>\n"


@pytest.mark.parametrize("said", ["`nowhere.md` line 1", "[[Nowhere]]", "`private/Diary.md`", "[[Diary]]"])
def test_what_is_not_there_or_hidden_is_no_link(notes: NamedNotes, said: str) -> None:
    assert link_citations(said, notes) == said


def test_code_is_left_alone(notes: NamedNotes) -> None:
    said = "```\nsee Work/plan_b.md line 1\n```\n"
    assert link_citations(said, notes) == said


def test_quoted_lines_become_a_block_in_which_nothing_is_a_link(notes: NamedNotes) -> None:
    html = render_answer(
        link_citations("Work/plan_b.md, lines 1-2\n  1 | see [[plan_b]] ```\n  2 | **two**\n", notes)
    )
    assert html.count("<a ") == 1
    assert "<pre><code>  1 | see [[plan_b]] ```\n  2 | **two**\n</code></pre>" in html


@pytest.mark.parametrize(
    "said",
    [
        "<script>alert(1)</script>",
        '<img src="x" onerror="alert(1)">',
        "![seen](http://tracker.example/x.png)",
        "[a](javascript:alert(1))",
        "[a](<JaVaScRiPt:alert(1)>)",
        "[a](data:text/html;base64,xx)",
        "[a](vbscript:x)",
        "<a href='javascript:alert(1)'>a</a>",
        "`x` <svg/onload=alert(1)>",
        "| a |\n| :-: |\n| <style>*{display:none}</style> |",
        "[[plan_b|](javascript:alert(1)) <b onclick=x>]]",
    ],
)
def test_nothing_that_a_model_writes_can_act(notes: NamedNotes, said: str) -> None:
    html = render_answer(link_citations(said, notes))
    for sign in (
        "<script",
        "<img",
        "<svg",
        "<style",
        "<b ",
        "style=",
        'href="javascript',
        'href="data',
        'href="vb',
    ):
        assert sign not in html.lower()


def test_a_text_without_end_is_shown_as_it_is_written() -> None:
    assert render_answer("[<b>" * 20_000) == "<pre>" + "[&lt;b&gt;" * 20_000 + "</pre>"
