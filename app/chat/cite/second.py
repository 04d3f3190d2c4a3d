"""A second judge: a model that reads a sentence beside the lines it cites, where the settings name one.

The rules come first. What they find nothing wrong with is given to a cross-encoder: one of natural language
inference, with a label for entailment, or one that gives a single score of how well two
texts belong together.
"""

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from app.chat.cite.support import Judgement
from app.errors import ModelError
from app.notices import ClaimKind, Notice
from app.search.embedding.hub import find_model
from app.search.embedding.torch_model import load_model

SURE = 0.9
"""How likely the model has to find that a sentence does not hold; below it the rules stand."""
MOST_CHARS = 6000
"""Of the cited lines the model is given no more."""


class SecondJudge:
    """A cross-encoder by name, loaded when it is first used; safe to use from many threads."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._model: Any = None
        self._entails = -1

    def judge(self, sentence: str, lines: Sequence[str]) -> Judgement:
        """Hold a sentence that cites lines against them.

        Raises:
            VaultError: the model cannot be used.
        """
        with self._lock:
            if self._model is None:
                self._load()
            pair = ("\n".join(lines)[:MOST_CHARS], sentence)
            is_score = self._model.num_labels == 1
            given = self._model.predict([pair], show_progress_bar=False, apply_softmax=not is_score)[0]
        entailed = float(given if is_score else given[self._entails])
        if entailed <= 1 - SURE:
            return Judgement("unsupported", Notice(ClaimKind.JUDGED_UNSAID))
        return Judgement("supported")

    def _load(self) -> None:
        model = load_model(self.name, find_model(self.name), "CrossEncoder")
        if model.num_labels > 1:
            labels = {number: str(label).casefold() for number, label in model.config.id2label.items()}
            # "not_entailment" is the other of two labels.
            entails = [number for number, label in labels.items() if label.startswith("entail")]
            if not entails:
                raise ModelError(
                    "model '{name}' has no label for entailment, but {labels}",
                    "name a model of natural language inference, or one with a single score",
                    name=self.name,
                    labels=", ".join(labels.values()),
                )
            self._entails = entails[0]
        self._model = model


second_judge = lru_cache(maxsize=2)(SecondJudge)
"""The judge of a name, kept with its model."""
