"""The user's own folders, and small files in them, read with care about whose they are."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from app.errors import ConfigError

APP_NAME = "vault-assistant"

MAX_BYTES = 1_000_000


def config_folder() -> Path:
    """Return the folder of the person's own configuration file."""
    return Path(platformdirs.user_config_dir(APP_NAME, appauthor=False))


def cache_folder() -> Path:
    """Return the folder in which indexes are kept unless a setting says otherwise."""
    return Path(platformdirs.user_cache_dir(APP_NAME, appauthor=False))


def state_folder() -> Path:
    """Return the folder of journals and logs unless a setting says otherwise; trust is always kept in it."""
    return Path(platformdirs.user_state_dir(APP_NAME, appauthor=False))


def is_same(one: Path, other: Path) -> bool:
    """Return whether two paths name one file or folder; what does not exist is the same as nothing."""
    try:
        return one.samefile(other)
    except OSError:
        return False


def lies_in(path: Path, folder: Path) -> bool:
    """Return whether a path, which need not exist, is a folder or lies below it, symbolic links followed."""
    real = Path(os.path.realpath(path))
    # By identity: on some disks one folder answers to names of different case.
    return any(is_same(one, folder) for one in (real, *real.parents))


def is_own(path: Path) -> bool:
    """Tell whether a path lies below the person's home, cache, state or configuration folder, and is theirs.

    What does not exist yet belongs to the owner of the nearest folder above it.
    """
    try:
        real = Path(os.path.realpath(path))
        nearest = next(one for one in (real, *real.parents) if one.exists())
        if nearest.stat().st_uid != os.geteuid():
            return False
    except (OSError, ValueError):
        return False
    places = (Path.home(), config_folder().parent, cache_folder().parent, state_folder().parent)
    # Where the home folder is the root of the disk, as in some containers, lying below it says nothing.
    return any(lies_in(real, place) for place in places if place.resolve() != Path(place.anchor))


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
