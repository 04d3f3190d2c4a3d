"""What stood there before each write, kept outside the vault so that a write can be taken back."""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from app.dependencies import VaultClient
from app.errors import WriteError
from app.files import content_hash
from app.notes.models import Entry, FileState

MAX_ENTRIES = 1000
MAX_BYTES = 200_000_000
"""Most that is kept of earlier contents; the newest write is kept whatever its size."""
LOCK_SECONDS = 10.0


class Journal:
    """The writes to one vault, oldest first, and the contents they replaced.

    A write is recorded before it is done and marked afterwards, so that one cut short by a crash can be
    taken back too. Files are for their owner alone. Beyond `MAX_ENTRIES` or `MAX_BYTES` the oldest go.

    Args:
        vault: The vault; its settings say where journals are kept.

    Raises:
        WriteError: the settings would put the journal into the vault.
    """

    def __init__(self, vault: VaultClient) -> None:
        state = vault.settings.state_folder.resolve()
        if state.is_relative_to(vault.root):
            raise WriteError(
                f"the journal would lie in the vault, at '{state}'", "change the setting 'state_dir'"
            )
        name = re.sub(r"[^A-Za-z0-9]+", "-", vault.name).strip("-")[:40] or "vault"
        key = hashlib.blake2b(os.fsencode(vault.root), digest_size=8).hexdigest()
        self._folder = state / "journal" / f"{name}-{key}"
        self._file = self._folder / "writes.jsonl"
        self._contents = self._folder / "contents"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep every other writer of this vault, in any process of ours, waiting.

        Raises:
            WriteError: another one does not end in time, or the folder cannot be made.
        """
        try:
            for folder in (self._folder.parent, self._folder, self._contents):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with FileLock(self._folder / "lock", timeout=LOCK_SECONDS, mode=0o600):
                yield
        except Timeout as error:
            raise WriteError("another process is writing to this vault", "try again in a moment") from error
        except OSError as error:
            raise WriteError(
                f"the journal in '{self._folder}' cannot be written: {error.strerror or error}",
                "without it nothing is written; see the setting 'state_dir'",
            ) from error

    def entries(self) -> tuple[Entry, ...]:
        """List the writes that were not given up, oldest first, with those marked that were taken back."""
        entries: dict[str, Entry] = {}
        undone: set[str] = set()
        for line in self._lines():
            match line:
                case {"id": str(name), "files": list()}:
                    with suppress(TypeError):
                        entries[name] = _entry(line)
                case {"given_up": str(name)}:
                    entries.pop(name, None)
                case {"done": str(name), **rest}:
                    if (entry := entries.get(name)) is not None:
                        undone.update(entry.undoes)
                        where = rest.get("trashed")
                        entries[name] = replace(entry, trashed=where if isinstance(where, str) else None)
        return tuple(replace(entry, undone=entry.id in undone) for entry in entries.values())

    def content(self, name: str) -> bytes:
        """Give a content that was replaced, by its hash.

        Raises:
            WriteError: it is not kept any more.
        """
        try:
            data = (self._contents / name).read_bytes()
        except FileNotFoundError as error:
            raise WriteError(f"the earlier content {name} is not kept any more") from error
        if content_hash(data) != name:
            raise WriteError(f"the earlier content {name} is damaged")
        return data

    def begin(self, entry: Entry, contents: Sequence[bytes]) -> None:
        """Record a write that is about to be done, with the contents it replaces."""
        for data in contents:
            self._keep(data)
        self._append({key: value for key, value in asdict(entry).items() if key != "undone"})

    def finish(self, entry: Entry, trashed: str | None = None) -> None:
        """Record that a write was done, and where in the vault a deleted note went.

        Raises:
            WriteError: it cannot be recorded; the write is done none the less.
        """
        try:
            self._append({"done": entry.id, "trashed": trashed})
            self._prune()
        except OSError as error:
            raise WriteError(
                f"{entry.operation} was done, but the journal in '{self._folder}' could not be completed: "
                f"{error.strerror or error}",
                "do not repeat it; 'undo' can take it back",
            ) from error

    def give_up(self, entry: Entry) -> None:
        """Record that a write was not done, or that all of it was put back at once."""
        self._append({"given_up": entry.id})

    def _keep(self, data: bytes) -> None:
        path = self._contents / content_hash(data)
        if path.exists():
            # Its time says how recently it was needed.
            os.utime(path)
            return
        _write_private(path, data)

    def _lines(self) -> Iterator[Any]:
        try:
            data = self._file.read_bytes()
        except FileNotFoundError:
            return
        for line in data.split(b"\n"):
            # A line that a crash cut short is no line.
            with suppress(ValueError):
                yield json.loads(line)

    def _append(self, value: object) -> None:
        descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
            os.write(descriptor, b"\n" * torn + json.dumps(value).encode() + b"\n")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _prune(self) -> None:
        """Forget the oldest writes beyond the limits."""
        entries = list(self.entries())
        sizes = {entry.name: entry.stat().st_size for entry in os.scandir(self._contents)}
        kept: list[Entry] = []
        needed: set[str] = set()
        total = 0
        for entry in reversed(entries):
            more = {state.before for state in entry.files if state.before is not None} - needed
            total += sum(sizes.get(name, 0) for name in more)
            if kept and (len(kept) >= MAX_ENTRIES or total > MAX_BYTES):
                break
            kept.append(entry)
            needed |= more
        # Rewriting at every write beyond the limit would cost more than a few entries too many.
        if len(entries) - len(kept) <= MAX_ENTRIES // 10 and sum(sizes.values()) <= MAX_BYTES:
            return
        lines: list[object] = []
        for entry in reversed(kept):
            lines += [{key: value for key, value in asdict(entry).items() if key != "undone"}]
            lines += [{"done": entry.id, "trashed": entry.trashed}]
        _write_private(self._file, b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        for name in sizes.keys() - needed:
            (self._contents / name).unlink(missing_ok=True)


def _entry(line: Any) -> Entry:  # noqa: ANN401
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in line.items()
    }
    values["files"] = tuple(FileState(**state) for state in line["files"])
    return Entry(**values)


def _write_private(path: Path, data: bytes) -> None:
    temporary = path.with_name(f"{path.name}.{os.urandom(4).hex()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
