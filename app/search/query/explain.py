"""Put a query, as it was read, into plain words, with how many notes each part leaves."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal, cast

from app.notices import Notice, NoticeKind
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import Mask
from app.search.models import SearchRequest
from app.search.query.evaluate import matching_notes
from app.search.query.filters import note_filter
from app.search.query.parse import broken_expressions
from app.search.query.properties import has_property
from app.search.query.spelling import near_words, searched_as
from app.search.query.tree import (
    And,
    Compared,
    Comparison,
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
    Unit,
    nodes_of,
)
from app.search.view import View

_BRACKETS = re.compile(r"(?<!\S)-?\[([^\[\]:\s][^\[\]:]*)\]")
Of = Literal["note", "piece", "value"]
_DENIED = {
    "note": (NoticeKind.ASKED_NOT, "part"), "piece": (NoticeKind.PIECE_NOT, "part"),
    "value": (NoticeKind.VALUE_NOT, "value"),
}  # fmt: skip
_PLACES = {
    "content": NoticeKind.IN_CONTENT, "file": NoticeKind.IN_FILE_NAME, "path": NoticeKind.IN_PATH,
}  # fmt: skip
_UNITS: dict[Unit, NoticeKind] = {
    "line": NoticeKind.LINE, "block": NoticeKind.BLOCK, "section": NoticeKind.SECTION,
    "task": NoticeKind.TASK, "task-todo": NoticeKind.OPEN_TASK, "task-done": NoticeKind.DONE_TASK,
    "heading": NoticeKind.HEADING, "alias": NoticeKind.ALIAS,
}  # fmt: skip
_NUMBERS: dict[Comparison, NoticeKind] = {
    "<": NoticeKind.VALUE_BELOW, "<=": NoticeKind.VALUE_AT_MOST,
    ">": NoticeKind.VALUE_ABOVE, ">=": NoticeKind.VALUE_AT_LEAST,
}  # fmt: skip
_DAYS: dict[Comparison, NoticeKind] = {
    "<": NoticeKind.VALUE_BEFORE, "<=": NoticeKind.VALUE_UP_TO,
    ">": NoticeKind.VALUE_AFTER, ">=": NoticeKind.VALUE_FROM,
}  # fmt: skip


def explain_query(view: View, query: Query, within: Mask, *, ranked: bool) -> list[Notice]:
    """Say how a query was read, a sentence each.

    Notes are counted where all are at hand, and not where an engine elsewhere gave those that may answer.

    Args:
        view: The index, and the vault where texts are read.
        query: The query.
        within: The notes that the request's other parameters leave.
        ranked: Whether bare words only rank, as in a search of passages.
    """
    if query.root is None:
        return [Notice(NoticeKind.ASKS_FOR_ALL, query=query.text)]
    told: list[Notice] = []
    left = within
    parts = query.filters if ranked else query.parts
    for number, part in enumerate(parts, start=1):
        if view.stored:
            told.append(Notice(NoticeKind.UNCOUNTED_PART, number=number, part=describe(part)))
            continue
        alone = int(matching_notes(view, [part], view.snapshot.visible).sum())
        left = matching_notes(view, [part], left)
        told.append(
            Notice(
                NoticeKind.COUNTED_PART,
                number=number,
                part=describe(part),
                notes=alone,
                left=int(left.sum()),
            )
        )
    if ranked and query.has_bare_words:
        bare = tuple(describe(part) for part in query.parts if part not in parts)
        told.append(Notice(NoticeKind.ONLY_RANKS, parts=bare))
    asked = Notice(NoticeKind.ASKS_FOR, query=query.text, parts=tuple(told))
    return [asked, *_readings(view.snapshot, query, ranked=ranked), *query.hints]


def _readings(snapshot: VaultSnapshot, query: Query, *, ranked: bool) -> Iterator[Notice]:
    """Say of each ``[name]`` whether it is a property or text."""
    for found in _BRACKETS.finditer(query.text):
        name = found[1].strip().strip('"')
        if ranked:
            yield Notice(NoticeKind.BRACKETS_ARE_TEXT, name=name)
        elif has_property(snapshot, name):
            yield Notice(NoticeKind.BRACKETS_ARE_PROPERTY, name=name)
        else:
            yield Notice(NoticeKind.NO_SUCH_PROPERTY, name=name)


def unknown_properties(snapshot: VaultSnapshot, query: Query) -> Iterator[Notice]:
    """Say which properties a query asks for that no note has: their brackets may have been meant as text."""
    for node in nodes_of(query.parts):
        if isinstance(node, Property):
            for name in node.names:
                if isinstance(name, str) and not has_property(snapshot, name):
                    yield Notice(NoticeKind.UNKNOWN_PROPERTY, name=name)


def describe(node: Node) -> Notice:
    """Say what a part asks of a note."""
    return cast("Notice", _told(node, "note"))


def _told(node: Node, of: Of) -> str:
    """Say what a part asks of a note, of a piece of one, or of a property's value."""
    say = partial(_told, of=of)
    if isinstance(node, Not):
        kind, name = _DENIED[of]
        return Notice(kind, **{name: say(node.part)})
    if isinstance(node, And | Or):
        kind = NoticeKind.ASKED_AND if isinstance(node, And) else NoticeKind.ASKED_OR
        return Notice(kind, parts=tuple(map(say, node.parts)))
    if isinstance(node, Text):
        return _text(node, of)
    if isinstance(node, Match):
        if of == "piece":
            return f"/{node.pattern.source}/"
        kind = NoticeKind.ASKED_PATTERN if of == "note" else NoticeKind.VALUE_MEETS
        return Notice(kind, where=_where(node), source=node.pattern.source)
    if isinstance(node, Null):
        return Notice(NoticeKind.VALUE_NONE)
    if isinstance(node, Compared):
        if isinstance(node.bound, float):
            return Notice(_NUMBERS[node.sign], bound=f"{node.bound:g}")
        return Notice(_DAYS[node.sign], bound=str(node.bound))
    if isinstance(node, Tag):
        if node.pattern is not None:
            return Notice(NoticeKind.ASKED_TAG_PATTERN, source=node.pattern.source)
        return Notice(NoticeKind.ASKED_TAG, name=node.name)
    if isinstance(node, Linked):
        kind = NoticeKind.ASKED_LINK_TO if node.way == "to" else NoticeKind.ASKED_LINK_FROM
        return Notice(kind, name=node.name)
    if isinstance(node, Dated):
        return _dated(node)
    if isinstance(node, Property):
        names = tuple(n if isinstance(n, str) else f"/{n.source}/" for n in node.names)
        if node.value is None:
            return Notice(NoticeKind.ASKED_PROPERTY, names=names)
        return Notice(NoticeKind.ASKED_VALUE, names=names, value=_told(node.value, "value"))
    return Notice(NoticeKind.ASKED_WITHIN, unit=Notice(_UNITS[node.unit]), part=_told(node.part, "piece"))


