"""How far long work is: a bar, and a way to stop the work that keeps what is done."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE_SECONDS = 0.4
"""How long nothing is shown; most updates are done by then."""

Progress = Callable[[int, int], None]
"""Called with what is done and what there is to do."""


@contextmanager
def progress_bar(label: str, note: str = "", *, before: str = "") -> Iterator[Progress | None]:
    """Yield a callback that moves a bar on stderr, or ``None`` where nobody looks.

    The bar appears once the work has taken a moment, and only shows that it goes on while nothing is counted.

    Args:
        label: What is done.
        note: Stands above the bar.
        before: What is done until the counting begins; how much there is to do may be told earlier.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as parts
    from rich.console import Console

    console = Console(stderr=True)
    bar = parts.Progress(
        parts.TextColumn("{task.description}"),
        parts.BarColumn(bar_width=None),
        parts.MofNCompleteColumn(),
        parts.TimeRemainingColumn(elapsed_when_finished=True),
        console=console,
        transient=True,
    )
    task = bar.add_task(before or label, total=None)

    def draw() -> None:
        if note:
            console.print(note, style="dim", highlight=False, markup=False)
        bar.start()

    def progress(done: int, total: int) -> None:
        if done == 0:
            # What was made ready before tells nothing of how fast the work goes.
            bar.reset(task)
        is_told = bool(before) and bar.tasks[task].total is None
        bar.update(task, completed=done, total=total, description=before if is_told else label)

    timer = threading.Timer(PATIENCE_SECONDS, draw)
    timer.daemon = True
    timer.start()
    try:
        yield progress
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C, or a request that the process end, ask work to stop at its next step; a second one ends it.

    Yields what says whether that was asked.
    """
    asked = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    if threading.current_thread() is not threading.main_thread():
        # Only the main thread is told of signals.
        yield asked.is_set
        return
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
