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
        ("Two. `plan_b.md:2`", "Two. {1}", [(1, *PLAN, "2")]),
        ("see `plan_b.md:2`.", "see {The &lt;plan&gt; 1}.", [(1, *PLAN, "2")]),
        ("Two (`plan_b.md` line 2; `plan_b.md` line 1), two (`plan_b.md` line 2).",
         "Two {1} {2}, two {1}.", [(1, *PLAN, "2"), (2, *PLAN, "1")]),
        ("Two, Work/plan_b.md, lines 1, 2-2", "Two, {1} {2}", [(1, *PLAN, "1"), (2, *PLAN, "2")]),
        ("They are: `plan_b.md` line 2.", "They are: {The &lt;plan&gt; 1}.", [(1, *PLAN, "2")]),
        ("[[plan_b]] says so", "{plan_b 1} says so", [(1, *PLAN, "")]),
        ("[[plan_b|the *plan*]] lines 1-2 says", "{the *plan* 1} says", [(1, *PLAN, "1-2")]),
        ("[the plan](Work/plan_b.md)", "{the plan 1}", [(1, *PLAN, "")]),
        ("- `Work/plan_b.md`", "<ul>\n<li>{The &lt;plan&gt; 1}</li>\n</ul>", [(1, *PLAN, "")]),
        ("1. `Work/plan_b.md` line 2", "<ol>\n<li>{The &lt;plan&gt; 1}</li>\n</ol>", [(1, *PLAN, "2")]),
        ("So it is (`Work/plan_b.md`).", "So it is {1}.", [(1, *PLAN, "")]),
        ("2025-07-14, `Work/plan_b.md` line 2:\n> two", "2025-07-14, {The &lt;plan&gt; 1}:</p>\n<blockquote>\n<p>two</p>\n</blockquote>", [(1, *PLAN, "2")]),
        ("“on a Monday. ^launch-date” (`plan_b.md` line 2)", "“on a Monday.” {1}", [(1, *PLAN, "2")]),
        ("« lundi ^jour-1 » (2025-07-14, `plan_b.md` ligne 2)", "« lundi » (2025-07-14, {1})", [(1, *PLAN, "2")]),
        ("Nearest: `plan_b.md` line 1; `2025-07-14.md` line 2.",
         "Nearest: {The &lt;plan&gt; 1}; {2025-07-14 2}.", [(1, *PLAN, "1"), (2, *DAY, "2")]),
        ("[[plan_b]], `plan_b.md` line 1.", "{plan_b 1}, {2}.", [(1, *PLAN, ""), (2, *PLAN, "1")]),
        ("True. `plan_b.md` line 1; [[2025-07-14]] says so", "True. {1}; {2025-07-14 2} says so",
         [(1, *PLAN, "1"), (2, *DAY, "")]),
        ("2025-07-14, `2025-07-14.md` line 1:\none", "{2025-07-14 1}:<br>\none", [(1, *DAY, "1")]),
        ("“one” (2025-07-14, `2025-07-14.md` line 1)", "“one” (2025-07-14, {1})", [(1, *DAY, "1")]),
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


def test_a_number_quotes_its_lines_as_text(tiny_vault: MakeVault) -> None:
    lines = ['"><img src=x onerror=alert(1)>', "\u202edesrever", "", *["long " * 50] * 9]
    vault = tiny_vault({"A.md": "\n".join(lines)})
    searcher_for(vault).update()
    for place, text in {
        "1": '"><img src=x onerror=alert(1)>',
        "2-3": "\\u202edesrever\n",
        "12-99": "long " * 50,
        "4-12": ("long " * 50 + "\n") * 2 + "long " * 19 + "lo…",
    }.items():
        cited = Cited(f"So it is (`A.md` lines {place}).", NamedNotes(vault))
        html = show_numbers(rendered(cited.markdown, NamedNotes(vault)), cited.sources, str)
        assert f' title="{escape(text)}">' in html
        assert "<img" not in html


@pytest.mark.parametrize("said", ["`nowhere.md` line 1", "[[Nowhere]]", "`private/Diary.md`", "[[Diary]]"])
def test_what_is_not_there_or_hidden_has_no_number(notes: NamedNotes, said: str) -> None:
    cited = Cited(said, notes)
    assert (cited.markdown, cited.sources) == (said, ())


