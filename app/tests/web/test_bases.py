"""Bases on the page: which files their conditions keep, what formulas give, and what hostile ones cost."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.web.visiting import LEXICAL, visit
from app.vault.client import VaultClient
from app.web.bases.content import read_base
from app.web.bases.evaluate import Evaluator, Steps
from app.web.bases.expression import NotUnderstoodError, parse
from app.web.bases.files import VaultFile
from app.web.render.targets import Targets

NOTES: dict[str, str | bytes] = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Boats/Petrel.md": (
        "---\nstatus: done\nprice: 1200\nage: 8\ndue: 2025-07-14\nowner: '[[Callum]]'\ntags: [boat/wood, sail]\n"
        "parts: [mast, sail]\nfast: true\nsite: https://example.org/a?b=1\nnote: \"<b>&\"\nempty:\n---\n[[Larch]] [[Diary]]\n"
    ),
    "Boats/Old/Gull.md": "---\nstatus: open\nprice: 90.5\nage: 30\ndue: 2024-01-31T09:30\ntags: boat\n---\n",
    "Boats/Swift.md": "---\nstatus: open\nfast: false\n---\n![[Petrel]] #boat/steel\n",
    "Callum.md": "---\nparts: [oar]\n---\n",
    "Larch.md": "",
    "b.png": b"\x89PNG",
    "private/Diary.md": "---\nstatus: open\ntags: boat\n---\nsecret\n",
    "private/me.png": b"\x89PNG",
}  # fmt: skip
Value = Callable[[str], Any]
Open = Callable[..., TestClient]


@pytest.fixture
def opened(tiny_vault: MakeVault) -> Iterator[Open]:
    """Serve the notes with some more files."""
    made: list[VaultClient] = []

    def serve(**more: str | bytes) -> TestClient:
        made.append(tiny_vault({**NOTES, **more}, index=LEXICAL))
        return visit(made[-1])

    yield serve
    for vault in made:
        searcher_for(vault).close()


@pytest.fixture
def value(tiny_vault: MakeVault) -> Value:
    """Work an expression out for ``Boats/Petrel.md``."""
    vault = tiny_vault(NOTES, index=LEXICAL)
    searcher = searcher_for(vault)
    searcher.update()
    targets = Targets(searcher.view())
    files = {path: VaultFile(targets, path, targets.view.snapshot.doc(path)) for path in ("Boats/Petrel.md", "Callum.md")}  # fmt: skip
    formulas = {"one": parse("1 + formula.two"), "two": parse("formula.one"), "ppu": parse("price / age")}
    made = Evaluator(formulas, files["Boats/Petrel.md"], files["Callum.md"], Steps())
    return lambda text: made.value(parse(text))


def table(page: str) -> list[list[str]]:
    """The rows of the first table, as text."""
    found = page.split("<table>")[1].split("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", found, re.DOTALL)
    return [[" ".join(re.sub(r"<[^>]+>", "", cell).split()) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)] for row in rows]  # fmt: skip


def names(client: TestClient, filters: str) -> list[str]:
    """The files that a condition keeps."""
    vault = client.app.state.context.vault  # type: ignore[attr-defined]
    (vault.root / "F.base").write_text(f"filters:\n  and:\n    - {filters!r}\n    - file.ext != 'base'\n")
    page = client.get("/base/F.base").text
    assert "Not understood" not in page, page
    return [row[0] for row in table(page)[1:]] if "<table>" in page else []


# Expressions


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1 + 2 * 3 - 4 / 2", 5),
        ("(1 + 2) * 3 % 4", 1),
        ("-age + -(-1)", -7),
        ("price / age", 150),
        ("price / 0", None),
        ("price % 0", None),
        ("price + nothing", None),
        ("0.1 + 0.2 < 0.4 && !(1 > 2) || false", True),
        ('"a" + 1 + true', "a1true"),
        ("'it\\'s' + \"\\n\"", "it's\n"),
        ('if(price > 1000, "dear", "cheap")', "dear"),
        ('if(nothing, "a")', None),
        ("(price / age).toFixed(2)", "150.00"),
        ("(2.5).round()", 3),
        ("(2.3456).round(2)", 2.35),
        ("(-2.1).abs().ceil()", 3),
        ('note["price"] == note.price && price == 1200', True),
        ("PRICE", 1200),
        ("formula.ppu * 2", 300),
        ("formula.one", None),
        ("parts.contains('mast') && !parts.contains('ma')", True),
        ("parts.containsAny('x', 'sail') && !parts.containsAll('x', 'sail')", True),
        ("parts.join('+') + parts.length + parts[1] + parts[9]", "mast+sail2sail"),
        ("[3, 1, 2].sort().reverse().join()", "321"),
        ("[1, [2, 1]].flat().unique().length", 2),
        ("status.contains('on') && status.startsWith('do') && status.endsWith('ne')", True),
        ("status.upper().lower().title().slice(0, 2)", "Do"),
        ("'a,b'.split(',')[1].repeat(3).replace('b', 'c')", "ccc"),
        ("empty.isEmpty() && nothing.isEmpty() && ''.isEmpty() && !status.isEmpty()", True),
        ("fast == true && fast != 1 && fast", True),
        ("price.isType('number') && due.isType('date') && owner.isType('link')", True),
        ('due == "2025-07-14" && due < "2025-08-01" && due >= date("2025-07-14")', True),
        ("due > 5", False),
        ('due + "1M" + "2d"', datetime(2025, 8, 16)),
        ('date("2025-01-31") + "1 month"', datetime(2025, 2, 28)),
        ('date("2025-03-01 12:00") - "36h"', datetime(2025, 2, 28)),
        ('due + "99999 years"', None),
        ('(due - date("2025-07-04")).days', 10),
        ('(duration("2d") * 2).hours', 96),
        ('due.year + "/" + due.month + "/" + due.day', "2025/7/14"),
        ('due.format("DD.MM.YY [at] HH:mm")', "14.07.25 at 00:00"),
        ("now() - today() < 86400001 && today().date() == today()", True),
        ("number('3.5') + number(true) + max(1, 5, 3) - min(2, 1)", 8.5),
        ("list(status).length + list(parts).length", 3),
        ("file.name == 'Petrel' && file.name == 'Petrel.md' && file.basename == 'Petrel'", True),
        ("file.folder + '|' + file.ext + '|' + file.path", "Boats|md|Boats/Petrel.md"),
        ("file.hasTag('boat') && file.hasTag('x', '#SAIL') && !file.hasTag('wood')", True),
        ("file.inFolder('boats') && file.inFolder('/') && !file.inFolder('Boat')", True),
        ("file.hasProperty('Status') && !file.hasProperty('none')", True),
        ("file.hasLink('Larch') && file.hasLink(this) && !file.hasLink('Swift')", True),
        ("file.links.length + file.embeds.length", 3),
        ("file.size > 100 && file.mtime > now() - '1 week'", True),
        ("file.properties.price", 1200),
        (
            "owner == link('Callum') && owner == this && owner == '[[callum]]' && owner != link('Larch') && owner != 'x'",
            True,
        ),
        ("this.file.name + this.parts[0]", "Callum.mdoar"),
        ("9999999999999999 * 9999999999999999 * 0", 0),
        ("(1 / 3).days > 0", True),
    ],
)
def test_an_expression_gives(value: Value, text: str, wanted: object) -> None:
    given = value(text)
    assert given == wanted
    assert type(given) is type(wanted)


@pytest.mark.parametrize(
    "text",
    ["", "1 +", "(1", "a b", "a ? b : c", "/x/.matches(a)", "a = 1", "`x`", "f(1,)", "a.", "[1", "\x00", "1..2", "a[]", "x => 1",
     "__import__('os').x ; 1", "(" * 100 + "1" + ")" * 100, "!" * 100 + "1", "1+" * 300 + "1", "a" * 3000],
)  # fmt: skip
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        parse(text)


@pytest.mark.parametrize("text", ["('x'.repeat(9999) + 'y').repeat(99)", "[1,2,3].join('x'.repeat(9000)).length * 0 + 1e", "'a'.__class__", "file.__init__", "(9999999999 * 9999999999).toFixed(99)"])  # fmt: skip
def test_no_expression_reaches_or_makes_more_than_it_may(value: Value, text: str) -> None:
    try:
        given = value(text)
    except NotUnderstoodError:
        return
    assert given is None or len(str(given)) < 100


# Conditions


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ('file.hasTag("boat")', ["Gull", "Petrel", "Swift"]),
        ('file.inFolder("Boats/Old")', ["Gull"]),
        ('status == "open"', ["Gull", "Swift"]),
        ('status != "open"', ["b.png", "Callum", "Larch", "Petrel"]),
        ("price > 100", ["Petrel"]),
        ("price", ["Gull", "Petrel"]),
        ('due < "2025-01-01"', ["Gull"]),
        ("fast == false", ["Swift"]),
        ('file.folder == "" && file.ext == "md"', ["Callum", "Larch"]),
        ('file.ext == "png"', ["b.png"]),
        ('file.hasLink("Petrel")', ["Swift"]),
        ('file.hasLink("Diary")', ["Petrel"]),
        ('parts.contains("oar") || file.name == "Larch"', ["Callum", "Larch"]),
        ("due.isEmpty() && file.hasTag('boat')", ["Swift"]),
        ("1 / 0", []),
    ],
)
def test_a_condition_keeps(opened: Open, filters: str, wanted: list[str]) -> None:
    assert names(opened(), filters) == wanted


def test_groups_of_conditions_and_those_of_a_view_hold_together(opened: Open) -> None:
    base = """
