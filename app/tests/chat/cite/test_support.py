"""A sentence of an answer is held against the lines it cites."""

import pytest

from app.chat.cite.dates import find_moments
from app.chat.cite.quantity import find_quantities
from app.chat.cite.support import Judgement, judge
from app.notices import ClaimKind, Notice

LINES = ("The larch came on 8 July,", "four weeks late. ^late")


def test_a_quotation_stands_in_the_lines_or_the_sentence_is_not_supported() -> None:
    assert judge("It came “four weeks late”.", LINES) == Judgement("supported")
    assert judge("It came “five weeks late”.", LINES) == Judgement(
        "unsupported", Notice(ClaimKind.OTHER_WORDS, words="five weeks late"), LINES[1]
    )


def test_a_sentence_without_lines_is_uncited() -> None:
    assert judge("It came late.", ()) == Judgement("uncited")


@pytest.mark.parametrize(
    "piece",
    ["12 ", "one two three ", "July ", "A", "x_", "1", "1,1", "not ", "“", "a, ", "A B ", "no more than "],
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
        ("The sheet has 40 sq cm.", "The sheet has 40 cm².", "supported"),
        ("La cuve contient 2 mètres cubes.", "La cuve contient 900 litres.", "unsupported"),
        ("La cuve contient 2 mètres cubes.", "La cuve contient 20 hectolitres.", "supported"),
        ("La terrasse fait 20 m².", "La terrasse fait 20 m de long.", "unsupported"),
        ("The 12 square tiles cost 40 euros.", "The 12 square tiles cost 40 euros.", "supported"),
    ],
)
def test_areas_and_volumes_are_compared_in_signs_and_in_words(sentence: str, line: str, verdict: str) -> None:
    assert judge(sentence, [line]).verdict == verdict


def test_letters_that_a_pattern_takes_for_others_are_read_as_these() -> None:
    # A Greek mu in the place of the sign for micro, a long s, and an i without its dot.
    assert find_quantities("500 μg")[0].measures == find_quantities("500 µg")[0].measures
    assert find_quantities("ſix apples")[0].values == {6}
    assert find_quantities("3 mıllionſ")[0].values == {3_000_000}
    assert [moment.weekday for moment in find_moments("on Tueſday")] == [1]


@pytest.mark.parametrize(
    "piece", ["word ", "no more than not good ", "good, bad ", "3 a day ", "disagree agree "]
)
def test_a_line_as_long_as_a_note_is_read(piece: str) -> None:
    # All of it in one line without an end, which would take hours by the square of its length.
    line = piece * (60_000 // len(piece))
    assert judge("The shop was closed on 9 occasions.", [line]).verdict != "uncited"


TOWN = (
    "The market is on Wednesday and Saturday until noon, in front of the church.",
    "",
    "1. The salt museum, small and dry. Closed on Tuesdays.",
    "2. The harbour clock. It has to be wound by hand on Thursdays at five.",
    "",
    "Carried down the slip by nine people and a dog. We bailed in shifts, three hundred buckets by Callum's",
    "count, and at eight the water stopped coming. The larch came four weeks late.",
    "",
    "Strakes two and three are on. Then, in pairs, Callum and Yann.",
)


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("The market is on Wednesday and Saturday until noon.", "supported"),
        ("The salt museum is closed on Tuesdays.", "supported"),
        ("The harbour clock is wound on Thursdays.", "supported"),
        ("The larch came four weeks late.", "supported"),
        ("The larch came three weeks late.", "unsupported"),
        ("They bailed three hundred buckets, and at eight the water stopped coming.", "supported"),
        ("Nine people carried her down the slip.", "supported"),
        ("They bailed three hundred buckets by Callum's count.", "supported"),
        ("Yann and Callum were a pair.", "supported"),
    ],
)
def test_a_value_of_one_thing_bears_out_nothing_of_another(sentence: str, verdict: str) -> None:
    assert judge(sentence, TOWN).verdict == verdict


def test_a_value_that_words_tell_of_otherwise_stands() -> None:
    lines = ("Maryvonne runs the archive.", "She met Yann at the fair in Rennes.", "It fetched 300 euros.")
    assert judge("Maryvonne met Yann at the fair in Rennes.", lines).verdict == "supported"
    assert judge("The archive of Maryvonne was sold for 300 euros.", lines).verdict == "supported"


def test_a_piece_of_a_table_is_quoted_as_it_is_written() -> None:
    lines = ("| no. | subject | readers |", "| - | - | - |", r"| 4 | [[Letter 4\|Borrowed salt]] | 212 |")
    assert judge("The note says “Borrowed salt]] | 212 |”.", lines).verdict == "supported"
    assert judge("The note says “Borrowed salt]] | 221 |”.", lines).verdict == "unsupported"


@pytest.mark.parametrize(
    ("sentence", "line", "verdict"),
    [
        ("Le prix est payé en 3 tiers.", "Le prix est payé en trois tiers.", "supported"),
        ("2 thirds of the boats came.", "Two thirds of the boats came.", "supported"),
        ("2 thirds of the boats came.", "One third of the boats came.", "unsupported"),
    ],
)
def test_parts_in_digits_and_in_words_agree(sentence: str, line: str, verdict: str) -> None:
    assert judge(sentence, [line]).verdict == verdict
