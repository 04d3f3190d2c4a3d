"""Where the sentences of an answer begin and end."""

import re

import pytest

from app.chat.cite.named import find_names
from app.chat.cite.sentence import find_sentences


def sentences(text: str) -> list[str]:
    cited = [match.span() for match in re.finditer(r"`[^`]*`", text)]
    return [text[start:end].strip() for start, end in find_sentences(text, cited)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It sank. It rose.", ["It sank.", "It rose."]),
        ("We met Dr. Reid. He left.", ["We met Dr. Reid.", "He left."]),
        ("By J. Reid (M. Le Goff, vol. 3). Yes.", ["By J. Reid (M. Le Goff, vol. 3).", "Yes."]),
        ("It hummed... and stopped. Then?", ["It hummed... and stopped.", "Then?"]),
        ("Isla says:\n> It sank.\n> It rose.", ["Isla says:\n> It sank.\n> It rose."]),
        ("It sank\nin May.\n- It rose\n- It fell", ["It sank\nin May.", "- It rose", "- It fell"]),
        (
            "**It sank.** It rose (`a.md`). `b.md` It fell.",
            ["**It sank.**", "It rose (`a.md`). `b.md`", "It fell."],
        ),
    ],
)
def test_where_sentences_end(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Larch and oak", []),
        ("  - Larch and oak", []),
        ("It is Larch", ["Larch"]),
        ("He said: “Larch and oak”", []),
        ("in 12 Larch", ["Larch"]),
    ],
)
def test_a_capital_names_something_where_nothing_begins(sentence: str, names: list[str]) -> None:
    assert [name.text for name in find_names(sentence)] == names
