"""What Milvus is asked to keep of the notes of a vault: conditions on its rows, joined as a tree.

They keep every note that is meant, and may keep more: what Milvus gives is always looked at again by the same
rules as those of an index on this machine.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

MOST_TERM_BYTES = 512
"""A longer term is named by its hash."""
NOTHING = "cut == 2"
"""Keeps no row: whether a row was cut is 0 or 1."""
_ANYTHING = re.compile(r"""[%_\\"'\x00-\x1f\x7f]""")


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition as Milvus writes it, empty where it keeps everything.

    ``negated`` keeps what it does not hold of, and is None where Milvus cannot say that. ``asks`` says what
    decides: the text or the day of a passage, or nothing but what all rows of a note have.
    """

    written: str
    negated: str | None = None
    asks: Literal["", "text", "day"] = ""


@dataclass(frozen=True, slots=True)
class All:
    """All of the parts; none keeps everything."""

    parts: tuple["Filter", ...] = ()


@dataclass(frozen=True, slots=True)
class Some:
    """Any of the parts; none keeps nothing."""

    parts: tuple["Filter", ...]


Filter: TypeAlias = Condition | All | Some
EVERYTHING = All()
SHOWN = Condition("hidden == 0")
"""Notes that a search may show."""


def has(term: str) -> Condition:
    """Return what keeps notes with an exact term: ``tag:a/b``, ``property:status``."""
    contains = f"array_contains(terms, {quote(term_key(term))})"
    return Condition(f"({contains} or cut == 1)", negated=f"not ({contains})")


def holds(text: str) -> Condition:
    """Return what keeps notes with a passage whose folded text has these letters in it."""
    return Condition(f"(plain like {_like('%', text)} or cut == 1)", asks="text")


def named(text: str) -> Condition:
    """Return what keeps notes whose folded path has these letters in it."""
    return Condition(f"name like {_like('%', text)}")


def under(prefix: str) -> Condition:
    """Return what keeps notes whose path key starts with these letters."""
    return Condition(f"key like {_like('', prefix)}" if prefix else "")


def days(
    field: Literal["created", "modified"], first: date | None, last: date | None, *, own: bool = False
) -> Condition:
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
    if not of_note:
        return Condition("", negated=NOTHING)
    if own:
        either = f"((day > 0 and {within('day')}) or (day == 0 and {of_note}))"
        return Condition(either, asks="day")
    return Condition(f"({of_note})", negated=f"not ({of_note})")


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


def expression(node: Filter) -> str:
    """Return a tree as an expression; empty where it keeps everything."""
    if isinstance(node, Condition):
        return node.written
    parts = [expression(part) for part in node.parts]
    if isinstance(node, All):
        parts = [part for part in parts if part]
    elif not all(parts):
        return ""
    elif not parts:
        return NOTHING
    joined = (" and " if isinstance(node, All) else " or ").join(parts)
    return f"({joined})" if len(parts) > 1 else joined


def asks_passages(node: Filter) -> bool:
    """Return whether a passage decides, and not its note alone."""
    return bool(node.asks) if isinstance(node, Condition) else any(map(asks_passages, node.parts))


def without_texts(node: Filter) -> Filter:
    """Return a tree that asks no passage for its text, and keeps at least the same notes."""
    if isinstance(node, Condition):
        return EVERYTHING if node.asks == "text" else node
    return type(node)(tuple(map(without_texts, node.parts)))
