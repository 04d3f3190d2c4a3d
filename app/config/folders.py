"""The user's own folders, and small files in them, read with care about whose they are."""

import errno
import os
import secrets
import stat
from pathlib import Path
from typing import BinaryIO, NamedTuple

import platformdirs

from app.errors import ConfigError
from app.sentences import reason_of
from app.system import CREATE_FLAGS, flags, own_user

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
        if nearest.stat().st_uid != own_user():
            return False
    except (OSError, ValueError):
        return False
    places = (Path.home(), config_folder().parent, cache_folder().parent, state_folder().parent)
    # Where the home folder is the root of the disk, as in some containers, lying below it says nothing.
    return any(lies_in(real, place) for place in places if place.resolve() != Path(place.anchor))


class SmallFile(NamedTuple):
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
        descriptor = os.open(path, flags("RDONLY", "NONBLOCK"))
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            _check(path, found)
            data = file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError(error.errno, error.strerror, str(path)) from error
    except OSError as error:
        raise ConfigError("cannot read '{path}': {reason}", path=path, reason=reason_of(error)) from error
    if len(data) > MAX_BYTES:
        raise ConfigError("'{path}' is larger than {max_bytes} bytes", path=path, max_bytes=MAX_BYTES)
    return SmallFile(data, found)


def create_file(path: Path) -> BinaryIO:
    """Create a file for this user alone; no link that stands in its place is followed.

    Raises:
        FileExistsError: something has that name.
    """
    return os.fdopen(os.open(path, CREATE_FLAGS, 0o600), "w+b")


def replace_file(path: Path, data: bytes, *, confirm: bool = True) -> None:
    """Put a file in its place in one step, for this user alone, whole on the disk before it has its name.

    Until then its name ends in a full stop and eight characters more; that is what a process that was killed
    leaves behind. A failure leaves nothing.

    Args:
        path: The file, in a folder of the user's own.
        data: What it holds from then on.
        confirm: Whether to have the disk confirm the name too; a caller who writes several files calls
            `sync_folder` itself instead, once.
    """
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        with create_file(new) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        # Whatever stops the writing, an interrupt too, leaves no half-written file behind.
        new.unlink(missing_ok=True)
        raise
    if confirm:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have the disk confirm the names in a folder, where it can."""
    descriptor = os.open(folder, flags("RDONLY", "DIRECTORY"))
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def _check(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise ConfigError("'{path}' is not a regular file", path=path)
