"""The folders whose configuration file a person accepted, and the content that was accepted."""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout

from app.config.folders import is_same, read_small, replace_file, state_folder
from app.errors import ConfigError
from app.sentences import reason_of
from app.system import own_user

FILE_NAME = "trusted.json"
LOCK_SECONDS = 10.0
OTHERS_MAY_WRITE = 0o022

Standing = Literal["trusted", "changed", "unknown"]
"""What the record says of a folder's file: accepted as it is, accepted with other content, or nothing."""


@dataclass(frozen=True, slots=True)
class Trusted:
    """A folder whose configuration file was accepted."""

    folder: str
    """Absolute, symbolic links resolved."""
    sha256: str
    """Digest of what was accepted, in hexadecimal."""
    when: str
    """Local time with its offset from UTC, such as ``2025-07-14T09:30:00+02:00``."""


def record_path() -> Path:
    """Return where the record lies: a place that no setting and no file moves."""
    return state_folder() / FILE_NAME


def trusted_folders() -> tuple[Trusted, ...]:
    """Return what was accepted, in the order in which it was.

    Raises:
        ConfigError: the record is damaged, or somebody else could have written it.
    """
    path = record_path()
    try:
        found = read_small(path)
    except FileNotFoundError:
        return ()
    if found.stat.st_uid != own_user() or found.stat.st_mode & OTHERS_MAY_WRITE:
        raise ConfigError(
            "the record of trusted folders '{path}' is not yours alone to write",
            "delete it, and trust your folders again",
            path=path,
        )
    try:
        return tuple(Trusted(**entry) for entry in json.loads(found.data)["folders"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ConfigError(
            "the record of trusted folders '{path}' is damaged: {reason}",
            "delete it, and trust your folders again",
            path=path,
            reason=error,
        ) from error


def standing_of(folder: Path, content: bytes) -> Standing:
    """Return how a folder's file with this content stands; raises as `trusted_folders` does."""
    entry = next((entry for entry in trusted_folders() if _is_of(entry, folder)), None)
    if entry is None:
        return "unknown"
    return "trusted" if entry.sha256 == _digest(content) else "changed"


def trust(folder: Path, content: bytes) -> None:
    """Remember that a folder's file was accepted with this content, and forget any earlier one.

    Raises:
        ConfigError: as for `trusted_folders`, or the record cannot be written.
    """
    with _locked():
        others = [entry for entry in trusted_folders() if not _is_of(entry, folder)]
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        _write([*others, Trusted(os.path.realpath(folder), _digest(content), now)])


def revoke(folder: Path) -> bool:
    """Forget what was accepted for a folder, which need not exist any more; tell whether anything was.

    Raises:
        ConfigError: as for `trust`.
    """
    with _locked():
        before = trusted_folders()
        after = [entry for entry in before if not _is_of(entry, folder)]
        if len(after) < len(before):
            _write(after)
        return len(after) < len(before)


def _is_of(entry: Trusted, folder: Path) -> bool:
    return entry.folder == os.path.realpath(folder) or is_same(Path(entry.folder), folder)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@contextmanager
def _locked() -> Iterator[None]:
    path = record_path()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=LOCK_SECONDS, mode=0o600):
            yield
    except Timeout as error:
        raise ConfigError(
            "another process is writing '{path}'", "try again in a moment", path=path
        ) from error
    except OSError as error:
        raise ConfigError("cannot write '{path}': {reason}", path=path, reason=reason_of(error)) from error


def _write(entries: Sequence[Trusted]) -> None:
    """Replace the record in one step, for its owner alone."""
    path = record_path()
    text = json.dumps({"folders": [asdict(entry) for entry in entries]}, indent=2)
    replace_file(path, text.encode() + b"\n")
