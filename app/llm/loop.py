"""The one background event loop that all model traffic of a process goes through."""

import asyncio
import atexit
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from contextvars import ContextVar, copy_context
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from app.stopping import go_on

T = TypeVar("T")

WAKE_SECONDS = 0.2
"""How often a waiting thread looks up: a signal that another thread received does not wake it."""

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_thread: threading.Thread | None = None


class _Questions:
    """What a piece of work wants to ask the thread that waits for it."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._closed = False

    async def ask(self, question: Callable[[], T]) -> T:
        """Have the waiting thread run ``question``; cancelled where nobody waits any more."""
        answer: Future[T] = Future()
        self._queue.put((question, answer))
        if self._closed:
            answer.cancel()
        return await asyncio.wrap_future(answer)

    def wake(self) -> None:
        """Let the waiting thread look up."""
        self._queue.put(None)

    def answer_next(self) -> None:
        """Wait for a question, `WAKE_SECONDS` at most, and answer it; a failure is the asker's too."""
        with suppress(Empty):
            if (asked := self._queue.get(timeout=WAKE_SECONDS)) is None:
                return
            question, answer = asked
            # The work may have given the question up while another one was being asked.
            if not answer.set_running_or_notify_cancel():
                return
            try:
                answer.set_result(question())
            except Exception as error:  # noqa: BLE001 - it is raised where it was asked
                answer.set_exception(error)
            except BaseException:
                # An interrupt is for this thread alone; whoever asked must not wait for ever.
                answer.set_exception(asyncio.CancelledError())
                raise

    def close(self) -> None:
        """Cancel what was not asked by now, and whatever comes later."""
        self._closed = True
        with suppress(Empty):
            while True:
                if (asked := self._queue.get_nowait()) is not None:
                    asked[1].cancel()


# Each piece of work carries its own along: what an interrupted one left behind, or still asks while it ends,
# is never taken for a question of the next. Work inside work asks the thread that waits outside.
_questions: ContextVar[_Questions | None] = ContextVar("questions", default=None)


def can_ask() -> bool:
    """Return whether a thread waits in `run` for the work this is called from."""
    return _questions.get() is not None


async def ask_waiting(question: Callable[[], T]) -> T:
    """Run ``question`` on the outermost thread that waits in `run` for the work this is called from.

    Only that thread may ask a person: an interrupt reaches it, and no stray thread goes on reading the
    terminal afterwards.
    """
    questions = _questions.get()
    assert questions is not None, "only work that is waited for in run() can ask"
    return await questions.ask(question)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` on the background loop, wait for it, and answer what it asks.

    An interrupt cancels it, and so does being given up.
    """
    if threading.current_thread() is _thread:
        work.close()
        raise RuntimeError("run() waits for the background loop and cannot be called on it; use a thread")
    questions, context = _Questions(), copy_context()
    if _questions.get() is None:
        context.run(_questions.set, questions)
    task = context.run(submit, work)
    task.add_done_callback(lambda _: questions.wake())
    try:
        while not task.done():
            questions.answer_next()
            go_on()
        return task.result()
    except BaseException:
        # An interrupt, above all: the work must not go on unseen.
        task.cancel()
        raise
    finally:
        questions.close()


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Start ``work`` on the background loop.

    All model traffic of a process goes through this one loop, because the providers' connections
    belong to the loop they were opened on.
    """
    return asyncio.run_coroutine_threadsafe(work, _background_loop())


def _background_loop() -> asyncio.AbstractEventLoop:
    global _loop, _thread
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            _thread = threading.Thread(target=_loop.run_forever, name="llm", daemon=True)
            _thread.start()
            atexit.register(_close)
        return _loop


def _close() -> None:
    if _loop is not None and _thread is not None:
        _loop.call_soon_threadsafe(_loop.stop)
        _thread.join(timeout=1)
        if not _thread.is_alive():
            _loop.close()