filters:
  and:
    - file.inFolder("Boats")
    - or:
        - 'price > 1000'
        - not:
            - file.hasTag("steel")
            - 'status == "done"'
views:
  - {type: table, name: All}
  - type: table
    name: Open & new
    filters: 'status == "open"'
    limit: 1
"""
    client = opened(**{"B.base": base})
    page = client.get("/base/B.base").text
    assert [row[0] for row in table(page)] == ["Name", "Gull", "Petrel", "Swift"]
    assert '<a href="/base/B.base" aria-current="page">' not in page
    assert '<a href="/base/B.base?view=All" aria-current="page">All</a>' in page
    other = client.get("/base/B.base?view=Open%20%26%20new").text
    assert '<a href="/base/B.base?view=Open%20%26%20new" aria-current="page">Open &amp; new</a>' in other
    assert table(other) == [["Name"], ["Gull"]]
    assert "1 file</p>" in other
    assert table(client.get("/base/B.base?view=none").text) == table(page)


# Tables


def test_columns_have_their_names_links_and_values(opened: Open) -> None:
    base = """
filters: file.inFolder("Boats")
formulas:
  per_year: (price / age).round(1)
  label: 'file.basename + " (" + status + ")"'
properties:
  note.price: {displayName: Price €}
  due: {displayName: Due}
  formula.per_year: {displayName: Per year}
