"""Where the sentences of an answer begin and end."""

import re

import pytest

from app.chat.cite.named import find_names
from app.chat.cite.sentence import find_sentences, marked


def sentences(text: str) -> list[str]:
    cited = [match.span() for match in re.finditer(r"`[^`]*`", text)]
    return [text[start:end].strip() for start, end in find_sentences(text, cited)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It sank. It rose.", ["It sank.", "It rose."]),
        ("We met Dr. Reid. He left.", ["We met Dr. Reid.", "He left."]),
        ("It cost approx. 30 euros. Good.", ["It cost approx. 30 euros.", "Good."]),
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
    ("sentence", "shown"),
    [
        ("It sank.", "It sank !."),
        ("**It sank…** \n", "**It sank !…** \n"),
        ("It sank", "It sank !"),
        ("", " !"),
    ],
)
def test_a_mark_stands_before_the_full_stop(sentence: str, shown: str) -> None:
    assert marked(sentence, "!") == shown


class CountedText(str):
    """A text that counts the characters which are copied out of it."""

    copied = 0

    def __getitem__(self, key: object) -> str:
        part = super().__getitem__(key)  # type: ignore[index]  # as a text takes it
        type(self).copied += len(part)
        return part


def test_a_long_block_is_not_copied_for_each_of_its_sentences() -> None:
    one = "The boat sank in the bay at dawn (`a.md`).\n"
    text = CountedText(one * 2000)
    CountedText.copied = 0
    cited = [match.span() for match in re.finditer(r"`a\.md`", text)]
    found = find_sentences(text, cited)
    assert found == [(at * len(one), (at + 1) * len(one) - 1) for at in range(2000)]
    assert CountedText.copied < 10 * len(text)


def test_a_row_of_signs_behind_a_full_stop_is_read_once() -> None:
    # Each way of parting the signs was tried: these would have taken longer than the world is old.
    assert sentences("It sank." + "*" * 400 + "x. It rose.") == ["It sank." + "*" * 400 + "x.", "It rose."]


def test_a_line_as_long_as_a_note_is_not_copied_for_each_of_its_capitals() -> None:
    text = CountedText("yesterday the Larch came and Isla rang. Then it " * 2000)
    CountedText.copied = 0
    names = find_names(text)
    assert {name.text for name in names} == {"Larch", "Isla"}
    assert len(names) == 4000
    assert CountedText.copied < 10 * len(text)


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Larch and oak", []),
        ("  - Larch and oak", []),
        ("12. Larch and oak", []),
        ("It is Larch", ["Larch"]),
        ("It is\n Larch", []),
        ("He said: “Larch and oak”", []),
        ("in 12 Larch", ["Larch"]),
    ],
)
def test_a_capital_names_something_where_nothing_begins(sentence: str, names: list[str]) -> None:
    assert [name.text for name in find_names(sentence)] == names
