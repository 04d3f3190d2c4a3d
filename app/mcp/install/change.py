"""Change one entry of a client's configuration file, JSON or TOML: shown, backed up, made in one step."""

import difflib
import json
import os
import re
import shutil
import stat
import time
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.config.folders import replace_file
from app.errors import ConfigError, ConflictError, WriteError
from app.sentences import reason_of

LARGEST = 64_000_000
"""Most bytes of a configuration file that are read."""
_INDENT = re.compile(r'^([ \t]+)"', re.MULTILINE)
Data = dict[str, Any]


def entry_in(text: str, block: str, name: str, entry: Data, *, is_toml: bool = False) -> str:
    """Return the text of a client's configuration with ``entry`` as member ``name`` of its ``block``.

    An entry of that name is merged with the new one, whose values win. All else keeps its value; TOML keeps
    its layout and comments too, and JSON is written anew with its indentation.

    Raises:
        ConfigError: the text is not plain JSON (it may hold comments), or no TOML; a name stands twice in an
            object, or the block holds something else than entries.
    """
    loads = tomllib.loads if is_toml else _json
    try:
        before = loads(text) if text.strip() or is_toml else {}
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            "the file is not TOML, so it is left alone: {reason}"
            if is_toml
            else "the file is not plain JSON, so it is left alone: {reason}",
            reason=error,
        ) from error
    entries = before.get(block, {}) if isinstance(before, dict) else None
    if not isinstance(entries, dict):
        raise ConfigError("'{block}' is not an object", "mend the file first", block=block)
    old = entries.get(name)
    merged = {**old, **entry} if isinstance(old, dict) else entry
    if old == merged:
        return text
    wanted = {**before, block: {**entries, name: merged}}
    after = _toml(text, block, name, entry) if is_toml else _laid_out(wanted, text)
    with suppress(ValueError):
        if loads(after) == wanted:
            return after
    raise ConfigError("the file is laid out in a way that cannot be kept", "add the entry by hand")


def _json(text: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    def only_once(members: list[tuple[str, Any]]) -> Data:
        if len(found := dict(members)) < len(members):
            raise ValueError("a name stands twice in an object")
        return found

    return json.loads(text, object_pairs_hook=only_once)


def _laid_out(value: Data, text: str) -> str:
    indent = min(_INDENT.findall(text), key=len, default="  ")
    return json.dumps(value, ensure_ascii=False, indent=indent) + "\n"


def _toml(text: str, block: str, name: str, entry: Data) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        file: Any = tomlkit.parse(text)
        known = file.setdefault(block, tomlkit.table(is_super_table=True))
        if name not in known:
            known[name] = tomlkit.table()
        known[name].update(entry)
        return tomlkit.dumps(file)
    except (TOMLKitError, ValueError, AttributeError):
        return ""


@dataclass(frozen=True, slots=True)
class ConfigChange:
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


def plan_change(path: Path, block: str, name: str, entry: Data, *, is_toml: bool = False) -> ConfigChange:
    """Work out a configuration file with a server's entry in it; nothing is written.

    Raises:
        ConfigError: the file cannot be read, or cannot be changed without losing something in it.
    """
    before = _read_before(path)
    try:
        after = entry_in((before or b"").decode(), block, name, entry, is_toml=is_toml).encode()
    except (ConfigError, UnicodeDecodeError) as error:
        message = error.message if isinstance(error, ConfigError) else "it is not UTF-8"
        raise ConfigError(
            "'{path}' was not changed: {reason}", "add the entry by hand", path=path, reason=message
        ) from error
    return ConfigChange(path, before, after)


def make_change(change: ConfigChange) -> Path | None:
    """Write the file, and put what it held beside it.

    Returns:
        The backup; None where there is none.

    Raises:
        ConflictError: the file changed since the change was worked out; nothing was written.
        WriteError: the disk refuses.
    """
    # Where dotfiles are kept elsewhere, the file is a link; it stays one.
    path = Path(os.path.realpath(change.path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if _read_before(path) != change.before:
            raise ConflictError(
                "'{path}' changed meanwhile, so nothing was written", "run it again", path=path
            )
        if change.before is None:
            replace_file(path, change.after)
            return None
        backup = _back_up(path)
        mode = stat.S_IMODE(path.stat().st_mode)
        replace_file(path, change.after)
        path.chmod(mode)
    except OSError as error:
        raise WriteError("cannot write '{path}': {reason}", path=path, reason=reason_of(error)) from error
    return backup


def _read_before(path: Path) -> bytes | None:
    """Read a file that is to be changed; None where there is none.

    Raises:
        ConfigError: it is too large, no regular file, or cannot be read.
    """
    try:
        if path.stat().st_size > LARGEST or not stat.S_ISREG(path.stat().st_mode):
            raise ConfigError(
                "'{path}' is no configuration file: too large, or not a regular file", path=path
            )
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError("cannot read '{path}': {reason}", path=path, reason=reason_of(error)) from error


def _back_up(path: Path) -> Path:
    """Copy a file beside itself under a name of its own, permissions included."""
    backup = path.with_name(f"{path.name}.{time.strftime('%Y%m%dT%H%M%S')}.bak")
    backup.touch(mode=0o600, exist_ok=False)
    shutil.copy2(path, backup)
    return backup
