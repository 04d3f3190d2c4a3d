"""Runs the programs together.

python -m app.tests.notes.together --steps 200 [--seed S]
python -m app.tests.notes.together --writers 60
"""

import argparse
import os
import sys
import time

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from app.tests.notes.matrix.watched import why_not
from app.tests.notes.together.machine import Together, folder, prepare
from app.tests.notes.together.writers import run_writers

LENGTH = 25
LEAST = 5
"""Fewest runs at a time: hypothesis begins with the simplest, in which nobody may do anything."""


def main() -> int:
    """Run what is asked for, and print figures."""
    parser = argparse.ArgumentParser(prog="python -m app.tests.notes.together")
    parser.add_argument("--steps", type=int, default=0, help="so many steps of all programs")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4)))
    parser.add_argument("--writers", type=float, default=0.0, help="two writers at once for so many seconds")
    asked = parser.parse_args()
    if asked.writers:
        return run_writers(asked.writers)
    if (reason := why_not()) is not None:
        print(f"not run: {reason}")
        return 77
    return _steps(asked.steps, asked.seed)


def _steps(steps: int, number: int) -> int:
    began = time.monotonic()
    print(f"seed {number}")
    try:
        with folder() as base:
            prepare(base)
            while Together.steps < steps:
                run_state_machine_as_test(
                    seed(number)(Together),
                    settings=settings(
                        max_examples=max(LEAST, (steps - Together.steps) // LENGTH),
                        stateful_step_count=LENGTH,
                        deadline=None,
                        database=None,
                        suppress_health_check=list(HealthCheck),
                        phases=(Phase.generate,),
                        print_blob=False,
                    ),
                )
                number += 1
    finally:
        for kind, count in sorted(Together.kinds.items()):
            print(f"| {kind} | {count} |")
        print(f"{Together.steps} steps in {time.monotonic() - began:.0f} s", flush=True)
    print("nothing lost, torn or left behind")
    return 0


if __name__ == "__main__":
    sys.exit(main())
