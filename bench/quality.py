"""Measure how well `fast` and `deep` rank, end to end, and what each step of `deep` brings.

    python -m bench.quality SET [SET ...] [--vault FOLDER] [--work DIR] [--no-steps] [--milvus URI]

Each SET is a folder of judged questions, see `bench.judged`; --vault is the vault of a set that has no
corpus of its own. With --milvus the index lies there, at an address or in a file ending in ``.db``. Every set
is indexed by the program, vectors included, and asked through `app.search.search`.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.config.settings import DeepSettings, IndexDefinition, IndexSettings, Settings
from app.dependencies import VaultClient
from app.search import search
from app.search.searcher import searcher_for
from bench.judged import JudgedSet, Question, measures, notes_of, read_set

SHOWN = 10
"""Results of a timed search."""

STEPS: Mapping[str, Mapping[str, object]] = {
    "deep": {},
    "fusion alone (plain RRF)": {"pool": 1},
    "without words in the score": {"words_weight": 0},
    "without cosine": {"tokens_weight": 1},
    "without tokens": {"tokens_weight": 0},
    "without the note's mean": {"note_weight": 0},
    "without links": {"links_weight": 0},
}
"""What is switched off, as settings."""


@dataclass(frozen=True, slots=True)
class Row:
    """Means over the questions of a set, and latency in milliseconds."""

    ndcg: float
    mrr: float
    hit: float
    first: float
    recall: float
    p50: float
    p95: float


def client(judged: JudgedSet, work: Path, steps: Mapping[str, object], milvus: str = "") -> VaultClient:
    """Give the vault of a set under some settings; the index is the same for all."""
    where = {"engine": "milvus", "uri": milvus, "database": "bench", "remote_name": judged.name}
    settings = Settings(
        cache_dir=work / judged.name / "cache",
        deep=DeepSettings.model_validate(steps),
        index=IndexSettings(indexes={"notes": IndexDefinition.model_validate(where if milvus else {})}),
    )
    return VaultClient(judged.vault, settings)


def index(judged: JudgedSet, work: Path, milvus: str) -> None:
    """Index a set, vectors included, and say how long that took."""
    searcher = searcher_for(client(judged, work, {}, milvus))
    begun = time.perf_counter()
    searcher.update()
    words = time.perf_counter()
    report = searcher.embed()
    done = time.perf_counter()
    view = searcher.view()
    print(
        f"\n## {judged.name}: {int(view.snapshot.visible.sum())} notes, "
        f"{int(view.lexical.chunks.sum())} passages, {len(judged.questions)} questions\n\n"
        f"indexed in {words - begun:.1f} s, {report.embedded} passages "
        f"embedded in {done - words:.1f} s\n"
    )
    searcher.close()


def ask(vault: VaultClient, mode: str, question: Question, limit: int | None) -> tuple[list[str], float]:
    """Give the paths of the passages found, and the best score."""
    hits = search(vault, [question.text], mode, limit=limit)
    return [hit.path for hit in hits], max((hit.score for hit in hits), default=0.0)


def measure(
    judged: JudgedSet, vault: VaultClient, mode: str, without: Sequence[str]
) -> tuple[Row, dict[str, list[float]]]:
    """Rank every question; give the means, and nDCG by kind."""
    for question in judged.questions[:3]:
        ask(vault, mode, question, SHOWN)
    figures, spent = [], []
    by_kind: dict[str, list[float]] = {}
    for question in judged.questions:
        begun = time.perf_counter()
        ask(vault, mode, question, SHOWN)
        spent.append((time.perf_counter() - begun) * 1000)
        if not question.gains:
            continue
        ranked = notes_of(ask(vault, mode, question, None)[0], question.skip)
        found = measures(ranked, question.gains, judged.depth)
        by_kind.setdefault(question.kind, []).append(found[0])
        if question.kind not in without:
            figures.append(found)
    ndcg, mrr, hit, first, recall = map(statistics.fmean, zip(*figures, strict=True))
    p95 = statistics.quantiles(spent, n=20)[-1]
    return Row(ndcg, mrr, hit, first, recall, statistics.median(spent), p95), by_kind


def print_set(judged: JudgedSet, work: Path, without: Sequence[str], steps: bool, milvus: str) -> None:
    """Print the table of one set."""
    print(f"| | nDCG@{judged.depth} | MRR | Hit@1 | Recall@5 | Recall@50 | p50, ms | p95, ms |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    kinds: dict[str, dict[str, list[float]]] = {}
    for name, off in {"fast": {}, **(STEPS if steps else {"deep": {}})}.items():
        mode = "fast" if name == "fast" else "deep"
        vault = client(judged, work, off, milvus)
        row, kinds[name] = measure(judged, vault, mode, without)
        print(
            f"| {name} | {row.ndcg:.3f} | {row.mrr:.3f} | {row.hit:.3f} | {row.first:.3f} | "
            f"{row.recall:.3f} | {row.p50:.1f} | {row.p95:.1f} |",
            flush=True,
        )
        searcher_for(vault).close()
    if len(kinds["deep"]) > 1:
        print(f"\n| nDCG@{judged.depth} by kind | questions | fast | deep |\n| --- | ---: | ---: | ---: |")
        for kind, of_deep in kinds["deep"].items():
            of_fast = statistics.fmean(kinds["fast"][kind])
            print(f"| {kind} | {len(of_deep)} | {of_fast:.3f} | {statistics.fmean(of_deep):.3f} |")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", type=Path, nargs="+", metavar="SET")
    parser.add_argument("--vault", type=Path, help="the vault of a set without a corpus")
    parser.add_argument("--work", type=Path, help="where vaults and indexes are made, and used again")
    parser.add_argument("--without", nargs="*", default=["french"], help="kinds left out of the means")
    parser.add_argument("--no-steps", action="store_true", help="only `fast` and the whole of `deep`")
    parser.add_argument("--milvus", default="", metavar="URI", help="a Milvus that holds the index")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or Path(scratch)
        for folder in options.sets:
            judged = read_set(folder.resolve(), work, options.vault)
            index(judged, work, options.milvus)
            print_set(judged, work, options.without, not options.no_steps, options.milvus)


if __name__ == "__main__":
    main()
