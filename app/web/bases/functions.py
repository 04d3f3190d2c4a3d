"""The functions that conditions and formulas may call, and the fields of values; there are no others.

What does not fit a function, such as the square of a text, gives nothing.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cmp_to_key

from app.web.bases.values import (
    MOST_COMPARED,
    MOST_TEXT,
    FileName,
    Length,
    Link,
    Value,
    compare,
    equal,
    finite,
    is_number,
    is_true,
    joined,
    length,
    moment,
    text_of,
)

Arguments = Sequence[Value]
_MS = {"days": 86_400_000, "hours": 3_600_000, "minutes": 60_000, "seconds": 1000, "milliseconds": 1}
_FORMAT = re.compile(r"\[([^\]]*)\]|YYYY|YY|MM?|DD?|HH?|mm?|ss?|[A-Za-z]+|[^A-Za-z\[]+|\[")
_FORMATS: Mapping[str, Callable[[datetime], str]] = {
    "YYYY": lambda day: f"{day.year:04}",
    "YY": lambda day: f"{day.year % 100:02}",
    "MM": lambda day: f"{day.month:02}",
    "M": lambda day: str(day.month),
    "DD": lambda day: f"{day.day:02}",
    "D": lambda day: str(day.day),
    "HH": lambda day: f"{day.hour:02}",
    "H": lambda day: str(day.hour),
    "mm": lambda day: f"{day.minute:02}",
    "m": lambda day: str(day.minute),
    "ss": lambda day: f"{day.second:02}",
    "s": lambda day: str(day.second),
}


def _first(arguments: Arguments) -> Value:
    return arguments[0] if arguments else None


def _whole(value: Value) -> int | None:
    return int(value) if isinstance(value, int | float) and abs(value) < 1e9 else None


def _contains(value: Value, arguments: Arguments) -> bool:
    """Return whether one thing, the first argument, is in a text or a list."""
    wanted = _first(arguments)
    if isinstance(value, list):
        return any(equal(item, wanted) for item in value)
    if isinstance(value, Link | FileName):
        return text_of(wanted) in text_of(value)
    return isinstance(value, str) and text_of(wanted) in value


def _contains_all(value: Value, arguments: Arguments) -> bool:
    return all(_contains(value, [wanted]) for wanted in arguments)


def _contains_any(value: Value, arguments: Arguments) -> bool:
    return any(_contains(value, [wanted]) for wanted in arguments)


def _is_empty(value: Value, _: Arguments) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)


def _round(value: Value, arguments: Arguments) -> Value:
    digits = max(-15, min(15, _whole(_first(arguments)) or 0))
    if not isinstance(value, int | float):
        return None
    # Halves go up, as JavaScript rounds; Python takes the even neighbour.
    scaled = value * 10**digits
    return finite(math.floor(scaled + 0.5) / 10**digits if abs(scaled) < 1e15 else value)


def _to_fixed(value: Value, arguments: Arguments) -> Value:
    digits = max(0, min(20, _whole(_first(arguments)) or 0))
    return f"{value:.{digits}f}" if isinstance(value, int | float) else None


def _slice(value: Value, arguments: Arguments) -> Value:
    start, end = ([_whole(each) for each in arguments] + [None, None])[:2]
    return value[start:end] if isinstance(value, str | list) else None


def _split(value: Value, arguments: Arguments) -> Value:
    separator, most = text_of(_first(arguments)), _whole(arguments[1]) if len(arguments) > 1 else None
    if not isinstance(value, str):
        return None
    parts: list[Value] = [*value.split(separator)] if separator else [*value]
    return parts[:most]


def _replace(value: Value, arguments: Arguments) -> Value:
    old, new = ([text_of(each) for each in arguments] + ["", ""])[:2]
    if not isinstance(value, str) or not old or value.count(old) * len(new) > MOST_TEXT:
        return value
    return value.replace(old, new)


def _repeat(value: Value, arguments: Arguments) -> Value:
    times = _whole(_first(arguments)) or 0
    fits = isinstance(value, str) and 0 <= times * len(value) <= MOST_TEXT
    return value * times if isinstance(value, str) and fits else None


def _reverse(value: Value, _: Arguments) -> Value:
    return value[::-1] if isinstance(value, str | list) else None


def _sort(value: Value, _: Arguments) -> Value:
    def before(one: Value, other: Value) -> int:
        return compare(one, other) or 0

    return sorted(value, key=cmp_to_key(before)) if isinstance(value, list) else None


def _unique(value: Value, _: Arguments) -> Value:
    if not isinstance(value, list):
        return None
    kept: list[Value] = []
    for item in value[:MOST_COMPARED]:
        if not any(equal(item, other) for other in kept):
            kept.append(item)
    return kept


def _flat(value: Value, _: Arguments) -> Value:
    if not isinstance(value, list):
        return None
    flat: list[Value] = []
    for item in value:
        flat += item if isinstance(item, list) else [item]
        if len(flat) > MOST_TEXT:
            break
    return flat[:MOST_TEXT]


def _format(value: Value, arguments: Arguments) -> Value:
    day = moment(value)
    if day is None:
        return None
    written = text_of(_first(arguments))[:100]
    return "".join(
        found[1] if found[1] is not None else _FORMATS[found[0]](day) if found[0] in _FORMATS else found[0]
        for found in _FORMAT.finditer(written)
    )


def _date(value: Value, _: Arguments) -> Value:
    day = moment(value)
    return datetime(day.year, day.month, day.day) if day else None


def _time(value: Value, _: Arguments) -> Value:
    day = moment(value)
    return day.strftime("%H:%M:%S") if day else None


def _kind(value: Value, arguments: Arguments) -> bool:
    kinds = {
        "string": isinstance(value, str),
        "number": is_number(value),
        "boolean": isinstance(value, bool),
        "date": isinstance(value, datetime),
        "list": isinstance(value, list),
        "object": isinstance(value, dict),
        "link": isinstance(value, Link),
        "null": value is None,
    }
    return kinds.get(text_of(_first(arguments)), False)


def _join(value: Value, arguments: Arguments) -> Value:
    if not isinstance(value, list):
        return None
    return joined(value, text_of(_first(arguments))[:100])


def _on_text(change: Callable[[str], str]) -> Callable[[Value, Arguments], Value]:
    return lambda value, _: change(value) if isinstance(value, str) else None


def _on_number(change: Callable[[float], float]) -> Callable[[Value, Arguments], Value]:
    return lambda value, _: finite(change(value)) if isinstance(value, int | float) else None


METHODS: Mapping[str, Callable[[Value, Arguments], Value]] = {
    "isTruthy": lambda value, _: is_true(value),
    "isType": _kind,
    "isEmpty": _is_empty,
    "toString": lambda value, _: text_of(value),
    "contains": _contains,
    "containsAll": _contains_all,
    "containsAny": _contains_any,
    "startsWith": lambda value, given: isinstance(value, str) and value.startswith(text_of(_first(given))),
    "endsWith": lambda value, given: isinstance(value, str) and value.endswith(text_of(_first(given))),
    "lower": _on_text(str.lower),
    "upper": _on_text(str.upper),
    "title": _on_text(str.title),
    "trim": _on_text(str.strip),
    "replace": _replace,
    "repeat": _repeat,
    "reverse": _reverse,
    "slice": _slice,
    "split": _split,
    "abs": _on_number(abs),
    "ceil": _on_number(math.ceil),
    "floor": _on_number(math.floor),
    "round": _round,
    "toFixed": _to_fixed,
    "join": _join,
    "sort": _sort,
    "unique": _unique,
    "flat": _flat,
    "date": _date,
    "time": _time,
    "format": _format,
    "keys": lambda value, _: list(value) if isinstance(value, dict) else None,
    "values": lambda value, _: list(value.values()) if isinstance(value, dict) else None,
}
"""Called on a value, ``value.name(…)``."""


def _number(arguments: Arguments) -> Value:
    value = _first(arguments)
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, datetime):
        return finite((value - datetime(1970, 1, 1)).total_seconds() * 1000)
    if isinstance(value, str):
        try:
            return finite(float(value[:40]))
        except ValueError:
            return None
    return value if is_number(value) else None


def _list(arguments: Arguments) -> Value:
    value = _first(arguments)
    return value if isinstance(value, list) else [value]


def _most(choose: Callable[..., float]) -> Callable[[Arguments], Value]:
    def chosen(arguments: Arguments) -> Value:
        numbers = [each for each in arguments if isinstance(each, int | float) and not isinstance(each, bool)]
        return choose(numbers) if numbers else None

    return chosen


def _midnight(_: Arguments) -> Value:
    return datetime.now().replace(hour=0, minute=0, second=0, microsecond=0)


FUNCTIONS: Mapping[str, Callable[[Arguments], Value]] = {
    "date": lambda given: moment(_first(given)),
    "now": lambda _: datetime.now().replace(microsecond=0),
    "today": _midnight,
    "duration": lambda given: length(_first(given)),
    "number": _number,
    "list": _list,
    "min": _most(min),
    "max": _most(max),
}
"""Called by themselves; ``if`` and ``link`` are known to `evaluate`."""


def field_of(value: Value, name: str) -> Value:
    """Return a field of a value: parts of a day, the length of a text or list, an entry of a mapping.

    A number that is the distance of two days, in milliseconds, has ``days``, ``hours`` and so on.
    """
    if isinstance(value, dict):
        return value.get(name)
    if name == "length" and isinstance(value, str | list):
        return len(value)
    if isinstance(value, datetime) and name in ("year", "month", "day", "hour", "minute", "second"):
        part: int = getattr(value, name)
        return part
    if isinstance(value, int | float) and not isinstance(value, bool) and name in _MS:
        return finite(value / _MS[name])
    if isinstance(value, Length) and name in _MS:
        return finite((value.months * 30 * 86_400 + value.seconds) * 1000 / _MS[name])
    return None
