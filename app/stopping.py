"""Cancellation of work in threads: the caller sets a flag, and long work asks for it before each step."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_given_up: ContextVar[threading.Event | None] = ContextVar("given_up", default=None)


class GivenUp(BaseException):
    """Nobody waits for this work any more."""


@contextmanager
def awaited() -> Iterator[None]:
    """Tell what is called from here, in threads as well, to stop once this ends with an exception.

    A thread cannot be cancelled, so work asks by `go_on` before each step that takes time.
    """
    event = threading.Event()
    token = _given_up.set(event)
    try:
        yield
    except BaseException:
        # A task that is cancelled, and an interrupt, are the usual ways in which waiting ends.
        event.set()
        raise
    finally:
        _given_up.reset(token)


def is_given_up() -> bool:
    """Return whether nobody waits for the work that this is called from."""
    event = _given_up.get()
    return event is not None and event.is_set()


def go_on() -> None:
    """Raise `GivenUp` where nobody waits for the result of the current work any more."""
    if is_given_up():
        raise GivenUp
