"""Many vectors are searched with 8 bits a number, and find what exact ones find but for near ties."""

import numpy as np

from app.search.vectors.faiss_index import LEAST_QUANTIZED, VectorIndex
from app.search.vectors.file_format import ROW, Contents

COUNT, DIMENSION = LEAST_QUANTIZED + 500, 32


def contents(chance: np.random.Generator) -> Contents:
    """Passages of one window each, without tokens."""
    rows = np.zeros(COUNT, ROW)
    rows["hash"] = np.arange(COUNT)
    drawn = chance.standard_normal((COUNT, DIMENSION))
    vectors = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float16)
    none = np.zeros(COUNT, np.int64)
    return Contents(1, 0, rows, vectors, none, none.astype(np.uint32), np.zeros((0, 4), np.int8))


def test_more_vectors_than_are_kept_exactly_find_the_same_but_for_near_ties() -> None:
    chance = np.random.default_rng(3)
    whole = contents(chance)
    exact, small = VectorIndex(whole, COUNT), VectorIndex(whole, COUNT - 1)
    vectors = whole.vectors.astype(np.float32)
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


def test_few_vectors_are_exact_whatever_is_set() -> None:
    whole = contents(np.random.default_rng(4))
    few = Contents(
        1,
        0,
        whole.rows[:LEAST_QUANTIZED],
        whole.vectors[:LEAST_QUANTIZED],
        whole.token_starts[:LEAST_QUANTIZED],
        whole.token_sums[:LEAST_QUANTIZED],
        whole.tokens,
    )
    assert np.array_equal(VectorIndex(few, 0).vectors(np.arange(9)), few.vectors[:9].astype(np.float32))
