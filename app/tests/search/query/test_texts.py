"""Queries read the texts that the index keeps: no note is opened but those that are shown."""

import random
import re
import sys

import pytest

from app.search.index.documents import Texts
from app.search.query.match import finder
from app.search.query.tree import Text

NOTE = 'Done TODAY, "Custom status" \N{CHEESE WEDGE}, Stra\u00dfe, \u017fort, \u212aelvin, \ufb01lter, \u00c9t\u00e9'


BLANKS = [" ", "  ", *(chr(sign) for sign in range(sys.maxunicode) if chr(sign).isspace()), "\u2003\n"]


@pytest.mark.parametrize("phrase", ["Strasse KELVIN", "today custom", "Sort \ufb01lter", "\u00c9t\u00e9 ete"])
@pytest.mark.parametrize("note", [NOTE, "Custom KELVIN, filter ete\N{CHEESE WEDGE}"])
def test_words_stand_in_a_row_as_in_the_text_without_case(phrase: str, note: str) -> None:
    words, finds = tuple(phrase.casefold().split()), finder(Text(phrase))
    for between in (*BLANKS, ", ", "", "-", "\u200b", "\u00a0\u2014"):
        text = f"{note} {between.join(phrase.split())}"
        assert finds(text.casefold()) is (between in BLANKS), between
        assert Texts({1: text}.__getitem__).holds(1, words) is (between in BLANKS), between


@pytest.mark.parametrize("seed", range(5))
def test_the_lines_of_each_place_are_told(seed: int) -> None:
    chance = random.Random(seed)
    words = tuple(chance.choices(("or", "r", "o"), k=chance.randint(1, 3)))
    for _ in range(20):
        text = "".join(chance.choices(("or", "R", "o", " ", "\n", "\u00c9", "\u017f"), k=60))
        row = re.compile("(?=(" + r"\s+".join(words) + "))")
        places = [(found.start(1), found.end(1)) for found in row.finditer(text.casefold())]
        numbers = [tuple(1 + text.count("\n", 0, at) for at in place) for place in places]
        assert list(Texts({1: text}.__getitem__).lines_of(1, words)) == numbers, text
