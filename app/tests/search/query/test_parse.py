"""Reading a query: what is an operator, what is text, and what an error says."""

from datetime import date

import pytest

from app.errors import BadRequestError
from app.search.query.parse import OPERATORS, PLACES, parse_query
from app.search.query.tree import And, Compared, Not, Or, Property, Tag, Text, Within


def bare(text: str) -> Text:
    return Text(text, folds=True)


def test_words_bind_closer_than_or() -> None:
    assert parse_query("a b OR c").root == Or((And((bare("a"), bare("b"))), bare("c")))
    assert parse_query("a (b OR c)").root == And((bare("a"), Or((bare("b"), bare("c")))))


def test_operators_take_the_value_right_after_their_colon() -> None:
    query = parse_query('tag:#work path:"My Notes" -task-done:(pay OR call) invoice')
    assert query.root == And(
        (
            Tag("work"),
            Text("My Notes", quoted=True, target="path"),
            Not(Within("task-done", Or((Text("pay", target="content"), Text("call", target="content"))))),
            bare("invoice"),
        )
    )
    assert (query.words, query.positive, query.is_plain) == (("invoice",), "invoice", False)


def test_properties_take_names_values_and_comparisons() -> None:
    assert parse_query("[p:<5]").root == Property(("p",), Compared("<", 5.0))
    assert parse_query("[due:>=2025-02]").root == Property(("due",), Compared(">=", date(2025, 2, 1)))
    assert parse_query('["due date" OR due:"x y"]').root == Property(
        ("due date", "due"), Text("x y", quoted=True)
    )
    assert parse_query("[p:-5]").root == Property(("p",), Text("-5"))


PLAIN = [
    "what is [this]?", "re: budget", '5" disk', "status: en-cours", "prio: haute", "[décision]", "2025-07-14", "C++",
    "(new", "new)", ":-)", "[repeat:: every day when done]", "a - b", "a -> b", "--flag", 'is "this', '"', '""', "()", "( )", "(", "-", "- -", "/", "//", "/ a /",
    "https://example.org/a?b=c", "file://home/x", "and/or", "/usr/bin/env", "[[Note]]", "[[Note|x]]", "[a](b)", "[ ] task", "[x",
    "[10:30] call", "[:x]", "[note:]", "what: this?", "tag:", "tag: #x", "task: call Bob", "path: a", "line :(a)", "Tag:x", "TAG:x",
    "OR", "OR a", "a OR", "*", "a * b", "qu'est-ce que c'est ?", "é:è", "12:30", "f(x)", "a(b", "50%", "#tag", "@bob", "会議の", "⏫",
    "(is it open (at night)?)", "« le devis »", "“quoted”", "a\tb\nc",
]  # fmt: skip


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_text_stays_text(text: str) -> None:
    query = parse_query(text)
    assert query.is_plain
    assert query.text == text.strip()
    assert query.filters == ()


def test_brackets_without_a_colon_are_a_property_only_where_one_is_known() -> None:
    assert parse_query("[status]").root == bare("[status]")
    assert parse_query("[status]", lambda name: name == "status").root == Property(("status",))
    assert parse_query("-[status]", lambda name: name == "status").root == Not(Property(("status",)))
    assert parse_query("[décision]", lambda name: name == "status").is_plain


ERRORS = [
    ("line:(a b", 6, "')' that closes this '('"),
    ('file:""', 7, "something to find after 'file:'"),
    ("task:(tag:#x)", 7, "no 'tag:' inside 'task:'"),
    ("created:2025-13", 9, "a date after 'created:'"),
    ("heating /[a/", 10, "']' that closes this '['"),
    ("[p:<soon]", 4, "a number, or a date such as 2025-07-14, after '<'"),
    ("a /b**/", 6, "something that can be repeated before this"),
    ("/\\A/", 2, "an escape of JavaScript's, which '\\A' is not"),
    ("(" * 40 + "a" + ")" * 40, 31, "at most 30 groups within each other"),
]


@pytest.mark.parametrize(("query", "position", "expected"), ERRORS, ids=[row[0][:30] for row in ERRORS])
def test_an_error_names_the_position_and_what_was_expected(query: str, position: int, expected: str) -> None:
    with pytest.raises(BadRequestError) as error:
        parse_query(query)
    # What stands after "position" is the number; what was expected follows it.
    assert f"is not understood at position {position}: expected " in error.value.message
    assert expected in error.value.message


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_operator_needs_its_value_to_be_one(operator: str) -> None:
    assert parse_query(f"{operator}:").is_plain
    value = "2025" if PLACES.get(operator) == "date" else "x"
    assert not parse_query(f"{operator}:{value}").is_plain
    if operator not in ("match-case", "ignore-case"):
        with pytest.raises(BadRequestError, match="closes this"):
            parse_query(f"{operator}:({value}")
