"""Work in threads that ends once nobody waits for it any more."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

_left: ContextVar[Event | None] = ContextVar("left", default=None)


class StoppedError(Exception):
    """Whoever asked for the work left. It ends a thread, and is shown to nobody."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Let all work that is begun inside, in threads that share this context too, end once this is left."""
    left = Event()
    before = _left.set(left)
    try:
        yield
    finally:
        _left.reset(before)
        left.set()


def stop_if_left() -> None:
    """Raise StoppedError where nobody waits any more; called between two steps of long work."""
    left = _left.get()
    if left is not None and left.is_set():
        raise StoppedError
