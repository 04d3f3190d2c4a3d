"""What of a request Milvus can decide: a filter that keeps all notes which may answer, and others besides."""

from collections.abc import Iterable, Sequence
from os.path import commonprefix

from app.search.index.documents import link_term
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import fold
from app.search.milvus.expression import (
    EVERYTHING,
    SHOWN,
    All,
    Condition,
    Filter,
    Some,
    days,
    has,
    holds,
    named,
    under,
)
from app.search.models import SearchRequest
from app.search.query.filters import folder_path, scopes_of, tag_key
from app.search.query.parse import without_phrases
from app.search.query.properties import property_term
from app.search.query.tree import And, Dated, Linked, Match, Node, Not, Or, Property, Query, Tag, Text, Within
from app.search.rank.words import PUNCTUATION
from app.vault.paths import path_key


def narrowed(snapshot: VaultSnapshot, request: SearchRequest, queries: Sequence[Query]) -> Filter:
    """Return what a request asks, its queries too; the bare words of ranked operations ask for nothing.

    Args:
        snapshot: Knows the paths of all notes.
        request: The request.
        queries: Its queries.

    Raises:
        VaultError: a scope or a folder cannot be read.
    """
    parts: list[Filter] = [SHOWN]
    if request.folder is not None and (folder := folder_path(snapshot, request.folder)):
        parts.append(under(path_key(folder) + "/"))
    if request.scopes is not None:
        found = scopes_of(snapshot, request.scopes)
        inside = [[key for key in snapshot.shown_keys if scope.matches(key)] for scope in found]
        # Letters are compared, and not the names between slashes.
        shared = [commonprefix(keys) for keys in inside if keys]  # noqa: RUF071
        parts.append(Some(tuple(map(under, shared))))
    if request.tags:
        kind = All if request.match_all else Some
        parts.append(kind(tuple(has(f"tag:{tag_key(tag)}") for tag in request.tags)))
    if request.start or request.end:
        parts.append(days(request.date_field, request.start, request.end, own=request.ranks_passages))
    if queries:
        parts.append(Some(tuple(_all(_conditions(request, query)) for query in queries)))
    return All(tuple(parts))


def _conditions(request: SearchRequest, query: Query) -> Iterable[Node]:
    if not request.ranks_passages:
        return query.conditions
    # A phrase that nothing meets is dropped, so that what it would leave out may answer after all.
    return (without_phrases(query) or query).filters


def bare_words(queries: Iterable[Query]) -> list[Filter]:
    """Return for each bare word of queries of notes what may have it: its text or its path."""
    # What stands around a word may be punctuation.
    words = dict.fromkeys(word.strip(PUNCTUATION) or word for query in queries for word in query.words)
    return [_text(Text(word, folds=True)) for word in words]


def linking(names: Iterable[str]) -> Filter:
    """Return what keeps the notes with a link that writes the last part of one of some names."""
    lasts = [path_key(name.rstrip("/")).rpartition("/")[2].removesuffix(".md") for name in names]
    return Some(tuple(has(link_term(form)) for last in lasts for form in (last, f"{last}.md")))


def _all(nodes: Iterable[Node]) -> Filter:
    return All(tuple(map(narrow, nodes)))


def narrow(node: Node) -> Filter:
    """Return what keeps all notes of which a node of a query holds."""
    match node:
        case And():
            return _all(node.parts)
        case Or():
            return Some(tuple(map(narrow, node.parts)))
        case Not():
            inner = narrow(node.part) if isinstance(node.part, Tag | Dated) else EVERYTHING
            negated = inner.negated if isinstance(inner, Condition) else None
            return EVERYTHING if negated is None else Condition(negated)
        case Text():
            return _text(node)
        case Match():
            longest = max(node.pattern.literals, key=len, default="")
            return _text(Text(longest, target=node.target))
        case Within() if node.unit != "alias":
            inner = narrow(node.part)
            return All((has(f"tasks:{node.unit}"), inner)) if node.unit.startswith("task") else inner
        case Tag(pattern=None):
            return has(f"tag:{tag_key(node.name)}")
        case Dated():
            return days(node.field, node.start, node.end)
        case Property() if all(isinstance(name, str) for name in node.names):
            return Some(tuple(has(property_term(str(name))) for name in node.names))
        case Linked(way="to"):
            return linking([node.target])
        case _:
            return EVERYTHING


def _text(node: Text) -> Filter:
    """Return the notes in which a text may stand; of several words the longest is looked for."""
    word = max(map(fold, node.text.split()), key=len, default="")
    if not word:
        return EVERYTHING
    if node.target in ("file", "path"):
        return named(word)
    return holds(word) if node.target == "content" else Some((holds(word), named(word)))
