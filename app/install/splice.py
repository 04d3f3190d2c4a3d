"""Put one entry into a JSON file and leave every other character as it is."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.errors import ConfigError

_BLANK = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r'^([ \t]+)"', re.MULTILINE)
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object: its name, and where its value stands in the text."""

    name: str
    start: int
    end: int


def with_entry(text: str, block: str, name: str, entry: dict[str, Any]) -> str:
    """Give the text of a JSON object with ``entry`` as member ``name`` of its member ``block``.

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
        raise ConfigError(f"'{block}' is not an object", "mend the file first")
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
        raise ConfigError(f"the file is not plain JSON, so it is left alone: {error}") from error
    if not isinstance(found, dict):
        raise ConfigError("the file is not a JSON object, so it is left alone")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _only(text: str, start: int, name: str) -> _Member | None:
    """Find a member of the object that starts at ``start``; one that stands there twice is a ConfigError."""
    found = [member for member in _members(text, start) if member.name == name]
    if len(found) > 1:
        raise ConfigError(f"the file names '{name}' twice, so it is left alone")
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
        """Give the text with a member added at the end of the object that starts at ``start``."""
        line = self._newline + self._indent * depth
        member = f"{line}{json.dumps(name, ensure_ascii=False)}: {self.written(value, depth)}"
        members = list(_members(self._text, start))
        if members:
            end = members[-1].end
            return f"{self._text[:end]},{member}{self._text[end:]}"
        close = _past_blank(self._text, start + 1)
        outer = self._newline + self._indent * (depth - 1)
        return f"{self._text[: start + 1]}{member}{outer}{self._text[close:]}"
