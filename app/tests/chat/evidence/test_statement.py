"""Statements of notes: what is one, where it stands, and that its text is the note's own."""

from pathlib import Path

import pytest

from app.chat.evidence.statement import Statement, properties_of, statements_of

EXAMPLES = Path(__file__).parents[4] / "examples" / "vault"


def texts(note: str) -> list[str]:
    return [one.text for one in statements_of(note)]


def only(note: str) -> Statement:
    (one,) = statements_of(note)
    return one


def test_sentences_are_cut_where_they_end() -> None:
    note = "The hull is red. It was painted in May, by Dr. Reid (see p. 3). Was it dry? Yes!\n"
    assert texts(note) == [
        "The hull is red.",
        "It was painted in May, by Dr. Reid (see p. 3).",
        "Was it dry?",
        "Yes!",
    ]


def test_a_sentence_over_two_lines_keeps_its_line_break() -> None:
    one = only("# Boat\n\nThe hull was painted\r\nin **May**, not in June.\r\n")
    assert one.text == "The hull was painted\r\nin **May**, not in June."
    assert (one.first, one.last, one.headings, one.kind) == (3, 4, ("Boat",), "sentence")


def test_properties_headings_rules_and_blanks_state_nothing() -> None:
    assert (
        texts("---\nstatus: done\n\nplace: here\n\n---\n# Title\n\n---\n\n> [!note]\n\n***\n\n## Empty\n")
        == []
    )


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_property_is_its_name_and_its_value_as_they_stand(end: str) -> None:
    lines = ["---", "phone: 01584 555 019", "# a remark", "list:", "  - one", "  - two", "---", "Text: here."]
    note = end.join(lines)
    found = properties_of(note)
    assert [(one.text.replace("\r\n", "\n"), one.first, one.last) for one in found] == [
        ("phone: 01584 555 019", 2, 2),
        ("list:\n  - one\n  - two", 4, 6),
    ]
    assert all(note[one.start : one.end] == one.text for one in found)
    assert properties_of("Text: here.\n") == []


def test_underlined_lines_are_headings() -> None:
    (one,) = statements_of("Recette\n=======\n\nÉtapes\n------\n\nBeurrer le plat.\n")
    assert (one.text, one.headings) == ("Beurrer le plat.", ("Recette", "Étapes"))


def test_items_keep_their_sign_and_know_what_they_are_a_part_of() -> None:
    note = "To pack:\n\n- tent\n    - the small one\n- stove,\n  with gas\n\nThat is all of it.\n"
    found = statements_of(note)
    assert [(one.text, one.above, one.kind) for one in found[1:4]] == [
        ("- tent", "To pack:", "item"),
        ("- the small one", "To pack:\n- tent", "item"),
        ("- stove,\n  with gas", "To pack:", "item"),
    ]
    assert found[1].block == found[3].block != found[4].block


def test_numbered_items_are_steps_and_a_lone_one_is_none() -> None:
    assert [one.is_step for one in statements_of("1. Lift.\n2. Push.\n")] == [True, True]
    assert not only("1. Lift the handle.\n").is_step


def test_rows_know_the_header_of_their_table() -> None:
    found = statements_of("| what | price |\n| --- | ---: |\n| larch | 380 |\n| tar | 40 |\n")
    assert [(one.text, one.above, one.first) for one in found] == [
        ("| larch | 380 |", "| what | price |", 3),
        ("| tar | 40 |", "| what | price |", 4),
    ]


def test_rows_of_html_are_one_statement_each() -> None:
    note = "<table>\n<tr>\n  <td>Due</td>\n  <td>12.0</td>\n</tr>\n<tr><td>Start</td><td>3.0</td></tr>\n</table>\n"
    assert texts(note) == [
        "<tr>\n  <td>Due</td>\n  <td>12.0</td>\n</tr>",
        "<tr><td>Start</td><td>3.0</td></tr>",
    ]


def test_code_is_read_line_by_line_and_is_never_a_heading_or_a_list() -> None:
    note = "Run it with:\n\n```sh\n# not a heading\npython send.py 6 --really\n- no item\n```\n\nDone now.\n"
    found = statements_of(note)
    assert [(one.text, one.kind) for one in found] == [
        ("Run it with:", "sentence"),
        ("# not a heading", "code"),
        ("python send.py 6 --really", "code"),
        ("- no item", "code"),
        ("Done now.", "sentence"),
    ]
    assert found[1].above == "Run it with:"


def test_a_fence_that_nothing_closes_goes_to_the_end() -> None:
    assert [one.kind for one in statements_of("```\nfirst line\n\n# second\n")] == ["code", "code"]


def test_lines_that_name_values_stand_alone() -> None:
    assert texts("# Task\n\nstatus: en-cours\nprio: haute\néchéance: 2025-09-30\n") == [
        "status: en-cours",
        "prio: haute",
        "échéance: 2025-09-30",
    ]


def test_the_day_of_a_dated_heading_goes_down_to_what_stands_below() -> None:
    found = statements_of("# 2025-07-14\n\n## Heating\n\nElectric it is.\n\n# Later\n\nNothing more.\n")
    assert [(one.day, one.headings) for one in found] == [
        ("2025-07-14", ("2025-07-14", "Heating")),
        ("", ("Later",)),
    ]


def test_a_paragraph_inside_an_item_belongs_to_it() -> None:
    found = statements_of("- Postpone\n\n    It moves the date to tomorrow.\n\n- Done\n")
    assert [(one.text, one.above) for one in found] == [
        ("- Postpone", ""),
        ("It moves the date to tomorrow.", "- Postpone"),
        ("- Done", ""),
    ]


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.md")), ids=lambda path: path.stem)
def test_every_statement_is_the_text_of_its_note_at_its_lines(path: Path) -> None:
    text = path.read_bytes().decode()
    lines = text.split("\n")
    for one in statements_of(text):
        assert text[one.start : one.end] == one.text
        assert one.text in "\n".join(lines[one.first - 1 : one.last])
        assert one.text.strip()
