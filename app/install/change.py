"""A change to a client's configuration file: shown, backed up, and made in one step."""

import difflib
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import ConfigError, ConflictError, WriteError
from app.install.splice import with_entry

LARGEST = 64_000_000
"""Most bytes of a configuration file that are read."""


@dataclass(frozen=True, slots=True)
class Change:
    """A file and what it is to hold; ``before`` is None where there is no file yet."""

    path: Path
    before: bytes | None
    after: bytes

    @property
    def diff(self) -> str:
        """The change as a unified diff; empty where there is none."""
        old = (self.before or b"").decode().splitlines(keepends=True)
        new = self.after.decode().splitlines(keepends=True)
        lines = difflib.unified_diff(old, new, str(self.path), str(self.path))
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def plan_change(path: Path, block: str, name: str, entry: dict[str, Any]) -> Change:
    """Work out a configuration file with a server's entry in it; nothing is written.

    Raises:
        ConfigError: the file cannot be read, or cannot be changed without losing something in it.
    """
    before = _read(path)
    try:
        text = "" if before is None else before.decode()
        after = with_entry(text, block, name, entry).encode()
    except (ConfigError, UnicodeDecodeError) as error:
        message = error.message if isinstance(error, ConfigError) else "it is not UTF-8"
        raise ConfigError(f"'{path}' was not changed: {message}", "add the entry by hand") from error
    return Change(path, before, after)


def make_change(change: Change) -> Path | None:
    """Write the file, and keep what it held beside it.

    Returns:
        The backup; None where there was no file.

    Raises:
        ConflictError: the file changed since the change was worked out; nothing was written.
        WriteError: the disk refuses.
    """
    # Where dotfiles are kept elsewhere, the file is a link; it stays one.
    path = Path(os.path.realpath(change.path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        backup = None if change.before is None else _back_up(path)
        _replace(path, change)
    except OSError as error:
        raise WriteError(f"cannot write '{path}': {error.strerror}") from error
    return backup


def _read(path: Path) -> bytes | None:
    try:
        if path.stat().st_size > LARGEST or not stat.S_ISREG(path.stat().st_mode):
            raise ConfigError(f"'{path}' is no configuration file: too large, or not a regular file")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"cannot read '{path}': {error.strerror}") from error


def _back_up(path: Path) -> Path:
    """Copy a file beside itself under a name of its own, permissions included."""
    moment = time.strftime("%Y%m%dT%H%M%S")
    for number in range(1, 1000):
        suffix = "" if number == 1 else f"-{number}"
        backup = path.with_name(f"{path.name}.{moment}{suffix}.bak")
        with suppress(FileExistsError):
            backup.touch(mode=0o600, exist_ok=False)
            shutil.copy2(path, backup)
            return backup
    raise WriteError(f"cannot back up '{path}'", "there are too many backups of this second")


def _replace(path: Path, change: Change) -> None:
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(change.after)
            file.flush()
            os.fsync(descriptor)
            if change.before is not None:
                os.fchmod(descriptor, stat.S_IMODE(path.stat().st_mode))
        if _read(path) != change.before:
            raise ConflictError(f"'{path}' changed meanwhile, so nothing was written", "run it again")
        os.replace(temporary, path)  # noqa: PTH105 - a name, not a path
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)  # noqa: PTH108
