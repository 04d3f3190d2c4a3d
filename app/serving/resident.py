"""Answer the other processes of this user, each from a thread of its own, with what this process has open."""

import os
import selectors
import socket
import struct
import threading
import time
from collections.abc import Callable
from concurrent.futures import wait
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING

from filelock import BaseFileLock, FileLock, Timeout

from app.config.settings import OFFLINE, logger
from app.errors import EngineMissingError, VaultError
from app.llm.masks import may_ask
from app.sentences import said
from app.serving.known import is_private, surroundings
from app.serving.mistakes import in_command_words
from app.serving.socket import SUFFIX, address_of
from app.serving.wire import MOST_REQUEST, UNABLE, WORKING, Frame, GoneError, receive, send
from app.showing import Screen, error_lines, in_line
from app.vault.client import VaultClient

if TYPE_CHECKING:
    from app.serving.printed import Printed

MOST_AT_ONCE = 16
"""Requests that are worked on at once; whoever comes then works alone."""
REQUEST_SECONDS = 5.0
"""Longest wait for a request, and for what is sent to be taken."""
BEAT_SECONDS = 1.0
"""How often a client that waits is told that its request is worked on."""

GONE_SECONDS = 0.2
"""How soon a question is dropped whose asker is gone."""


class Resident:
    """Answers `find` and `ask` for one vault while its block lasts; where it cannot listen, it does nothing.

    Where the vault has a resident already, that one stays.
    """

    def __init__(self, vault: VaultClient) -> None:
        self._vault = vault
        self._listener: socket.socket | None = None
        self._lock: BaseFileLock | None = None
        self._path: Path | None = None
        self._wake, self._woken = socket.socketpair()
        self._places = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._thread = threading.Thread(target=self._accept, name="vault-resident", daemon=True)

    @property
    def path(self) -> Path | None:
        """The socket it listens on; None where it does not listen."""
        return self._path

    def __enter__(self) -> "Resident":
        cache = self._vault.settings.cache_folder.absolute()
        if not self._vault.settings.resident or cache.resolve().is_relative_to(self._vault.root):
            return self
        try:
            self._listen()
        except OSError as error:
            self._close()
            logger.info("resident_not_listening", extra={"error": str(error)})
        except BaseException:
            # Such as Ctrl-C: the block is not entered, and so not left either.
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        self._wake.close()
        if self._thread.ident is not None:
            self._thread.join(timeout=2)
        self._woken.close()
        path, self._path = self._path, None
        if path is not None:
            path.unlink(missing_ok=True)
        if self._listener is not None:
            self._listener.close()
        if self._lock is not None:
            self._lock.release()

    def _listen(self) -> None:
        path = address_of(self._vault)
        if path is None:
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_private(path.parent):
            raise PermissionError(f"'{path.parent}' can be entered by others")
        self._lock = _taken(path)
        if self._lock is None:
            return
        _sweep(path.parent)
        # Whoever holds the lock is the only one: what is left at the path is a dead one's. The socket is put
        # there once it listens, so that nobody finds it before.
        made = path.with_suffix(".new")
        made.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(made))
        made.chmod(0o600)
        self._listener.listen(64)
        self._thread.start()
        self._path = path
        made.replace(path)

    def _accept(self) -> None:
        assert self._listener is not None
        self._listener.setblocking(False)
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while all(key.fileobj is not self._woken for key, _ in selector.select()):
                try:
                    connection, _ = self._listener.accept()
                except OSError as error:
                    logger.info("resident_client_lost", extra={"error": str(error)})
                    continue
                if not _is_own(connection) or not self._places.acquire(blocking=False):
                    connection.close()
                    continue
                threading.Thread(
                    target=self._serve, args=(connection,), name="vault-resident-client", daemon=True
                ).start()

    def _serve(self, connection: socket.socket) -> None:
        """Take one request, and tell the client each second that it is worked on, until it is answered."""
        gone = threading.Event()
        frames: SimpleQueue[Frame] = SimpleQueue()
        try:
            with connection:
                connection.settimeout(REQUEST_SECONDS)
                request = receive(connection, MOST_REQUEST)
                send(connection, WORKING)
                threading.Thread(
                    target=self._work, args=(request, frames, gone), name="vault-resident-work", daemon=True
                ).start()
                frame = WORKING
                while frame["kind"] in ("working", "tell"):
                    try:
                        frame = frames.get(timeout=BEAT_SECONDS)
                    except Empty:
                        frame = WORKING
                    send(connection, frame)
        except GoneError as error:
            logger.info("resident_client_lost", extra={"error": str(error)})
        finally:
            gone.set()
            self._places.release()

    def _work(self, request: Frame, frames: "SimpleQueue[Frame]", gone: threading.Event) -> None:
        frame = UNABLE

        def tell(call: str) -> None:
            frames.put({"kind": "tell", "text": in_line(said(call, request["screen"]["language"]))})

        try:
            begun = time.monotonic()
            frame = _answered(self._vault, request, tell, gone)
            about = {"call": request["call"], "kind": frame["kind"]}
            logger.info("resident_answered", extra={**about, "seconds": round(time.monotonic() - begun, 4)})
        except Exception as error:  # noqa: BLE001 - the last resort of this thread
            extra = {"call": request.get("call"), "error": str(error)}
            logger.error("resident_failed", extra=extra, exc_info=True)
        finally:
            frames.put(frame)


