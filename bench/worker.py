"""One measured step in a process of its own, its result printed as JSON.

python -m bench.worker build|update|cold ENGINE CORPORA CORPUS FOLDER
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bench import corpora
from bench.engines import notes
from bench.others import ENGINES

ROUNDS = 25


def peak_mb() -> float:
    """Give the most memory this process held, in MiB."""
    # What getrusage says is inherited from the process that started this one.
    status = Path("/proc/self/status").read_text("ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def build(engine: str, folder: Path, name: str, index: Path) -> dict[str, float]:
    """Build an index from nothing."""
    made = ENGINES[engine](index)
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in corpora.read(folder, name):
        pass
    # The corpus is read while it is indexed, so that it need not be in memory; that time is taken off.
    cpu_read, wall_read = time.process_time() - cpu, time.perf_counter() - wall
    before, cpu, wall = peak_mb(), time.process_time(), time.perf_counter()
    made.build(corpora.read(folder, name))
    return {
        "build CPU, s": time.process_time() - cpu - cpu_read,
        "build wall, s": time.perf_counter() - wall - wall_read,
        "peak memory building, MB": peak_mb(),
        "of it before the first note, MB": before,
        "size, MB": made.size() / 2**20,
    }


def update(engine: str, folder: Path, name: str, index: Path) -> dict[str, float]:
    """Replace one note at a time, commit, and look again."""
    made = ENGINES[engine](index)
    changed = [note for note, _ in zip(notes(corpora.read(folder, name)), range(400), strict=False)][
        :: 400 // ROUNDS
    ]
    made.open()
    words = corpora.read_queries(folder, name)["classes"]["six"][0]
    made.search(words)
    commits, refreshes = [], []
    for note in changed[:ROUNDS]:
        cpu = time.process_time()
        made.update(note)
        commits.append((time.process_time() - cpu) * 1000)
        wall = time.perf_counter()
        made.refresh()
        made.search(words)
        refreshes.append((time.perf_counter() - wall) * 1000)
    return {
        "one-note commit CPU, ms (p50)": median(commits),
        "one-note commit CPU, ms (mean)": sum(commits) / len(commits),
        "refresh and first query, ms": median(refreshes),
    }


def cold(engine: str, folder: Path, name: str, index: Path) -> dict[str, float]:
    """Open the index and ask one question; whoever started this process takes the time."""
    words = corpora.read_queries(folder, name)["classes"]["six"][1]
    made = ENGINES[engine](index)
    made.open()
    made.search(words)
    return {"memory after one query, MB": peak_mb()}


STEPS: dict[str, Callable[[str, Path, str, Path], dict[str, float]]] = {
    "build": build, "update": update, "cold": cold,
}  # fmt: skip

if __name__ == "__main__":
    step, engine, folder, name, index = sys.argv[1:]
    print(json.dumps(STEPS[step](engine, Path(folder), name, Path(index))))
