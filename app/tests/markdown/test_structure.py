"""Trying only the rules that fit a line's first sign gives what markdown-it gives by trying all."""

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.markdown.parse import parse_note
from app.markdown.structure import MAX_NESTING

REFERENCE = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table").disable("reference")
REFERENCE.core.ruler.disable("inline")

# Without "$" and "%", whose blocks are Obsidian's own.
PIECES = [
    *(
        "\n",
        "\n",
        "\n\n",
        " ",
        "  ",
        "    ",
        "\t",
        "a",
        "texte",
        "# ",
        "## ",
        "#",
        "- ",
        "-",
        "* ",
        "+ ",
        "1. ",
    ),
    *(
        "2) ",
        "> ",
        ">",
        "---",
        "***",
        "===",
        "=",
        "```",
        "~~~",
        "````",
        "<div>",
        "</div>",
        "<!--",
        "-->",
        "<b>",
    ),
    *("|", "| a |\n|---|\n", "a|b\n-|-\n", ":-:", "[a]: b", "\\", "_", "`"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def reference(text: str) -> tuple[list[tuple[int, int]], list[int]]:
    """Give the level and line of each heading, and the lines where top-level blocks and items start."""
    headings, starts = [], set()
    for token in REFERENCE.parse(text):
        if token.map and token.type == "heading_open":
            headings.append((int(token.tag[1]), token.map[0] + 1))
        if token.map and (token.level == 0 or (token.level == 1 and token.type == "list_item_open")):
            starts.add(token.map[0] + 1)
    return headings, sorted(starts)


@given(TEXTS)
@example("> a\nb\n> c\n===\n> d\n---")
@example("- a\n\n      code\n  b\n c\n# d")
@example("a\n| b |\n|---|\n| c |\n# d")
def test_blocks_are_those_of_markdown_it(text: str) -> None:
    # The first line keeps "---" from opening a property block.
    text = "x\n\n" + text
    note = parse_note(text)
    headings = [(heading.level, heading.line) for heading in note.headings]
    assert (headings, list(note.block_starts)) == reference(text)
