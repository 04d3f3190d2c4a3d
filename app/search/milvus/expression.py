"""What Milvus is asked to keep of the notes of a vault, as a typed tree, and the tree as its expression.

An expression keeps every note that the tree means, and may keep more: what it gives is always looked at again
by the same rules as those of an index on this machine.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

MOST_TERM_BYTES = 512
"""A longer term is named by its hash."""
_ANYTHING = re.compile(r"""[%_\\"'\x00-\x1f\x7f]""")


@dataclass(frozen=True, slots=True)
class Has:
    """Notes with an exact term: ``tag:a/b``, ``folder:x``, ``property:status``."""

    term: str


@dataclass(frozen=True, slots=True)
class Holds:
    """Notes with a passage whose folded text has these letters in it."""

    text: str


@dataclass(frozen=True, slots=True)
class Named:
    """Notes whose folded path has these letters in it."""

    text: str


@dataclass(frozen=True, slots=True)
class Under:
    """Notes whose path key starts with these letters."""

    prefix: str


@dataclass(frozen=True, slots=True)
class Days:
    """Notes, or passages, with a day in a range, both ends inclusive.

    ``own`` asks the day of a passage first, and that of its note where the passage has none.
    """

    field: Literal["created", "modified"]
    first: int | None
    last: int | None
    own: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """Notes that a search may show."""


@dataclass(frozen=True, slots=True)
class All:
    """All of the parts; none keeps everything."""

    parts: tuple["Filter", ...] = ()


@dataclass(frozen=True, slots=True)
class Some:
    """Any of the parts; none keeps nothing."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class Without:
    """What has not an exact term, or lies outside of a range of days."""

    part: Has | Days


Filter: TypeAlias = Has | Holds | Named | Under | Days | Shown | All | Some | Without
EVERYTHING = All()


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


def expression(node: Filter) -> str:
    """Return a tree as an expression; empty where it keeps everything."""
    if isinstance(node, Has):
        return f"(array_contains(terms, {quote(term_key(node.term))}) or cut == 1)"
    if isinstance(node, Holds):
        return f"(plain like {_like(node.text)} or cut == 1)"
    if isinstance(node, Named):
        return f"name like {_like(node.text)}"
    if isinstance(node, Under):
        return f"key like {quote(_ANYTHING.sub('_', node.prefix) + '%')}"
    if isinstance(node, Days):
        return _days(node)
    if isinstance(node, Shown):
        return "hidden == 0"
    if isinstance(node, Without):
        part = node.part
        inner = (
            f"array_contains(terms, {quote(term_key(part.term))})" if isinstance(part, Has) else _days(part)
        )
        return f"not ({inner})" if inner else "cut == 2"
    if isinstance(node, Some) and not node.parts:
        return "cut == 2"
    parts = [expression(part) for part in node.parts]
    if isinstance(node, All):
        parts = [part for part in parts if part]
    elif not all(parts):
        return ""
    joined = (" and " if isinstance(node, All) else " or ").join(parts)
    return f"({joined})" if len(parts) > 1 else joined


def _like(text: str) -> str:
    """Return a pattern that texts with these letters in them meet; what is special in it meets any sign."""
    return quote("%" + _ANYTHING.sub("_", text) + "%")


def _days(node: Days) -> str:
    def within(column: str) -> str:
        bounds = [f"{column} >= {node.first}"] if node.first is not None else []
        bounds += [f"{column} <= {node.last}"] if node.last is not None else []
        return " and ".join(bounds)

    of_note = within(f"{node.field}_day")
    if not of_note or not node.own:
        return f"({of_note})" if of_note else ""
    return f"((day > 0 and {within('day')}) or (day == 0 and {of_note}))"


def by_note(node: Filter) -> Filter:
    """Return a tree of which one passage of a note can decide, and which keeps at least the same notes.

    Two texts may stand in two passages of a note, so that of several that must all be there one is asked for:
    the longest, which fewest notes have. So it is with a text and the day of a passage.
    """
    if isinstance(node, Some):
        return Some(tuple(map(by_note, node.parts)))
    if not isinstance(node, All):
        return node
    kept = max(node.parts, key=telling, default=None)
    return All(tuple(by_note(part) for part in node.parts if part is kept or not telling(part)))


def without_texts(node: Filter) -> Filter:
    """Return a tree that asks no passage for its text, and keeps at least the same notes."""
    if isinstance(node, Holds):
        return EVERYTHING
    if isinstance(node, All | Some):
        return type(node)(tuple(map(without_texts, node.parts)))
    return node


def telling(node: Filter) -> int:
    """Return how much a tree asks of passages, as letters of a text; 0 where notes decide alone."""
    if isinstance(node, Holds):
        return len(node.text)
    if isinstance(node, Days):
        return int(node.own)
    if isinstance(node, All | Some):
        asked = [found for part in node.parts if (found := telling(part))]
        return (max if isinstance(node, All) else min)(asked, default=0)
    return 0
