"""What of a request Milvus can decide: a filter that keeps all notes which may answer, and others besides."""

from collections.abc import Iterable, Sequence
from datetime import date

from app.search.index.documents import SECONDS_A_DAY, link_term
from app.search.lexical.analysis import fold
from app.search.milvus.expression import (
    EVERYTHING,
    All,
    Days,
    Filter,
    Has,
    Holds,
    Named,
    Shown,
    Some,
    Under,
    Without,
)
from app.search.models import SearchRequest
from app.search.query.filters import tag_key
from app.search.query.parse import without_phrases
from app.search.query.tree import And, Dated, Linked, Match, Node, Not, Or, Property, Query, Tag, Text, Within
from app.search.rank.words import PUNCTUATION
from app.vault.paths import clean_path, path_key, without_vault_prefix

_MAGIC = "*?[{"
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\t": "\\t"})


def structured(request: SearchRequest) -> Filter:
    """Return what the parameters of a request ask besides its queries."""
    parts: list[Filter] = [Shown()]
    if request.folder is not None:
        parts.append(_any_path(clean_path(request.folder), request.folder))
    if request.scopes is not None:
        parts.append(Some(tuple(_scope(text) for text in request.scopes)))
    if request.tags:
        kind = All if request.match_all else Some
        parts.append(kind(tuple(Has(f"tag:{tag_key(tag)}") for tag in request.tags)))
    if request.start or request.end:
        parts.append(_days(request.date_field, request.start, request.end, own=request.ranks_passages))
    return All(tuple(parts))


def narrowed(request: SearchRequest, queries: Sequence[Query]) -> Filter:
    """Return what a request asks, its queries too; the bare words of ranked operations ask for nothing."""
    if request.ranks_passages:
        # A phrase that nothing meets is dropped, so that what it would leave out may answer after all.
        asked = [_all((without_phrases(query) or query).filters) for query in queries]
    else:
        asked = [_all(query.conditions) for query in queries]
    return All((structured(request), Some(tuple(asked)))) if asked else structured(request)


def bare_words(queries: Iterable[Query]) -> list[Filter]:
    """Return for each bare word of queries of notes what may have it: its text or its path."""
    # What stands around a word may be punctuation.
    words = dict.fromkeys(word.strip(PUNCTUATION) or word for query in queries for word in query.words)
    return [_text(Text(word, folds=True)) for word in words]


def _days(field: str, start: date | None, end: date | None, *, own: bool = False) -> Days:
    first, last = (bound.toordinal() if bound else None for bound in (start, end))
    return Days("modified" if field == "modified" else "created", first, last, own)


def day_of(seconds: int) -> int:
    """Return the day of a moment as the index numbers it."""
    return seconds // SECONDS_A_DAY


def _scope(text: str) -> Filter:
    """Return the notes that a scope may name; how it is to be read depends on what notes there are."""
    body = text.strip()
    before, sign, _ = body.rpartition("#")
    forms = [body, *([before] if sign else [])]
    found: list[Filter] = []
    for form in forms:
        if path_key(form).startswith("project:"):
            name = clean_path(form[len("project:") :])
            found.append(Under(path_key(f"projects/{name}/")))
        found.append(_any_path(clean_path(form), form))
    return Some(tuple(found))


def _any_path(path: str, written: str) -> Filter:
    """Return the notes below the letters that a path starts with, before anything that may be a pattern."""
    forms = dict.fromkeys(
        (path, without_vault_prefix(path + "/", False).strip("/"), written.strip().lstrip("/"))
    )
    prefixes = {path_key(_plain(form)) for form in forms}
    return EVERYTHING if "" in prefixes else Some(tuple(Under(prefix) for prefix in sorted(prefixes)))


def _plain(path: str) -> str:
    ends = [at for sign in _MAGIC if (at := path.find(sign)) >= 0]
    return path[: min(ends)] if ends else path


def _all(nodes: Iterable[Node]) -> Filter:
    return All(tuple(map(narrow, nodes)))


def narrow(node: Node) -> Filter:
    """Return what keeps all notes of which a node of a query holds."""
    if isinstance(node, And):
        return _all(node.parts)
    if isinstance(node, Or):
        return Some(tuple(map(narrow, node.parts)))
    if isinstance(node, Not):
        return _without(node.part)
    if isinstance(node, Text):
        return _text(node)
    if isinstance(node, Match):
        longest = max(node.pattern.literals, key=len, default="")
        return _text(Text(longest, target=node.target))
    if isinstance(node, Within):
        if node.unit == "alias":
            return EVERYTHING
        inner = narrow(node.part)
        return All((Has(f"tasks:{node.unit}"), inner)) if node.unit.startswith("task") else inner
    return _term(node) or EVERYTHING


def _term(node: Node) -> Filter | None:
    """Return what an index keeps as a term or a day; None where it is more than one."""
    if isinstance(node, Tag) and node.pattern is None:
        return Has(f"tag:{tag_key(node.name)}")
    if isinstance(node, Dated):
        return _days(node.field, node.start, node.end)
    if isinstance(node, Property) and all(isinstance(name, str) for name in node.names):
        return Some(tuple(Has(f"property:{path_key(str(name)).translate(_ESCAPES)}") for name in node.names))
    if isinstance(node, Linked) and node.way == "to":
        return _linking(node.name)
    return None


def _without(part: Node) -> Filter:
    """Return what keeps all notes of which a node does not hold: exact where the node is one term."""
    found = _term(part)
    return Without(found) if isinstance(found, Has | Days) else EVERYTHING


def _linking(name: str) -> Filter:
    """Return the notes with a link that writes the last part of a name."""
    name = name.strip().removeprefix("[[").removesuffix("]]").partition("|")[0].partition("#")[0].strip()
    last = path_key(name.rstrip("/")).rpartition("/")[2]
    bare = last.removesuffix(".md")
    return Some(tuple(Has(link_term(form)) for form in (bare, bare + ".md"))) if bare else EVERYTHING


def _text(node: Text) -> Filter:
    """Return the notes in which a text may stand; of several words the longest is looked for."""
    word = max(map(fold, node.text.split()), key=len, default="")
    if not word:
        return EVERYTHING
    if node.target in ("file", "path"):
        return Named(word)
    return Holds(word) if node.target == "content" else Some((Holds(word), Named(word)))