views:
  - type: table
    name: Boats
    order: [file.name, price, due, owner, file.tags, parts, fast, site, note, formula.per_year, formula.label, nothing]
    sort:
      - {property: status, direction: ASC}
      - {property: note.price, direction: DESC}
"""
    page = opened(**{"B.base": base}).get("/base/B.base").text
    assert table(page) == [
        ["Name", "Price €", "Due", "owner", "Tags", "parts", "fast", "site", "note", "Per year", "label", "nothing"],
        ["Petrel", "1200", "2025-07-14", "Callum", "#boat/wood #sail", "mast, sail", "✓", "https://example.org/a?b=1",
         "&lt;b&gt;&amp;", "150", "Petrel (done)", ""],
        ["Gull", "90.5", "2024-01-31 09:30", "", "#boat", "", "", "", "", "3", "Gull (open)", ""],
        ["Swift", "", "", "", "#boat/steel", "", "✗", "", "", "", "Swift (open)", ""],
    ]  # fmt: skip
    for link in (
        '<a href="/note/Boats/Petrel.md" rel="noopener noreferrer nofollow">Petrel</a>',
        '<a href="/note/Callum.md" rel="noopener noreferrer nofollow">Callum</a>',
        '<a class="tag" href="/?tag=boat%2Fwood" rel="noopener noreferrer nofollow">#boat/wood</a>',
        '<a class="outside" href="https://example.org/a?b=1" rel="noopener noreferrer nofollow">',
        '<td class="right">1200</td>',
        '<td class="whole">2025-07-14</td>',
    ):
        assert link in page
    assert "Not understood" not in page


def test_rows_are_grouped_and_what_has_no_value_comes_last(opened: Open) -> None:
    base = "views: [{type: table, name: G, groupBy: {property: status, direction: DESC}, sort: [{property: price, direction: ASC}], filters: file.ext == 'md'}]"  # fmt: skip
    page = opened(**{"B.base": base}).get("/base/B.base").text
    assert table(page) == [
        ["Name"], ["open"], ["Gull"], ["Swift"], ["done"], ["Petrel"], ["–"], ["Callum"], ["Larch"],
    ]  # fmt: skip


def test_formulas_that_use_one_another_without_end_end_the_page_with_a_word(opened: Open) -> None:
    formulas = {f"f{at}": "(" * 35 + f"formula.f{at + 1}" + "+1)" * 35 for at in range(98)} | {"f98": "1"}
    base = json.dumps(
        {"formulas": formulas, "views": [{"type": "table", "order": ["file.name", "formula.f0"]}]}
    )
    client = opened(**{"Chain.base": base, "Held.md": f"```base\n{base}\n```\n\nafter\n\n![[Chain.base]]\n"})
    page = client.get("/base/Chain.base")
    assert page.status_code == 200
    assert "This view asks for more than a page works out" in page.text
    note = client.get("/note/Held.md")
    assert note.status_code == 200
    assert "after" in note.text


def test_conditions_that_lie_too_deep_are_named(opened: Open) -> None:
    condition: object = 'status == "open"'
    for _ in range(22):
        condition = {"and": [condition]}
    page = opened(**{"Deep.base": json.dumps({"filters": condition})}).get("/base/Deep.base").text
    assert "Not understood, and left out:" in page
    assert "status ==" in page.split("Not understood")[1]


def test_what_is_not_understood_is_named_and_the_rest_shows(opened: Open) -> None:
    base = """
