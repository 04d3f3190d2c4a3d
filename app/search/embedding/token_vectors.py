"""Token vectors made small: projected to few dimensions, of unit length, eight bits a number."""

from functools import lru_cache
from hashlib import shake_256

import numpy as np
from numpy.typing import NDArray

from app.search.embedding.embedder import Vectors

TOKEN_DIMENSION = 64

PROJECTION = "signs-1"
"""Names how token vectors are projected; another way needs another name, since vectors of both do not mix."""

SCALE = 127


def token_dimension(dimension: int) -> int:
    """Return the dimension of small token vectors for a model's dimension."""
    return min(TOKEN_DIMENSION, dimension)


def project(tokens: Vectors) -> Vectors:
    """Project token vectors of shape (tokens, dimension) to unit rows of few dimensions.

    Random signs keep cosines nearly as they were, for any model, and are the same on every machine.

    Source: Achlioptas, Database-friendly random projections, PODS 2001.
    """
    small = tokens @ _signs(tokens.shape[1])
    lengths = np.linalg.norm(small, axis=1, keepdims=True)
    unit: Vectors = (small / np.maximum(lengths, 1e-9)).astype(np.float32)
    return unit


def quantize(tokens: Vectors) -> NDArray[np.int8]:
    """Round unit rows to eight bits a number, in steps of 1 / `SCALE`."""
    return np.rint(tokens * SCALE).astype(np.int8)


@lru_cache(maxsize=4)
def _signs(dimension: int) -> Vectors:
    width = token_dimension(dimension)
    data = shake_256(b"token projection").digest((dimension * width + 7) // 8)
    bits = np.unpackbits(np.frombuffer(data, np.uint8))[: dimension * width]
    return (bits.reshape(dimension, width) * 2.0 - 1.0).astype(np.float32)
