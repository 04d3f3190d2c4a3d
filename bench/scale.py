"""Measure what commands and searches cost on a large vault, in CPU and memory, of one or several checkouts.

    python -m bench.scale SOURCE --work DIR [--notes 6600] [--code FOLDER ...] [--rows WORD ...]

A vault of so many notes is made of SOURCE's sections and kept in DIR with its indexes. Cold rows are
commands, each a process of its own: the CPU seconds of the process and of what it started, the median of
three, the first index of one. Warm rows ask one process many searches, all of them different: p50, p95 and
most CPU milliseconds. Each FOLDER is the root of a checkout with an index of its own; all are asked in turn,
so that they meet the same machine, and searches that they answer differently are named.
"""

import argparse
import hashlib
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
WARM_UP, RUNS = 5, 3
_TOKEN = re.compile(r"[^\W\d_]{3,}")

Parameters = dict[str, Any]
Figures = dict[str, list[float]]


def asked_of(vault: Path, seed: int = 5) -> dict[str, list[Parameters]]:
    """Draw searches from the notes of a vault, the same ones each time, by the row they belong to."""
    rng = random.Random(seed)
    files = sorted(vault.rglob("*.md"))
    texts = [file.read_text("utf-8", "replace") for file in rng.sample(files, min(len(files), 1500))]
    having = Counter(word for text in texts for word in set(_TOKEN.findall(text.lower())))

    def words(least: int, most: int) -> str:
        while True:
            own = sorted(set(_TOKEN.findall(rng.choice(texts).lower())))
            if len(own := [word for word in own if having[word] < len(texts) / 4]) >= most:
                return " ".join(rng.sample(own, rng.randint(least, most)))

    def in_a_row(count: int) -> str:
        while True:
            line = rng.choice(rng.choice(texts).splitlines() or [""])
            if '"' not in line and (run := re.findall(r"\w+" + r" \w+" * (count - 1), line)):
                return str(rng.choice(run))

    def found(operation: str, **parameters: object) -> Parameters:
        return {"operation": operation, **parameters}

    return {
        "`fast`, new words": [found("fast", query=words(2, 5)) for _ in range(200)],
        "`fast`, a word cut short": [found("fast", query=in_a_row(2)[:-2]) for _ in range(60)],
        "`fulltext`, words": [found("fulltext", query=words(1, 3)) for _ in range(80)],
        "`fulltext`, a phrase": [found("fulltext", query=f'"{in_a_row(2)}"') for _ in range(40)],
    }


@dataclass(frozen=True, slots=True)
class Copy:
    """One checkout, with an index of its own for a vault."""

    root: Path
    vault: Path
    cache: Path

    def environment(self) -> dict[str, str]:
        """Return the environment of its processes, with folders of its own and a person's settings there."""
        config = self.cache / "config" / "vault-assistant" / "config.json"
        config.parent.mkdir(parents=True, exist_ok=True)
        # Vectors are timed by `bench.deep`.
        config.write_text(json.dumps({"index": {"indexes": {"notes": {"embedding_model": None}}}}))
        kept = {name: value for name, value in os.environ.items() if not name.startswith("VAULT_ASSISTANT_")}
        kinds = ("CONFIG", "CACHE", "STATE")
        folders = {f"XDG_{kind}_HOME": str(self.cache / kind.lower()) for kind in kinds}
        return {**kept, **folders, "PYTHONPATH": str(self.root)}

    def command(self, *arguments: str) -> tuple[float, float]:
        """Run one command; returns CPU seconds and the most memory in MB, of it and of what it waited for."""
        command = [sys.executable, "-m", "app.cli.entry", *arguments, "--vault", str(self.vault)]
        with Path(os.devnull).open("w") as nowhere:
            process = subprocess.Popen(
                command, cwd=self.root, env=self.environment(), stdout=nowhere, stderr=nowhere
            )
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        # 1 means that nothing was found.
        if process.returncode not in (0, 1):
            raise SystemExit(f"failed with code {process.returncode}: {' '.join(command)}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Asked:
    """A process that answers searches for one checkout; a context."""

    def __init__(self, copy: Copy) -> None:
        # Run as a file, so that PYTHONPATH says whose code answers.
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, "--answer", str(copy.vault)],
            cwd=copy.root,
            env=copy.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, parameters: Parameters) -> dict[str, Any]:
        """Ask one thing."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(parameters) + "\n")
        self._process.stdin.flush()
        reply: dict[str, Any] = json.loads(self._process.stdout.readline())
        return reply

    def __enter__(self) -> "Asked":
        """Take it."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._process.communicate()


