"""Questions a vault answers itself, by which embedding models are compared on it before one is chosen."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.errors import VaultError
from app.search.embedding.embedder import Embedder
from app.search.embedding.windows import Passage, cut_windows, make_passage
from app.search.index.chunk import split_lines
from app.search.index.questions import headings, link_texts, shown_chunks, spread
from app.search.index.snapshot import VaultSnapshot
from app.vault.client import VaultClient

QUESTIONS = 10
PASSAGES = 100
"""Passages among which each question looks for its own."""
BATCH = 16


@dataclass(frozen=True, slots=True)
class TrialQuestion:
    """A heading or the text of a link, asked as a question; ``right`` are the places of passages it means."""

    text: str
    path: str
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """Questions, and the passages among which they look; headings that are asked stand in none of these."""

    questions: tuple[TrialQuestion, ...]
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class TrialResult:
    """At which place each question finds its passage by a model alone, from 1, and passages read a second."""

    ranks: tuple[int, ...]
    rate: float

    @property
    def mean_reciprocal_rank(self) -> float:
        """The mean of one divided by the place, 0 to 1."""
        return float(np.mean([1 / rank for rank in self.ranks])) if self.ranks else 0.0


def make_trial(vault: VaultClient, snapshot: VaultSnapshot) -> Trial:
    """Make questions from headings and from the texts of links, evenly over the vault; the same every time.

    A link's text is asked where it is none of its note's names, a heading where no other is like it. What the
    words of the question already say at its place is taken out: the heading itself.

    Raises:
        VaultError: a note cannot be read.
    """
    docs = shown_chunks(snapshot)
    linked, headed = list(link_texts(snapshot, docs)), list(headings(snapshot, docs))
    half = QUESTIONS // 2
    links = spread(linked, max(half, QUESTIONS - len(headed)))
    asked = [*links, *spread(headed, QUESTIONS - len(links))]
    meant = list(dict.fromkeys(doc for one in asked for doc in one.docs))
    known = set(meant)
    others = [doc for doc in docs if doc not in known]
    chosen = [*meant, *spread(others, max(0, PASSAGES - len(meant)))]
    place = {doc: at for at, doc in enumerate(chosen)}
    hidden = {one.text for one in asked if one.source == "heading"}
    passages = tuple(_passage(vault, snapshot, doc, hidden) for doc in chosen)
    questions = tuple(
        TrialQuestion(
            one.text,
            snapshot.lexical.path(int(snapshot.lexical.note_of[one.docs[0]])),
            tuple(place[doc] for doc in one.docs),
        )
        for one in asked
    )
    return Trial(questions, passages)


def run_trial(
    trial: Trial, embedder: Embedder, progress: Callable[[int, int], None] | None = None
) -> TrialResult:
    """Find every question's passage by a model.

    Args:
        trial: The questions.
        embedder: The model.
        progress: Called with passages read and passages to read.
    """
    windows = [cut_windows(passage, embedder) for passage in trial.passages]
    texts = [(at, window.text) for at, cut in enumerate(windows) for window in cut]
    vectors, begun = [], time.monotonic()
    for start in range(0, len(texts), BATCH):
        vectors += [one.vector for one in embedder.encode([text for _, text in texts[start : start + BATCH]])]
        if progress:
            progress(min(start + BATCH, len(texts)), len(texts))
    seconds = time.monotonic() - begun
    matrix, owners = np.stack(vectors), np.array([at for at, _ in texts])
    whole = ["\n".join((passage.header, *passage.lines)).casefold() for passage in trial.passages]
    ranks = []
    for question in trial.questions:
        cosines = matrix @ embedder.encode_query(question.text).vector
        best = np.full(len(trial.passages), -1.0)
        np.maximum.at(best, owners, cosines)
        own = max(best[at] for at in question.right)
        # Where the question stands word for word, as a link does, it is found by that alone.
        beside = [at for at, text in enumerate(whole) if question.text.casefold() in text]
        ranks.append(1 + int((np.delete(best, [*question.right, *beside]) > own).sum()))
    return TrialResult(tuple(ranks), len(trial.passages) / max(seconds, 1e-9))


def _passage(vault: VaultClient, snapshot: VaultSnapshot, doc: int, hidden: set[str]) -> Passage:
    """Make the passage of a chunk without some headings, in its lines and above it."""
    number = int(snapshot.lexical.note_of[doc])
    note = snapshot.note(number)
    start, end = snapshot.chunk_lines(doc)
    try:
        lines = split_lines(vault.read(note.path).text)[start - 1 : end]
    except VaultError:
        # It was taken away since the index was made.
        lines = []
    trail = next(iter(snapshot.chunk_headings(doc)), ())
    trail = tuple(heading for heading in trail if heading not in hidden)
    lines = [line for line in lines if line.lstrip("# ").rstrip(" #") not in hidden]
    return make_passage([note.title], note.aliases, trail, lines, max(0, note.body - start))
