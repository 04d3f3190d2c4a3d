"""How near two texts lie in meaning, on a scale that is the same for every model."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.embedding.embedder import Embedder, Encoded, Spans
from app.search.embedding.glosses import GlossedEmbedder
from app.stopping import go_on

MOST_CHARS = 900
"""A text is compared by its first characters; models see few more."""
LEAST_STEP = 0.05
"""Where an answer lies no nearer to its question than other texts do, by so little, a model tells nothing."""
_PAIRS = (
    ("When does the bakery open on Sundays?", "The shop sells bread from seven, also at weekends."),
    ("How much did the new bicycle cost?", "We paid 640 euros for it, with the lights and a second lock."),
    ("Who will look after the cat in August?", "Marta comes by every day while we are away, and feeds him."),
    ("What did the doctor say about my knee?", "It is a torn ligament; rest it for six weeks, then swim."),
    ("Why was the meeting moved?", "The room had been booked twice, so that we now meet on Thursday."),
    ("how to restart the server", "Log in as the administrator and run the service command again."),
    ("Where are the spare keys?", "They hang on a nail behind the boiler, in the cellar."),
    ("Which trees lose their leaves first?", "In our garden the walnut is bare by early October."),
)  # fmt: skip
"""Questions with answers in other words, by which a model's own scale is measured."""
_WORDS = ("bakery", "bicycle", "cat", "knee", "meeting", "server", "keys", "trees")
"""Words that have nothing to do with each other."""

Scores = NDArray[np.float32]


class Nearness(NamedTuple):
    """How near a text lies to a question: 0 is as near as any text, 1 as near as an answer.

    ``words`` compares each word piece of the question with the nearest one of the text, and ``pieces`` are
    those of each word piece, none below 0 or above 1.
    """

    words: float
    pieces: Scores


@dataclass(frozen=True)
class Meaning:
    """Compares texts with one question by the vectors of a model."""

    embedder: Embedder
    question: str

    def near(self, texts: Sequence[str]) -> list[Nearness]:
        """Compare some texts with the question, in their order."""
        go_on()
        scale = scale_of(self.embedder)
        return [
            Nearness(scale.words(_mean(found)), scale.pieces(found))
            for text in self.embedder.encode([text[:MOST_CHARS] or " " for text in texts])
            for found in [_nearest(self._asked, text)]
        ]

    def near_at(self, near: Nearness, start: int, end: int) -> float:
        """Return how near a text lies to some characters of the question, 0 to 1, by their word pieces."""
        spans = self._spans[: len(near.pieces)]
        found = [at for at, (first, last) in enumerate(spans) if first < end and start < last]
        return float(near.pieces[found].mean()) if found else 0.0

    def nearest(self, words: Sequence[str], others: Sequence[str]) -> list[float]:
        """Return for each of some words how near the nearest of others lies, each read alone: 0 to 1.

        The words are of the question, the others of a text.
        """
        if not words or not others:
            return [0.0] * len(words)
        go_on()
        vectors = np.array([one.vector for one in self.embedder.encode([*words, *others])])
        best = (vectors[: len(words)] @ vectors[len(words) :].T).max(axis=1)
        return [scale_of(self.embedder).word(float(cosine)) for cosine in best]

    @cached_property
    def _spans(self) -> Spans:
        if isinstance(self.embedder, GlossedEmbedder):
            return self.embedder.question_spans(self.question)
        return self.embedder.spans([self.question])[0]

    @cached_property
    def _asked(self) -> Encoded:
        return self.embedder.encode_query(self.question)


@dataclass(frozen=True, slots=True)
class Scale:
    """What a model's numbers mean: those of unrelated texts, and of questions with their answers."""

    words_apart: float
    words_alike: float
    word_apart: float
    """The same of single words that have nothing to do with each other."""

    @property
    def tells(self) -> bool:
        """Whether the model sets answers apart from other texts."""
        return self.words_alike - self.words_apart > LEAST_STEP

    def words(self, mean: float) -> float:
        """Return a mean of cosines of word pieces on the common scale."""
        return (mean - self.words_apart) / max(self.words_alike - self.words_apart, LEAST_STEP)

    def pieces(self, cosines: Scores) -> Scores:
        """Return cosines of word pieces on the common scale, none below 0 or above 1."""
        step = max(self.words_alike - self.words_apart, LEAST_STEP)
        clipped: Scores = np.clip((cosines - np.float32(self.words_apart)) / np.float32(step), 0, 1)
        return clipped

    def word(self, cosine: float) -> float:
        """Return a cosine of two words as 0 for unrelated ones, 1 for the same one."""
        return min(max((cosine - self.word_apart) / max(1 - self.word_apart, LEAST_STEP), 0.0), 1.0)


_scales: dict[str, Scale] = {}


def scale_of(embedder: Embedder) -> Scale:
    """Return the scale of a model, measured once in a process."""
    if embedder.fingerprint not in _scales:
        questions = [embedder.encode_query(question) for question, _ in _PAIRS]
        answers = embedder.encode([answer for _, answer in _PAIRS])
        words = np.array([[_mean(_nearest(one, other)) for other in answers] for one in questions])
        single = np.array([one.vector for one in embedder.encode(_WORDS)])
        own, same = np.eye(len(_PAIRS), dtype=bool), np.eye(len(_WORDS), dtype=bool)
        parts = (words[~own], words[own], (single @ single.T)[~same])
        _scales[embedder.fingerprint] = Scale(*(float(part.mean()) for part in parts))
    return _scales[embedder.fingerprint]


def _mean(scores: Scores) -> float:
    """Return the mean of some scores; 0 of none, as where a model gives no vectors of word pieces."""
    return float(scores.mean()) if len(scores) else 0.0


def _nearest(question: Encoded, text: Encoded) -> Scores:
    """Return for each word piece of a question the cosine of the nearest one of a text."""
    if not len(text.tokens) or not len(question.tokens):
        return np.zeros(0, np.float32)
    nearest: Scores = (question.tokens @ text.tokens.T).max(axis=1)
    return nearest
