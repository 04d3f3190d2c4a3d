"""A sentence of an answer is held against the lines it cites."""

import pytest

from app.chat.cite.support import Judgement, judge
from app.notices import ClaimKind, Notice

LINES = ("The larch came on 8 July,", "four weeks late. ^late")


def test_a_quotation_stands_in_the_lines_or_the_sentence_is_not_supported() -> None:
    assert judge("It came “four weeks late”.", LINES) == Judgement("supported")
    assert judge("It came “five weeks late”.", LINES) == Judgement(
        "unsupported", Notice(ClaimKind.OTHER_WORDS, words="five weeks late"), LINES[0]
    )


def test_a_sentence_without_lines_is_uncited() -> None:
    assert judge("It came late.", ()) == Judgement("uncited")


@pytest.mark.parametrize(
    "piece",
    ["12 ", "one two three ", "July ", "A", "x_", "1", "1,1", "not ", "“", "a, ", "A B ", "no more than "],
)
def test_a_hostile_sentence_is_judged_all_the_same(piece: str) -> None:
    text = piece * (5000 // len(piece))
    assert judge(text, [text], context=text[:500]).verdict in ("supported", "unsupported", "contradicted")
