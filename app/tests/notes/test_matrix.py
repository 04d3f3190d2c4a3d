"""Writes that are killed, that fail, that meet other programs: short forms of what `make matrix` runs."""

import subprocess
import sys

import pytest

NOT_RUN = 77


def run(*arguments: str) -> None:
    """Run a module in a process of its own, for it forks, which a process with threads must not."""
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == NOT_RUN:
        pytest.skip(done.stdout)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_write_killed_or_failing_anywhere_is_settled_by_the_next_command() -> None:
    # Two cases of each operation.
    run("app.tests.notes.matrix", "--sample", "2", "--seed", "1")


@pytest.mark.timeout(600)
def test_no_text_is_lost_where_several_programs_and_kill_9_work_at_the_same_notes() -> None:
    run("app.tests.notes.together", "--steps", "200", "--seed", "1")


@pytest.mark.timeout(600)
def test_two_writers_at_once_lose_no_update() -> None:
    run("app.tests.notes.together", "--writers", "3")