filters:
  and:
    - file.inFolder("Boats")
    - taggedWith(file.file, "x")
    - file.backlinks.length > 2
    - status ~ 3
  xor: [a]
formulas:
  icon: icon("x")
  good: 1 + 1
summaries: {a: b}
views:
  - type: cards
    name: C
    cardSize: 9
    order: [file.name, formula.good, formula.icon, file.secret]
    colour: red
"""
    page = opened(**{"B.base": base}).get("/base/B.base").text
    assert table(page) == [["Name", "good"], ["Gull", "2"], ["Petrel", "2"], ["Swift", "2"]]
    said = page.split("Not understood, and left out:</p>")[1].split("</ul>")[0]
    items = [" ".join(re.sub(r"<[^>]+>", "", item).split()) for item in re.findall(r"<li>(.*?)</li>", said, re.DOTALL)]  # fmt: skip
    assert items == [
        "the formula icon, because of icon()",
        "the condition taggedWith(file.file, &#34;x&#34;), because of taggedWith()",
        "the condition file.backlinks.length &gt; 2, because of file.backlinks",
        "the condition status ~ 3, because of ~ 3",
        "the condition xor:",
        "the setting summaries",
        "the layout, instead of which there is a table: cards",
        "the setting colour",
        "the column file.secret",
    ]


# Safety


def test_what_is_excluded_is_as_if_it_were_not_there(opened: Open) -> None:
    base = "views: [{type: table, name: T, order: [file.path, file.links]}]"
    client = opened(**{"B.base": base, "private/S.base": base})
    hidden, gone = client.get("/base/private/S.base"), client.get("/base/private/T.base")
    assert (hidden.status_code, gone.status_code) == (404, 404)
    assert hidden.text == gone.text.replace("T.base", "S.base")
    page = client.get("/base/B.base").text
    assert [row[0] for row in table(page)[1:]] == ["B.base", "b.png", "Callum.md", "Boats/Old/Gull.md", "Larch.md", "Boats/Petrel.md", "Boats/Swift.md"]  # fmt: skip
    assert "private" not in page
    assert '<span class="missing">Diary</span>' in page
    # A link to it is compared as one to a note that is not there: by its text.
    assert names(client, 'file.hasLink("private/Diary")') == []


@pytest.mark.parametrize("path", ["Larch.md", "b.png", "../B.base", ".obsidian/x.base", "no.base"])
def test_nothing_but_a_base_of_the_vault_is_one(opened: Open, path: str) -> None:
    client = opened(**{".obsidian/x.base": ""})
    assert client.get("/base/" + path.replace("..", "%2e%2e")).status_code == 404


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\nb: [}", "This is no base: line 2: "),
        ("- a\n- b\n", "This is no base: not names with values"),
        ("views: !!python/object/apply:os.system [x]", "This is no base: line 1: the tag"),
        ("a: &a [*a]", "This is no base: nested more than 64 deep, or within itself"),
        ("a: " + "[" * 5000 + "]" * 5000, "This is no base: nested"),
        ("a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [" + ",".join([f"*{chr(97 + n)}"] * 9) + "]\n" for n in range(8)),
         "This is no base: expands to more than 50000 values"),
        ("x" * 300_000, "This is no base: longer than 262144 characters"),
    ],
)  # fmt: skip
def test_what_is_no_base_is_said_in_one_line(opened: Open, text: str, said: str) -> None:
    page = opened(**{"B.base": text}).get("/base/B.base")
    assert page.status_code == 200
    assert said in page.text.replace("<code>", "")
    assert "<table>" not in page.text


@pytest.mark.parametrize(
    "text",
    ["", "views:", "views: 3", "views: [3, null, []]", "views: [{}]", "filters: {}", "filters: []", "filters: {and: }", "formulas: [a]",
     "properties: [a]", "properties: {a: 3, b: {displayName: [x]}}", "views: [{order: {a: b}, sort: 7, limit: -1, groupBy: [], filters: 7}]",
     "views: [{limit: true, name: [x], type: {a: b}, sort: [[]], order: [[], {}]}]", "filters: {and: [{or: [{not: [{}]}]}]}"],
)  # fmt: skip
def test_fields_of_wrong_types_are_passed_over(opened: Open, text: str) -> None:
    page = opened(**{"B.base": text}).get("/base/B.base")
    assert page.status_code == 200
    assert "Petrel" in page.text


def test_a_base_that_asks_for_too_much_is_cut_and_says_so(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.bases.evaluate.MOST_STEPS", 60)
    monkeypatch.setattr(Steps.__init__, "__defaults__", (60,))
    heavy = " + ".join(["1"] * 12)
    page = opened(**{"B.base": f"filters: {heavy}"}).get("/base/B.base").text
    assert "This view asks for more than a page works out, so that some of it is missing." in page
    assert [row[0] for row in table(page)[1:]] == ["B.base", "b.png"]


@pytest.mark.parametrize(
    "last",
    ["formula.f9", "formula.f9 + ''", "formula.f9 == formula.g9", "formula.f9.contains(formula.g9)", "formula.f9.join('')", "link(formula.f9)",
     "formula.f9.flat().flat().flat().sort().unique()", "'x'.repeat(9999).split('').sort().unique().join()", "formula.f9.toString().repeat(99)"],
)  # fmt: skip
def test_lists_within_lists_cost_no_more_than_is_counted(opened: Open, last: str) -> None:
    chain = "".join(
        f"  {name}{at}: '[{', '.join([f'formula.{name}{at - 1}' if at else name] * 40)}]'\n"
        for name in "fg"
        for at in range(10)
    )
    base = f"filters: file.inFolder('Boats')\nformulas:\n{chain}  last: {last!r}\nviews: [{{order: [file.name, formula.last, formula.f9], sort: [formula.f9]}}]\n"  # fmt: skip
    page = opened(**{"B.base": base}).get("/base/B.base").text
    assert "Not understood" not in page
    assert [row[0] for row in table(page)] == ["Name", "Gull", "Petrel", "Swift"]


def test_cells_and_tables_have_so_many_characters(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.bases.show.MOST_TABLE_CHARS", 2500)
    base = "formulas: {a: '\"x\".repeat(5000)', b: '[formula.a, formula.a]'}\nfilters: file.inFolder('Boats')\nviews: [{order: [file.name, formula.a, formula.b]}]\n"  # fmt: skip
    rows = table(opened(**{"B.base": base}).get("/base/B.base").text)[1:]
    assert [[cell if "x" not in cell else len(cell) for cell in row] for row in rows] == [
        ["Gull", 1001, 1004],
        ["Petrel", 499, "…"],
        ["Swift", "…", "…"],
    ]


def test_statements_columns_views_and_problems_are_bounded() -> None:
    text = (
        "filters: {or: [" + ", ".join(f"'a == {n}'" for n in range(150)) + "]}\n"
        "views: [" + ", ".join("{order: [" + ", ".join(f"c{n}" for n in range(50)) + "]}" for _ in range(40)) + "]\n"
        + "".join(f"s{n}: 1\n" for n in range(50))
    )  # fmt: skip
    base = read_base(text)
    assert len(getattr(base.conditions, "parts")) == 100  # noqa: B009 - a group, by the text above
    assert (len(base.views), len(base.views[0].columns), len(base.problems)) == (30, 30, 20)
    deep = "filters: " + "{and: [" * 30 + "a" + "]}" * 30
    assert read_base(deep).conditions is None


def test_nothing_in_a_base_acts(opened: Open) -> None:
    bad = "<img src=x onerror=alert(1)>"
    base = f"""
