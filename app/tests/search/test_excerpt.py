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
    literal,
    numbered,
    query_words,
)

WORDS = "mot " * 100


def test_an_excerpt_is_centred_on_the_match() -> None:
    excerpt = generate_excerpt(f"{WORDS}décision {WORDS}", "décision")
    assert "décision" in excerpt
    assert excerpt.startswith("…")
    assert excerpt.endswith("…")
    assert len(excerpt) <= 150
    assert abs(excerpt.index("décision") - (len(excerpt) - len("décision")) // 2) < 15


def test_an_excerpt_without_a_match_is_the_beginning() -> None:
    assert generate_excerpt("# Titre\n\nDu texte.\n", "absent") == "# Titre Du texte."


def test_an_excerpt_finds_words_whatever_their_accents_and_case() -> None:
    assert "DÉCISION" in generate_excerpt(WORDS + "DE\u0301CISION " + WORDS, "decision")


def test_the_whole_query_wins_over_its_words() -> None:
    text = f"api et externe {WORDS} API externe {WORDS}"
    assert "API externe" in generate_excerpt(text, "api externe")


@given(st.text(max_size=400), st.text(max_size=20), st.integers(1, 200))
def test_an_excerpt_never_passes_its_length(text: str, query: str, most: int) -> None:
    assert len(generate_excerpt(text, query, most)) <= most


@given(st.text(max_size=80))
def test_folding_keeps_every_position(text: str) -> None:
    assert len(fold(text)) == len(unicodedata.normalize("NFC", text))


def test_a_title_counts_more_than_any_frequency() -> None:
    assert calculate_relevance("texte", "serre", "La serre") > calculate_relevance(
        "serre " * 50, "serre", "Note"
    )


def test_a_whole_word_counts_more_than_a_part_of_one() -> None:
    assert (
        calculate_relevance("la serre", "serre", "x") > calculate_relevance("resserrement", "serre", "x") > 0
    )


def test_relevance_lies_between_0_and_1() -> None:
    assert calculate_relevance("serre " * 1000, "serre", "serre") <= 1.0
    assert calculate_relevance("texte", "absent", "Titre") == 0.0
    assert calculate_relevance("texte", "", "Titre") == 0.0


def test_frequency_raises_relevance() -> None:
    assert calculate_relevance("serre serre serre", "serre", "x") > calculate_relevance("serre", "serre", "x")


def test_a_sign_folds_alike_wherever_it_stands() -> None:
    assert fold("ΟΔΟΣ ΣΑΣ") == "οδοσ σασ"
    assert fold("İÉ ﬁÅ") == "ie ﬁa"


def test_literal_text_ignores_case_form_and_runs_of_blanks() -> None:
    assert literal("  Status:\u00a0 EN-cours ") == "status: en-cours"
    assert literal("de\u0301ja\u0300") == "déjà"


def test_signs_alone_count_as_a_word() -> None:
    assert query_words("⏫") == ["⏫"]
    assert query_words("C++ c++") == ["c"]


def test_numbers_are_padded_to_the_widest() -> None:
    lines = [f"l{n}" for n in range(1, 12)]
    assert numbered(lines[7:], 8) == "8  | l8\n9  | l9\n10 | l10\n11 | l11"


@pytest.mark.parametrize("at", [0, 50, 99])
def test_clipping_keeps_the_place(at: int) -> None:
    text = "".join(chr(33 + n % 90) for n in range(100))
    assert text[at] in clip(text, at, 21)
    assert len(clip(text, at, 21)) <= 21


@pytest.mark.parametrize(
    ("text", "at", "most", "cut"),
    [
        ("one two three four five six", 9, 15, "…two three…"),
        # One word that is longer than that is all there is.
        ("x" * 50, 25, 12, "…xxxxxxxxxx…"),
    ],
)
def test_a_line_is_cut_beside_words_and_numbers(text: str, at: int, most: int, cut: str) -> None:
    assert clip(text, at, most) == cut


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
