"""Notes made to be slow, or too long to quote: they are read all the same, in calls as many as they are long."""

import pytest

from app.chat.evidence.statement import LONGEST, plain_text, statements_of
from app.tests.measuring import MOST_CALLS, calls_of
from app.tests.test_linear import SHAPES

SIZE = 200_000
LINES = {
    "blanks before a word": " " * SIZE + "word",
    "blanks in a quote": ">" + " " * SIZE + "word",
    "signs of quotes": "> " * SIZE + "word",
    "blanks in an item": "-" + " " * SIZE + "word",
    "blanks in a value": "word:" + " " * SIZE + "x\nword: x",
    "blanks before a last sign": "word" + " " * SIZE + "x",
    "a rule with a letter": "word | b\n|" + "-" * SIZE + "x",
    "signs of a rule": "- " * SIZE + "word",
}


@pytest.mark.parametrize("name", LINES)
def test_a_long_line_is_read_and_begins_with_its_word(name: str) -> None:
    text = LINES[name]
    found = statements_of(text)
    assert "word" in found[0].text
    assert all(text[one.start : one.end] == one.text for one in found)


def test_the_text_of_a_long_heading_ends_before_its_closing_signs() -> None:
    (one,) = statements_of("# a" + " " * SIZE + "b # #\n\nText.\n")
    assert one.headings == ("a" + " " * SIZE + "b",)


def test_rows_of_html_that_nothing_closes_are_one_line_each() -> None:
    count = SIZE // 8
    found = statements_of("<tr> aa\n" * count)
    assert [(one.text, one.first, one.last) for one in found] == [
        ("<tr> aa", number, number) for number in range(1, count + 1)
    ]


def test_sentences_of_a_long_paragraph_know_their_lines() -> None:
    count = SIZE // 7
    found = statements_of("Ab cd.\n" * count)
    assert [(one.text, one.first, one.last) for one in found] == [
        ("Ab cd.", number, number) for number in range(1, count + 1)
    ]


def test_a_table_may_leave_out_the_signs_at_its_ends() -> None:
    found = statements_of("what | price\n--- | ---\nlarch | 380\ntar | 40\n\nAll of it.\n")
    assert [(one.text, one.above, one.kind) for one in found] == [
        ("larch | 380", "what | price", "row"),
        ("tar | 40", "what | price", "row"),
        ("All of it.", "", "sentence"),
    ]


def test_a_sentence_ends_before_signs_that_close_nothing() -> None:
    assert [one.text for one in statements_of("你好。”世界很大")] == ["你好。", "”世界很大"]


@pytest.mark.parametrize("between", [" ", "\r\n"])
def test_a_long_sentence_is_cut_between_words(between: str) -> None:
    words = [f"word{number}" for number in range(400)]
    text = "# Title\n\n" + between.join(words) + "\n"
    found = statements_of(text)
    assert len(found) == 4
    assert between.join(one.text for one in found) == between.join(words)
    for one in found:
        assert text[one.start : one.end] == one.text
        assert LONGEST - 10 < len(one.text) <= LONGEST or one is found[-1]
        assert (one.first, one.last) == (
            1 + text.count("\n", 0, one.start),
            1 + text.count("\n", 0, one.end),
        )
        assert (one.kind, one.block, one.headings) == ("sentence", 1, ("Title",))


def test_a_long_word_is_cut_inside_it() -> None:
    found = statements_of("Before " + "a" * 2_500 + " after.")
    assert "".join(one.text for one in found).replace(" ", "") == "Before" + "a" * 2_500 + "after."
    assert all(len(one.text) <= LONGEST for one in found)


def test_long_code_keeps_what_indents_it() -> None:
    found = statements_of("```\n    " + "run it " * 200 + "\n```\n")
    assert [one.text[:10] for one in found] == ["    run it", "run it run"]
    assert {one.kind for one in found} == {"code"}


def test_a_line_of_underlines_is_shown() -> None:
    assert plain_text("a" + "_" * SIZE + "b __c__") == "a" + "_" * SIZE + "b c"


PIECES = ("headings", "tables", "rows", "links", "items", "nested lists", "nested quotes", "fences", "rules",
          "one long line", "one long word", "paragraphs", "a run of stars", "blanks", "emphasis")  # fmt: skip


@pytest.mark.parametrize("name", PIECES)
def test_reading_takes_as_many_calls_as_a_note_is_long(name: str) -> None:
    def read(text: str) -> None:
        plain_text(text)
        statements_of(text)

    small, large = (SHAPES[name](size) for size in (5_000, 10_000))
    read(small)
    assert calls_of(lambda: read(large)) < MOST_CALLS * calls_of(lambda: read(small)) + 2_000
