"""Many vectors are searched with 8 bits a number, and find what exact ones find but for near ties."""

import numpy as np

from app.search.vectors.faiss_index import LEAST_QUANTIZED, Model, Shard, VectorIndex

COUNT, DIMENSION = LEAST_QUANTIZED + 500, 32
MODEL = Model("mine", "digest", DIMENSION, 4)


def drawn(chance: np.random.Generator) -> Shard:
    """Passages of one window each, without tokens."""
    rows = np.zeros(COUNT, MODEL.row)
    rows["hash"] = np.arange(COUNT)
    vectors = chance.standard_normal((COUNT, DIMENSION))
    rows["vector"] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return Shard(rows, np.zeros((0, 4), np.int8))


def test_more_vectors_than_are_kept_exactly_find_the_same_but_for_near_ties() -> None:
    chance = np.random.default_rng(3)
    whole = drawn(chance)
    exact, small = VectorIndex([whole], MODEL, COUNT), VectorIndex([whole], MODEL, COUNT - 1)
    vectors = whole.rows["vector"].astype(np.float32)
    # A number of 8 bits is off by at most half a step of the widest range, which all numbers may be.
    step = float((vectors.max(axis=0) - vectors.min(axis=0)).max()) / 255
    everything, differing = np.ones(COUNT, np.bool_), 0
    for query in vectors[chance.integers(0, COUNT, 20)] + np.float32(0.05):
        cosines = vectors @ query
        assert exact.search(query, 10, everything).tolist() == np.argsort(-cosines)[:10].tolist()
        found = small.search(query, 10, everything)
        slack = float(np.abs(query).sum()) * step
        assert cosines[found].min() >= np.sort(cosines)[-10] - slack
        differing += 10 - len(set(found.tolist()) & set(np.argsort(-cosines)[:10].tolist()))
    assert differing < 10
    assert not np.array_equal(small.vectors(np.arange(5)), exact.vectors(np.arange(5)))
