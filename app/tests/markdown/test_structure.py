"""Trying only the rules that fit a line's first sign gives what markdown-it gives by trying all."""

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from app.markdown.outline import LineIndex, Outline
from app.markdown.parse import parse_note, running_text
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


# What the sample above has seldom: marks beside blanks, rows of many forms, lines that end without LF.
ROWS = st.lists(
    st.sampled_from(
        [*PIECES, "\\|", "|-", "-:", ":-", "--|--", " ", "\t", "\n", "_ _ _", "* *", "12. ", "\x0b"]
    ),
    max_size=30,
).map("".join)


@given(ROWS)
@example("\t a\n \tb\n   ")
@example("a\n\n \t")
def test_the_tables_of_lines_are_those_of_the_parser(text: str) -> None:
    ours, theirs = Outline(text, REFERENCE), StateBlock(text, REFERENCE, {}, [])
    for table in ("bMarks", "eMarks", "tShift", "sCount", "bsCount", "lineMax"):
        assert getattr(ours, table) == getattr(theirs, table), table


def rows(text: str) -> list[str]:
    """Give what stands on each line that is a row of a table, as the parser has it."""
    lines = text.split("\n")
    return [lines[token.map[0]] for token in REFERENCE.parse(text) if token.type == "tr_open" and token.map]


@given(ROWS)
@example("a|b\n-|-\nc\n\nd")
@example("|a\\|b|\n|-|\n|c|d|e|\n- f")
@example("|a|\n|-|\n\\|")
@example("- a|b\n  -|-\n  c|d\ne")
def test_tables_have_the_rows_that_markdown_it_gives_them(text: str) -> None:
    text = "x\n\n" + text
    lines = text.split("\n")
    index = LineIndex.of(text)
    cells = {index.line(run.start) for run in running_text(text) if run.kind == "cell"}
    assert [lines[line - 1] for line in sorted(cells)] == rows(text)
