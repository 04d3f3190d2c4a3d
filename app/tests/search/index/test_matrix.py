"""The index in trouble: short forms of what `make matrix` runs, and a minute of two writers."""

import pytest

from app.tests.notes.test_matrix import run

MATRIX = "app.tests.search.index.matrix"


@pytest.mark.timeout(600)
def test_an_update_killed_or_failing_at_a_call_leaves_the_old_index_or_the_new() -> None:
    run(MATRIX, "--only", "an edit", "--sample", "4")


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_every_command_killed_or_failing_at_any_call_leaves_the_old_index_or_the_new() -> None:
    run(MATRIX, "--jobs", "2")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_two_processes_write_for_a_minute_while_one_reads_whole_states() -> None:
    run("app.tests.search.index.together", "60")
