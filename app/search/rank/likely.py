"""How likely each hit answers: a probability from what speaks for it, whatever model the vectors are of."""

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.analysis import fold, runs
from app.search.lexical.index import Told, equal_runs
from app.search.lexical.sparse import Ids, Scores
from app.sentences import Sentence

if TYPE_CHECKING:
    from app.search.embedding.embedder import Embedder
    from app.search.vectors.faiss_index import Background

HEAD = 20
"""So many first hits have a probability of their own; those after them fall from the last as they rank."""
CHANCE, SURE = 1.0, 3.5
"""How many deviations nearer than others parts of one note lie for a model that tells nothing, and for one
that is trusted in full. They share words, which brings them nearer by chance too."""

LEAST_LIKELY = 0.002
"""What has no word that was asked for, and is less likely to answer than this, may be merely near."""
PIECE_LETTERS = 2
"""A model cuts what is no word into pieces of so many letters, or fewer."""


class Table(NamedTuple):
    """What each part of the evidence counts: for that anything answers, and for that it is this hit if so."""

    question: Mapping[str, float]
    hit: Mapping[str, float]


BY_WORDS = Table(
    {"always": -8.768, "coverage": 4.667, "words": 2.005, "score by words": 10.747},
    {"always": -3.243, "rank": -0.546, "again": 1.981, "share": 2.405, "lead": 2.353, "coverage": 1.843},
)
"""For where only words rank; `bench/calibrate.py` fits it."""
BY_MEANING = Table(
    {"always": -7.407, "met": 5.121, "information": 1.675, "words": 0.548, "score by words": 5.969},
    {"always": -3.465, "rank": -0.767, "again": 2.682, "share": 2.292, "met": 2.358},
)
"""For where meaning ranks too."""


class Parts(NamedTuple):
    """Numbers by name: of the question as a whole, and for each hit."""

    question: Mapping[str, float]
    hit: Mapping[str, Scores]


class Evidence(NamedTuple):
    """What speaks for the first hits of a ranking.

    ``trust`` is how far meaning is to be trusted for each hit, 0 to 1, and ``above`` how many deviations its
    nearest window lies above what windows of the vault have in common by chance; nan where it has no vectors.
    """

    docs: Ids
    words: Parts
    meaning: Parts | None
    trust: Scores
    above: Scores

    def describe(self, doc: int) -> Iterator[Sentence]:
        """Say what speaks for a hit; nothing for one that is none of the first."""
        if doc not in self.docs:
            return
        at = self.docs.tolist().index(doc)
        covered, lead, above = (
            float(part[at]) for part in (self.words.hit["coverage"], self.words.hit["lead"], self.above)
        )
        said = [Sentence("covers {share:.0%} of what is asked", share=covered)]
        if lead > 0:
            said.append(Sentence("leads the next note by {share:.0%} in words", share=lead))
        if above >= 0:
            said.append(Sentence("meaning {count:.1f} deviations above the vault's background", count=above))
        elif above < 0:
            said.append(Sentence("meaning {count:.1f} deviations below the vault's background", count=-above))
        yield Sentence("{parts}", parts=tuple(said))


def evidence_of(
    docs: Ids,
    notes: Ids,
    scores: Scores,
    told: Told,
    cosines: Scores | None = None,
    background: "Background | None" = None,
) -> Evidence:
    """Weigh hits, best first, by their words, and by their meaning where that can be told.

    Args:
        docs: The hits.
        notes: Their notes.
        scores: The scores that order them.
        told: What the words of the query say of them.
        cosines: Of each hit's best window with the question; nan where there is none.
        background: What cosines are in this vault by chance.
    """
    ones, by_words = np.ones(len(docs), np.float32), told.scores
    covered = np.minimum(told.held.sum(axis=1), 1).astype(np.float32)
    again = ones.copy()
    again[np.unique(notes, return_index=True)[1]] = 0
    squares = float((told.worth**2).sum())
    # As many words of equal worth would tell as much.
    words = max(float(told.worth.sum()) ** 2 / squares, 1.0) if squares else 1.0
    most, best = float(by_words.max(initial=0)), float(covered.max(initial=0))
    question = {"always": 1.0, "coverage": best, "words": math.log(words), "score by words": math.log1p(most)}
    hit = {"always": ones, "rank": _ranks(by_words), "again": again, "coverage": covered}
    hit |= {"share": by_words / max(most, 1e-9), "lead": _lead(by_words, notes)}
    evidence = Evidence(docs, Parts({**question}, {**hit}), None, ones * 0, ones * np.nan)
    if cosines is None or background is None:
        return evidence
    above = ((cosines - background.mean) / background.deviation).astype(np.float32)
    near = np.nan_to_num(np.clip(above / max(background.standing, CHANCE), 0, 1))
    met = 1 - (1 - covered) * (1 - near)
    question |= {"met": float(met.max(initial=0)), "information": math.log1p(best * words)}
    hit |= {"rank": _ranks(scores), "share": scores / max(float(scores.max(initial=0)), 1e-9), "met": met}
    trusted = np.float32(np.clip((background.standing - CHANCE) / (SURE - CHANCE), 0, 1))
    trust = np.where(np.isnan(cosines), np.float32(0), trusted)
    return evidence._replace(meaning=Parts(question, hit), trust=trust, above=above)


