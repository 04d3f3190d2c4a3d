"""What stood there before each write, kept outside the vault so that a write can be taken back."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from app.config.folders import replace_file, sync_folder
from app.errors import WriteError
from app.journal.lines import append_line, journal_folder, open_writes, read_lines
from app.journal.models import Entry, Recovered
from app.sentences import reason_of
from app.system import flags
from app.vault.atomic import content_hash

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from app.vault.client import VaultClient

T = TypeVar("T")
MAX_ENTRIES = 1000
MAX_BYTES = 200_000_000
"""Most that is kept of earlier contents; the newest write is kept whatever its size."""
LOCK_SECONDS = 10.0
MAX_RECOVERED = 100
"""Most recovered writes that are remembered."""


class BusyError(WriteError):
    """Another process is writing to the vault."""


class Journal:
    """The writes to one vault, oldest first, and the contents they replaced.

    A write is recorded before it is done and marked afterwards. Until it is over, down to the last hidden
    file, a file in ``open/`` bears its name, so that one cut short by a crash is found at once. Files are for
    their owner alone. Beyond `MAX_ENTRIES` or `MAX_BYTES` the oldest writes go.

    Args:
        vault: The vault; its settings say where journals are kept.

    Raises:
        WriteError: the settings would put the journal into the vault.
    """

    def __init__(self, vault: "VaultClient") -> None:
        state = vault.settings.state_folder.resolve()
        if state.is_relative_to(vault.root):
            raise WriteError(
                "the journal would lie in the vault, at '{state}'",
                "change the setting 'state_dir'",
                state=state,
            )
        self._folder = journal_folder(vault.root, state)
        self._file = self._folder / "writes.jsonl"
        self._recovered = self._folder / "recovered.jsonl"
        self._contents = self._folder / "contents"
        self._open = self._folder / "open"

    @contextmanager
    def locked(self, seconds: float | None = None) -> Iterator[None]:
        """Keep every other writer of this vault, in any process of ours, waiting.

        Args:
            seconds: How long to wait for another one; by default `LOCK_SECONDS`.

        Raises:
            BusyError: another one does not end in time.
            WriteError: the journal cannot be written.
        """
        from filelock import FileLock, Timeout

        wait = LOCK_SECONDS if seconds is None else seconds
        try:
            for folder in (self._folder.parent, self._folder, self._contents, self._open):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = FileLock(self._folder / "lock", timeout=wait, mode=0o600)
            lock.acquire()
            try:
                yield
            finally:
                # What was done under the lock is done; the system takes the lock back with the process.
                with suppress(OSError):
                    lock.release()
        except Timeout as error:
            raise BusyError("another process is writing to this vault", "try again in a moment") from error
        except OSError as error:
            raise WriteError(
                "the journal in '{folder}' cannot be written: {reason}",
                "without it nothing is written; see the setting 'state_dir'",
                folder=self._folder,
                reason=reason_of(error),
            ) from error

    def entries(self) -> tuple[Entry, ...]:
        """List the writes that were not given up, oldest first, marked where done and where taken back."""
        entries: dict[str, Entry] = {}
        undone: set[str] = set()
        for line in self._lines():
            match line:
                case {"id": str(name), "files": list()}:
                    with suppress(ValueError):
                        entries[name] = _read_as(Entry).validate_python(line)
                case {"given_up": str(name)}:
                    entries.pop(name, None)
                case {"done": str(name), **rest}:
                    if (entry := entries.get(name)) is not None:
                        undone.update(entry.undoes)
                        where = rest.get("trashed")
                        trashed = where if isinstance(where, str) else None
                        entries[name] = replace(entry, trashed=trashed, done=True)
        return tuple(replace(entry, undone=entry.id in undone) for entry in entries.values())

    def content(self, name: str) -> bytes:
        """Return a content that was replaced, by its hash.

        Raises:
            WriteError: it is not kept any more.
        """
        try:
            data = (self._contents / name).read_bytes()
        except FileNotFoundError as error:
            raise WriteError("the earlier content {name} is not kept any more", name=name) from error
        except OSError as error:
            raise WriteError(
                "the earlier content {name} cannot be read: {reason}",
                "nothing was taken back",
                name=name,
                reason=reason_of(error),
            ) from error
        if content_hash(data) != name:
            raise WriteError("the earlier content {name} is damaged", name=name)
        return data

    def open(self) -> list[str]:
        """List the writes that are not over, by name.

        Raises:
            OSError: the journal cannot be read.
        """
        return open_writes(self._folder)

    def begin(self, entry: Entry, contents: Sequence[bytes]) -> None:
        """Record a write that is about to be done, with the contents needed to take it back or finish it.

        Raises:
            OSError: it cannot be recorded, so that it must not be done.
        """
        descriptor = os.open(self._open / entry.id, flags("WRONLY", "CREAT"), 0o600)
        os.close(descriptor)
        sync_folder(self._open)
        for data in contents:
            self._keep(data)
        sync_folder(self._contents)
        append_line(self._file, _recorded(entry))
        sync_folder(self._folder)

    def finish(self, entry: Entry, trashed: str | None = None) -> None:
        """Record that a write was done, and where in the vault a deleted note went.

        Raises:
            OSError: it cannot be recorded; the write is done none the less.
        """
        append_line(self._file, {"done": entry.id, "trashed": trashed})
        self._prune()

    def give_up(self, entry: Entry) -> None:
        """Record that a write was not done, or that all of it was put back."""
        append_line(self._file, {"given_up": entry.id})

    def close(self, entry: Entry) -> None:
        """Remove the mark of an open write that needs no more work, and the contents that only it needed."""
        own = {name for state in entry.files for name in (state.before, state.after) if name is not None}
        for name in own - self._needed(besides=entry.id):
            (self._contents / name).unlink(missing_ok=True)
        self.forget(entry.id)

    def forget(self, name: str) -> None:
        """Remove the mark of an open write that was never recorded."""
        (self._open / name).unlink(missing_ok=True)

    def remember(self, recovered: Recovered) -> None:
        """Keep what became of a write that was cut short, for `recovered`."""
        append_line(self._recovered, asdict(recovered))
        lines = self._recovered.read_bytes().splitlines(keepends=True)
        if len(lines) > 2 * MAX_RECOVERED:
            replace_file(self._recovered, b"".join(lines[-MAX_RECOVERED:]))

    def recovered(self) -> list[Recovered]:
        """List the writes that were cut short and then finished or rolled back, oldest first."""
        found: list[Recovered] = []
        for line in read_lines(self._recovered):
            with suppress(ValueError):
                found.append(_read_as(Recovered).validate_python(line))
        return found

    def sweep(self) -> None:
        """Remove what killed writers have left in the journal itself; to be called under the lock."""
        for folder in (self._folder, self._contents):
            for file in folder.glob("*.????????"):
                file.unlink(missing_ok=True)
        for name in {file.name for file in self._contents.iterdir()} - self._needed():
            (self._contents / name).unlink(missing_ok=True)

    def _needed(self, besides: str = "") -> set[str]:
        """List the contents needed to take writes back or to finish them, but for one that is over."""
        under_way = set(self.open()) - {besides}
        entries = self.entries()
        needed = {state.before for entry in entries for state in entry.files}
        needed |= {state.after for entry in entries if entry.id in under_way for state in entry.files}
        return {name for name in needed if name is not None}

    def _keep(self, data: bytes) -> None:
        path = self._contents / content_hash(data)
        if path.exists():
            # Its time says how recently it was needed.
            os.utime(path)
            return
        replace_file(path, data, confirm=False)

    def _lines(self) -> Iterator[Any]:
        try:
            yield from read_lines(self._file)
        except OSError as error:
            raise WriteError(
                "the journal in '{folder}' cannot be read: {reason}",
                "see the setting 'state_dir'",
                folder=self._folder,
                reason=reason_of(error),
            ) from error

    def _prune(self) -> None:
        """Forget the oldest writes beyond the limits."""
        entries, under_way = list(self.entries()), set(self.open())
        sizes = {entry.name: entry.stat().st_size for entry in os.scandir(self._contents)}
        kept: list[Entry] = []
        needed: set[str] = set()
        total = 0
        for entry in reversed(entries):
            more = {state.before for state in entry.files if state.before is not None} - needed
            total += sum(sizes.get(name, 0) for name in more)
            full = len(kept) >= MAX_ENTRIES or total > MAX_BYTES
            if kept and full and entry.id not in under_way:
                break
            kept.append(entry)
            needed |= more
        # Rewriting at every write beyond the limit would cost more than a few entries too many.
        if len(entries) - len(kept) <= MAX_ENTRIES // 10 and sum(sizes.values()) <= MAX_BYTES:
            return
        lines: list[object] = []
        for entry in reversed(kept):
            lines += [_recorded(entry)]
            lines += [{"done": entry.id, "trashed": entry.trashed}] if entry.done else []
        replace_file(self._file, b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        for name in sizes.keys() - self._needed():
            (self._contents / name).unlink(missing_ok=True)


def _recorded(entry: Entry) -> dict[str, Any]:
    return {key: value for key, value in asdict(entry).items() if key not in ("done", "undone")}


@cache
def _read_as(kind: type[T]) -> "TypeAdapter[T]":
    """Return what makes a value of a line; its `validate_python` raises ValueError where that is none."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
