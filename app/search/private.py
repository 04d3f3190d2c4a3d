"""Files that are this user's alone: made so, checked before they are trusted, and short records in them."""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

from app.config.folders import replace_file

MOST_RECORD_BYTES = 256 << 20
WRITTEN_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def private_folder(path: Path) -> None:
    """Make a folder for this user alone, and those above it that are not there."""
    if not path.is_dir():
        private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


def write_record(path: Path, value: object) -> None:
    """Keep a value as JSON beside its sum, in one step."""
    replace_file(path, json.dumps({"value": value, "sum": _sum(value)}, ensure_ascii=False).encode())


def read_record(path: Path) -> Any:  # noqa: ANN401 - what `write_record` was given
    """Read a value back; None where there is no record, or one whose sum does not hold."""
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(MOST_RECORD_BYTES))
        return found["value"] if found["sum"] == _sum(found["value"]) else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def _sum(value: object) -> int:
    return crc32(json.dumps(value, sort_keys=True).encode())


def foreign_owner(path: Path) -> str:
    """Say whose a file or folder is, or the link to it, where it is not this user's; else empty."""
    for found in (path.lstat(), path.stat()):
        if found.st_uid != os.geteuid():
            return f"'{path}' belongs to another user ({found.st_uid})"
    return ""


def why_foreign(path: Path) -> str:
    """Say why a file or folder cannot be trusted to be this user's own work; empty where it can."""
    return foreign_owner(path) or (
        f"others may write '{path}'" if path.stat().st_mode & WRITTEN_BY_OTHERS else ""
    )


def why_foreign_inside(folder: Path) -> str:
    """Say why a folder and all in it cannot be trusted to be this user's own work; empty where it can."""
    for path in (folder, *_all_in(folder)):
        try:
            if path.is_symlink():
                return f"'{path}' is a link"
            if reason := why_foreign(path):
                return reason
        except FileNotFoundError:
            # Another process has just removed it.
            continue
    return ""


def _all_in(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        yield from (Path(parent, name) for name in (*folders, *files))
