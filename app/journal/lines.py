"""Where a vault's journal lies, and its files: lines of JSON, for their owner alone, whole after a crash."""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.system import flags


def journal_folder(root: Path, state: Path) -> Path:
    """Return where the journal of a vault lies, whether it is there or not."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", root.name).strip("-")[:40] or "vault"
    key = hashlib.blake2b(os.fsencode(root), digest_size=8).hexdigest()
    return state / "journal" / f"{name}-{key}"


def open_writes(folder: Path) -> list[str]:
    """List the writes of a journal that are not over, by name.

    Raises:
        OSError: the folder is there and cannot be listed.
    """
    try:
        return sorted(os.listdir(folder / "open"))  # noqa: PTH208 - every command asks, and this is quickest
    except FileNotFoundError:
        return []


def is_any_open(folder: Path) -> bool:
    """Find out whether a journal has writes that are not over; true as well where it cannot be read."""
    try:
        return bool(open_writes(folder))
    except OSError:
        return True


def append_line(file: Path, value: object) -> None:
    """Add a value to a file of lines, and have the disk confirm it.

    Raises:
        OSError: it could not be added whole; a piece of it is read as no line.
    """
    descriptor = os.open(file, flags("RDWR", "CREAT", "APPEND"), 0o600)
    try:
        size = os.fstat(descriptor).st_size
        torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
        view = memoryview(b"\n" * torn + json.dumps(value).encode() + b"\n")
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_lines(file: Path) -> Iterator[Any]:
    """Read the values in a file of lines; nothing where there is no file."""
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return
    for line in data.split(b"\n"):
        # A line that a crash cut short is no line.
        with suppress(ValueError):
            yield json.loads(line)
