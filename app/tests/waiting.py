"""Waiting for what another thread or process does, without guessing how long it takes."""

import time
from collections.abc import Callable


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for an event. What never comes ends at the time limit of the test, which shows where it waited."""
    while not is_so():
        time.sleep(0.01)
