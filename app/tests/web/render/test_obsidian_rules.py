"""What a note's page takes for a tag, a link, a formula or a comment is what the index takes for one."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from markdown_it.token import Token

from app.markdown.parse import parse_note
from app.markdown.targets import Target
from app.tests.conformance.reading import texts
from app.tests.measuring import calls_of
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


@pytest.mark.parametrize(
    ("text", "tags", "links"),
    [
        ("**#a** *#b* _#c_ ~~#d~~ ==#e==", "a b c d e", ""),
        ("***#a*** **_#b_** __#c__", "a b c", ""),
        ("_#a_b_ #c_", "a_b c_", ""),
        ("#a, #b. (#c) #d! #e**x**", "a b d e", ""),
        ("`x`#a [[N]]#b $x$#c <b>#d</b> [x](y)#e", "a b c d e", "N"),
        ("%%x%%#a", "a", ""),
        ("**#a _#b ==#c", "", ""),
        ("\\*#a* x#b /#c", "", ""),
        ("[#a](x) [see #b](x) `#c` $#d$ <b title='#e'>", "", ""),
        ("| #a | **#b** |\n|---|---|\n| [[N]]#c | x#d |", "a b c", "N"),
        ("$$\n#a\n\n**#b**\n$$\n\n#c", "c", ""),
        ("[[[a]]", "", "a"),
        ("[[a [[b]] \\[[c]] `[[d]]` ![[e]]", "", "b e"),
        ("[[a\n]] [[b]]", "", "b"),
        ("$[[a]]$ [x [[b]]](y)", "", "b"),
    ],
)
def test_a_tag_or_link_beside_other_signs(text: str, tags: str, links: str) -> None:
    assert shown(text) == indexed(text)
    assert shown(text)[0] == set(tags.split())
    assert {target.file for target in shown(text)[1]} == set(links.split())
