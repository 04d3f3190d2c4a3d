"""The places that an answer cites: their numbers, where they lead, and what cannot become one."""

import re

import pytest
from markupsafe import escape

from app.chat.cite.names import NamedNotes
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.web.talk.citations import Cited, Source, render_answer, set_out, show_numbers

NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Work/Été à [Brest].md": "one\ntwo\nthree\n",
    "Work/plan_b.md": "# The <plan>\ntwo\n",
    "2025-07-14.md": "one\ntwo\n",
    "private/Diary.md": "secret",
}
BREST = "/note/Work/%C3%89t%C3%A9%20%C3%A0%20%5BBrest%5D.md"


@pytest.fixture
def notes(tiny_vault: MakeVault) -> NamedNotes:
    vault = tiny_vault(NOTES)
    searcher_for(vault).update()
    return NamedNotes(vault)


def rendered(said: str, notes: NamedNotes) -> str:
    return render_answer(said, searcher_for(notes.vault).view())


def plain(said: str, notes: NamedNotes) -> tuple[str, list[tuple[int, str, str, str]]]:
    """Show an answer with ``{1}`` for the first place, ``{name 1}`` where its name is said, and the places."""
    cited = Cited(said, notes)
    html = show_numbers(rendered(cited.markdown, notes), cited.sources, lambda source: source.title)
    text = re.sub(
        r'<a class="cite" href="[^"]*"(?: aria-label="[^"]*")?(?: title="[^"]*")?>(?:<span class="cite-name">(.*?)</span>\u00a0)?'
        r'<span class="cite-number">(\d+)</span></a>',
        lambda found: f"{{{found[1]} {found[2]}}}" if found[1] else f"{{{found[2]}}}",
        html,
    )
    places = [(each.number, each.path, each.title, each.lines) for each in cited.sources]
    return text.replace("&nbsp;", " ").replace("\u202f", " ").removesuffix("\n"), places


DAY = ("2025-07-14.md", "2025-07-14")
PLAN = ("Work/plan_b.md", "The <plan>")


@pytest.mark.parametrize(
    ("said", "shown", "places"),
    [
        ("Two (`Work/plan_b.md` lines 1-2).", "Two {1}.", [(1, *PLAN, "1-2")]),
        ("see `plan_b.md:2`.", "see {The &lt;plan&gt; 1}.", [(1, *PLAN, "2")]),
        ("Two (`plan_b.md` line 2; `plan_b.md` line 1), two (`plan_b.md` line 2).",
         "Two {1} {2}, two {1}.", [(1, *PLAN, "2"), (2, *PLAN, "1")]),
        ("Two, Work/plan_b.md, lines 1, 2-2", "Two, {1} {2}", [(1, *PLAN, "1"), (2, *PLAN, "2")]),
        ("[[plan_b]] says so", "{plan_b 1} says so", [(1, *PLAN, "")]),
        ("[[plan_b|the *plan*]] lines 1-2 says", "{the *plan* 1} says", [(1, *PLAN, "1-2")]),
        ("[the plan](Work/plan_b.md)", "{the plan 1}", [(1, *PLAN, "")]),
        ("- `Work/plan_b.md`", "<ul>\n<li>{The &lt;plan&gt; 1}</li>\n</ul>", [(1, *PLAN, "")]),
        ("2025-07-14, `Work/plan_b.md` line 2:\n> two", "2025-07-14, {The &lt;plan&gt; 1}:</p>\n<blockquote>\n<p>two</p>\n</blockquote>", [(1, *PLAN, "2")]),
        ("“on a Monday. ^launch-date” (`plan_b.md` line 2)", "“on a Monday.” {1}", [(1, *PLAN, "2")]),
        ("« lundi ^jour-1 » (2025-07-14, `plan_b.md` ligne 2)", "« lundi » (2025-07-14, {1})", [(1, *PLAN, "2")]),
        ("Nearest: `plan_b.md` line 1; `2025-07-14.md` line 2.",
         "Nearest: {The &lt;plan&gt; 1}; {2025-07-14 2}.", [(1, *PLAN, "1"), (2, *DAY, "2")]),
        ("True. `plan_b.md` line 1; [[2025-07-14]] says so", "True. {1}; {2025-07-14 2} says so",
         [(1, *PLAN, "1"), (2, *DAY, "")]),
        ("2025-07-14, `2025-07-14.md` line 1:\none", "{2025-07-14 1}:<br>\none", [(1, *DAY, "1")]),
        ("2025-07-15, `2025-07-14.md` line 1:\none", "2025-07-15, {2025-07-14 1}:<br>\none",
         [(1, *DAY, "1")]),
        ("~~It is (`Work/plan_b.md` line 2).~~", "<s>It is {1}.</s>", [(1, *PLAN, "2")]),
        ("So (`Work/Été à [Brest].md` line 3)", "So {1}", [(1, "Work/Été à [Brest].md", "Été à [Brest]", "3")]),
    ],
)  # fmt: skip
def test_each_place_has_a_number_and_its_name_where_the_sentence_needs_it(
    notes: NamedNotes, said: str, shown: str, places: list[tuple[int, str, str, str]]
) -> None:
    text, found = plain(said, notes)
    assert text.removeprefix("<p>").removesuffix("</p>") == shown
    assert found == places