filters: file.inFolder("Boats") && "{bad}"
formulas: {{"{bad}": 'link("javascript:alert(1)", "{bad}")', h: '"{bad}"', half: '"\\ud83d"'}}
properties: {{file.name: {{displayName: "{bad}"}}}}
views: [{{type: "{bad}", name: "{bad}", order: [file.name, "{bad}", "formula.{bad}", formula.h, formula.half]}}, {{name: "{bad}2"}}]
"""
    page = opened(**{"B.base": base}).get("/base/B.base")
    assert page.status_code == 200
    assert "<img" not in page.text.split("<main")[1]
    assert 'href="javascript' not in page.text
    assert "&lt;img src=x" in page.text


# In notes and lists


def test_a_base_in_a_note_is_a_table_and_one_that_is_embedded_too(opened: Open) -> None:
    base = "filters: file.inFolder('Boats')\nviews: [{name: One}, {name: Two, limit: 1, order: [price]}]\n"
    note = (
        "before\n\n```base\nfilters: file.hasLink(this) || file.name == this.file.name\nviews: [{name: A}, {name: B}]\n```\n\n"
        "![[B.base#Two]]\n\n[[B.base#Two|see]] [[B.base]] ![[B.base#No]]\n\nafter <b>x\n"
    )  # fmt: skip
    page = opened(**{"B.base": base, "N.md": note}).get("/note/N.md").text
    inside = page.split('<div class="note">')[1].split("</article>")[0]
    first, second = inside.split("<table>")[1:3]
    assert '<a href="/note/N.md"' in first.split("</table>")[0]
    assert "<details><summary>B</summary>" in inside
    assert '<a href="/base/B.base?view=Two" rel="noopener noreferrer nofollow">' in inside
    tables = [table("<table>" + part) for part in inside.split("<table>")[1:]]
    assert tables == [[["Name"], ["N"]], [["Name"], ["N"]], [["price"], ["90.5"]]]
    assert second
    assert '<a href="/base/B.base?view=Two" rel="noopener noreferrer nofollow">see</a>' in inside
    assert "after <b>x</b>" in inside


def test_tables_of_a_note_are_bounded_and_named(opened: Open) -> None:
    note = "```base\nviews: [{order: [x]}]\n```\n\n" * 12 + "```base\n[\n```\n\n![[B.base#No]]\n"
    page = opened(**{"B.base": "", "N.md": note}).get("/note/N.md").text
    assert page.count("<table>") == 10
    assert page.count("There are more tables than one page shows.") == 4
    few = opened(**{"B.base": "", "N.md": "```base\n[\n```\n\n![[B.base#No]]\n"}).get("/note/N.md").text
    assert "This is no base:" in few
    assert "This base has no such view." in few


def test_what_is_wrong_with_a_base_in_a_note_is_said_in_the_language_of_the_reader(opened: Open) -> None:
    files = {"Twice.base": "views: []\nviews: []", "Large.base": "#" * 1_000_001}
    note = "```base\n- a\n```\n\n![[Twice.base]]\n\n![[Large.base]]\n"
    client = opened(**files, **{"N.md": note})
    english = unescape(client.get("/note/N.md").text)
    assert "This is no base: not names with values" in english
    assert "line 2: the name 'views' stands twice" in english
    french = unescape(client.get("/note/N.md", headers={"Accept-Language": "fr"}).text)
    assert "Ce n'est pas une base\u202f: ce ne sont pas des noms avec des valeurs" in french
    assert "ligne 2\u202f: le nom «\u202fviews\u202f» s'y trouve deux fois" in french
    large = '<div class="embed"><p class="embed-title"><a href="/base/Large.base"'
    said = [page.split(large)[1].split("<p>")[1].split("</p>")[0] for page in (english, french)]
    assert said[0] != said[1]


def test_a_folder_lists_a_base_and_it_speaks_french(opened: Open) -> None:
    client = opened(**{"Boats/List.base": "filters: a ~ b\nviews: [{order: [file.name, file.mtime], filters: 'price > 9'}]"})  # fmt: skip
    assert '<li class="base"><a href="/base/Boats/List.base">List</a> <span class="soft">base</span></li>' in client.get("/browse/Boats").text  # fmt: skip
    page = client.get("/base/Boats/List.base", headers={"Accept-Language": "fr"}).text
    assert table(page)[0] == ["Nom", "Modifié"]
    assert "Non compris, et laissé de côté\u202f:" in page
    assert "2 fichiers</p>" in page
    today = {(datetime.now() - timedelta(days=days)).strftime("%Y-%m-%d") for days in (0, 1)}
    assert table(page)[1][1][:10] in today
