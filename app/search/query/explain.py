"""Put a query, as it was read, into plain words, with how many notes each part leaves."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import Mask
from app.search.models import SearchRequest
from app.search.query.evaluate import matching_notes
from app.search.query.filters import note_filter
from app.search.query.properties import has_property
from app.search.query.tree import (
    And,
    Compared,
    Dated,
    Linked,
    Match,
    Node,
    Not,
    Null,
    Or,
    Property,
    Query,
    Tag,
    Text,
    Within,
)
from app.search.view import View

_BRACKETS = re.compile(r"(?<!\S)-?\[([^\[\]:\s][^\[\]:]*)\]")
_WHERE = {"note": "", "content": "in its content ", "file": "in its file name ", "path": "in its path "}
_UNITS = {"task-todo": "open task", "task-done": "done task"}
_SIGNS = {"<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}


def explain_query(view: View, query: Query, within: Mask, *, ranked: bool) -> list[str]:
    """Say how a query was read, a sentence each.

    Args:
        view: The index, and the vault where texts are read.
        query: The query.
        within: The notes that the request's other parameters leave.
        ranked: Whether bare words only rank, as in a search of passages.
    """
    if query.root is None:
        return [f"'{query.text}' asks for everything"]
    told, left = [], within
    parts = query.filters if ranked else query.parts
    for number, part in enumerate(parts, start=1):
        alone = matching_notes(view, [part], view.snapshot.visible)
        left = matching_notes(view, [part], left)
        told.append(f"({number}) {describe(part)}: {_notes(alone)}, {int(left.sum())} left")
    if ranked and query.has_bare_words:
        bare = [describe(part) for part in query.parts if part not in parts]
        told.append("what ranks and leaves nothing out: " + "; ".join(bare))
    sentences = [f"'{query.text}' asks for " + "; ".join(told)]
    return [*sentences, *_readings(view.snapshot, query, ranked=ranked), *query.hints]


def _readings(snapshot: VaultSnapshot, query: Query, *, ranked: bool) -> Iterator[str]:
    """Say of each ``[name]`` whether it is a property or text."""
    for found in _BRACKETS.finditer(query.text):
        name = found[1].strip().strip('"')
        if ranked:
            yield f"'[{name}]' is text here; fulltext can ask for a property of that name"
        elif has_property(snapshot, name):
            yield f"'[{name}]' asks for the property '{name}'; the text itself would stand in double quotes"
        else:
            yield f"'[{name}]' is text: no note has a property '{name}'"


def unknown_properties(snapshot: VaultSnapshot, query: Query) -> Iterator[str]:
    """Say which properties a query asks for that no note has: their brackets may have been meant as text."""
    for node in _nodes(query.parts):
        if isinstance(node, Property):
            for name in node.names:
                if isinstance(name, str) and not has_property(snapshot, name):
                    yield f"no note has a property '{name}'; text in brackets can stand in double quotes"


def _nodes(parts: Iterable[Node]) -> Iterator[Node]:
    for part in parts:
        yield part
        if isinstance(part, And | Or):
            yield from _nodes(part.parts)
        elif isinstance(part, Not):
            yield from _nodes([part.part])


def describe(node: Node) -> str:
    """Say what a part asks of a note."""
    if isinstance(node, Not):
        return f"not {describe(node.part)}"
    if isinstance(node, And | Or):
        return _joined(node, describe)
    if isinstance(node, Text):
        kind = "phrase" if node.quoted else "word" if node.folds else "text"
        return f"the {kind} {_where(node)}{_text(node)}"
    if isinstance(node, Match):
        return f"the expression {_where(node)}/{node.pattern.source}/"
    if isinstance(node, Tag):
        if node.pattern is not None:
            return f"a tag that /{node.pattern.source}/ meets"
        return f"the tag #{node.name} or one below it"
    if isinstance(node, Linked):
        return f"a link to '{node.name}'" if node.way == "to" else f"a link to it from '{node.name}'"
    if isinstance(node, Dated):
        return _dated(node)
    if isinstance(node, Property):
        names = " or ".join(n if isinstance(n, str) else f"/{n.source}/" for n in node.names)
        return f"the property '{names}'" + (f" that {_value(node.value)}" if node.value is not None else "")
    assert isinstance(node, Within)
    unit = _UNITS.get(node.unit, node.unit)
    return f"{'an' if unit[0] in 'ao' else 'a'} {unit} with {_piece(node.part)}"


def _joined(node: And | Or, say: Callable[[Node], str]) -> str:
    return f"({(' and ' if isinstance(node, And) else ' or ').join(say(part) for part in node.parts)})"


def _where(node: Text | Match) -> str:
    return _WHERE[node.target]


def _text(node: Text) -> str:
    return f'"{node.text}"' + (" in just this case" if node.case else "")


def _piece(node: Node) -> str:
    """Say what a part asks of a piece of a note."""
    if isinstance(node, Not):
        return f"no {_piece(node.part)}"
    if isinstance(node, And | Or):
        return _joined(node, _piece)
    if isinstance(node, Match):
        return f"/{node.pattern.source}/"
    return _text(node) if isinstance(node, Text) else describe(node)


def _value(node: Node) -> str:
    """Say what a part asks of a property's value."""
    if isinstance(node, Not):
        return f"not {_value(node.part)}"
    if isinstance(node, And | Or):
        return _joined(node, _value)
    if isinstance(node, Null):
        return "has no value"
    if isinstance(node, Compared):
        return f"is {_SIGNS[node.sign]} {node.bound:g}" if isinstance(node.bound, float) else _day(node)
    if isinstance(node, Match):
        return f"meets /{node.pattern.source}/"
    assert isinstance(node, Text)
    return f"{'is' if node.quoted else 'holds'} {_text(node)}"


def _day(node: Compared) -> str:
    words = {"<": "before", "<=": "up to", ">": "after", ">=": "from"}
    return f"is {words[node.sign]} {node.bound}"


def _dated(node: Dated) -> str:
    if node.start == node.end:
        return f"a date {node.field} of {node.start}"
    since = f" from {node.start}" if node.start else ""
    return f"a date {node.field}{since}" + (f" up to {node.end}" if node.end else "")


def _notes(mask: Mask) -> str:
    count = int(mask.sum())
    return f"{count} {'note' if count == 1 else 'notes'}"


def readings(
    view: View,
    request: SearchRequest,
    queries: Sequence[Query],
    total: int,
    *,
    ranked: bool,
) -> tuple[str, ...]:
    """Say how the queries were read, where it is asked for, or nothing was found for it."""
    notices: list[str] = []
    for query in queries:
        notices += unknown_properties(view.snapshot, query)
        if request.explain:
            mask = note_filter(view, request, dates=not ranked)
            notices += explain_query(view, query, mask, ranked=ranked)
        elif not total:
            notices += query.hints
    return tuple(dict.fromkeys(notices))