def test_a_number_leads_to_the_lines_and_says_so(notes: NamedNotes) -> None:
    cited = Cited("See (`Work/Été à [Brest].md` line 3) and [[plan_b|it]].", notes)

    def label(source: Source) -> str:
        return escape(f"{source.number}: {source.title}")

    html = show_numbers(rendered(cited.markdown, notes), cited.sources, label)
    assert html == (
        f'<p>See&nbsp;<a class="cite" href="{BREST}?lines=3#cited" aria-label="1: Été à [Brest]" title="three">'
        '<span class="cite-number">1</span></a> and <a class="cite" href="/note/Work/plan_b.md">'
        '<span class="cite-name">it</span>\u00a0'
        '<span class="cite-number">2</span></a>.</p>\n'
    )


@pytest.mark.parametrize("said", ["`nowhere.md` line 1", "[[Nowhere]]", "`private/Diary.md`", "[[Diary]]"])
def test_what_is_not_there_or_hidden_has_no_number(notes: NamedNotes, said: str) -> None:
    cited = Cited(said, notes)
    assert (cited.markdown, cited.sources) == (said, ())


@pytest.mark.parametrize(
    ("quoted", "shown"),
    [
        ("> Seen <!-- not seen -->here %%nor this%%.", "<p>Seen here .</p>"),
        ("> ````\n> ```tasks\n> done\n> ```\n> ````", "<pre><code>```tasks\ndone\n```\n</code></pre>"),
        ("> `<!-- code -->` is kept", "<p><code>&lt;!-- code --&gt;</code> is kept</p>"),
        ("> one\n>\n> %%\n> hidden\n>\n> hidden too\n> %%\n>\n> two", "<p>one</p>\n<p>two</p>"),
        ("> one %%hidden\n> hidden too%% two", "<p>one  two</p>"),
        ("> ~~~~\n> a\n> ~~~\n> b\n> ~~~~\n> end", "<pre><code>a\n~~~\nb\n</code></pre>\n<p>end</p>"),
    ],
)
def test_what_a_note_does_not_show_is_not_shown_in_a_quotation(
    notes: NamedNotes, quoted: str, shown: str
) -> None:
    assert shown in rendered(quoted, notes)


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
        "[<b onclick=x>](#source-1) `plan_b.md:2`",
        '[a](#source-1"onclick=alert(1)) (`plan_b.md:2`)',
    ],
)
def test_nothing_that_a_model_writes_can_act(notes: NamedNotes, said: str) -> None:
    cited = Cited(said, notes)
    html = show_numbers(rendered(cited.markdown, notes), cited.sources, lambda source: source.title)
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


def test_quoted_lines_flow_together_where_the_vault_has_it_so(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({".obsidian/app.json": '{"strictLineBreaks": true}', "A.md": "a"})
    said = "Here:\nsee\n\n> one\n> two  \n> three\n>\n> > [!note] Four\n> > five\n> > six\n"
    assert rendered(said, NamedNotes(vault)) == (
        "<p>Here:<br>\nsee</p>\n<blockquote>\n<p>one\ntwo<br>\nthree</p>\n"
        '<div class="callout callout-note">\n<p class="callout-title">Four</p>\n<p>five\nsix</p>\n</div>\n</blockquote>\n'
    )


@pytest.mark.parametrize(
    ("text", "answering", "marked"),
    [
        ("A b.\n> A b. C d. ^end\n> E.", "C d. ^end", "A b.\n> A b. ==C d.== ^end\n> E."),
        ("A b.\n> A b.", "A b.", "A b.\n> ==A b.=="),
        (
            "> - [x] one\n> - [ ] two\n>   goes on",
            "- [ ] two\n  goes on",
            "> - [x] one\n> - [ ] ==two\n>   goes on==",
        ),
        ("No quotation: A b.", "A b.", "No quotation: A b."),
        ("> **A b. C** d.", "C** d.", "> **A b. C** d."),
        ("> A ==b== c.", "A ==b== c.", "> A ==b== c."),
        ("> A b.", "", "> A b."),
    ],
)
def test_what_says_it_is_highlighted_inside_a_quotation(text: str, answering: str, marked: str) -> None:
    assert set_out(text, [answering]) == marked
