"""Spans of notes: what is quoted together."""

from app.chat.evidence.span import Span, filled, joined, spans_of, whole_list
from app.chat.evidence.statement import statements_of

NOTE = """# House

The door sticks. Lift, then push.

## Things

- The key lives under the third flowerpot.
- Hot water is generous until a quarter past eight.

## Walks

Along the wall, twenty minutes, flat, at any hour and in any weather that there is.

To the signal station, an hour and a half, with gorse on both sides of the path.
"""


def spans(note: str, most: int, first: int = 1, last: int = 999) -> list[Span]:
    return spans_of(note, statements_of(note), first, last, most)


def test_sections_that_fit_are_quoted_whole() -> None:
    assert [span.text for span in spans(NOTE, 200)] == [
        "The door sticks. Lift, then push.",
        "- The key lives under the third flowerpot.\n- Hot water is generous until a quarter past eight.",
        "Along the wall, twenty minutes, flat, at any hour and in any weather that there is.\n\n"
        "To the signal station, an hour and a half, with gorse on both sides of the path.",
    ]


def test_of_a_section_that_does_not_fit_its_paragraphs_are() -> None:
    assert [(span.first, span.last) for span in spans(NOTE, 100, first=11)] == [(12, 12), (14, 14)]


def test_of_a_paragraph_that_does_not_fit_its_sentences_are_with_their_neighbours() -> None:
    note = "One is here. Two is here. Three is here. Four is here.\n"
    assert [span.text for span in spans(note, 30)] == [
        "One is here. Two is here.",
        "Two is here. Three is here.",
        "Three is here. Four is here.",
    ]


def test_what_introduces_a_fence_is_quoted_with_it() -> None:
    note = "A long paragraph that stands before, and says nothing of use.\n\nRun it with:\n\n```\nsend --really\n```\n"
    assert "Run it with:\n\n```\nsend --really" in [span.text for span in spans(note, 50)]


def test_only_spans_with_a_line_asked_for_are_given() -> None:
    assert [span.first for span in spans(NOTE, 200, first=7, last=8)] == [7]


def test_spans_never_cross_a_heading() -> None:
    for span in spans(NOTE, 10_000):
        assert len({one.headings for one in span.statements}) == 1


def test_the_steps_of_a_list_come_together() -> None:
    note = "To restart it:\n\n" + "".join(f"{at}. Do the thing number {at}.\n" for at in range(1, 7))
    statements = statements_of(note)
    small = next(span for span in spans_of(note, statements, 5, 5, 60) if span.first >= 4)
    whole = whole_list(note, statements, small, 1000)
    assert whole.text == note.rstrip()
    assert whole_list(note, statements, small, 50) == small


def test_a_list_of_any_kind_is_not_cut_in_its_middle() -> None:
    items = "".join(f"- thing {at}\n    - part of {at}\n" for at in range(1, 6))
    note = f"It packs light.\n\n{items}\nEnd.\n"
    statements = statements_of(note)
    whole = whole_list(note, statements, Span("", tuple(statements[4:6])), 1000)
    assert (whole.first, whole.last) == (3, 12)
    assert whole.text in note
    end = Span("", tuple(statements[-1:]))
    assert whole_list(note, statements, end, 1000) == end


def test_what_fills_a_span_does_not_break_a_list_off() -> None:
    note = "Light the stove.\n\n- kindling first\n- one small log\n- then the large ones\n"
    statements = statements_of(note)
    stove = Span(statements[0].text, tuple(statements[:1]))
    assert filled(note, statements, stove, len(note) - 5, lambda line: False) == stove
    assert filled(note, statements, stove, len(note), lambda line: False).text == note.rstrip()


def test_a_short_span_is_filled_with_what_follows_it_first() -> None:
    statements = statements_of(NOTE)
    door = spans_of(NOTE, statements, 3, 3, 200)[0]
    assert filled(NOTE, statements, door, 150, lambda line: False).text == (
        "The door sticks. Lift, then push.\n\n## Things\n\n- The key lives under the third flowerpot.\n"
        "- Hot water is generous until a quarter past eight."
    )
    assert filled(NOTE, statements, door, 20, lambda line: False) == door
    station = Span(statements[-1].text, (statements[-1],))
    assert filled(NOTE, statements, station, 300, lambda line: False).first == 12


def test_a_span_is_not_filled_with_another_day_or_with_what_notes_share() -> None:
    note = "## 2025-07-14\n\nThe larch came.\n\n## 2025-07-15\n\nThe oak came.\n\nWritten with love.\n"
    statements = statements_of(note)
    larch, oak = (Span(one.text, (one,)) for one in statements[:2])
    assert filled(note, statements, larch, 500, lambda line: False) == larch
    assert filled(note, statements, oak, 500, lambda line: line == "Written with love.") == oak


def test_spans_that_share_characters_overlap() -> None:
    one, two, three = spans("One is here. Two is here. Three is here. Four is here.\n", 30)
    assert one.overlaps(two)
    assert not one.overlaps(three)


def test_two_spans_are_joined_with_what_stands_between_them() -> None:
    statements = statements_of(NOTE)
    door, things, walks = spans(NOTE, 200)
    both = joined(NOTE, statements, walks, door, 400, lambda line: False)
    assert both is not None
    assert both.text == NOTE[NOTE.index("The door") :].rstrip()
    assert both.statements == tuple(statements)
    assert joined(NOTE, statements, walks, door, len(both.text) - 1, lambda line: False) is None
    assert joined(NOTE, statements, walks, door, 400, lambda line: line in things.text) is None


def test_spans_of_two_days_are_not_joined() -> None:
    note = "## 2025-07-14\n\nThe larch came.\n\nIt is red.\n\n## 2025-07-15\n\nThe oak came.\n"
    statements = statements_of(note)
    larch, red, oak = (Span(one.text, (one,)) for one in statements)
    both = joined(note, statements, larch, red, 500, lambda line: False)
    assert both is not None
    assert both.text == "The larch came.\n\nIt is red."
    assert joined(note, statements, red, oak, 500, lambda line: False) is None


def test_code_with_what_follows_it_is_quoted_with_the_line_that_opens_it() -> None:
    note = "# Server\n\n## Restart\n\n```sh\nsystemctl restart php\n```\n\nIt takes a minute.\n"
    statements = statements_of(note)
    code = next(one for one in statements if one.kind == "code")
    alone = Span(code.text, (code,))
    whole = filled(note, statements, alone, 200, lambda line: False)
    assert whole.text == "```sh\nsystemctl restart php\n```\n\nIt takes a minute."
    assert (whole.first, whole.last) == (5, 9)
    assert filled(note, statements, alone, 22, lambda line: False) == alone
