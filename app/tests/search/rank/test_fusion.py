"""How scores of different kinds are brought together."""

import numpy as np
import pytest

from app.search.rank.fusion import minmax


@pytest.mark.parametrize(
    ("among", "lowest", "stretched"),
    [
        ([0.2, 0.6, 0.8], None, [0.0, 2 / 3, 1.0]),
        # What is far from all others sets no limit where others are named.
        ([0.2, 0.6, 0.8], [0.6, 0.8], [-2.0, 0.0, 1.0]),
        # One that is the best and alone leaves nothing between the limits: then all count.
        ([0.2, 0.6, 0.8], [0.8], [0.0, 2 / 3, 1.0]),
        ([0.5, 0.5], [0.5], [1.0, 1.0]),
    ],
)
def test_scores_are_stretched_between_limits(
    among: list[float], lowest: list[float] | None, stretched: list[float]
) -> None:
    scores = np.array(among, np.float32)
    limit = None if lowest is None else np.array(lowest, np.float32)
    assert minmax(scores, scores, limit).tolist() == pytest.approx(stretched, abs=1e-5)
