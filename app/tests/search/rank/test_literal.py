"""What holds a literal query, or has its only word inside longer ones: the best few are those of all."""

import random

import numpy as np
import pytest

from app.search.lexical.segment import Mask
from app.search.query.filters import ChunkFilter
from app.search.query.read import parse_question, read_question
from app.search.rank.fusion import reciprocal_ranks
from app.search.rank.pipeline import Found, rank
from app.search.searcher import searcher_for
from app.search.view import View
from app.tests.conftest import MakeVault

WORDS = [
    "star", "stars", "starry", "war", "wars", "to", "the", "moon", "Réunion", "réunis", "or", "x1", "alone",
]  # fmt: skip
SIGNS = (" ", " ", " ", " ", "  ", "\n", "\n\n## ", ", ", "-", ". ", "/", " \u2019", " [", "] ")


@pytest.fixture
def view(tiny_vault: MakeVault) -> View:
    rng = random.Random(7)
    notes = {}
    for number in range(150):
        words = [rng.choice(WORDS) + rng.choice(SIGNS) for _ in range(rng.randint(3, 120))]
        notes[f"{rng.choice('abc')}/n{number}.md"] = "# Note\n\n" + "".join(words) + "\n"
    searcher = searcher_for(tiny_vault(notes, chunk_chars=200))
    searcher.update()
    return searcher.view()


def asked(view: View, text: str, k: int | None, mask: Mask | None = None) -> Found:
    allowed = view.snapshot.chunks_of(view.snapshot.visible)
    chunks = ChunkFilter(allowed if mask is None else allowed & mask)
    return rank(view, read_question(view.snapshot, text), chunks, k)


def pieces_of(view: View, rng: random.Random) -> str:
    """Cut a text out of a note, its ends anywhere."""
    doc = rng.choice(sorted(view.lexical.paths().values()))
    text = " ".join(view.snapshot.texts[doc].raw.split())
    start = rng.randrange(len(text))
    return text[start : start + rng.randint(2, 14)].strip()


@pytest.mark.parametrize("seed", range(4))
def test_the_best_few_and_their_count_are_those_of_all(view: View, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        text = pieces_of(view, rng)
        mask = np.random.default_rng(rng.randrange(99)).random(view.lexical.size) < rng.choice((0.3, 2))
        whole = asked(view, text, None, mask)
        assert whole.total == len(whole.rows)
        for k in (1, 10, 30):
            best = asked(view, text, k, mask)
            assert (best.rows, best.total) == (whole.rows[:k], whole.total), (text, k)


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("[décision]", "[décision]"),
        ("[repeat:: every day when done]", "[repeat:: every day when done]"),
        ("東京都", "東京都"),
        ("bloqué", ""),
        ("when is the launch of 2025-07-14", ""),
        ('"heating bill" -draft', "heating bill"),
        ("tag:larch prio: haute", "prio: haute"),
    ],
)
def test_a_few_words_with_a_special_character_are_literal_and_so_is_a_phrase(text: str, literal: str) -> None:
    assert parse_question(text).literal == literal


def test_fused_lists_are_ordered_by_the_sums_of_their_shares() -> None:
    lists, weights = [np.array([3, 1, 2]), np.array([2, 4, 1])], [1.0, 0.5]
    expected: dict[int, float] = {}
    for ranked, weight in zip(lists, weights, strict=True):
        for rank_, doc in enumerate(ranked.tolist(), start=1):
            expected[doc] = expected.get(doc, 0) + weight / (60 + rank_)
    docs, sums = reciprocal_ranks(lists, 60, weights)
    assert docs.tolist() == sorted(expected, key=lambda doc: -expected[doc])
    assert sums.tolist() == pytest.approx(sorted(expected.values(), reverse=True))
