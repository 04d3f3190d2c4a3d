"""Learn which English word a word of another language stands for, from sentences in both.

    python -m bench.glosses SENTENCES OUT

SENTENCES is a gzipped text file of three columns: source, French, English; one pair of sentences a line. OUT
is the table, in the program `app/search/embedding/tables/fr-en.gz`. `docs/search.md` says more.
"""

import argparse
import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import JaroWinkler
from rapidfuzz.process import cpdist

from app.search.embedding.glosses import small_words, words
from app.search.lexical.analysis import fold
from app.search.lexical.language import LANGUAGES, stem_all

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_WORDS, MOST_WORDS_OF_LAWS = 45, 28
"""Longer sentences are left out: they cost the most, by the square, and say the least about each word."""
WEIGHTS = {"laws": 0.3}
"""What a pair of some source counts for beside another: notes are rarely written as laws are."""
ROUNDS = 6
DIAGONAL = 4.0
"""How fast a link is less likely, the further its words stand from the same part of their sentences.

Source: Dyer, Chahuneau and Smith, A Simple, Fast, and Effective Reparameterization of IBM Model 2, 2013.
"""
NULL = 0.08
"""How likely a word stands for none of the other sentence."""
COGNATE, ALIKE, SHORT = 3.0, 0.7, 4
"""How much likelier words are that are spelt alike; from which similarity on, and how many letters."""
OF_STEM = 2.0
"""What a stem says of each of its forms, as many occurrences: rare forms are learnt from the others."""
LEAST_SCORE = 0.5
"""Words of which less was seen are left as they are."""
_ENGLISH = re.compile(r"[^\W_]+(?:['\-\u2010\u2011][^\W_]+)*")


@dataclass(frozen=True)
class Words:
    """The words of all sentences of one language: each a number, with where each sentence starts."""

    known: tuple[str, ...]
    ids: Ints
    starts: Ints
    lengths: Ints


@dataclass(frozen=True)
class Links:
    """Which words stand for which, and how often."""

    french: Ints
    english: Ints
    score: Floats