def test_a_link_in_a_quotation_is_the_notes_own(notes: NamedNotes) -> None:
    text, places = plain("> As in [[plan_b|the plan]].", notes)
    assert '<a href="/note/Work/plan_b.md"' in text
    assert places == []


def test_a_link_in_a_quotation_to_no_note_shows_as_its_name(notes: NamedNotes) -> None:
    text, places = plain("> See [[Nowhere|the *moon*]] and [[Some/Where]].\n", notes)
    assert (
        '<p>See <span class="missing">the *moon*</span> and <span class="missing">Some/Where</span>.</p>'
        in text
    )
    assert places == []


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


def test_what_is_written_outside_a_quotation_is_shown_whole(notes: NamedNotes) -> None:
    said = "x <!-- a --> %%b%% <b>c</b>\n\n%%\nd\n%%\n\n<div>\n*e* (`plan_b.md` line 2)\n</div>\n"
    text, places = plain(said, notes)
    assert "<p>x &lt;!-- a --&gt; %%b%% &lt;b&gt;c&lt;/b&gt;</p>" in text
    assert "<p>%%\nd\n%%</p>" in text
    assert "&lt;div&gt;<br>\n<em>e</em> {1}<br>\n&lt;/div&gt;" in text
    assert len(places) == 1


@pytest.mark.parametrize("code", ["```js\n{}\n```", "~~~\n{}\n~~~", "````\n{}\n````", "    {}"])
def test_a_line_of_code_in_a_quotation_stays_as_it_is(notes: NamedNotes, code: str) -> None:
    line = "[[plan_b]] and [[Nowhere]], `plan_b.md` line 1"
    quoted = "\n".join(f"> {each}" for each in code.format(line).split("\n"))
    # What is highlighted has its own elements.
    assert line in re.sub(r"</?span[^>]*>", "", plain(f"As in\n\n{quoted}\n", notes)[0])


def test_a_fence_that_is_code_itself_begins_no_code(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"Code.md": "As so:\n\n    ```\n    x\n\nSee **this**.\nAnd so on.\n"})
    searcher_for(vault).update()
    html, _ = plain("`Code.md` lines 6-7:\n> See **this**.\n> And so on.\n", NamedNotes(vault))
    assert "<p>See <strong>this</strong>.<br>\nAnd so on.</p>" in html
    assert "<pre>" not in html


@pytest.mark.parametrize("fence", ["```", "~~~", "`````"])
@pytest.mark.parametrize(
    "text", ["{0}tasks\nsee [[plan_b]]\nend\n{0}\nafter\n", "> {0}\n> see [[plan_b]]\n> end\n> {0}\nafter\n"]
)
def test_a_quotation_that_begins_within_code_goes_on_as_code(
    tiny_vault: MakeVault, fence: str, text: str
) -> None:
    vault = tiny_vault({"Code.md": text.format(fence), "plan_b.md": "x"})
    searcher_for(vault).update()
    notes = NamedNotes(vault)
    lines = text.format(fence).split("\n")[1:5]
    said = "`Code.md` lines 2-5:\n" + "".join(f"> {line}\n" for line in lines)
    html, _ = plain(said, notes)
    assert "see [[plan_b]]\nend\n</code></pre>" in html
    assert "<p>after</p>" in html
    assert "<a" not in html


def test_a_number_that_a_model_makes_up_leads_nowhere(notes: NamedNotes) -> None:
    text, _ = plain("[x](#source-9) [y](#source-1) [](#source-0) `plan_b.md:2`", notes)
    assert text == "<p>x y  {The &lt;plan&gt; 1}</p>"


def test_code_is_left_alone(notes: NamedNotes) -> None:
    said = "```\nsee Work/plan_b.md line 1\n```\n"
    assert Cited(said, notes).markdown == said


def test_quoted_lines_become_a_block_in_which_nothing_is_a_link(notes: NamedNotes) -> None:
    text, places = plain("Work/plan_b.md, lines 1-2\n  1 | see [[plan_b]] ```\n  2 | **two**\n", notes)
    assert places == [(1, *PLAN, "1-2")]
    assert "<a " not in text
    assert "<pre><code>  1 | see [[plan_b]] ```\n  2 | **two**\n</code></pre>" in text


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


