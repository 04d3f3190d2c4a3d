"""Rank the best passages once more by a cross-encoder, for as long as it may take."""

import threading
import time
from typing import Any

import numpy as np

from app.config.settings import DeepSettings
from app.errors import ModelError
from app.search.embedding.cross_encoder import load_cross_encoder
from app.search.lexical.sparse import Ids, Scores
from app.search.query.evaluate import chunk_text
from app.search.rank.fusion import minmax
from app.search.view import View

BATCH = 8


class Reranker:
    """A cross-encoder by name, loaded when it is first used; safe to use from many threads."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._model: Any = None

    def rerank(
        self, view: View, text: str, docs: Ids, scores: Scores, settings: DeepSettings
    ) -> tuple[Ids, Scores]:
        """Blend the model's scores into those of the first passages; as many as fit into its time.

        What was not scored keeps its place behind what was.

        Raises:
            VaultError: the model cannot be used.
        """
        with self._lock:
            if self._model is None:
                self._model = _load(self.name)
        ends = time.monotonic() + settings.reranker_seconds
        judged: list[float] = []
        pool = docs[: settings.pool].tolist()
        while len(judged) < len(pool) and time.monotonic() < ends:
            pairs = [(text, chunk_text(view, doc)) for doc in pool[len(judged) : len(judged) + BATCH]]
            # The library does not say that several threads may ask one model.
            with self._lock:
                judged += self._model.predict(pairs, show_progress_bar=False).tolist()
        if not judged:
            return docs, scores
        share, best, own = settings.reranker_weight, float(scores[0]), scores[: len(judged)]
        blended = (1 - share) * own + share * best * minmax(np.array(judged, np.float32))
        order = np.argsort(-blended, kind="stable")
        # The best keeps its score, with which those behind are compared.
        first = blended[order] * np.float32(best / max(float(blended.max()), 1e-9))
        rest = np.minimum(scores[len(judged) :], first[-1])
        return np.concatenate((docs[order], docs[len(judged) :])), np.concatenate((first, rest))


def _load(name: str) -> Any:  # noqa: ANN401 - a model of a library that is imported late
    model = load_cross_encoder(name, "a reranker")
    if model.num_labels != 1:
        raise ModelError(
            "model '{name}' gives {num_labels} scores to a passage, not one",
            "name another reranker",
            name=name,
            num_labels=model.num_labels,
        )
    return model
