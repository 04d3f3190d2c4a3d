"""A line as a reader sees it."""

import time

import pytest

from app.markdown.plain import PlainLine, plain_line, read_line


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("## [décision] The launch", "[décision] The launch"),
        ("12. see ![[a.png]] and [[b#c|d]]", "see a.png and d"),
        ("snake_case _stays_ **bold** `code`", "snake_case stays bold code"),
        ("a %%hidden%% and <!-- gone --> b[^1]", "a and b"),
        ("an arrow <!-- that nothing closes", "an arrow <!-- that nothing closes"),
        ("", ""),
    ],
)
def test_a_line_as_a_reader_sees_it(line: str, plain: str) -> None:
    assert plain_line(line) == plain


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("## [achat] Larch **at last** ^larch", PlainLine("heading", "[achat] Larch at last")),
        ("- [ ] call [Marie](people/Marie.md)", PlainLine("todo", "call Marie")),
        ("> said *she*", PlainLine("quote", "said she")),
        ("> [!note] A title", PlainLine("quote", "A title")),
        ("a < b and c > d", PlainLine("text", "a < b and c > d")),
        ("| one | [[Two\\|2]] | a \\| b |", PlainLine("row", "one · 2 · a | b")),
        ("> | --- | ---: |", PlainLine("text", "")),
        ("> - | no row", PlainLine("item", "| no row")),
        ("***", PlainLine("text", "")),
        (r"\- no item, [[Two\|2]]", PlainLine("text", "- no item, 2")),
        (
            "see <https://a.example/__b__> or <me@a.example>",
            PlainLine("text", "see https://a.example/__b__ or me@a.example"),
        ),
        ("a \U0010e000 `b`", PlainLine("text", "a \U0010e000 b")),
        ("%% `a` %% b `c", PlainLine("text", "b c")),
    ],
)
def test_what_a_line_says_and_what_it_is(line: str, read: PlainLine) -> None:
    assert read_line(line) == read


@pytest.mark.parametrize(
    "sign",
    ["<", "<a ", "|", "\\|", "[![](", "- [ ] ", "> ", "`", "`a ", "`a``", "```` ", "<a:", "a *", "\\*"],
)
def test_a_long_line_is_read_in_linear_time_whatever_it_is(sign: str) -> None:
    begun = time.thread_time()
    read_line(sign * 20_000)
    read_line("|" + sign * 20_000)
    assert time.thread_time() - begun < 1
