"""The values of a base: what a property holds, a link, a length of time; how they compare and are written."""

import calendar
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Protocol, TypeAlias

from app.markdown.targets import Target, read_wikilink
from app.vault.dates import parse_day
from app.vault.paths import path_key

MOST_TEXT = 10_000
"""Longest text, and longest list, that a formula makes."""
MOST_COMPARED = 200
MOST_DEPTH = 2
"""Items of a list, and lists within lists, that are compared and written: formulas can make many of few."""
_LINK = re.compile(r"\[\[([^\[\]\n]{1,500})\]\]")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]+)?Z?)?")
_LENGTH = re.compile(r"\s*([-+]?[0-9]{1,9}(?:\.[0-9]{1,9})?)\s*([A-Za-z]+)")
_MONTHS = {"y": 12, "year": 12, "years": 12, "M": 1, "month": 1, "months": 1}
_SECONDS = {
    **dict.fromkeys(("w", "week", "weeks"), 604_800),
    **dict.fromkeys(("d", "day", "days"), 86_400),
    **dict.fromkeys(("h", "hour", "hours"), 3600),
    **dict.fromkeys(("m", "minute", "minutes"), 60),
    **dict.fromkeys(("s", "second", "seconds"), 1),
}


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it is written; ``found`` is the file it leads to, None where there is none to show."""

    target: Target
    source: str
    found: str | None

    @property
    def said(self) -> str:
        """What it is shown as."""
        return self.target.display or self.target.file or self.target.subpath


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time; months have no fixed number of seconds."""

    months: float
    seconds: float


class FileName(str):
    """The name of a file, with its ending. It equals a text with the ending, and one without ``.md``."""

    __slots__ = ()


class AFile(Protocol):
    """A file of the vault, as a value."""

    @property
    def path(self) -> str:
        """Where it lies."""


Value: TypeAlias = (
    "str | int | float | bool | datetime | Link | Length | AFile | list[Value] | dict[str, Value] | None"
)


