"""The comparison with labelled claims counts what is said of each, and holds them against the sentences meant."""

from collections.abc import Sequence
from typing import Any

import pytest

from bench.answers.wice import Claim, Figures, everything, figures, gold, measure, nearest

SENTENCES = ["(meta data) TITLE: Kilns", "Skip to content", "A kiln broke down in May.", "Larch is a tree."]
ROW = {
    "claim": "The kiln broke down in May.",
    "label": "supported",
    "evidence": SENTENCES,
    "supporting_sentences": [[], [2, 3], [2]],
}


def test_a_claim_is_held_against_the_first_sentences_that_support_it_or_all() -> None:
    assert gold(ROW) == Claim("The kiln broke down in May.", "supported", "Kilns", SENTENCES[2:])
    assert gold({**ROW, "supporting_sentences": [[], []]}) is None
    assert everything(ROW).sentences == SENTENCES


def test_the_sentences_most_like_a_claim_stand_in_the_order_of_the_page() -> None:
    padding = [f"Zebra {number} quagga" for number in range(9)]
    row: dict[str, Any] = {**ROW, "evidence": [SENTENCES[0], *padding, *SENTENCES[2:]]}
    found = nearest(row).sentences
    assert len(found) == 5
    assert SENTENCES[2] in found
    places = [row["evidence"].index(each) for each in found]
    assert places == sorted(places)


def test_supported_in_part_counts_as_not_supported() -> None:
    pairs = [
        ("supported", "supported"),
        ("supported", "supported"),
        ("supported", "unsupported"),
        ("partially_supported", "supported"),
        ("not_supported", "contradicted"),
    ]
    assert figures(pairs) == Figures(2 / 3, 2 / 3, 2 / 3, 3 / 5)
    assert figures([("not_supported", "uncited")]) == Figures(0, 0, 0, 1)


def test_the_tables_show_each_label_and_what_no_checker_at_all_would_reach(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def judge(claim: str, sentences: Sequence[str], title: str) -> str:
        return "supported" if claim in sentences and title == "Kilns" else "contradicted"

    claims = [Claim("a", "supported", "Kilns", ["a"]), Claim("b", "partially_supported", "Kilns", ["a"])]
    judged = measure("Two", claims, judge)
    assert [verdict for _, verdict in judged] == ["supported", "contradicted"]
    said = capsys.readouterr().out
    assert "| supported | 1 | 0 | 0 | 0 |\n| partially_supported | 0 | 0 | 1 | 0 |" in said
    assert "| this checker | 100.0% | 100.0% | 100.0% | 100.0% |" in said
    assert "| saying always that it is | 50.0% | 100.0% | 66.7% | 50.0% |" in said
