"""How likely what was found answers a question at all."""

from collections.abc import Mapping, Sequence

import numpy as np

from app.chat.evidence.weigh import Asked, Candidate

BY_WORDS: Mapping[str, float] = {
    "always": -1.4,
    "words of the best": 2.483,
    "words of all": 0.812,
    "search": 2.805,
}
"""What each sign counts where only words were compared.

`bench/answers/fit.py` fits it, with -2.075 for what counts always: words alone tell so little that more than
a quarter of the questions that notes answer would be refused, so that more others are let pass here.
"""
BY_MEANING: Mapping[str, float] = {
    "always": -4.925,
    "words of the best": -1.613,
    "words of all": -0.289,
    "search": 2.583,
    "whole": 3.851,
    "words near": 1.271,
}
"""What each sign counts where meaning was compared too."""


def signs_of(asked: Asked, weighed: Sequence[tuple[Candidate, float]]) -> dict[str, float]:
    """Return what tells questions that notes answer from others, by name, for candidates best first."""
    candidates = [one for one, _ in weighed]
    together: dict[int, float] = {}
    for one in candidates:
        for part, worth in one.around.items():
            together[part] = max(worth, together.get(part, 0.0))
    signs = {
        "always": 1.0,
        "words of the best": asked.share(candidates[0].around),
        "words of all": asked.share(together),
        "search": max(one.evidence.probability for one in candidates),
    }
    near = [one.near for one in candidates if one.near is not None]
    if near:
        signs["whole"] = max(one.whole for one in near)
        signs["words near"] = max((one.words + one.telling) / 2 for one in near)
    return signs


def answer_chance(asked: Asked, weighed: Sequence[tuple[Candidate, float]]) -> float:
    """Return how likely some candidate answers the question, 0 to 1; 0 where there is none."""
    if not weighed:
        return 0.0
    signs = signs_of(asked, weighed)
    table = BY_MEANING if "whole" in signs else BY_WORDS
    total = sum(table[name] * value for name, value in signs.items() if name in table)
    return float(1 / (1 + np.exp(-np.clip(total, -30, 30))))
