"""What a note's page takes for a tag, a link, a formula or a comment is what the index takes for one."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from markdown_it.token import Token

from app.markdown.parse import parse_note
from app.markdown.targets import Target
from app.tests.conformance.reading import texts
from app.tests.measuring import MOST_CALLS, calls_of
from app.tests.test_linear import repeated
from app.web.render.note import markdown

EXAMPLES = Path(__file__).parents[4] / "examples/vault"
# In these notes no code, formula or link holds a comment's sign.
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)


def example_texts() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.rglob("*.md"))}


def shown(text: str) -> tuple[set[str], set[Target]]:
    """The tags and the targets of wikilinks that the page of a note without properties shows."""
    found = list(every(markdown().parse(text, {"has_anchors": False, "first_line": 1})))
    tags = {token.content.casefold() for token in found if token.type == "tag"}
    return tags, {token.meta["target"] for token in found if token.type in ("wikilink", "embed")}


def every(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from every(token.children or [])


def indexed(text: str) -> tuple[set[str], set[Target]]:
    """The same as the index reads it."""
    note = parse_note(text)
    links = (link for link in note.links if link.kind == "wikilink")
    return {tag.casefold() for tag in note.tags}, {
        Target(link.target, link.subpath, link.display) for link in links
    }


def without_comments(text: str) -> str:
    return _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), text)


def body(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").split("\n")
    return "\n".join(lines[parse_note(text).body_line - 1 :])


@pytest.mark.parametrize("path", [*texts(), *example_texts()])
def test_the_page_shows_the_tags_and_links_that_the_index_reads(path: str) -> None:
    text = body({**texts(), **example_texts()}[path])
    assert shown(text) == indexed(without_comments(text))


def test_the_notes_that_are_compared_hold_what_the_test_is_about() -> None:
    tags, links = shown(body(texts()["notes/Étiquettes.md"]))
    assert {"gras", "italique", "barré", "surligné", "après-lien", "après-code"} <= tags
    assert Target("tasks", "", "") in links


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("**#a** *#b* _#c_ ~~#d~~ ==#e==", {"a", "b", "c", "d", "e"}),
        ("***#a*** **_#b_** __#c__", {"a", "b", "c"}),
        ("_#a_b_ #c_", {"a_b", "c_"}),
        ("#a, #b. (#c) #d! #e**x**", {"a", "b", "d", "e"}),
        ("`x`#a [[N]]#b $x$#c <b>#d</b> [x](y)#e", {"a", "b", "c", "d", "e"}),
        ("%%x%%#a", {"a"}),
        ("**#a _#b ==#c", set()),
        ("\\*#a* x#b /#c", set()),
        ("[#a](x) [see #b](x) `#c` $#d$ <b title='#e'>", set()),
        ("| #a | **#b** |\n|---|---|\n| [[N]]#c | x#d |", {"a", "b", "c"}),
        ("$$\n#a\n\n**#b**\n$$\n\n#c", {"c"}),
        ("x\n$$\n\n#a\n$$\n#b", {"b"}),
    ],
)
def test_a_tag_beside_other_signs(text: str, tags: set[str]) -> None:
    assert shown(text)[0] == indexed(text)[0] == tags


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[[[a]]", {"a"}),
        ("[[a [[b]] \\[[c]] `[[d]]` ![[e]]", {"b", "e"}),
        ("[[a\n]] [[b]]", {"b"}),
        ("[[" + "a" * 1500 + "]]", {"a" * 1500}),
        ("$[[a]]$ [x [[b]]](y)", {"b"}),
    ],
)
def test_a_wikilink_beside_other_signs(text: str, links: set[str]) -> None:
    assert {target.file for target in shown(text)[1]} == links
    assert shown(text)[1] == indexed(text)[1]


def formulas(text: str) -> list[str]:
    found = every(markdown().parse(text, {"has_anchors": False, "first_line": 1}))
    return [token.content for token in found if str(token.attrGet("class")).startswith("formula")]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("$a\\$b$ and $$c\nd$$", ["a\\$b", "c\nd"]),
        ("5 $, 6 $ $x $ $1$2", []),
        ("$" + "a" * 1500 + "$", ["a" * 1500]),
        ("$$\n# a\n\n- b\n$$\nafter", ["\n# a\n\n- b\n"]),
        ("> x\n> $$\n> a\n> $$", ["\na\n"]),
        ("[see $x$](y) ![alt $z$](w)", ["x", "z"]),
    ],
)
def test_a_formula_is_taken_as_it_is_written(text: str, wanted: list[str]) -> None:
    assert formulas(text) == wanted


def words(text: str) -> str:
    """The text that the page shows, code and formulas included."""
    found = every(markdown().parse(text, {"has_anchors": False, "first_line": 1}))
    return "".join(token.content for token in found if token.type in ("text", "code_inline"))


@pytest.mark.parametrize(
    "text",
    [
        "before %%" + "hidden " * 400 + "%% after",
        "before %%hidden\n" + "hidden\n" * 400 + "%% after",
        "- before %%" + "hidden " * 400 + "%% after",
        "before [x %%hidden%%](y) %%`hidden%% %%hidden` hidden%% after",
        "before %%hidden [[hidden]] #hidden%% after",
        "before\n\n%%\nhidden\n\nhidden\n%%\n\nafter",
    ],
)
def test_a_comment_is_not_shown_however_long_it_is(text: str) -> None:
    assert re.fullmatch(r"before\s*x?\s*after", words(text))
    assert "hidden" not in shown(text)[0]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("`%%x%%`", "%%x%%"),
        ("$%%x%%$", "%%x%%"),
        ("\\%%x%%", "%%x%%"),
        ("\\%%%x%%", "%"),
        ("%%x", "%%x"),
        ("a <b title='%%x'> %%", "a  %%"),
    ],
)
def test_what_only_looks_like_a_comment_is_none(text: str, wanted: str) -> None:
    assert words(text) == wanted


@pytest.mark.parametrize(
    "piece",
    [
        "%% ",
        "%%`",
        "`%%",
        "$a ",
        "$$a ",
        "**#a ",
        "#a_",
        "[[a ",
        "![[",
        "==a ",
        "==#a",
        "[%%",
        "\\%%",
        "[[a]] ",
    ],
)
def test_reading_a_paragraph_takes_as_many_calls_as_it_is_long(piece: str) -> None:
    def parsed(size: int) -> int:
        text = repeated(piece)(size)
        return calls_of(lambda: markdown().parse(text, {"has_anchors": False, "first_line": 1}))

    parsed(100)  # The parser is made once.
    assert parsed(3_000) < MOST_CALLS * parsed(1_500) + 500


MOST_CALLS_A_SIGN = 100
"""Calls that a sign may take; a paragraph of words and links takes some ten, brackets without a bound 540."""


@pytest.mark.parametrize(
    "make",
    [
        lambda size: "^[" * (size // 2),
        lambda size: "^[" * (size // 3) + "]" * (size // 3),
        lambda size: "![" * (size // 2) + "]",
        lambda size: "^[" + "^[a]" * (size // 4) + "]",
    ],
    ids=["open", "nested", "pictures", "beside"],
)
def test_brackets_within_brackets_take_a_bounded_number_of_calls_a_sign(make: Callable[[int], str]) -> None:
    text = make(6_000)
    markdown()  # It is made once.
    calls = calls_of(lambda: markdown().parse(text, {"has_anchors": False, "first_line": 1}))
    assert calls < MOST_CALLS_A_SIGN * len(text)


def test_a_paragraph_of_brackets_leaves_the_others_as_they_are() -> None:
    written = "A ^[first ^[second] and [there](https://example.org/a)] note."
    tokens = markdown().parse(f"{'^[' * 5_000}\n\n{written}\n", {"has_anchors": False, "first_line": 1})
    shown = [token.type for token in every(tokens)]
    assert shown.count("footnote_open") == 2
    assert shown.count("link_open") == 1
