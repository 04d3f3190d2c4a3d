"""Measure an index in Milvus: against the same index on this machine, and under load.

    python -m bench.milvus quality SET [SET ...] [--uri URI] [--deep] [--questions N] [--few N] [--vault V]
                           [--work DIR]
    python -m bench.milvus load --uri URI [--notes N] [--clients 1 4 16] [--seconds S] [--deep [--model M]]

`quality` brings sets of judged questions (see `bench.judged`) to Milvus and asks both engines: how much of
the first ten they share, and nDCG@10 of each. --questions takes a sample of a longer set, always the same.
With --few Milvus gives so many notes at first: a small set then has to be chosen from too. --work is a folder
of `bench.quality` or `bench.calibrate`, whose indexes are used again. `load` writes a vault of any size,
brings it there, and asks from several processes. Without --uri it is Milvus Lite, in this process.
"""

import argparse
import multiprocessing
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


def opened(root: Path, work: Path, uri: str | None, model: str | None, *, feeds: bool = True) -> Searcher:
    """Open a vault: on this machine, or in Milvus where an address is given."""
    index: dict[str, Any] = {"embedding_model": model}
    if uri:
        index |= {
            "engine": "milvus",
            "uri": uri,
            "remote_name": root.parent.name,
            "database": "bench",
            "feeds": feeds,
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


ENDINGS = [
    "lan",
    "rin",
    "tos",
    "mek",
    "dal",
    "vor",
    "ner",
    "sik",
    "pum",
    "gat",
    "hol",
    "bex",
    "cru",
    "fin",
    "jor",
    "wes",
]
WORDS = [first + vowel + last for first in "bdfgklmnprst" for vowel in "aeiou" for last in ENDINGS]


def write_vault(root: Path, notes: int, seed: int = 5) -> None:
    """Write notes of eight passages each, whose words are as unevenly frequent as those of real texts."""
    chance = random.Random(seed)
    for number in range(notes):
        folder = root / f"area {number % 40}" / f"topic {number % 7}"
        folder.mkdir(parents=True, exist_ok=True)
        day = f"20{20 + number % 6}-{1 + number % 12:02d}-{1 + number % 28:02d}"
        parts = [
            f"---\ncreated: {day}\ntags: [t{number % 50}/s{number % 9}]\nstatus: s{number % 4}\n---\n",
            f"# Note {number}\n",
        ]
        for section in range(8):
            chosen = [WORDS[min(len(WORDS) - 1, int(chance.paretovariate(0.6)))] for _ in range(190)]
            parts.append(
                f"## Part {section}\n\n" + " ".join(chosen) + f". [[Note {chance.randrange(notes)}]]\n"
            )
        (folder / f"Note {number}.md").write_text("\n".join(parts))


def client(root: str, work: str, uri: str, seed: int, seconds: float, model: str | None, told: Any) -> None:  # noqa: ANN401
    chance = random.Random(seed)
    searcher = opened(Path(root), Path(work) / f"client{seed}", uri, model, feeds=False)
    kinds = {
        "fast": lambda: {"operation": "fast", "query": " ".join(chance.sample(WORDS[50:], 3))},
        "filters": lambda: {
            "operation": "combined",
            "tags": [f"t{chance.randrange(50)}"],
            "folder": f"area {chance.randrange(40)}",
        },
    }  # fmt: skip
    if model:
        kinds["deep"] = lambda: {"operation": "deep", "query": " ".join(chance.sample(WORDS[50:], 3))}
    times: list[tuple[str, float, str]] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        name = chance.choice(sorted(kinds))
        begun = time.perf_counter()
        error = ""
        try:
            searcher.search(parse_request(kinds[name]()))
        except Exception as wrong:  # noqa: BLE001 - counted, and told
            error = f"{type(wrong).__name__}: {wrong}"[:160]
        times.append((name, time.perf_counter() - begun, error))
    told.put(times)


def load(uri: str, notes: int, clients: Sequence[int], seconds: float, model: str | None) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        root, work = Path(scratch) / f"load{notes}" / "vault", Path(scratch) / "work"
        write_vault(root, notes)
        searcher = opened(root, work, uri, model)
        begun = time.perf_counter()
        searcher.update()
        took = time.perf_counter() - begun
        chunks = searcher.status().chunks
        rate = chunks / took
        print(f"{notes} notes, {chunks} passages in {took:.0f} s: {rate:.0f} passages a second", flush=True)
        if model:
            begun = time.perf_counter()
            searcher.embed()
            print(f"vectors in {time.perf_counter() - begun:.0f} s", flush=True)
        (root / "area 0" / "new.md").write_text("one more\n")
        begun = time.perf_counter()
        searcher.update()
        print(f"one more note: {time.perf_counter() - begun:.1f} s", flush=True)
        context = multiprocessing.get_context("spawn")
        for count in clients:
            told = context.Queue()
            some = [
                context.Process(target=client, args=(str(root), str(work), uri, seed, seconds, model, told))
                for seed in range(count)
            ]
            for one in some:
                one.start()
            rows = [row for _ in some for row in told.get()]
            for one in some:
                one.join()
            for name in sorted({row[0] for row in rows}):
                took_ms = sorted(1000 * row[1] for row in rows if row[0] == name and not row[2])
                wrong = {row[2] for row in rows if row[0] == name and row[2]}
                if took_ms:
                    p95 = took_ms[min(len(took_ms) - 1, int(0.95 * len(took_ms)))]
                    p50 = statistics.median(took_ms)
                    said = f"{len(took_ms)} answers, p50 {p50:.0f} ms, p95 {p95:.0f} ms"
                    print(f"{count} clients, {name}: {said}", flush=True)
                for error in sorted(wrong):
                    print(f"{count} clients, {name}: {error}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["quality", "load"])
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--uri", default="")
    parser.add_argument("--deep", action="store_true")
    parser.add_argument("--model", default=MODEL)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--vault", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--few", type=int, default=finding.FEW)
    parser.add_argument("--notes", type=int, default=6250)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 4, 16])
    parser.add_argument("--seconds", type=float, default=30)
    given = parser.parse_args()
    model = given.model if given.deep else None
    with tempfile.TemporaryDirectory() as folder:
        uri = given.uri or f"{folder}/lite.db"
        if given.what == "quality":
            finding.FEW = given.few
            quality(given.sets, uri, given.questions, given.vault, model, given.work)
        else:
            load(uri, given.notes, given.clients, given.seconds, model)


if __name__ == "__main__":
    main()