def test_a_text_without_end_is_shown_as_it_is_written(notes: NamedNotes) -> None:
    assert rendered("[<b>" * 20_000, notes) == "<pre>" + "[&lt;b&gt;" * 20_000 + "</pre>"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("> Younger\n> than her father. ^launch-date\n", "Younger<br>\nthan her father."),
        ("> A row.\n> ^row-1", "A row."),
        ("> Two ^ three", "Two ^ three"),
        ("> It is `2 ^n`", "It is <code>2 ^n</code>"),
    ],
)
def test_the_name_of_a_block_is_not_shown_in_a_quotation(notes: NamedNotes, said: str, shown: str) -> None:
    assert rendered(said, notes) == f"<blockquote>\n<p>{shown}</p>\n</blockquote>\n"


def test_what_is_no_quotation_keeps_its_signs(notes: NamedNotes) -> None:
    assert rendered("the square, x ^2", notes) == "<p>the square, x ^2</p>\n"


def test_quoted_lines_flow_together_where_the_vault_has_it_so(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({".obsidian/app.json": '{"strictLineBreaks": true}', "A.md": "a"})
    said = "Here:\nsee\n\n> one\n> two  \n> three\n>\n> > [!note] Four\n> > five\n> > six\n"
    assert rendered(said, NamedNotes(vault)) == (
        "<p>Here:<br>\nsee</p>\n<blockquote>\n<p>one\ntwo<br>\nthree</p>\n"
        '<div class="callout callout-note">\n<p class="callout-title">Four</p>\n<p>five\nsix</p>\n</div>\n</blockquote>\n'
    )


def test_quoted_lines_end_where_they_do_in_other_vaults(notes: NamedNotes) -> None:
    assert "<p>one<br>\ntwo<br>\nthree</p>" in rendered("> one\n> two  \n> three\n", notes)


def test_callouts_and_tasks_are_shown_as_in_obsidian_and_their_markdown_stays(notes: NamedNotes) -> None:
    said = (
        "`plan_b.md` line 1:\n> > [!tip]- A *trick*\n> > Chalk.\n>\n> - [ ] Cut\n> - [x] Sew\n> - [?] Ask\n"
    )
    cited = Cited(said, notes)
    html = show_numbers(rendered(cited.markdown, notes), cited.sources, lambda source: source.title)
    assert (
        '<div class="callout callout-tip">\n<p class="callout-title">A <em>trick</em></p>\n<p>Chalk.</p>\n</div>\n'
        in html
    )
    assert '<li class="task"><span class="box" role="img" aria-label="to do"></span> Cut</li>' in html
    assert '<li class="task done"><span class="box" role="img" aria-label="done">✓</span> Sew</li>' in html
    assert '<span class="box" role="img" aria-label="?">?</span> Ask</li>' in html
    assert "[!tip]" not in html
    assert all(line in cited.markdown for line in ("> > [!tip]- A *trick*", "> - [ ] Cut"))
    french = show_numbers(rendered(cited.markdown, notes), cited.sources, lambda source: source.title, "fr")
    assert 'aria-label="à faire"></span> Cut' in french


def test_a_class_or_a_label_of_a_models_own_does_not_come_in(notes: NamedNotes) -> None:
    shown = rendered('<div class="callout" role="img" aria-label="x">\n> [!evil"onclick] a\n> - ["] b', notes)
    assert '<div class="callout"' not in shown
    assert "onclick=" not in shown.replace("[!evil&quot;onclick]", "")


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
        ("> 1. a\n> 2. b", "2. b", "> 1. a\n> 2. ==b=="),
        ("No quotation: A b.", "A b.", "No quotation: A b."),
        ("> | a | b |", "| a | b |", "> | a | b |"),
        ("> **A b. C** d.", "C** d.", "> **A b. C** d."),
        ("> A ==b== c.", "A ==b== c.", "> A ==b== c."),
        ("> A b.", "", "> A b."),
    ],
)
def test_what_says_it_is_highlighted_inside_a_quotation(text: str, answering: str, marked: str) -> None:
    assert set_out(text, [answering]) == marked


def test_a_highlight_is_shown_as_one(notes: NamedNotes) -> None:
    text = set_out("Here:\n> - one *two*\n> - three", ["- one *two*"])
    assert "<li><mark>one <em>two</em></mark></li>" in re.sub(r"\s*\n\s*", "", rendered(text, notes))
