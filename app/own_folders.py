"""The folders that the system gives this program below the person's own, and which folders are theirs."""

import os
from pathlib import Path

import platformdirs

APP_NAME = "vault-assistant"


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
    """Tell whether two paths name one file or folder; what does not exist is the same as nothing."""
    try:
        return one.samefile(other)
    except OSError:
        return False


def lies_in(path: Path, folder: Path) -> bool:
    """Tell whether a path, which need not exist, is a folder or lies below it, symbolic links followed."""
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
