"""What Milvus is asked to keep of the notes of a vault, as it writes conditions on its rows.

A condition keeps every note that is meant, and may keep more: what Milvus gives is always looked at again by
the same rules as those of an index on this machine. An empty one keeps everything.
"""

import hashlib
import re
from collections.abc import Iterable
from datetime import date
from typing import Literal

MOST_TERM_BYTES = 512
"""A longer term is named by its hash."""
SHOWN = "hidden == 0"
"""Keeps the notes that a search may show."""
NOTHING = "cut == 2"
"""Keeps no row: whether a row was cut is 0 or 1."""
_ANYTHING = re.compile(r"""[%_\\"'\x00-\x1f\x7f]""")


def every(*conditions: str) -> str:
    """Return what keeps the rows that meet all of some conditions."""
    parts = [condition for condition in conditions if condition]
    return f"({' and '.join(parts)})" if len(parts) > 1 else "".join(parts)


def some(conditions: Iterable[str]) -> str:
    """Return what keeps the rows that meet any of some conditions; of none, no row."""
    parts = list(conditions)
    if not all(parts):
        return ""
    return f"({' or '.join(parts)})" if len(parts) > 1 else "".join(parts) or NOTHING


def has(term: str, *, negated: bool = False) -> str:
    """Return what keeps notes with an exact term, or without it: ``tag:a/b``, ``property:status``."""
    contains = f"array_contains(terms, {quote(term_key(term))})"
    return f"not ({contains})" if negated else f"({contains} or cut == 1)"


def holds(text: str) -> str:
    """Return what keeps passages whose folded text has these letters in it."""
    return f"(plain like {_like('%', text)} or cut == 1)"


def named(text: str) -> str:
    """Return what keeps notes whose folded path has these letters in it."""
    return f"name like {_like('%', text)}"


def under(prefix: str) -> str:
    """Return what keeps notes whose path key starts with these letters."""
    return f"key like {_like('', prefix)}" if prefix else ""


def days(
    field: Literal["created", "modified"], first: date | None, last: date | None, *, own: bool = False
) -> str:
    """Return what keeps notes, or passages, with a day in a range, both ends inclusive.

    Args:
        field: Which day of the note.
        first: The first day; None where there is none.
        last: The last day.
        own: Ask the day of a passage first, and that of its note where the passage has none.
    """

    def within(column: str) -> str:
        bounds = ((">=", first), ("<=", last))
        return " and ".join(f"{column} {sign} {day.toordinal()}" for sign, day in bounds if day is not None)

    of_note = within(f"{field}_day")
    if own and of_note:
        return f"((day > 0 and {within('day')}) or (day == 0 and {of_note}))"
    return f"({of_note})" if of_note else ""


def quote(text: str) -> str:
    """Return a text as a constant of an expression, whatever it holds."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def among(column: str, values: Iterable[str]) -> str:
    """Return an expression that keeps the rows whose column has one of some values."""
    return f"{column} in [{', '.join(map(quote, values))}]"


def term_key(term: str) -> str:
    """Return the form in which a term is stored: a very long one by its beginning and its hash."""
    data = term.encode("utf-8", "replace")
    if len(data) <= MOST_TERM_BYTES:
        return data.decode("utf-8")
    return data[:64].decode("utf-8", "ignore") + "#" + hashlib.blake2b(data, digest_size=16).hexdigest()


def _like(before: str, text: str) -> str:
    """Return a pattern of texts with these letters in them; what is special in it meets any sign."""
    return quote(before + _ANYTHING.sub("_", text) + "%")
