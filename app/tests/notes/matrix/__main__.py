"""Runs the matrix: each operation, disturbed at each of its calls, each time on a fresh vault.

    python -m app.tests.notes.matrix [--only TEXT] [--sample N --seed S] [--jobs N]

Prints the number of cases by operation and by fault, then each violation; exits with 1 where there is one.
"""

import argparse
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from app.tests.notes.matrix.cases import cases_of, disturb
from app.tests.notes.matrix.check import Check, sides_of
from app.tests.notes.matrix.operations import OPERATIONS
from app.tests.notes.matrix.watched import why_not
from app.tests.notes.matrix.world import World

IN_MEMORY = Path("/dev/shm")


@dataclass
class Report:
    """The cases of one operation by fault, and what was wrong."""

    name: str
    calls: int = 0
    states: int = 0
    """So many different states the cases have left behind, each with one of the next commands."""
    cases: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)


_world: World | None = None


def main() -> int:
    """Run the cases asked for and print the report."""
    asked = _parser().parse_args()
    if (reason := why_not()) is not None:
        print(f"not run: {reason}")
        return 77
    began = time.monotonic()
    names = [name for name in OPERATIONS if asked.only is None or asked.only in name]
    base = Path(tempfile.mkdtemp(prefix="matrix-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None))
    # Those with many calls first, so that no process is left alone with one at the end.
    heavy = sorted(names, key=lambda name: not any(word in name for word in ("turn", "move", "rename")))
    tasks = [(name, asked.sample, f"{asked.seed} {name}", asked.case) for name in heavy]
    try:
        with multiprocessing.get_context("fork").Pool(asked.jobs, _start, (base,)) as pool:
            reports = []
            for report in pool.imap_unordered(_one, tasks):
                reports.append(report)
                print(f"{report.name}: {sum(report.cases.values())} cases", file=sys.stderr, flush=True)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    reports.sort(key=lambda report: names.index(report.name))
    _show(reports, time.monotonic() - began)
    return 1 if any(report.violations for report in reports) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m app.tests.notes.matrix")
    parser.add_argument("--only", help="operations whose name holds this text")
    parser.add_argument("--sample", type=int, help="so many cases of each operation, chosen by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", help="cases whose description holds this text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser


def _start(base: Path) -> None:
    global _world
    _world = World(base / str(os.getpid()))
    _world.warm_up()


def _one(task: tuple[str, int | None, str, str | None]) -> Report:
    name, sample, seed, only = task
    assert _world is not None
    operation, report = OPERATIONS[name], Report(name)
    operation.prepare(_world)
    _world.keep(name)
    sides, calls = sides_of(_world, operation)
    cases = cases_of(calls, _world.vault)
    if only is not None:
        cases = [case for case in cases if only in str(case)]
    if sample is not None:
        cases = random.Random(seed).sample(cases, min(sample, len(cases)))
    report.calls = len(calls)
    check = Check(_world, operation, sides)
    for case in cases:
        _world.restore(name)
        report.cases[case.fault] += 1
        try:
            found = check.wrong(case, disturb(_world, operation.arguments, case))
        except AssertionError as error:
            found = [f"the case could not be run: {error}"]
        for what in found:
            report.violations.append(f"{name}, {case}: {what}")
            print(report.violations[-1], file=sys.stderr, flush=True)
    report.states = check.states
    return report


def _show(reports: list[Report], seconds: float) -> None:
    faults = sorted({fault for report in reports for fault in report.cases})
    print("| operation | calls | " + " | ".join(faults) + " | cases | states | violations |")
    print("| --- |" + " --- |" * (len(faults) + 4))
    for report in reports:
        figures = [report.calls, *(report.cases[fault] for fault in faults), sum(report.cases.values())]
        figures += [report.states, len(report.violations)]
        print(f"| {report.name} | {' | '.join(map(str, figures))} |")
    totals = [sum(report.cases[fault] for report in reports) for fault in faults]
    violations = [line for report in reports for line in report.violations]
    calls, states = sum(report.calls for report in reports), sum(report.states for report in reports)
    print(
        f"| all | {calls} | {' | '.join(map(str, totals))} | {sum(totals)} | {states} | {len(violations)} |"
    )
    print(f"\n{sum(totals)} cases in {seconds:.0f} s, {len(violations)} violations")
    for line in violations:
        print(f"- {line}")


if __name__ == "__main__":
    sys.exit(main())