def _where(node: Text | Match) -> str:
    return Notice(_PLACES[node.target]) if node.target in _PLACES else ""


def _text(node: Text, of: Of) -> str:
    text = Notice(NoticeKind.IN_THIS_CASE, text=node.text) if node.case else f'"{node.text}"'
    if of == "piece":
        return text
    if of == "value":
        return Notice(NoticeKind.VALUE_IS if node.quoted else NoticeKind.VALUE_HOLDS, text=text)
    word = NoticeKind.ASKED_WORD if node.folds else NoticeKind.ASKED_TEXT
    return Notice(NoticeKind.ASKED_PHRASE if node.quoted else word, where=_where(node), text=text)


def _dated(node: Dated) -> Notice:
    field = Notice(NoticeKind.CREATED if node.field == "created" else NoticeKind.MODIFIED)
    first, last = str(node.start or ""), str(node.end or "")
    if first == last:
        return Notice(NoticeKind.ASKED_DAY, field=field, day=first)
    if first and last:
        return Notice(NoticeKind.ASKED_BETWEEN, field=field, first=first, last=last)
    if first:
        return Notice(NoticeKind.ASKED_SINCE, field=field, first=first)
    return Notice(NoticeKind.ASKED_UNTIL, field=field, last=last)


def readings(
    view: View,
    request: SearchRequest,
    queries: Sequence[Query],
    total: int,
    *,
    ranked: bool,
) -> tuple[Notice, ...]:
    """Say how the queries were read, where it is asked for, or nothing was found for it."""
    notices = searched_as(view.snapshot, queries) if ranked else []
    for query in queries:
        if not ranked:
            notices += near_words(view.snapshot, query)
        notices += unknown_properties(view.snapshot, query)
        notices += broken_expressions(query.text)
        if request.explain:
            mask = note_filter(view, request, dates=not ranked)
            notices += explain_query(view, query, mask, ranked=ranked)
        else:
            notices += [
                one
                for one in _readings(view.snapshot, query, ranked=ranked)
                if one.kind is NoticeKind.BRACKETS_ARE_TEXT
                and has_property(view.snapshot, str(one.facts["name"]))
            ]
            notices += [] if total else query.hints
    return tuple(dict.fromkeys(notices))
