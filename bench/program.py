"""Time the whole program on a large vault: ``python -m bench.program SOURCE [--notes 6500]``.

SOURCE is any vault; its sections are shuffled into as many notes as asked for. Every command is a process of
its own; each figure is the median of five, the first index of one.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.query import make_vault


def timed(arguments: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Run one command; give wall and CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    command = [sys.executable, "-m", "app.cli.entry", *arguments]
    # 1 means that nothing was found.
    if subprocess.run(command, env=environment, capture_output=True, check=False).returncode not in (0, 1):
        raise SystemExit(f"failed: {' '.join(command)}")
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def median(
    arguments: list[str], environment: dict[str, str], touch: Path | None = None
) -> tuple[float, float]:
    """Run one command five times, each after adding a line to a note where one is given."""
    runs = []
    for _ in range(5):
        if touch:
            touch.write_text(touch.read_text(encoding="utf-8") + "\nOne more line.\n", encoding="utf-8")
        runs.append(timed(arguments, environment))
    return statistics.median(wall for wall, _ in runs), statistics.median(cpu for _, cpu in runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--notes", type=int, default=6500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        vault = Path(scratch) / "vault"
        make_vault(options.source, vault, options.notes)
        size = sum(path.stat().st_size for path in vault.rglob("*.md"))
        environment = {
            **os.environ,
            "VAULT_ASSISTANT_CACHE_DIR": str(Path(scratch) / "cache"),
            # Vectors are timed by `bench.encode` and `bench.deep`.
            "VAULT_ASSISTANT_INDEX__INDEXES": '{"notes": {"embedding_model": null}}',
        }
        at = ["--vault", str(vault)]
        note = next(vault.rglob("*.md"))
        print(f"{options.notes} notes, {size / 1e6:.1f} MB\n")
        print("| command | wall, s | CPU, s |\n| --- | --- | --- |")
        first = timed(["index", *at], environment)
        print(f"| `index`, first time | {first[0]:.2f} | {first[1]:.2f} |", flush=True)
        for name, arguments, touch in (
            ("`index`, nothing changed", ["index"], None),
            ("`index`, one note edited", ["index"], note),
            ("`find fast`, three words", ["find", "fast", "recurrence weekly tasks"], None),
            ("`find by_tag`", ["find", "by_tag", "--tags", "topic"], None),
            ("`find by_link`", ["find", "by_link", "--note-path", note.stem], None),
            ("`note read`", ["note", "read", note.relative_to(vault).as_posix()], None),
        ):
            wall, cpu = median([*arguments, *at], environment, touch)
            print(f"| {name} | {wall:.2f} | {cpu:.2f} |", flush=True)


if __name__ == "__main__":
    main()
