"""Time `deep` on a large vault: ``python -m bench.deep SOURCE [--chunks 25000]``.

SOURCE is any vault; its sections are shuffled into notes until there are as many chunks as asked for. Their
vectors are drawn by chance, since time does not depend on what they say; questions go through the real model.
"""

import argparse
import random
import resource
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from app.config.settings import Settings
from app.dependencies import VaultClient
from app.search import search
from app.search.embedding.embedder import quantize
from app.search.embedding.windows import cut_windows
from app.search.searcher import Searcher, searcher_for
from app.search.vectors.build import passage_of
from bench.corpora import make_vault

NOTES = 1000
BLOCK = 500


def fill(searcher: Searcher) -> int:
    """Give every passage as many random vectors as the model would; return how many."""
    view = searcher.view()
    assert view.vectors is not None
    kept = view.vectors.wanted()
    model, chance, rows = kept.model, np.random.default_rng(0), 0
    missing = kept.joined(view.snapshot).missing.tolist()
    with kept.writing() as is_ours:
        assert is_ours
        for at in range(0, len(missing), BLOCK):
            block: list[tuple[int, int, int, int]] = []
            counts: list[int] = []
            for doc in missing[at : at + BLOCK]:
                passage = passage_of(view.snapshot, doc)
                windows = cut_windows(passage, kept.embedder)
                spans = kept.embedder.spans([window.text for window in windows])
                counts += [len(one) for one in spans]
                name = passage.hash
                block += [(name, number, one.first, one.last) for number, one in enumerate(windows)]
            tokens = [quantize(unit(chance, count, model.token_dimension)) for count in counts]
            kept.append(block, [*unit(chance, len(block), model.dimension)], tokens)
            rows += len(block)
    return rows


def unit(chance: np.random.Generator, count: int, dimension: int) -> np.ndarray:
    """Draw unit vectors."""
    drawn = chance.standard_normal((count, dimension)).astype(np.float32)
    units: np.ndarray = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return units


def questions(vault: VaultClient, count: int) -> list[str]:
    """Take runs of six to twelve words out of the notes."""
    chance = random.Random(1)
    words = " ".join(vault.read(path).text for path in chance.sample(sorted(vault.scan().notes), 30)).split()
    words = [word for word in words if word.isalpha()]
    starts = [chance.randrange(len(words) - 12) for _ in range(count)]
    return [" ".join(chance.sample(words[at : at + 12], chance.randint(6, 12))) for at in starts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--chunks", type=int, default=25_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root, cache = Path(scratch) / "vault", Path(scratch) / "cache"
        notes, chunks = NOTES, 0
        while chunks < options.chunks:
            make_vault(options.source, root, notes)
            vault = VaultClient(root, Settings(cache_dir=cache))
            searcher = searcher_for(vault)
            searcher.update()
            chunks = int(searcher.view().lexical.chunks.sum())
            notes = max(notes + 1, int(notes * min(options.chunks / max(chunks, 1) * 1.02, 20)))
        rows = fill(searcher)
        # A watched vault is not looked through for each question.
        searcher.watch()
        time.sleep(2)
        search(vault, "warm", "deep", limit=10)
        print(f"{chunks} chunks, {rows} vectors\n")
        print("| | p50, ms | p95, ms |\n| --- | --- | --- |")
        for mode in ("fast", "deep"):
            times = []
            for question in questions(vault, 200):
                begun = time.perf_counter()
                search(vault, question, mode, limit=10)
                times.append(1000 * (time.perf_counter() - begun))
            p95 = statistics.quantiles(times, n=20)[-1]
            print(f"| `{mode}`, warm, 10 hits | {statistics.median(times):.0f} | {p95:.0f} |", flush=True)
        print(f"\nMost memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