def _ranks(scores: Scores) -> Scores:
    """Return the logarithms of the ranks; hits of equal scores, one after the other, share their mean."""
    ranks = np.log(np.arange(1, len(scores) + 1))
    for start, end in equal_runs(scores):
        ranks[start:end] = ranks[start:end].mean()
    return ranks.astype(np.float32)


def _lead(scores: Scores, notes: Ids) -> Scores:
    """Return by how much of its score each hit exceeds the best one of another note after it, -1 to 1.

    It is 0 where no other note follows: what is alone leads nobody.
    """
    lead = np.zeros(len(scores), np.float32)
    for at, score in enumerate(scores.tolist()):
        after = scores[at + 1 :][notes[at + 1 :] != notes[at]]
        if len(after) and score > 0:
            lead[at] = (score - after.max()) / score
    return np.clip(lead, -1, 1)


def chances(evidence: Evidence, by_words: Table | None = None, by_meaning: Table | None = None) -> Scores:
    """Return how likely each hit answers: as likely as that anything does, times that it is this hit if so.

    Args:
        evidence: What speaks for the hits.
        by_words: What parts count where only words rank, as fitted where left out.
        by_meaning: The same where meaning ranks too.
    """
    likely = _chances(evidence.words, by_words or BY_WORDS)
    if evidence.meaning is not None:
        likely += evidence.trust * (_chances(evidence.meaning, by_meaning or BY_MEANING) - likely)
    return likely.astype(np.float32)


def _chances(parts: Parts, table: Table) -> NDArray[np.float64]:
    answered = np.array([sum(weight * parts.question[name] for name, weight in table.question.items())])
    right = np.zeros(len(parts.hit["always"]))
    for name, weight in table.hit.items():
        right += weight * parts.hit[name]
    return logistic(answered) * logistic(right)


def logistic(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities whose odds have these logarithms."""
    likely: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(values, -30, 30)))
    return likely


def shown(scores: Scores, likely: Scores) -> Scores:
    """Return scores, best first, with the first of them as likely as they are; the rest falls as it does."""
    least, last = float(likely[-1]), float(scores[len(likely) - 1])
    rest = scores[len(likely) :] * np.float32(least / last if last > 0 else 0)
    return np.concatenate((likely, np.minimum(rest, np.float32(least))))


def falling(scores: Scores) -> Scores:
    """Return scores that never rise: where one would, it and some before it have their mean.

    Source: pool adjacent violators; Ayer and others, An empirical distribution function for sampling with
    incomplete information, 1955.
    """
    if (scores[1:] <= scores[:-1]).all():
        return scores
    blocks: list[tuple[float, int]] = []
    for score in scores.tolist():
        mean, count = score, 1
        while blocks and blocks[-1][0] < mean:
            before, many = blocks.pop()
            mean, count = (before * many + mean * count) / (many + count), many + count
        blocks.append((mean, count))
    return np.repeat(*map(np.array, zip(*blocks, strict=True))).astype(np.float32)


def is_nonsense(text: str, model: "Embedder") -> bool:
    """Return whether nothing in a text is a word, as far as a model and the tables of words can tell.

    A rare word can look like none to a model. So this says nothing of a hit that is likely to answer.
    """
    words = runs(text)
    if not words or any(_is_word(word, model) for word in words):
        return False
    # Read only for what no model knows.
    from app.search.embedding.glosses import good_words

    return good_words().isdisjoint(words)


def _is_word(word: str, model: "Embedder") -> bool:
    if not fold(word).isascii():
        # Of other scripts, the pieces say nothing.
        return True
    pieces = len(model.spans([word])[0])
    return pieces == 1 or len(word) > PIECE_LETTERS * pieces