def is_number(value: Value) -> bool:
    """Return whether a value is a number, which yes and no are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def finite(value: float) -> Value:
    """Return a number as it can be shown: none for what is infinite, whole where it has no fraction."""
    if isinstance(value, int) and abs(value) < 2**63:
        return value
    try:
        number = float(value)
    except OverflowError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def moment(value: Value) -> datetime | None:
    """Read a value as a day or a time of a day; the one that is written, whatever its zone."""
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not _MOMENT.fullmatch(value.strip()):
        return None
    try:
        return datetime.fromisoformat(value.strip().removesuffix("Z")[:19])
    except ValueError:
        day = parse_day(value)
        return datetime(day.year, day.month, day.day) if day else None


def length(text: Value) -> Length | None:
    """Read a length of time, such as ``2 weeks`` or ``1h 30m``."""
    if isinstance(text, Length):
        return text
    if not isinstance(text, str) or len(text) > 100:
        return None
    months = seconds = 0.0
    at = 0
    while found := _LENGTH.match(text, at):
        unit = found[2] if len(found[2]) == 1 else found[2].lower()
        if unit in _MONTHS:
            months += float(found[1]) * _MONTHS[unit]
        elif unit in _SECONDS:
            seconds += float(found[1]) * _SECONDS[unit]
        else:
            return None
        at = found.end()
    return Length(months, seconds) if at and not text[at:].strip() else None


def later(start: datetime, by: Length, sign: int) -> datetime | None:
    """Return a moment so much later, or earlier; None where the calendar ends before."""
    try:
        month = start.year * 12 + start.month - 1 + sign * int(by.months)
        year, month = month // 12, month % 12 + 1
        day = min(start.day, calendar.monthrange(year, month)[1])
        return start.replace(year=year, month=month, day=day) + timedelta(seconds=sign * by.seconds)
    except (ValueError, OverflowError, calendar.IllegalMonthError):
        return None


def is_true(value: Value) -> bool:
    """Return what a value counts as in a condition: nothing, nought and what is empty are no."""
    return bool(value) if isinstance(value, str | int | float | bool | list | dict) else value is not None


def equal(one: Value, other: Value, depth: int = 0) -> bool:
    """Return whether two values are the same; lists too deep within lists never are."""
    if isinstance(one, list) and isinstance(other, list):
        pairs = zip(one[:MOST_COMPARED], other, strict=False)
        is_near = depth < MOST_DEPTH and len(one) == len(other)
        return is_near and all(equal(*pair, depth + 1) for pair in pairs)
    if isinstance(one, dict) or isinstance(other, dict):
        return one is other
    for here, there in ((one, other), (other, one)):
        if isinstance(here, FileName) and isinstance(there, str):
            return there in (str(here), str(here).removesuffix(".md"))
        if isinstance(here, Link) or hasattr(here, "path"):
            return not _places(here, there).isdisjoint(_places(there, here))
        if isinstance(here, datetime):
            return here == moment(there)
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other


def _places(value: Value, beside: Value) -> set[str]:
    """Return the paths, with and without ``.md``, by which a link, a file or a text is compared."""
    if isinstance(value, Link):
        # To a text, a link is also what it says; two links are where they lead.
        is_said = value.found is None or isinstance(beside, str)
        named = [value.found or "", value.target.file if is_said else ""]
    elif isinstance(value, str):
        inside = _LINK.fullmatch(value)
        target = read_wikilink(inside[1]) if inside else None
        named = [target.file if target else value]
    else:
        named = [getattr(value, "path", "")]
    keys = {path_key(name) for name in named if name}
    return keys | {key.removesuffix(".md") for key in keys}


def compare(one: Value, other: Value) -> int | None:
    """Return -1, 0 or 1 as one value lies before, on or after another; None where they have no order."""
    if is_number(one) and is_number(other):
        left, right = one, other
    elif isinstance(one, datetime) or isinstance(other, datetime):
        left, right = moment(one), moment(other)
    elif isinstance(one, str) and isinstance(other, str):
        left, right = moment(one) or one, moment(other) or other
        if type(left) is not type(right):
            left, right = one, other
    else:
        return None
    if left is None or right is None:
        return None
    return (left > right) - (left < right)  # type: ignore[operator]  # both are of one kind by now


def text_of(value: Value, depth: int = 0) -> str:
    """Return a value as text; of lists within lists only so many."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case datetime():
            has_time = (value.hour, value.minute, value.second) != (0, 0, 0)
            return value.isoformat(" ", "minutes") if has_time else value.date().isoformat()
        case Link():
            return value.said
        case Length():
            return f"{value.months:g} months, {value.seconds:g} seconds"
        case list():
            return joined(value[:MOST_COMPARED], ", ", depth)
        case dict():
            texts: list[Value] = [
                f"{name}: {text_of(item, depth + 1)}" for name, item in islice(value.items(), MOST_DEPTH * 20)
            ]
            return joined(texts, ", ", depth)
        case str():
            return value
        case int() | float():
            return f"{value:.10g}" if isinstance(value, float) else str(value)
    return value.path


def joined(values: Iterable[Value], between: str, depth: int = 0) -> str:
    """Return values as one text, no longer than a text may be."""
    if depth >= MOST_DEPTH:
        return "…"
    parts: list[str] = []
    left = MOST_TEXT
    for value in values:
        parts.append(text_of(value, depth + 1))
        left -= len(parts[-1]) + len(between)
        if left < 0:
            break
    return between.join(parts)[:MOST_TEXT]


def order_of(value: Value) -> tuple[int, float, str]:
    """Return a key that sorts values of all kinds: numbers, moments, texts; nothing comes last."""
    if isinstance(value, bool):
        return 0, float(value), ""
    if isinstance(value, int | float):
        return 0, float(value), ""
    if (when := moment(value)) is not None:
        return 1, when.toordinal() * 86_400.0 + when.hour * 3600 + when.minute * 60 + when.second, ""
    text = text_of(value)
    return (2, 0.0, path_key(text)) if text else (3, 0.0, "")


def property_value(value: object, source: str, find: "FindFile") -> Value:
    """Return what the index keeps of a property as a value: days and links are written as texts there.

    Args:
        value: The property.
        source: The note that has it.
        find: Finds the file a link of that note means.
    """
    if isinstance(value, str):
        inside = _LINK.fullmatch(value.strip())
        target = read_wikilink(inside[1]) if inside else None
        if target is not None:
            return Link(target, source, find(target.file, source))
        return moment(value) or value
    if isinstance(value, Sequence):
        return [property_value(item, source, find) for item in value]
    if isinstance(value, Mapping):
        return {str(name): property_value(item, source, find) for name, item in value.items()}
    return value if isinstance(value, int | float) else None


class FindFile(Protocol):
    """Finds the file that a link means."""

    def __call__(self, target: str, source: str, /) -> str | None:
        """Return its path, None where there is none to show."""
