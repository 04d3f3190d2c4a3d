"""How far long work is: a bar with a rate and an end, and a way to stop it that keeps what is done."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from types import FrameType

from app.cli import output
from app.notices import Language, Notice, WorkKind
from app.sentences import Sentence

PATIENCE_SECONDS = 0.4
"""How long nothing is shown; most updates are done by then."""
LEAST_BAR, MOST_BAR, BESIDE_BAR = 8, 40, 50
"""Columns of a bar, and of what stands beside it."""
LEAST_SECONDS = 0.2
"""Before so long nothing can be said of how fast it goes."""

Progress = Callable[[int, int], None]
"""Called with what is done and what there is to do."""
Bar = Callable[..., AbstractContextManager[Progress | None]]
"""Makes what shows how far work is, by its label and a sentence for whoever waits."""


@dataclass(slots=True)
class Pace:
    """How fast work goes, counted from when it last began.

    Being told of nothing done begins it anew: what was made ready before tells nothing of the work.
    """

    now: Callable[[], float] = time.monotonic
    done: int = 0
    total: int | None = None
    since: float = field(init=False)

    def __post_init__(self) -> None:
        self.since = self.now()

    def count(self, done: int, total: int) -> None:
        """Take in how much is done, and how much there is to do."""
        if done == 0:
            self.since = self.now()
        self.done, self.total = done, total

    @property
    def rate(self) -> float:
        """How much is done in a second; 0 while that is not known."""
        passed = self.now() - self.since
        return self.done / passed if self.done and passed > LEAST_SECONDS else 0.0

    def said(self, language: Language) -> str:
        """Return the rate and the time that is left, or how long it has taken while neither is known."""
        if not (rate := self.rate) or self.total is None:
            passed = _time(self.now() - self.since)
            return Notice(WorkKind.TIME_PASSED, time=passed).said(language)
        shown = Sentence("{rate:.0f}/s" if rate >= 10 else "{rate:.1f}/s", rate=rate).said(language)
        left = _time((self.total - self.done) / rate)
        return f"{shown} · {Notice(WorkKind.TIME_LEFT, time=left).said(language)}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def progress_bar(
    label: Notice | str, note: str = "", *, language: Language = "en", before: Notice | None = None
) -> Iterator[Progress | None]:
    """Yield a callback that moves a bar on stderr, or ``None`` where nobody looks.

    The bar appears once the work has taken a moment, and only shows that it goes on while nothing is counted.

    Args:
        label: What is done.
        note: Stands below the bar.
        language: Of what stands beside it.
        before: What is done while nothing can be counted yet.
    """
    if not output.sees_progress():
        yield None
        return
    said = label if isinstance(label, str) else label.said(language)
    first = said if before is None else before.said(language)
    lock = threading.Lock()
    show: Progress | None = None
    pace = Pace()
    ended = False
    with ExitStack() as stack:

        def draw() -> None:
            nonlocal show
            with lock:
                if not ended:
                    show = _draw_bar(stack, (first, said), note, pace, language)
                    if pace.total is not None:
                        show(pace.done, pace.total)

        def progress(done: int, total: int) -> None:
            with lock:
                pace.count(done, total)
                if show is not None:
                    show(done, total)

        timer = threading.Timer(PATIENCE_SECONDS, draw)
        timer.daemon = True
        timer.start()
        try:
            yield progress
        finally:
            timer.cancel()
            with lock:
                ended = True


def _draw_bar(
    stack: ExitStack, labels: tuple[str, str], note: str, pace: Pace, language: Language
) -> Progress:
    from rich import progress as parts
    from rich.console import Console, RenderableType
    from rich.text import Text

    class Beside(parts.ProgressColumn):
        max_refresh = 0.5

        def render(self, task: parts.Task) -> Text:
            is_counted = pace.total is not None and (pace.done or first == label)
            counted = f"{pace.done}/{pace.total} · " if is_counted else ""
            return Text(counted + pace.said(language))

    class Bars(parts.Progress):
        def get_renderables(self) -> Iterator[RenderableType]:
            yield from super().get_renderables()
            if note:
                yield Text(note, style="dim")

    first, label = labels
    console = Console(stderr=True)
    width = min(max(console.width - BESIDE_BAR, LEAST_BAR), MOST_BAR)
    columns = (parts.TextColumn("{task.description}"), parts.BarColumn(bar_width=width), Beside())
    bar = stack.enter_context(Bars(*columns, console=console, transient=True))
    task = bar.add_task(first, total=None)
    return lambda done, total: bar.update(
        task, completed=done, total=total, description=label if done else first
    )


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
