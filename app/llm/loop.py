"""The one background event loop that all model traffic of a process goes through."""

import asyncio
import atexit
import threading
from collections.abc import Coroutine
from concurrent.futures import Future, wait
from typing import Any, TypeVar

T = TypeVar("T")

WAKE_SECONDS = 0.2
"""How often a waiting thread looks up: a signal that another thread received does not wake it."""

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_thread: threading.Thread | None = None


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` on the background loop and wait for it; an interrupt cancels it."""
    if threading.current_thread() is _thread:
        work.close()
        raise RuntimeError("run() waits for the background loop and cannot be called on it; use a thread")
    task = submit(work)
    try:
        while not task.done():
            wait([task], timeout=WAKE_SECONDS)
        return task.result()
    except BaseException:
        task.cancel()
        raise


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
