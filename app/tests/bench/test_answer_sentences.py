"""The sentences that the checker of claims is measured on, and how many it judges wrongly."""

from collections import Counter

import pytest

from bench.answers.sentences import KINDS, SETS, read_sentences


def test_every_set_has_as_many_true_as_false_sentences_of_what_is_compared() -> None:
    count = Counter((each.set, each.kind, each.is_true) for each in read_sentences())
    assert {key[:2] for key in count} == {(name, kind) for name in SETS for kind in KINDS}
    assert all(
        count[name, kind, True] == count[name, kind, False]
        for name in SETS
        for kind in KINDS
        if kind != "other"
    )
    assert [count[name, "unit", True] for name in SETS] == [30, 15, 15]


@pytest.mark.parametrize("name", SETS)
def test_few_true_sentences_are_marked_and_most_false_ones_are(name: str) -> None:
    sentences = list(read_sentences([name]))
    wrong = [each for each in sentences if each.is_marked() == each.is_true]
    true = [each.text for each in wrong if each.is_true]
    false = [each.text for each in wrong if not each.is_true]
    assert len(true) <= 0.03 * len(sentences) / 2, true
    assert len(false) <= 0.08 * len(sentences) / 2, false
