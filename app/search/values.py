"""Read one loose parameter value each; what cannot be meant is an error that names it."""

import math
from typing import Any, get_args

from app.errors import BadRequestError
from app.limits import VALUE_CHARS, check_list, check_text, shown


def read_texts(value: object, name: str, most: int = VALUE_CHARS) -> tuple[str, ...]:
    """Read a list of texts, each of ``most`` characters; a single one is a list of one, and blank ones go."""
    if value is None:
        return ()
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise BadRequestError(
            f"'{name}' must be a list of texts (got {shown(value)})", f"for example {name}=['...']"
        )
    check_list(items, name, most)
    return tuple(dict.fromkeys(item.strip() for item in items if item.strip()))


def read_text(value: object, name: str, most: int = VALUE_CHARS) -> str | None:
    """Read a text of at most ``most`` characters; a blank one is none."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise BadRequestError(f"'{name}' must be text (got {shown(value)})")
    check_text(value, name, most)
    return value.strip() or None


def read_one_of(value: object, name: str, kind: Any) -> Any:  # noqa: ANN401 - a Literal and one of its values
    """Read one of the values of a Literal."""
    valid = get_args(kind)
    if value not in valid:
        raise BadRequestError(f"unknown {name} {shown(value)}", "valid: " + ", ".join(valid))
    return value


def read_flag(value: object, name: str) -> bool:
    """Read a truth value, or its English name."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    raise BadRequestError(f"'{name}' must be true or false (got {shown(value)})")


def read_whole(value: object, name: str, least: int, most: int | None) -> int:
    """Read a whole number within bounds, both inclusive."""
    bounds = f"from {least} to {most}" if most is not None else f"from {least}"
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError(value)
        number = int(value)
        if isinstance(value, float) and number != value:
            raise ValueError(value)
    except (ValueError, OverflowError) as error:
        raise BadRequestError(f"'{name}' must be a whole number {bounds} (got {shown(value)})") from error
    if number < least or (most is not None and number > most):
        raise BadRequestError(f"'{name}' must be {bounds} (got {shown(number)})", f"choose a number {bounds}")
    return number


def read_fraction(value: object, name: str) -> float | None:
    """Read a number from 0 to 1; none stays none."""
    if value is None:
        return None
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError(value)
        number = float(value)
    except ValueError as error:
        raise BadRequestError(f"'{name}' must be a number from 0 to 1 (got {shown(value)})") from error
    if math.isnan(number) or not 0 <= number <= 1:
        raise BadRequestError(f"'{name}' must be from 0 to 1 (got {shown(value)})")
    return number
