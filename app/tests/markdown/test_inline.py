"""What is a link, what it says, and where it stands."""

from urllib.parse import unquote

import pytest
from markdown_it.common.utils import unescapeAll

from app.markdown.models import Link
from app.markdown.parse import extract_wikilinks, parse_note


def links(text: str) -> list[str]:
    return [link.target for link in parse_note(text, "n.md").links]


def only(text: str) -> Link:
    (link,) = parse_note(text, "n.md").links
    # The place is that of the file part as written.
    assert unquote(unescapeAll(text[link.start : link.end])) == link.target
    return link


@pytest.mark.parametrize(
    ("written", "target", "subpath", "display"),
    [
        ("[[Recette]]", "Recette", "", ""),
        ("[[Recette|la | tarte]]", "Recette", "", "la | tarte"),
        ("[[Recette#Pâte#Repos|x]]", "Recette", "Pâte#Repos", "x"),
        ("[[Recette#^etape-1]]", "Recette", "^etape-1", ""),
        ("[[Recette^etape-1]]", "Recette^etape-1", "", ""),
        ("[[#Pâte]]", "", "Pâte", ""),
        ("[[a]b]]", "a]b", "", ""),
        ("[t](Ma%20recette.md#le%20four)", "Ma recette.md", "le four", "t"),
        ("[t](../Recette.md#pate)", "../Recette.md", "pate", "t"),
        ("[t](a%20(b).md)", "a (b).md", "", "t"),
        ("[t](Tom&#32;&#x26;&nbsp;J.md&#35;h)", "Tom &\xa0J.md", "h", "t"),
        (r"[t](a&bc;\#h&amp;#i)", "a&bc;", "h&#i", "t"),
        ("[k]: Kiln.md", "Kiln.md", "", ""),
        ("  [k\nl]:\n<Kiln%20x&amp;.md#a>\n'of\nclay'", "Kiln x&.md", "a", ""),
    ],
)
def test_a_link_is_taken_apart(written: str, target: str, subpath: str, display: str) -> None:
    link = only(written)
    assert (link.target, link.subpath, link.display, link.embed) == (target, subpath, display, False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[a [[b]] c]]", ["b"]),
        ("[[a\nb]]", []),
        ("[[]] [[ ]] [[|x]] [[#]]", []),
        (r"\![[a]]", ["a"]),
        ("[w](https://x/a) [m](mailto:a@b) [o](obsidian://open?file=a) [h](//host/a)", []),
        ("[![x](a.png)](b.md)", ["b.md", "a.png"]),
        ("[[a]](b.md)", ["a"]),
        ("[^1]: [[a]]\n\net ^[ici [[b]]]", ["a", "b"]),
        ("Voir [[a]]\n===", ["a"]),
        ("[k]: a.md 't'\n[l]:b.md\n[[c]]\n[m]: d.md", ["a.md", "b.md", "c"]),
        ("> [k]: a.md\n> [l]: b.md\n\n- [m]: c.md\n\n1. x\n\n   [n]: d.md", ["a.md", "b.md", "c.md", "d.md"]),
        ("[k]: a.md x\n\n[]: a.md\n\n[^k]: a.md\n\n[k] : a.md\n\n# [k]: a.md\n\n    [k]: a.md", []),
        (
            "[k]:\n\n[k]: https://x/a\n\n[k]: <>\n\n\\[k]: a.md\n\n[k]: a.md 'open\n\n[a[b]: c.md\n\n[k]: a(b.md",
            [],
        ),
    ],
)
def test_brackets_make_links_as_in_obsidian(text: str, expected: list[str]) -> None:
    assert links(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "`[[a]] #b`",
        "`sur\ndeux [[a]] #b lignes`",
        "```\n[[a]] #b\n```",
        "- x\n\n  ```\n  [[a]] #b\n  ```",
        "texte\n\n    [[a]] #b",
        "<!-- [[a]] #b -->",
        "<!--\n\n[[a]] #b\n\n-->",
        "$[[a]] #b$",
        "$$\n[[a]] #b\n$$",
        "$$\na\n\n+ [[a]] #b\n$$",
        "<https://x/[[a]]>",
    ],
)
def test_code_comments_in_html_and_math_hide_links_and_tags(text: str) -> None:
    note = parse_note(text, "n.md")
    assert (note.links, note.tags) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        "un ` seul [[a]] #b",
        "- x\n\n    [[a]] #b",
        "%% [[a]] #b %%",
        "%%\n[[a]] jamais fermé #b",
        "$$\njamais fermé [[a]] #b",
        "<!-- jamais fermé, dans\n".replace("<!--", "x <!--") + "[[a]] #b",
        "[^1]: [[a]] #b",
        ">" * 100 + " [[a]] #b",
    ],
)
def test_what_looks_hidden_is_read(text: str) -> None:
    note = parse_note(text, "n.md")
    assert ([link.target for link in note.links], note.tags) == (["a"], ("b",))


def test_a_bar_in_a_table_is_escaped_in_a_link_and_ends_the_cell_elsewhere() -> None:
    text = "| a | b |\n|---|---|\n| [[n\\|x]] | ![[p.png\\|20]] |\n| [[m|y]] | z |\n"
    note = parse_note(text)
    assert [(link.target, link.display, link.line) for link in note.links] == [
        ("n", "x", 3),
        ("p.png", "20", 3),
    ]
    assert [text[link.start : link.end] for link in note.links] == ["n", "p.png"]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_places_are_those_of_the_file_whatever_its_line_ends(newline: str) -> None:
    text = newline.join(
        ["---", 'up: "[[p]]"', "n: 🚀", "---", "# T", "> x [[q]]", "> [long", "> text](r.md)", "", "- ![[s]]"]
    )
    note = parse_note(text)
    assert [text[link.start : link.end] for link in note.links] == ["p", "q", "r.md", "s"]
    assert [link.target for link in note.links] == ["p", "q", "r.md", "s"]
    assert [heading.text for heading in note.headings] == ["T"]
    # Only LF counts as the end of a line.
    lines = [2, 6, 7, 10] if "\n" in newline else [1, 1, 1, 1]
    assert [link.line for link in note.links] == lines


def test_wikilinks_are_listed_as_written_each_time_and_the_parser_follows_those_of_obsidian() -> None:
    content = '---\nup: "[[Haut]]"\n---\n[[B|x]] ![[A]] [[B#h]] `[[code]]` [m](M.md) [[#ici]] [[C.md]] [[A|]]'
    assert extract_wikilinks(content) == ["Haut", "B", "A", "B#h", "code", "#ici", "C.md"]
    wikilinks = [link.target for link in parse_note(content).links if link.kind != "markdown"]
    assert wikilinks == ["Haut", "B", "A", "B", "", "C.md", "A"]
