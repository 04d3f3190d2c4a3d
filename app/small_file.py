"""Read a file that should be small and plain, whoever may have put something else in its place."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from app.errors import ConfigError

MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class SmallFile:
    """The bytes of a file, and its owner and mode when they were read."""

    data: bytes
    stat: os.stat_result


def read_small(path: Path) -> SmallFile:
    """Read a regular file of at most `MAX_BYTES`; a symbolic link to one is followed.

    Raises:
        FileNotFoundError: nothing is there.
        ConfigError: it is something else than a file, too large, or not to be read.
    """
    try:
        # A device may act when it is opened, so it is looked at first; opening a FIFO would wait for ever.
        _check(path, path.stat())
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            _check(path, found)
            data = file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError(f"no file '{path}'") from error
    except OSError as error:
        raise ConfigError(f"cannot read '{path}': {error.strerror or error}") from error
    if len(data) > MAX_BYTES:
        raise _too_large(path)
    return SmallFile(data, found)


def _check(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise ConfigError(f"'{path}' is not a regular file")
    if found.st_size > MAX_BYTES:
        raise _too_large(path)


def _too_large(path: Path) -> ConfigError:
    return ConfigError(f"'{path}' is larger than {MAX_BYTES} bytes")
