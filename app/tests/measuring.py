"""What work costs, in units that another program on the machine does not change much: calls, and processor time."""

import gc
import sys
import time
from collections.abc import Callable
from types import FrameType

Work = Callable[[], object]

MOST_CALLS = 2.3
"""Most times as many calls for twice the length: tables and lists that grow by doubling are allowed for."""
LEAST_SECONDS = 0.05
"""Less time than this cannot be told from chance."""
LEAST_TURNS, MOST_TURNS = 3, 12
"""How often a time is measured before it is judged, and how often again where it seems too long.

Others on the machine only ever add to a time, so that the least of many is the work's own.
"""


def calls_of(work: Work) -> int:
    """Count the calls of Python's and of built-in functions."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def seconds_of(work: Work, turns: int = LEAST_TURNS) -> float:
    """Measure the least of some times of the processor, without the collection of garbage."""
    found = []
    for _ in range(turns):
        gc.collect()
        gc.disable()
        begun = time.process_time()
        work()
        found.append(time.process_time() - begun)
        gc.enable()
    return min(found)