def read_pairs(path: Path) -> Iterator[tuple[list[str], list[str], float]]:
    """Read pairs of sentences as words, and what each counts for."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            source, one, other = line.rstrip("\n").split("\t")
            french, english = [word for word, _, _ in words(one)], english_words(other)
            most = MOST_WORDS_OF_LAWS if source == "laws" else MOST_WORDS
            if source != "source" and 0 < len(french) <= most and 0 < len(english) <= most:
                yield french, english, WEIGHTS.get(source, 1.0)


def english_words(text: str) -> list[str]:
    """Cut an English text into words; what follows an apostrophe alone (``'s``) is dropped."""
    return [word.removesuffix("'s") for word in _ENGLISH.findall(text.lower().replace("’", "'"))]


def numbered(sentences: Sequence[Sequence[str]]) -> Words:
    """Give each word a number, in order of appearance."""
    known: dict[str, int] = {}
    ids = np.array([known.setdefault(word, len(known)) for words in sentences for word in words], np.int64)
    lengths = np.array([len(words) for words in sentences], np.int64)
    return Words(tuple(known), ids, np.cumsum(lengths) - lengths, lengths)


def align(french: Words, english: Words, weights: Floats) -> Links:
    """Link words by IBM model 1 in both directions, which have to agree, near the diagonal.

    Args:
        french: The sentences of one language.
        english: Those of the other, in the same order.
        weights: What each pair counts for.

    Sources: Brown et al., The Mathematics of Statistical Machine Translation, 1993; Liang, Taskar and Klein,
    Alignment by Agreement, NAACL 2006.
    """
    counts = french.lengths * english.lengths
    sentence = np.repeat(np.arange(len(counts)), counts)
    at = np.arange(counts.sum()) - (np.cumsum(counts) - counts)[sentence]
    row, column = at // english.lengths[sentence], at % english.lengths[sentence]
    at_french, at_english = french.starts[sentence] + row, english.starts[sentence] + column
    apart = (row + 0.5) / french.lengths[sentence] - (column + 0.5) / english.lengths[sentence]
    near = np.exp(-DIAGONAL * np.abs(apart))
    weight = weights[sentence]
    del at, row, column, apart, sentence
    pairs, pair = np.unique(
        french.ids[at_french] * len(english.known) + english.ids[at_english], return_inverse=True
    )
    ours, theirs = pairs // len(english.known), pairs % len(english.known)
    alike = _alike(french, english, ours, theirs)
    ways = [
        _Way(ours, pair, at_english, english.ids, near),
        _Way(theirs, pair, at_french, french.ids, near),
    ]
    chances = [_shares(alike, way.given) for way in ways]
    for _ in range(ROUNDS):
        each = [way.expect(chance) for way, chance in zip(ways, chances, strict=True)]
        score = np.bincount(pair, each[0] * each[1] * weight, len(pairs)).astype(np.float64, copy=False)
        chances = [_shares(score * alike, way.given) for way in ways]
    # Half as strong as among the links: where much was seen, it counts more than how words are spelt.
    return Links(ours, theirs, score * np.sqrt(alike))


class _Way:
    """One direction: each word of the target stands for one of the source, or for none."""

    def __init__(self, given: Ints, pair: Ints, place: Ints, words: Ints, near: Floats) -> None:
        self.given, self._pair, self._place, self._words = given, pair, place, words
        self._near = (1 - NULL) * near / np.bincount(place, near, len(words))[place]
        self._none = np.full(int(words.max()) + 1, 1 / (int(words.max()) + 1))

    def expect(self, chances: Floats) -> Floats:
        """Return how likely each link is, and learn which words stand for none."""
        links = chances[self._pair] * self._near
        none = NULL * self._none[self._words]
        whole = np.bincount(self._place, links, len(self._words)) + none
        lone = np.bincount(self._words, none / whole, len(self._none))
        self._none = lone / lone.sum()
        likely: Floats = links / whole[self._place]
        return likely


def _shares(counts: Floats, given: Ints) -> Floats:
    shares: Floats = counts / np.maximum(np.bincount(given, counts), 1e-300)[given]
    return shares


def _alike(french: Words, english: Words, ours: Ints, theirs: Ints) -> Floats:
    one, other = [fold(word) for word in french.known], [fold(word) for word in english.known]
    similar = cpdist(
        [one[at] for at in ours.tolist()],
        [other[at] for at in theirs.tolist()],
        scorer=JaroWinkler.similarity,
        dtype=np.float64,
    )
    long = np.minimum(np.array([*map(len, one)])[ours], np.array([*map(len, other)])[theirs]) >= SHORT
    worth: Floats = 1 + COGNATE * long * np.maximum(similar - ALIKE, 0) / (1 - ALIKE)
    return worth


def best_of_words(french: Words, english: Words, links: Links) -> dict[str, str]:
    """Choose for each word its translation; those of one stem stand together, the commonest first."""
    stems = stem_all(french.known, LANGUAGES.index("french"))
    of_stem: dict[str, Counter[int]] = defaultdict(Counter)
    of_word: dict[int, dict[int, float]] = defaultdict(dict)
    for ours, theirs, score in zip(
        links.french.tolist(), links.english.tolist(), links.score.tolist(), strict=True
    ):
        if score > 0.01:
            of_word[ours][theirs] = score
            of_stem[stems[ours]][theirs] += score
    seen = np.bincount(french.ids, minlength=len(french.known))
    table = {}
    for ours in sorted(of_word, key=lambda one: (stems[one], -int(seen[one]), french.known[one])):
        shared = of_stem[stems[ours]]
        whole = sum(shared.values())
        scores = {
            theirs: of_word[ours].get(theirs, 0.0) + OF_STEM * shared[theirs] / whole for theirs in shared
        }
        best = max(scores, key=lambda theirs: (round(scores[theirs], 6), english.known[theirs]))
        if whole >= LEAST_SCORE and french.known[ours] not in small_words():
            table[french.known[ours]] = english.known[best]
    return table


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sentences", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    pairs = list(read_pairs(options.sentences))
    french, english = numbered([pair[0] for pair in pairs]), numbered([pair[1] for pair in pairs])
    links = align(french, english, np.array([pair[2] for pair in pairs]))
    table = best_of_words(french, english, links)
    lines = (f"{ours}\t{theirs}\n" for ours, theirs in table.items())
    options.out.write_bytes(gzip.compress("".join(lines).encode(), 9, mtime=0))
    print(f"{len(pairs)} pairs, {len(table)} words, {options.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