def _taken(path: Path) -> BaseFileLock | None:
    """Take the lock beside a socket, which ends with the process; None where a resident has it."""
    lock = FileLock(path.with_suffix(".lock"), timeout=0, mode=0o600, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        return None
    return lock


def _sweep(folder: Path) -> None:
    """Remove the sockets of residents that were killed."""
    for path in folder.glob(f"*{SUFFIX}"):
        lock = _taken(path)
        if lock is not None:
            path.unlink(missing_ok=True)
            lock.release()


def _is_own(connection: socket.socket) -> bool:
    """Return whether this user connected; where the system cannot be asked, the folder keeps others out."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return bool(user == os.getuid())


def _answered(
    vault: VaultClient, request: Frame, tell: Callable[[str], None], gone: threading.Event
) -> Frame:
    """Answer one request; what perhaps only this process lacks is left to whoever asks.

    Args:
        vault: The vault.
        request: What is asked, as the client sends it.
        tell: Is given each call of a tool, as one short line.
        gone: Is set when nobody waits for the answer any more.
    """
    settings = vault.settings
    names = [request.get("model") or settings.model, *settings.keyword_models]
    if any(names) and request.get("surroundings") != surroundings():
        return UNABLE
    try:
        if request.get("call") == "find":
            return _find(vault, request)
        if request["is_interactive"] and may_ask(settings, request["model"]):
            return UNABLE
        return _ask(vault, request, tell, gone)
    except EngineMissingError:
        # Perhaps it is found where the other process looks, such as `rg` on another PATH.
        return UNABLE
    except VaultError as error:
        message, hint = in_command_words(error.message), in_command_words(error.hint)
        return {
            "kind": "answer",
            "out": "",
            "err": error_lines(message, hint, request["screen"]["language"]),
            "code": 2,
        }


def _answer(printed: "Printed") -> Frame:
    return {"kind": "answer", "out": printed.out, "err": printed.err, "code": 0 if printed.is_found else 1}


def _find(vault: VaultClient, request: Frame) -> Frame:
    from app.search.forms import Form, widened
    from app.search.request import parse_request, placed_from
    from app.search.searcher import searcher_for
    from app.serving.printed import printed_results

    screen = Screen(**request["screen"])
    parsed = parse_request(request["parameters"], unlimited=request.get("is_unlimited", False))
    parsed = placed_from(parsed, vault.root, screen.folder)
    uses_model = parsed.explain or parsed.operation == "keyword" or parsed.is_deep
    if uses_model and request["is_interactive"] and may_ask(vault.settings, None):
        return UNABLE
    searcher = searcher_for(vault, parsed.index)
    if searcher.is_empty():
        # Whoever builds an index shows how far it is.
        return UNABLE
    form = Form(**request.get("form", {}))
    results, view = searcher.searched(widened(parsed, form), look=True)
    printed = printed_results(
        results,
        parsed,
        screen,
        is_json=request["is_json"],
        is_for_agent=request["is_for_agent"],
        view=view,
        form=form,
    )
    return _answer(printed)


def _ask(vault: VaultClient, request: Frame, tell: Callable[[str], None], gone: threading.Event) -> Frame:
    from app.bootstrap import new_trace_id
    from app.chat.ask.answer import ask_async, model_for
    from app.llm.loop import submit
    from app.search.searcher import searcher_for
    from app.serving.printed import printed_answer

    question, model, name = request["question"], model_for(vault, request["model"]), OFFLINE
    if model is not None:
        import pydantic_ai

        pydantic_ai.BANNER_ENABLED = False
        name = model.model_name
    searcher = searcher_for(vault)
    if searcher.is_empty():
        return UNABLE
    searcher.freshen(force=True)
    screen = Screen(**request["screen"])
    # Programs read English where the question tells no language.
    language = "en" if request.get("is_json") else screen.language
    asked = ask_async(
        vault, question, model=model or OFFLINE, trace_id=new_trace_id(), tell=tell, language=language
    )
    work = submit(asked)
    while not work.done():
        wait([work], timeout=GONE_SECONDS)
        if gone.is_set():
            work.cancel()
            return UNABLE
    forms = {name: bool(request.get(name)) for name in ("is_json", "is_full", "is_short")}
    return _answer(printed_answer(work.result(), question, name, vault, screen, **forms))
