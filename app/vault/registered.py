"""The vaults that Obsidian itself knows, by the list it keeps of them."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LIST = Path("obsidian", "obsidian.json")
"""Obsidian's list, in its own configuration folder."""


def registered_vaults() -> list[Path]:
    """Return the folders of Obsidian's vaults that are there, the one opened last first."""
    found: dict[Path, float] = {}
    for place in _places():
        for path, when in _read(place):
            if path.is_dir():
                found[path] = max(when, found.get(path, 0.0))
    return sorted(found, key=lambda path: (-found[path], path))


def _places() -> Iterator[Path]:
    """Yield where the list may lie: as Obsidian was installed, and on whichever system."""
    home = Path.home()
    for name in ("XDG_CONFIG_HOME", "APPDATA"):
        if folder := os.environ.get(name):
            yield Path(folder) / LIST
    yield home / ".config" / LIST
    yield home / ".var/app/md.obsidian.Obsidian/config" / LIST
    yield home / "snap/obsidian/current/.config" / LIST
    yield home / "Library/Application Support" / LIST


def _read(place: Path) -> Iterator[tuple[Path, float]]:
    """Yield the folders in a list, and when each was opened; of what is no list, nothing."""
    try:
        data: Any = json.loads(place.read_bytes())
    except (OSError, ValueError, RecursionError):
        return
    vaults = data.get("vaults") if isinstance(data, dict) else None
    for entry in vaults.values() if isinstance(vaults, dict) else ():
        path, when = (entry.get("path"), entry.get("ts")) if isinstance(entry, dict) else (None, None)
        if isinstance(path, str) and "\0" not in path and Path(path).is_absolute():
            yield Path(path), float(when) if isinstance(when, int | float) else 0.0
