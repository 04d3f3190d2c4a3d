"""Passages told by their numbers, kept without a model; as a program, it keeps them until it is killed."""

import sys
import time
from itertools import count, islice
from pathlib import Path
from typing import Any, cast

import numpy as np

from app.search.embedding.embedder import Embedder
from app.search.vectors.faiss_index import Model
from app.search.vectors.store import KeptVectors, read_shards

MODEL = Model("mine", "0123456789abcdef", 8, 4)


class NoModel:
    """Stands for a model that nobody asks."""

    has_small_tokens, is_fastest = True, True

    def encode_query(self, text: str) -> Any:
        raise AssertionError(text)


def kept_in(folder: Path, model: Model = MODEL) -> KeptVectors:
    embedder = cast(Embedder, NoModel())
    return KeptVectors(folder, model, embedder, lambda _: embedder, 100)


def passage(number: int) -> tuple[list[tuple[int, int, int, int]], list[np.ndarray], list[np.ndarray]]:
    """A passage of one to three windows, all of it told by its number."""
    windows = 1 + number % 3
    random = np.random.RandomState(number)
    vectors = [random.standard_normal(8).astype(np.float16) for _ in range(windows)]
    tokens = [random.randint(-127, 128, (2 + at, 4)).astype(np.int8) for at in range(windows)]
    return [(number, at, at, at + 1) for at in range(windows)], vectors, tokens


def add(folder: Path, *numbers: int) -> None:
    """Add passages, one at a time."""
    kept = kept_in(folder)
    with kept.writing() as is_ours:
        assert is_ours
        for number in numbers:
            kept.append(*passage(number))


def numbers_in(folder: Path) -> set[int]:
    """The passages that can be used; each of them is whole, and what it was."""
    found: dict[tuple[int, int], tuple[list[float], list[list[int]]]] = {}
    for shard in read_shards(folder, MODEL)[1].values():
        for row, tokens in zip(shard.rows, shard.tokens_of(np.ones(len(shard.rows), np.bool_)), strict=True):
            key = (int(row["hash"]), int(row["window"]))
            assert key not in found
            assert (row["first"], row["last"]) == (key[1], key[1] + 1)
            found[key] = (row["vector"].tolist(), tokens.tolist())
    numbers = {number for number, _ in found}
    for number in numbers:
        _, vectors, all_tokens = passage(number)
        for at, (vector, some) in enumerate(zip(vectors, all_tokens, strict=True)):
            assert found.pop((number, at)) == (vector.tolist(), some.tolist())
    assert not found
    return numbers


if __name__ == "__main__":
    keeper = kept_in(Path(sys.argv[1]))
    print("ready", flush=True)
    numbers = count(1)
    while True:
        with keeper.writing() as is_ours:
            for number in islice(numbers, 5 if is_ours else 0):
                keeper.append(*passage(number))
        time.sleep(0.002)
