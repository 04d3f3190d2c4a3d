"""Spans of notes: what is one, where it stands, that its text is the note's own, and that long notes are read."""

from pathlib import Path

import pytest

from app.chat.evidence.spans import LONGEST, Span, spans_of
from app.tests.measuring import MOST_CALLS, calls_of
from app.tests.test_linear import SHAPES

EXAMPLES = Path(__file__).parents[4] / "examples" / "vault"


def texts(note: str) -> list[str]:
    return [one.text for one in spans_of(note)]


def only(note: str) -> Span:
    (one,) = spans_of(note)
    return one


def test_a_sentence_over_two_lines_keeps_its_line_break() -> None:
    one = only("# Boat\n\nThe hull was painted\r\nin **May**, not in June.\r\n")
    assert one.text == "The hull was painted\r\nin **May**, not in June."
    assert (one.first, one.last, one.headings, one.kind) == (3, 4, ("Boat",), "sentence")
    assert one.plain == "The hull was painted in May, not in June."


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_property_is_its_name_and_its_value_as_they_stand(end: str) -> None:
    lines = ["---", "phone: 01584 555 019", "# a remark", "empty:", "list:", "  - one", "  - two", "---"]
    note = end.join(lines)
    found = spans_of(note)
    assert [(one.text.replace("\r\n", "\n"), one.first, one.last, one.kind) for one in found] == [
        ("phone: 01584 555 019", 2, 2, "property"),
        ("list:\n  - one\n  - two", 5, 7, "property"),
    ]
    assert all(note[one.start : one.end] == one.text for one in found)


def test_items_keep_their_sign_and_know_what_they_are_a_part_of() -> None:
    found = spans_of("To pack:\n\n- tent\n    - the small one\n- stove,\n  with gas\n\nThat is all of it.\n")
    assert [(one.text, one.above, one.kind) for one in found[1:4]] == [
        ("- tent", "To pack:", "item"),
        ("- the small one", "To pack:\n- tent", "item"),
        ("- stove,\n  with gas", "To pack:", "item"),
    ]
    assert found[1].block == found[3].block != found[4].block
    assert found[4].above == ""


@pytest.mark.parametrize("sign", ["| ", ""])
def test_rows_know_the_header_of_their_table(sign: str) -> None:
    rows = [f"{sign}what | price", f"{sign}--- | ---", f"{sign}larch | 380", f"{sign}tar | 40"]
    found = spans_of("\n".join(rows) + "\n\nAll of it.\n")
    assert [(one.text, one.above, one.first, one.kind) for one in found] == [
        (rows[2], rows[0], 3, "row"),
        (rows[3], rows[0], 4, "row"),
        ("All of it.", "", 6, "sentence"),
    ]


def test_code_is_one_span_without_its_fences_and_a_long_block_one_for_each_line() -> None:
    note = "Run it with:\n\n```sh\n# not a heading\n    python send.py 6 --really\n```\n\nDone now.\n"
    found = spans_of(note)
    assert [(one.text, one.kind) for one in found] == [
        ("Run it with:", "sentence"),
        ("# not a heading\n    python send.py 6 --really", "code"),
        ("Done now.", "sentence"),
    ]
    assert found[1].above == "Run it with:"
    assert texts("```\n" + "a line of code\n" * 40) == ["a line of code"] * 40


def test_the_day_of_a_dated_heading_goes_down_to_what_stands_below() -> None:
    found = spans_of("# 2025-07-14\n\n## Heating\n\nElectric it is.\n\n# Later\n\nNothing more.\n")
    assert [(one.day, one.headings) for one in found] == [
        ("2025-07-14", ("2025-07-14", "Heating")),
        ("", ("Later",)),
    ]


@pytest.mark.parametrize("between", [" ", "\r\n"])
def test_a_long_sentence_is_cut_between_words(between: str) -> None:
    words = [f"word{number}" for number in range(400)]
    text = "# Title\n\n" + between.join(words) + "\n"
    found = spans_of(text)
    assert between.join(one.text for one in found) == between.join(words)
    for one in found:
        assert text[one.start : one.end] == one.text
        assert LONGEST - 10 < len(one.text) <= LONGEST or one is found[-1]
        assert one.first == 1 + text.count("\n", 0, one.start)


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.md")), ids=lambda path: path.stem)
def test_every_span_is_the_text_of_its_note_at_its_lines(path: Path) -> None:
    text = path.read_bytes().decode()
    lines = text.split("\n")
    for one in spans_of(text):
        assert text[one.start : one.end] == one.text
        assert one.text in "\n".join(lines[one.first - 1 : one.last])
        assert one.text.strip()


PIECES = ("headings", "tables", "rows", "links", "items", "nested lists", "nested quotes", "fences", "rules",
          "one long line", "one long word", "paragraphs", "a run of stars", "blanks", "emphasis")  # fmt: skip


@pytest.mark.parametrize("name", PIECES)
def test_reading_takes_as_many_calls_as_a_note_is_long(name: str) -> None:
    small, large = (SHAPES[name](size) for size in (5_000, 10_000))
    spans_of(small)
    assert calls_of(lambda: spans_of(large)) < MOST_CALLS * calls_of(lambda: spans_of(small)) + 2_000
