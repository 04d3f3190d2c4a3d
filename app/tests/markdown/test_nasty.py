"""Whatever a note holds, it is read, at once, and places point at what was found."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.markdown.parse import parse_note

MEGA = 1 << 20
# What follows a hostile text must still be found.
TAIL = "\n\nfin [[cible]] #fin\n"

PIECES = [
    *("\n", "\r\n", "\r", "\n\n", " ", "    ", "\t", "a", "é", "🚀", "\u2028", "\x00", "\ufeff", "\\"),
    *("# ", "## ", "- ", "1. ", "> ", "---", "===", "```", "~~~", "$$", "$", "%%", "<!--", "-->", "<div>"),
    *("[[", "]]", "[", "](", ")", "!", "|", "#", "#t", "^id", "`", "``", "**", "_", "==", "[x] ", '"'),
    *("---\n", "up: ", '"[[a]]"', "tags: [a]\n", "|---|\n", "&a ", "*a", "{", "}", ": ", "<", ">", "](b.md)"),
]
MARKUP = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


@given(st.one_of(st.text(), MARKUP, MARKUP.map(lambda text: "---\n" + text)))
def test_no_text_raises_and_every_place_is_its_construct(text: str) -> None:
    note = parse_note(text, "n.md")
    last_line = text.count("\n") + 1
    for link in note.links:
        assert link.line <= text.count("\n", 0, link.start) + 1
        assert link.quote or "\n" not in text[link.start : link.end]
        if link.kind == "wikilink" and not link.quote:
            assert text[link.start : link.end].strip() == link.target
    lines = [heading.line for heading in note.headings] + [task.line for task in note.tasks]
    lines += [block.line for block in note.blocks]
    assert all(1 <= line <= last_line for line in lines)
    assert list(note.block_starts) == sorted(set(note.block_starts))
    assert all(note.body_line <= start <= last_line for start in note.block_starts)
    assert not any(re.search(r"[\s#]", tag) for tag in note.tags)


@given(MARKUP.filter(lambda text: "\r" not in text))
def test_crlf_gives_the_same_answers_as_lf(text: str) -> None:
    note, other = parse_note(text), parse_note(text.replace("\n", "\r\n"))
    assert other.headings == note.headings
    assert other.tasks == note.tasks
    assert other.blocks == note.blocks
    assert other.tags == note.tags
    assert other.block_starts == note.block_starts
    assert [(link.target, link.subpath, link.line) for link in other.links] == [
        (link.target, link.subpath, link.line) for link in note.links
    ]


# The time is not measured here; a reader whose time grows with the square does not come to an end.
@pytest.mark.parametrize(
    "text",
    [
        "mot " * (MEGA // 4),
        "[[" * (MEGA // 2),
        "[" * (MEGA // 2) + "]" * (MEGA // 2),
        "[](" * (MEGA // 12),
        "[](a " * (MEGA // 5),
        "[](" + "[]()" * (MEGA // 16),
        " ".join("`" * (i % 300 + 1) for i in range(6000)),
        "$a " * (MEGA // 3),
        "$$ a\n\n" * (MEGA // 24),
        "%% " * (MEGA // 3),
        "x " + '<a b="' * (MEGA // 6),
        "*a **b _c " * (MEGA // 10) + "*#a",
        "\n".join(">" * i + " x" for i in range(1, 400)),
        ">" * 60 + "x\n" + "paresseux\n" * 50_000,
        "\n".join("  " * i + "- x" for i in range(400)),
        "|".join("c" * 5000) + "\n" + "|".join("-" * 5000),
        "#" + "/".join("n" * 100_000),
        "---\n" * 50_000,
        "[a]: //b (" * (MEGA // 8),
        "[a]: //b\n'" * (MEGA // 8),
        '---\nup: "[' + " " * 200_000 + 'x]"\n---\n',
        '---\nup: "[' + "\\n" * 100_000 + '"\n---\n',
        "---\ntags:\n" + "".join(f"  - t{i}\n" for i in range(5000)) + "---\n",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_a_hostile_text_does_not_hide_what_follows(text: str) -> None:
    note = parse_note(text + TAIL)
    assert [link.target for link in note.links] == ["cible"]
    assert "fin" in note.tags


def test_a_hundred_thousand_links_are_all_read() -> None:
    text = "".join(f"[[n{i}]] " for i in range(100_000))
    note = parse_note(text)
    assert [link.target for link in note.links] == [f"n{i}" for i in range(100_000)]
    assert all(text[link.start - 2 : link.end + 2] == f"[[{link.target}]]" for link in note.links)


def test_a_structure_given_up_is_reported() -> None:
    note = parse_note(">" * 60 + "x\n" + "y\n" * 50_000 + "\n[[a]]")
    assert note.problems == ("blocks nested beyond reason: read as plain text, without headings and tasks",)
    assert [link.target for link in note.links] == ["a"]
    assert note.block_starts == (1, 50_003)
