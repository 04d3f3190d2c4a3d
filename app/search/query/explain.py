"""Say how a query was read, in the query language itself, and what its words may have been meant as."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from app.notices import Notice, NoticeKind, some_of
from app.search.excerpt import fold
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import runs
from app.search.lexical.segment import Mask
from app.search.models import SearchRequest
from app.search.query.evaluate import has_property, matching_notes
from app.search.query.filters import note_filter
from app.search.query.match import with_hyphen
from app.search.query.parse import OPERATOR_AS_TEXT
from app.search.query.read import by_word, spellings_of
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
    nodes_of,
)
from app.search.view import View

MOST_SAID = 5
"""Most words whose other spellings are named."""
Subject = Literal["note", "piece", "value"]
"""What a part is asked of: a note, a piece of one below an operator, or a property's value."""
_BRACKETS = re.compile(r"(?<!\S)-?\[([^\[\]:\s][^\[\]:]*)\]")
_ESCAPE = re.compile(r"\\.")
_WORD = re.compile(r"""[^\s\-()\[\]":/][^\s()\[\]":/]*""")


def readings(
    view: View, request: SearchRequest, queries: Sequence[Query], total: int, *, ranked: bool
) -> tuple[Notice, ...]:
    """Say how the queries were read, where it is asked for, or nothing was found for it."""
    snapshot = view.snapshot
    notices = list(_searched_as(snapshot, queries)) if ranked else []
    for query in queries:
        notices += [] if ranked else near_words(snapshot, query)
        notices += _properties(snapshot, query, ranked=ranked)
        if request.explain:
            notices += _explained(view, query, note_filter(view, request, dates=not ranked), ranked=ranked)
        if request.explain or not total:
            names = (found[1] for found in OPERATOR_AS_TEXT.finditer(query.typed or query.text))
            notices += (Notice(NoticeKind.OPERATOR_IS_TEXT, name=name) for name in names)
    return tuple(dict.fromkeys(notices))


def _explained(view: View, query: Query, left: Mask, *, ranked: bool) -> Iterator[Notice]:
    """Yield how a query was read, with how many notes each part has, and leaves of a mask.

    They are counted where all are at hand, and not where an engine elsewhere gave those that may answer.
    """
    if not query.parts:
        yield Notice(NoticeKind.ASKS_FOR_ALL, query=query.text)
        return
    parts = query.filters if ranked else query.parts
    told: list[str] = []
    for part in parts:
        if view.stored:
            told.append(written(part))
            continue
        alone = int(matching_notes(view, [part], view.snapshot.visible).sum())
        left = matching_notes(view, [part], left)
        now = int(left.sum())
        told.append(Notice(NoticeKind.COUNTED_PART, part=written(part), notes=alone, left=now))
    if bare := tuple(written(part) for part in query.parts if part not in parts):
        told.append(Notice(NoticeKind.ONLY_RANKS, parts=bare))
    yield Notice(NoticeKind.ASKS_FOR, query=query.text, parts=tuple(told))


def _properties(snapshot: VaultSnapshot, query: Query, *, ranked: bool) -> Iterator[Notice]:
    """Say which brackets are text that may be meant as a property, and which ask for one that no note has."""
    for found in _BRACKETS.finditer(query.text) if ranked else ():
        if has_property(snapshot, name := found[1].strip().strip('"')):
            yield Notice(NoticeKind.BRACKETS_ARE_TEXT, name=name)
    for node in nodes_of(query.parts):
        for name in node.names if isinstance(node, Property) else ():
            if isinstance(name, str) and not has_property(snapshot, name):
                yield Notice(NoticeKind.UNKNOWN_PROPERTY, name=name)


