"""What a relative path means: in a configuration file it starts from the folder of that file."""

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

PATHS: tuple[tuple[str, ...], ...] = (
    ("vault",),
    ("vaults", "*", "path"),
    ("cache_dir",),
    ("state_dir",),
    ("token_file",),
)
"""Settings that name a folder or a file; a star stands for every name."""

MODELS: tuple[tuple[str, ...], ...] = (
    ("index", "indexes", "*", "embedding_model"),
    ("vaults", "*", "index", "indexes", "*", "embedding_model"),
    ("deep", "reranker"),
    ("ask_judge",),
)
"""Settings that name a model on this machine, which may be a folder."""

_REMOTE = re.compile(r"[a-z][\w-]*:[^/\\\s]\S*")


def absolute_values(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the values of a configuration file in `folder`, with its relative paths made absolute."""
    changed: Any = values
    for keys in PATHS:
        changed = _changed(changed, keys, partial(_path_from, folder))
    for keys in MODELS:
        changed = _changed(
            changed, keys, lambda name: str(folder / name) if name.startswith(("./", "../")) else name
        )
    named = values.get("vault")
    # The vault may also be the name of one of the further vaults, or of several.
    for names in (values.get("vaults"), values.get("groups")):
        if isinstance(named, str) and isinstance(names, dict) and named in names:
            changed["vault"] = named
    return dict(changed)


def destinations(values: dict[str, Any], folder: Path) -> list[str]:
    """Return where the paths in a configuration file lead, symbolic links followed, in a fixed order."""
    found: list[str] = []

    def follow(text: str) -> str:
        try:
            found.append(os.path.realpath(text))
        except ValueError:
            # It cannot be a path, which is said where the value is checked.
            found.append(text)
        return text

    absolute = absolute_values(values, folder)
    for keys in PATHS:
        _changed(absolute, keys, follow)
    for keys in MODELS:
        _changed(absolute, keys, lambda name: follow(str(model_folder(name) or name)))
    return found


def model_folder(name: str) -> Path | None:
    """Return the folder that a model's name means: one that begins with ``/``, ``./``, ``../`` or ``~``.

    Anything else is a name, whatever folders there are in the working folder, which may be anybody's.
    """
    if not name.startswith((os.sep, "./", "../", "~")):
        return None
    try:
        return Path(name).expanduser()
    except RuntimeError:
        # No such user, so no such folder.
        return Path(name)


def is_remote(name: str) -> bool:
    """Return whether a model's name is that of one behind a server, such as ``ollama:bge-m3``."""
    return _REMOTE.fullmatch(name) is not None


def _changed(values: Any, keys: tuple[str, ...], change: Callable[[str], str]) -> Any:  # noqa: ANN401
    """Return values as JSON has them, with the text at the keys changed."""
    if not keys:
        return change(values) if isinstance(values, str) else values
    if not isinstance(values, dict):
        return values
    return {
        name: _changed(value, keys[1:], change) if keys[0] in ("*", name) else value
        for name, value in values.items()
    }


def _path_from(folder: Path, text: str) -> str:
    try:
        return str(folder / Path(text).expanduser())
    except RuntimeError:
        # No such user: said where the value is checked.
        return text
