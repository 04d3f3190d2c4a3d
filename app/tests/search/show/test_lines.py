"""Where the words of a query stand in lines, and which line shows them best, against slower ways to tell."""

import random
from collections.abc import Iterator

import pytest

from app.search.lexical.analysis import atoms, fold, runs
from app.search.lexical.bm25 import Term
from app.search.lexical.language import BEGIN_OTHERWISE, LANGUAGES, stem_all, stems, stop_words
from app.search.lexical.ranker import Sought
from app.search.show.lines import LineWords

WORDS = (
    "task", "Tasks", "tasking", "été", "ete", "due", "due-date", "l'été", "C++", "c", "✅", "x_task", "é",
    "of",
)  # fmt: skip
ASKED = (("task", 3.0), ("due", 2.0), ("ete", 2.5), ("date", 1.0))


def asked(query: str) -> LineWords:
    terms = [Term(word, stems(word, (0, 1))) for word, _ in ASKED]
    sought = [Sought(term, worth) for term, (_, worth) in zip(terms, ASKED, strict=True)]
    return LineWords(sought, [query])


@pytest.mark.parametrize("seed", range(10))
def test_each_line_has_the_words_of_its_runs_whatever_joins_them(seed: int) -> None:
    chance, words = random.Random(seed), asked("due task")
    signs = ["-", "_", "/", "'", "’", "#", "++", "(", ")", ",", "…", ".", "&", "--", "\xad", "✅", "日"]
    for _ in range(10):
        # The same words serve for several texts, where a run may stand beside others.
        lines = [
            " ".join(
                "".join(chance.choice(WORDS) + chance.choice(signs) for _ in range(chance.randint(1, 3)))
                for _ in range(chance.randint(0, 4))
            )
            for _ in range(4)
        ]
        found = [{place.part for place in places} for places in words.places(lines, 0)]
        assert found == [set(parts_of(line)) for line in lines], lines


def parts_of(line: str) -> Iterator[int]:
    for atom in (atom for run in runs(line.lower()) for atom in atoms(run)):
        for number, (word, _) in enumerate(ASKED):
            if atom.term == word or stems(atom.raw, (0,))[0] in stems(word, (0, 1)):
                yield number


@pytest.mark.parametrize(
    ("language", "asked_for", "written"),
    [("dutch", "werken", "gewerkt"), ("dutch", "gewerkt", "werkt"), ("english", "lie", "lying")],
)
def test_a_word_is_found_by_its_stem_however_it_begins(language: str, asked_for: str, written: str) -> None:
    number = LANGUAGES.index(language)
    term = Term(asked_for, stems(asked_for, (number,)))
    assert stems(written, (number,)) == term.stems
    words = LineWords([Sought(term, 1.0)], [asked_for])
    assert [len(places) for places in words.places(["-", f"een {written}"], number)] == [0, 1]


@pytest.mark.parametrize("language", sorted(set(range(len(LANGUAGES))) - BEGIN_OTHERWISE))
def test_stems_begin_as_their_words_do(language: int) -> None:
    words = sorted(set().union(*(stop_words(each) for each in range(len(LANGUAGES)))))
    endings = ("", "s", "es", "ed", "ing", "ung", "ement", "abile", "lar")
    made = [word + ending for word in words for ending in endings]
    odd = [
        (word, stem)
        for word, stem in zip(made, stem_all(made, language), strict=True)
        if fold(word)[:1] != stem[:1]
    ]
    assert odd == []
