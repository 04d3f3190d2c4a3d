"""A sentence of an answer is held against the lines it cites."""

import pytest

from app.chat.cite.support import judge


@pytest.mark.parametrize(
    "piece",
    ["12 ", "one two three ", "July ", "A", "1,1", "“", "a, ", "no more than "],
)
def test_a_hostile_sentence_is_judged_all_the_same(piece: str) -> None:
    text = piece * (5000 // len(piece))
    assert judge(text, [text], context=text[:500]).verdict in ("supported", "unsupported")


@pytest.mark.parametrize(
    ("sentence", "line", "verdict"),
    [
        ("The flat has 130 square feet.", "The flat has 12 m².", "supported"),
        ("The flat has 200 square feet.", "The flat has 12 m².", "unsupported"),
        ("The field has 3 km².", "The field has 300 hectares.", "supported"),
        ("2 thirds of the boats came.", "Two thirds of the boats came.", "supported"),
        ("2 thirds of the boats came.", "One third of the boats came.", "unsupported"),
        ("La cuve contient 2 mètres cubes.", "La cuve contient 20 hectolitres.", "supported"),
        ("La terrasse fait 20 m².", "La terrasse fait 20 m de long.", "unsupported"),
        ("The 12 square tiles cost 40 euros.", "The 12 square tiles cost 40 euros.", "supported"),
    ],
)
def test_areas_and_volumes_are_compared_in_signs_and_in_words(sentence: str, line: str, verdict: str) -> None:
    assert judge(sentence, [line]).verdict == verdict


@pytest.mark.parametrize(
    "piece", ["word ", "no more than not good ", "good, bad ", "3 a day ", "disagree agree "]
)
def test_a_line_as_long_as_a_note_is_read(piece: str) -> None:
    # All of it in one line without an end, which would take hours by the square of its length.
    line = piece * (60_000 // len(piece))
    assert judge("The shop was closed on 9 occasions.", [line]).verdict != "uncited"
