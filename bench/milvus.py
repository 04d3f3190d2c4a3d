"""Measure an index in Milvus against the same index on this machine.

    python -m bench.milvus SET [SET ...] [--uri URI] [--deep] [--questions N] [--few N] [--vault V]
                           [--work DIR]

Sets of judged questions (see `bench.judged`) are brought to Milvus, and both engines are asked: how much of
the first ten they share, and nDCG@10 of each. --questions takes a sample of a longer set, always the same.
With --few Milvus gives so many notes at first: a small set then has to be chosen from too. --work is a folder
of `bench.quality` or `bench.calibrate`, whose indexes are used again. Without --uri it is Milvus Lite, in
this process.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.config.settings import Settings
from app.search.milvus import finding
from app.search.request import parse_request
from app.search.searcher import Searcher, searcher_for
from app.vault.client import VaultClient
from bench.judged import Question, measures, notes_of, read_set

SHOWN = 10
SEED = 11
MODEL = "all-MiniLM-L6-v2"


def opened(root: Path, work: Path, uri: str | None, model: str | None) -> Searcher:
    """Open a vault: on this machine, or in Milvus where an address is given."""
    index: dict[str, Any] = {"embedding_model": model}
    if uri:
        index |= {
            "engine": "milvus",
            "uri": uri,
            "remote_name": root.parent.name,
            "database": "bench",
            "feeds": True,
        }
    settings = Settings(
        cache_dir=work, catch_up_seconds=3600, index={"default": "notes", "indexes": {"notes": index}}
    )
    return searcher_for(VaultClient(root, settings))


def found(searcher: Searcher, operation: str, text: str) -> tuple[list[str], float]:
    begun = time.perf_counter()
    results = searcher.search(parse_request({"operation": operation, "query": text, "limit": 50})).results
    return [result.path for result in results], time.perf_counter() - begun


def quality(
    sets: Sequence[str], uri: str, questions: int, vault: Path | None, model: str | None, kept: Path | None
) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for name in sets:
            judged = read_set(Path(name).resolve(), kept or Path(scratch), vault)
            work = (kept or Path(scratch)) / judged.name / "cache"
            # A machine that feeds keeps an index as any other: both answer from the same vectors.
            there = opened(judged.vault, work, uri, model)
            there.update()
            if model:
                there.embed()
            here = opened(judged.vault, work, None, model)
            asked = [question for question in judged.questions if question.gains]
            if questions < len(asked):
                asked = random.Random(SEED).sample(asked, questions)
            for operation in ("fast", "deep") if model else ("fast",):
                compare(f"{judged.name} {operation}", operation, asked, (here, there))


def compare(
    title: str, operation: str, asked: Sequence[Question], engines: tuple[Searcher, Searcher]
) -> None:
    """Ask both engines the same questions, and print how far they agree."""
    shared, gains, times = [], [], []
    for question in asked:
        answers = [found(one, operation, question.text) for one in engines]
        here, there = (notes_of(paths, question.skip) for paths, _ in answers)
        if first := set(here[:SHOWN]):
            shared.append(len(first & set(there[:SHOWN])) / len(first))
        gains.append([measures(ranked, question.gains, SHOWN)[0] for ranked in (here, there)])
        times.append([took for _, took in answers])
    ndcg = [statistics.mean(column) for column in zip(*gains, strict=True)]
    p50 = [1000 * statistics.median(column) for column in zip(*times, strict=True)]
    print(
        f"{title}: {len(gains)} questions, top {SHOWN} shared {statistics.mean(shared):.3f}, "
        f"nDCG@10 {ndcg[0]:.4f} here, {ndcg[1]:.4f} in Milvus, p50 {p50[0]:.0f} and {p50[1]:.0f} ms",
        flush=True,
    )


def main() -> None:
    """Compare the engines on each set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--uri", default="")
    parser.add_argument("--deep", action="store_true")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--few", type=int, default=finding.FEW)
    parser.add_argument("--vault", type=Path)
    parser.add_argument("--work", type=Path)
    given = parser.parse_args()
    finding.FEW = given.few
    with tempfile.TemporaryDirectory() as folder:
        uri, model = given.uri or f"{folder}/lite.db", MODEL if given.deep else None
        quality(given.sets, uri, given.questions, given.vault, model, given.work)


if __name__ == "__main__":
    main()
