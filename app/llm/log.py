"""The log of everything that was sent to a language model, kept on this machine for its owner to read."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from app.config.settings import logger
from app.system import flags

FOLDER = "sent"
CURRENT, EARLIER = "sent.jsonl", "sent.1.jsonl"
MAX_BYTES = 10_000_000
"""Size at which the log starts anew; what stood in it is kept once, as the earlier log."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One request to a language model, noted before it left."""

    when: str
    """Local time with its offset from UTC, such as ``2025-07-14T09:30:00+02:00``."""
    model: str
    """The model's name, as in the setting ``model``."""
    where: str
    """The server's address."""
    characters: int
    """Length of `text`."""
    text: str
    """All of the request that changes: instructions, the whole conversation, what tools returned."""
    left_out: int = 0
    """How many places of it had something that looks like a key; what stands there was sent instead."""
    trace_id: str = ""
    """The turn that it was sent for, where that is known."""

    @classmethod
    def now(cls, model: str, where: str, text: str, left_out: int) -> "Sent":
        """Return what is sent at this moment."""
        when = datetime.now().astimezone().isoformat(timespec="seconds")
        return cls(when, model, where, len(text), text, left_out)


@dataclass(slots=True)
class Sending:
    """What is sent in one turn: ``sent`` has a model's name and server for each text, as it leaves."""

    trace_id: str
    sent: list[tuple[str, str]] = field(default_factory=list)


_turn: ContextVar[Sending | None] = ContextVar("sending", default=None)


@contextmanager
def sending(trace_id: str) -> Iterator[Sending]:
    """Note under a turn what is sent inside the block, in its threads and tasks too."""
    turn = Sending(trace_id)
    token = _turn.set(turn)
    try:
        yield turn
    finally:
        _turn.reset(token)


def record_sent(state: Path, entry: Sent) -> None:
    """Add an entry to the log below the state folder; a failure is logged and never raised."""
    folder, turn = state / FOLDER, _turn.get()
    if turn is not None:
        entry = replace(entry, trace_id=turn.trace_id)
        # It counts whether or not the disk takes it.
        turn.sent.append((entry.model, entry.where))
    try:
        line = json.dumps(asdict(entry), ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
        _rotate(folder)
        append_to_log(folder / CURRENT, line)
    except OSError as error:
        log_failure(entry, str(error))


def log_failure(entry: Sent, error: str) -> None:
    """Say in the program's log that an entry is missing in this one."""
    logger.warning(
        "sent_not_recorded",
        extra={"model": entry.model, "where": entry.where, "characters": entry.characters, "error": error},
    )


def read_sent(state: Path, trace_id: str = "") -> list[Sent]:
    """List what was sent, or what was for one turn, newest first; a line that a crash cut short is no line.

    Raises:
        OSError: the log is there and cannot be read.
    """
    entries, marked = [], json.dumps({"trace_id": trace_id})[1:-1].encode() if trace_id else b""
    for name in (EARLIER, CURRENT):
        try:
            data = (state / FOLDER / name).read_bytes()
        except FileNotFoundError:
            continue
        for line in data.split(b"\n"):
            if marked not in line:
                continue
            with suppress(ValueError, TypeError):
                entries.append(Sent(**json.loads(line)))
    return [entry for entry in entries[::-1] if not trace_id or entry.trace_id == trace_id]


def _rotate(folder: Path) -> None:
    """Begin the log anew where it is full, unless another process does so at this moment."""
    current = folder / CURRENT
    with suppress(FileNotFoundError, Timeout):
        if current.stat().st_size >= MAX_BYTES:
            with FileLock(folder / "lock", timeout=0, mode=0o600):
                if current.stat().st_size >= MAX_BYTES:
                    current.replace(folder / EARLIER)


def append_to_log(path: Path, line: bytes) -> None:
    """Add a line to a file that only its owner may read, after whatever a crash cut short.

    Raises:
        OSError: the disk refuses.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, flags("RDWR", "CREAT", "APPEND", "NOFOLLOW"), 0o600)
    try:
        size = os.fstat(descriptor).st_size
        torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
        # One write: entries of several processes do not mix.
        whole = b"\n" * torn + line
        if os.write(descriptor, whole) != len(whole):
            raise OSError("the disk took only a part of the entry")
    finally:
        os.close(descriptor)
