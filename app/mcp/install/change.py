"""Change one entry of a client's configuration file: shown, backed up, made in one step."""

import difflib
import json
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import ConfigError, ConflictError, WriteError
from app.sentences import reason_of

_BLANK = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r'^([ \t]+)"', re.MULTILINE)
_DECODER = json.JSONDecoder()

LARGEST = 64_000_000
"""Most bytes of a configuration file that are read."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object: its name, and where its value stands in the text."""

    name: str
    start: int
    end: int


def with_entry(text: str, block: str, name: str, entry: dict[str, Any]) -> str:
    """Return the text of a JSON object with ``entry`` as member ``name`` of its member ``block``.

    An entry of that name is merged with the new one, whose values win. A blank text counts as ``{}``.

    Raises:
        ConfigError: the text is not plain JSON (it may hold comments), is no object, or names a member
            that matters here twice.
    """
    start = len(text) - len(text.lstrip("\N{ZERO WIDTH NO-BREAK SPACE} \t\r\n"))
    if start == len(text):
        return json.dumps({block: {name: entry}}, ensure_ascii=False, indent=2) + "\n"
    before = _parsed(text[start:])
    blocks = before.get(block, {})
    if not isinstance(blocks, dict):
        raise ConfigError("'{block}' is not an object", "mend the file first", block=block)
    merged = _merged(blocks.get(name), entry)
    layout = _Layout(text)
    found = _only(text, start, block)
    if found is None:
        after = layout.added(start, block, {name: merged}, depth=1)
    elif (old := _only(text, found.start, name)) is None:
        after = layout.added(found.start, name, merged, depth=2)
    elif blocks[name] == merged:
        return text
    else:
        after = text[: old.start] + layout.written(merged, depth=2) + text[old.end :]
    if _parsed(after[start:]) != {**before, block: {**blocks, name: merged}}:
        raise ConfigError("the file is laid out in a way that cannot be kept", "add the entry by hand")
    return after


def _merged(old: object, new: dict[str, Any]) -> dict[str, Any]:
    return {**old, **new} if isinstance(old, dict) else new


def _parsed(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            "the file is not plain JSON, so it is left alone: {reason}", reason=error
        ) from error
    if not isinstance(found, dict):
        raise ConfigError("the file is not a JSON object, so it is left alone")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _only(text: str, start: int, name: str) -> _Member | None:
    """Find a member of the object that starts at ``start``; one that stands there twice is a ConfigError."""
    found = [member for member in _members(text, start) if member.name == name]
    if len(found) > 1:
        raise ConfigError("the file names '{name}' twice, so it is left alone", name=name)
    return found[0] if found else None


def _members(text: str, start: int) -> Iterator[_Member]:
    """Yield the members of an object in valid JSON; ``start`` is at its brace."""
    at = _past_blank(text, start + 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        value = _past_blank(text, _past_blank(text, at) + 1)
        _, end = _DECODER.raw_decode(text, value)
        yield _Member(name, value, end)
        at = _past_blank(text, end)
        if text[at] == ",":
            at = _past_blank(text, at + 1)


def _past_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


class _Layout:
    """How a file is laid out, so that what is added looks like the rest."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._indent = min(_INDENT.findall(text), key=len, default="  ")
        self._newline = "\r\n" if "\r\n" in text else "\n"

    def written(self, value: dict[str, Any], depth: int) -> str:
        """Write a value that stands ``depth`` objects deep."""
        lines = json.dumps(value, ensure_ascii=False, indent=self._indent).split("\n")
        return (self._newline + self._indent * depth).join(lines)

    def added(self, start: int, name: str, value: dict[str, Any], depth: int) -> str:
        """Return the text with a member added at the end of the object that starts at ``start``."""
        line = self._newline + self._indent * depth
        member = f"{line}{json.dumps(name, ensure_ascii=False)}: {self.written(value, depth)}"
        members = list(_members(self._text, start))
        if members:
            end = members[-1].end
            return f"{self._text[:end]},{member}{self._text[end:]}"
        close = _past_blank(self._text, start + 1)
        outer = self._newline + self._indent * (depth - 1)
        return f"{self._text[: start + 1]}{member}{outer}{self._text[close:]}"


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


def entry_in(text: str, block: str, name: str, entry: dict[str, Any], *, is_toml: bool = False) -> str:
    """Return the text of a client's configuration, JSON or TOML, with a server's entry in it."""
    if is_toml:
        from app.mcp.install.table import with_table

        return with_table(text, block, name, entry)
    return with_entry(text, block, name, entry)


def plan_change(
    path: Path, block: str, name: str, entry: dict[str, Any], *, is_toml: bool = False
) -> ConfigChange:
    """Work out a configuration file with a server's entry in it; nothing is written.

    Raises:
        ConfigError: the file cannot be read, or cannot be changed without losing something in it.
    """
    before = read_before(path)
    try:
        text = "" if before is None else before.decode()
        after = entry_in(text, block, name, entry, is_toml=is_toml).encode()
    except (ConfigError, UnicodeDecodeError) as error:
        message = error.message if isinstance(error, ConfigError) else "it is not UTF-8"
        raise ConfigError(
            "'{path}' was not changed: {reason}", "add the entry by hand", path=path, reason=message
        ) from error
    return ConfigChange(path, before, after)


def make_change(change: ConfigChange, *, keep: bool = True) -> Path | None:
    """Write the file, and with ``keep`` put what it held beside it.

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
        backup = _back_up(path) if keep and change.before is not None else None
        _replace(path, change)
    except OSError as error:
        raise WriteError("cannot write '{path}': {reason}", path=path, reason=reason_of(error)) from error
    return backup


def read_before(path: Path) -> bytes | None:
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
    moment = time.strftime("%Y%m%dT%H%M%S")
    for number in range(1, 1000):
        suffix = "" if number == 1 else f"-{number}"
        backup = path.with_name(f"{path.name}.{moment}{suffix}.bak")
        with suppress(FileExistsError):
            backup.touch(mode=0o600, exist_ok=False)
            shutil.copy2(path, backup)
            return backup
    raise WriteError("cannot back up '{path}'", "there are too many backups of this second", path=path)


def _replace(path: Path, change: ConfigChange) -> None:
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(change.after)
            file.flush()
            os.fsync(descriptor)
            if change.before is not None:
                os.fchmod(descriptor, stat.S_IMODE(path.stat().st_mode))
        if read_before(path) != change.before:
            raise ConflictError(
                "'{path}' changed meanwhile, so nothing was written", "run it again", path=path
            )
        os.replace(temporary, path)  # noqa: PTH105 - a name, not a path
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)  # noqa: PTH108