def answer(vault: Path) -> None:
    """Reply to every line: the CPU milliseconds of a search, a digest of its answer, and the most memory."""
    from app.config.settings import IndexDefinition, IndexSettings, Settings
    from app.dependencies import VaultClient
    from app.search.request import parse_request
    from app.search.searcher import searcher_for

    words = IndexSettings(indexes={"notes": IndexDefinition(embedding_model=None)})
    searcher = searcher_for(VaultClient(vault, Settings(index=words, catch_up_seconds=300)))
    searcher.update()
    # As a server does: it watches the vault, so that a search need not look for changes.
    searcher.watch()
    time.sleep(3)
    for line in sys.stdin:
        before = time.process_time()
        found = searcher.search(parse_request(json.loads(line))).model_dump_json()
        spent = (time.process_time() - before) * 1000
        digest = hashlib.blake2b(found.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"ms": spent, "digest": digest, "mb": memory}), flush=True)


def cold(copies: Sequence[Copy], wanted: Callable[[str], bool]) -> Iterator[tuple[str, Figures]]:
    """Yield the rows of commands: CPU seconds of each checkout, and the memory of the first index."""
    vault = copies[0].vault
    phrase = str(asked_of(vault)["`fulltext`, a phrase"][0]["query"])
    edited = min(vault.rglob("*.md"))
    before, stat = edited.read_bytes(), edited.stat()
    if wanted("first index"):
        for copy in copies:
            shutil.rmtree(copy.cache, ignore_errors=True)
        runs = {copy.root.name: copy.command("index") for copy in copies}
        yield "first index, s", {name: [cpu] for name, (cpu, _) in runs.items()}
        yield "first index, MB", {name: [memory] for name, (_, memory) in runs.items()}
    rows: dict[str, tuple[str, ...]] = {
        "nothing changed, s": ("index",),
        "one note edited, s": ("index",),
        "`find fast`, cold, s": ("find", "fast", "recurrence weekly tasks"),
        "a phrase in `fulltext`, cold, s": ("find", "fulltext", phrase),
        "`find by_link`, cold, s": ("find", "by_link", "--note-path", edited.relative_to(vault).as_posix()),
        "offline `ask`, cold, s": ("ask", "--model", "offline", "How is a recurring task made?"),
    }
    for row, arguments in rows.items():
        if wanted(row):
            figures: Figures = {copy.root.name: [] for copy in copies}
            for _ in range(RUNS):
                for copy in copies:
                    if row.startswith("one note"):
                        with edited.open("a", encoding="utf-8") as text:
                            text.write("\nOne more line.\n")
                    figures[copy.root.name].append(copy.command(*arguments)[0])
            edited.write_bytes(before)
            os.utime(edited, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            yield row, {name: [statistics.median(times)] for name, times in figures.items()}


def warm(copies: Sequence[Copy], wanted: Callable[[str], bool]) -> Iterator[tuple[str, Figures]]:
    """Yield the rows of searches: p50, p95 and most CPU milliseconds, then the most memory."""
    asked = {row: searches for row, searches in asked_of(copies[0].vault).items() if wanted(row)}
    with ExitStack() as stack:
        answering = {copy.root.name: stack.enter_context(Asked(copy)) for copy in copies if asked}
        memory = dict.fromkeys(answering, 0.0)
        for row, searches in asked.items():
            times: Figures = {name: [] for name in answering}
            for at, parameters in enumerate(searches[:WARM_UP] + searches):
                replies = {name: ask(parameters) for name, ask in answering.items()}
                memory = {name: reply["mb"] for name, reply in replies.items()}
                if len({reply["digest"] for reply in replies.values()}) > 1:
                    print(f"answered differently: {parameters}", file=sys.stderr)
                if at >= WARM_UP:
                    for name, reply in replies.items():
                        times[name].append(reply["ms"])
            yield row, {name: shares(each) for name, each in times.items()}
        if asked:
            yield "most memory after these, MB", {name: [each] for name, each in memory.items()}


def shares(times: Sequence[float]) -> list[float]:
    """Return p50, p95 and the most of some times."""
    return [statistics.median(times), statistics.quantiles(times, n=20)[-1], max(times)]


def main() -> None:
    """Print a line for each row."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--notes", type=int, default=6600)
    parser.add_argument("--code", type=Path, nargs="+", default=[ROOT])
    parser.add_argument("--rows", nargs="+", default=[""], help="only rows whose name has one of these texts")
    options = parser.parse_args()
    from bench.corpora import make_vault

    vault = options.work.resolve() / f"notes-{options.notes}"
    if not vault.exists():
        make_vault(options.source, vault, options.notes)
    copies = [
        Copy(root.resolve(), vault, vault.with_name(f"{vault.name}.{root.resolve().name}"))
        for root in options.code
    ]

    def wanted(row: str) -> bool:
        return any(text in row for text in options.rows)

    for rows in (cold, warm):
        for row, figures in rows(copies, wanted):
            said = (f"{name} {' / '.join(f'{x:.3g}' for x in each)}" for name, each in figures.items())
            print(f"- {row}: {'; '.join(said)}", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--answer":
        answer(Path(sys.argv[2]))
    else:
        main()
