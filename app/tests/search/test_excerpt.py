"""Excerpts, relevance without an index, and numbered lines."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.search.excerpt import (
    calculate_relevance,
    clip,
    fold,
    generate_excerpt,
)

WORDS = "mot " * 100


def test_an_excerpt_is_centred_on_the_match() -> None:
    excerpt = generate_excerpt(f"{WORDS}décision {WORDS}", "décision")
    assert "décision" in excerpt
    assert excerpt.startswith("…")
    assert excerpt.endswith("…")
    assert len(excerpt) <= 150
    assert abs(excerpt.index("décision") - (len(excerpt) - len("décision")) // 2) < 15


def test_an_excerpt_finds_words_whatever_their_accents_and_case() -> None:
    assert "DÉCISION" in generate_excerpt(WORDS + "DE\u0301CISION " + WORDS, "decision")


@given(st.text(max_size=400), st.text(max_size=20), st.integers(1, 200))
def test_an_excerpt_never_passes_its_length(text: str, query: str, most: int) -> None:
    assert len(generate_excerpt(text, query, most)) <= most


@given(st.text(max_size=80))
def test_folding_keeps_every_position(text: str) -> None:
    assert len(fold(text)) == len(unicodedata.normalize("NFC", text))


def test_relevance_rises_from_nothing_over_a_part_and_a_word_to_many_and_the_title() -> None:
    cases = [
        ("texte", "x"),
        ("resserrement", "x"),
        ("la serre", "x"),
        ("serre " * 3, "x"),
        ("texte", "La serre"),
    ]
    scores = [calculate_relevance(text, "serre", title) for text, title in cases]
    assert scores == sorted(set(scores))
    assert scores[0] == calculate_relevance("texte", "", "Titre") == 0
    assert calculate_relevance("serre " * 1000, "serre", "serre") <= 1


@pytest.mark.parametrize("at", [0, 50, 99])
def test_clipping_keeps_the_place(at: int) -> None:
    text = "".join(chr(33 + n % 90) for n in range(100))
    assert text[at] in clip(text, at, 21)
    assert len(clip(text, at, 21)) <= 21


@given(st.text("ab 1,/é", min_size=1, max_size=80), st.integers(0, 79), st.integers(12, 40))
def test_no_short_word_or_number_is_broken(text: str, at: int, most: int) -> None:
    at = min(at, len(text) - 1)
    shown = clip(text, at, most)
    assert len(shown) <= most
    inner = shown.strip("…")
    assert inner in text
    whole = re.findall(r"\d+(?:[,/]\d+)*|[^\W\d_]+", text)
    if all(len(word) <= most // 4 for word in re.findall(r"[\w,/]+", text)):
        assert all(word in whole for word in re.findall(r"\d+(?:[,/]\d+)*|[^\W\d_]+", inner))