def written(node: Node, subject: Subject = "note") -> str:
    """Write a part of a query as it was read: in the query language, which reads the same again."""
    exact = "match-case:" if subject != "value" and _is_exact(node) else ""
    target = f"{node.target}:" if isinstance(node, Text | Match) and subject == "note" else ""
    target = target.removeprefix("note:")
    match node:
        case And() | Or():
            between = " " if isinstance(node, And) else " OR "
            return between.join(_grouped(part, subject, (And, Or)) for part in node.parts)
        case Not():
            return "-" + _grouped(node.part, subject)
        case Within():
            return f"{node.unit}:{_grouped(node.part, 'piece')}"
        case Text():
            is_word = not node.quoted and (subject == "value" or _WORD.fullmatch(node.text))
            text = node.text if is_word or (node.folds and node.quoted) else _phrase(node.text)
            # Without any operator it would be a bare word, whose accents do not count.
            is_bare = node.folds or node.quoted or subject != "note"
            return (exact + target or ("" if is_bare else "ignore-case:")) + text
        case Match():
            return f"{exact}{target}/{node.pattern.source}/"
        case Tag():
            return f"tag:/{node.pattern.source}/" if node.pattern else f"tag:#{node.name}"
        case Linked():
            return f"{'links-to' if node.way == 'to' else 'linked-from'}:{_phrase(node.name)}"
        case Dated():
            first, last = node.start or "", node.end or ""
            return f"{node.field}:{first}" if first == last else f"{node.field}:{first}..{last}"
        case Null():
            return "null"
        case Compared():
            bound = f"{node.bound:.15g}" if isinstance(node.bound, float) else node.bound
            return f"{node.sign}{bound}"
        case Property():
            names = " OR ".join(name if isinstance(name, str) else f"/{name.source}/" for name in node.names)
            return f"{exact}[{names}:{written(node.value, 'value')}]" if node.value else f"[{names}]"


def _is_exact(node: Node) -> bool:
    """Return whether case counts in a text, an expression, or what is asked of a property's value."""
    if isinstance(node, Property):
        return any(map(_is_exact, nodes_of([node.value] if node.value else [])))
    return node.pattern.case if isinstance(node, Match) else isinstance(node, Text) and node.case


def _grouped(node: Node, subject: Subject, kinds: tuple[type, ...] = (And, Or, Not)) -> str:
    text = written(node, subject)
    return f"({text})" if isinstance(node, kinds) else text


def _phrase(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


def _searched_as(snapshot: VaultSnapshot, queries: Sequence[Query]) -> Iterator[Notice]:
    """Say in one sentence which words of some queries are searched in other spellings too.

    Nothing is said of a spelling that the notes have in part only, nor of a plural and of accents.
    """
    every = [one for query in queries for one in query.spellings if snapshot.speller.has(one.text)]
    ways = {
        typed: texts
        for typed, texts in by_word(every).items()
        if not all(_is_form(typed, text) for text in texts)
    }
    if len(ways) == 1:
        yield from (Notice(NoticeKind.SPELT, typed=typed, words=texts) for typed, texts in ways.items())
    elif ways:
        named = [f"{typed} ({', '.join(texts)})" for typed, texts in ways.items()]
        yield Notice(NoticeKind.SEVERAL_SPELT, words=some_of(named, MOST_SAID))


def _is_form(typed: str, other: str) -> bool:
    """Return whether a word is another but for accents, hyphens and the ending of a plural."""
    one, two = sorted((fold(typed), fold(other).replace("-", "")), key=len)
    return two in (one, f"{one}s") or (one.endswith("u") and two == f"{one}x")


def near_words(snapshot: VaultSnapshot, query: Query) -> Iterator[Notice]:
    """Say of each word that stands nowhere which words are near, and in how many notes they stand."""
    for typed, ways in by_word(spellings_of(snapshot, query)).items():
        # What stands inside a longer word is found there by whoever suggests.
        if not snapshot.speller.has(typed) and ways[0] != with_hyphen(typed):
            near = (Notice(NoticeKind.NEAR_WORD, word=one, notes=_count(snapshot, one)) for one in ways)
            yield Notice(NoticeKind.NOTHING_HOLDS, typed=typed, near=tuple(near))


def _count(snapshot: VaultSnapshot, text: str) -> int:
    return len(np.unique(snapshot.lexical.note_of[snapshot.speller.chunks_with(text)]))


def near_terms(snapshot: VaultSnapshot, terms: Sequence[str]) -> Iterator[Notice]:
    """Say the same of the words in regular expressions."""
    for term in terms:
        words = words_in(term)
        yield from near_words(snapshot, Query(words, Text(words, folds=True)))


def words_in(expression: str) -> str:
    """Return the words in a regular expression."""
    return " ".join(runs(_ESCAPE.sub(" ", expression)))
