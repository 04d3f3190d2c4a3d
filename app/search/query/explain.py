"""Say how a query was read, in the query language itself, and what to try where it finds nothing."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

import numpy as np

from app.notices import Notice, NoticeKind, some_of
from app.search.excerpt import fold
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import runs
from app.search.lexical.segment import Mask
from app.search.lexical.speller import alike
from app.search.models import SearchRequest
from app.search.query import tree
from app.search.query.evaluate import has_property, matching_notes
from app.search.query.filters import note_filter, scopes_of, tag_key
from app.search.query.parse import OPERATOR_AS_TEXT
from app.search.query.read import by_word, queries_of, spellings_of
from app.search.view import View
from app.sentences import Sentence
from app.vault.paths import path_key

MOST_SAID = 5
"""Most words, paths, tags and kinds of files that are named."""
OWN_KINDS = ("base", "canvas")
"""Endings of Obsidian's own files, which are words; others are initials."""
FILTERS = {
    NoticeKind.SCOPES: ("scopes",),
    NoticeKind.FOLDER: ("folder",),
    NoticeKind.DATES: ("start", "end"),
    NoticeKind.TAGS: ("tags",),
}
"""The filters of a request, and the fields that each is written in."""
Subject = Literal["note", "piece", "value"]
"""What a part is asked of: a note, a piece of one below an operator, or a property's value."""
GROUPS = tree.And, tree.Or, tree.Not
_BRACKETS = re.compile(r"(?<!\S)-?\[([^\[\]:\s][^\[\]:]*)\]")
_ESCAPE = re.compile(r"\\.")
_WORD = re.compile(r"""[^\s\-()\[\]":/][^\s()\[\]":/]*""")


def readings(
    view: View, request: SearchRequest, queries: Sequence[tree.Query], total: int, *, ranked: bool
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


def _explained(view: View, query: tree.Query, left: Mask, *, ranked: bool) -> Iterator[Notice]:
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


def _properties(snapshot: VaultSnapshot, query: tree.Query, *, ranked: bool) -> Iterator[Notice]:
    """Say which brackets are text that may be meant as a property, and which ask for one that no note has."""
    for found in _BRACKETS.finditer(query.text) if ranked else ():
        if has_property(snapshot, name := found[1].strip().strip('"')):
            yield Notice(NoticeKind.BRACKETS_ARE_TEXT, name=name)
    for node in tree.nodes_of(query.parts):
        for name in node.names if isinstance(node, tree.Property) else ():
            if isinstance(name, str) and not has_property(snapshot, name):
                yield Notice(NoticeKind.UNKNOWN_PROPERTY, name=name)


def written(node: tree.Node, subject: Subject = "note") -> str:
    """Write a part of a query as it was read: in the query language, which reads the same again."""
    exact = "match-case:" if subject != "value" and _is_exact(node) else ""
    target = f"{node.target}:" if isinstance(node, tree.Text | tree.Match) and subject == "note" else ""
    target = target.removeprefix("note:")
    match node:
        case tree.And() | tree.Or():
            between = " " if isinstance(node, tree.And) else " OR "
            return between.join(_grouped(part, subject, (tree.And, tree.Or)) for part in node.parts)
        case tree.Not():
            return "-" + _grouped(node.part, subject)
        case tree.Within():
            return f"{node.unit}:{_grouped(node.part, 'piece')}"
        case tree.Text():
            is_word = not node.quoted and (subject == "value" or _WORD.fullmatch(node.text))
            text = node.text if is_word or (node.folds and node.quoted) else _phrase(node.text)
            # Without any operator it would be a bare word, whose accents do not count.
            is_bare = node.folds or node.quoted or subject != "note"
            return (exact + target or ("" if is_bare else "ignore-case:")) + text
        case tree.Match():
            return f"{exact}{target}/{node.pattern.source}/"
        case tree.Tag():
            return f"tag:/{node.pattern.source}/" if node.pattern else f"tag:#{node.name}"
        case tree.Linked():
            return f"{'links-to' if node.way == 'to' else 'linked-from'}:{_phrase(node.name)}"
        case tree.Based():
            return f"base:{_phrase(node.name)}"
        case tree.Dated():
            first, last = node.start or "", node.end or ""
            return f"{node.field}:{first}" if first == last else f"{node.field}:{first}..{last}"
        case tree.Null():
            return "null"
        case tree.Compared():
            bound = f"{node.bound:.15g}" if isinstance(node.bound, float) else node.bound
            return f"{node.sign}{bound}"
        case tree.Property():
            names = " OR ".join(name if isinstance(name, str) else f"/{name.source}/" for name in node.names)
            return f"{exact}[{names}:{written(node.value, 'value')}]" if node.value else f"[{names}]"


def _is_exact(node: tree.Node) -> bool:
    """Return whether case counts in a text, an expression, or what is asked of a property's value."""
    if isinstance(node, tree.Property):
        return any(map(_is_exact, tree.nodes_of([node.value] if node.value else [])))
    return node.pattern.case if isinstance(node, tree.Match) else isinstance(node, tree.Text) and node.case


def _grouped(node: tree.Node, subject: Subject, kinds: tuple[type, ...] = GROUPS) -> str:
    text = written(node, subject)
    return f"({text})" if isinstance(node, kinds) else text


def _phrase(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


def _searched_as(snapshot: VaultSnapshot, queries: Sequence[tree.Query]) -> Iterator[Notice]:
    """Say which words of some queries are searched in other spellings too.

    Nothing is said of a spelling that the notes have in part only, nor of a plural and of accents.
    """
    every = [one for query in queries for one in query.spellings if snapshot.speller.has(one.text)]
    for typed, texts in by_word(every).items():
        if not all(_is_form(typed, text) for text in texts):
            words = tuple(as_written(snapshot, text) for text in texts)
            yield Notice(NoticeKind.SPELT, typed=typed, words=words)


def as_written(snapshot: VaultSnapshot, text: str) -> str:
    """Return a word with the accents that it has in the first passage that holds it."""
    lexical, wanted = snapshot.lexical, fold(text)
    for chunk in snapshot.speller.chunks_with(text)[:1].tolist():
        return next((run for run in runs(lexical.text(chunk)) if fold(run) == wanted), text)
    return text


def _is_form(typed: str, other: str) -> bool:
    """Return whether a word is another but for accents, hyphens and the ending of a plural."""
    one, two = sorted((fold(typed), fold(other).replace("-", "")), key=len)
    return two in (one, f"{one}s") or (one.endswith("u") and two == f"{one}x")


def near_words(snapshot: VaultSnapshot, query: tree.Query) -> Iterator[Notice]:
    """Say of each word that stands nowhere which words are near, and in how many notes they stand."""
    for typed, ways in by_word(spellings_of(snapshot, query)).items():
        # What stands inside a longer word is found there by whoever suggests.
        if not snapshot.speller.has(typed) and ways[0] != tree.with_hyphen(typed):
            near = (Notice(NoticeKind.NEAR_WORD, word=one, notes=_count(snapshot, one)) for one in ways)
            yield Notice(NoticeKind.NOTHING_HOLDS, typed=typed, near=tuple(near))


def _count(snapshot: VaultSnapshot, text: str) -> int:
    return len(np.unique(snapshot.lexical.note_of[snapshot.speller.chunks_with(text)]))


def near_terms(snapshot: VaultSnapshot, terms: Sequence[str]) -> Iterator[Notice]:
    """Say the same of the words in regular expressions."""
    for term in terms:
        words = words_in(term)
        yield from near_words(snapshot, tree.Query(words, tree.Text(words, folds=True)))


def words_in(expression: str) -> str:
    """Return the words in a regular expression."""
    return " ".join(runs(_ESCAPE.sub(" ", expression)))


# What to try when nothing was found


def suggestions(view: View, request: SearchRequest) -> Iterator[Notice]:
    """Say what was searched, what never is, and what is near, a sentence each."""
    snapshot = view.snapshot
    # The terms of a keyword search are expressions, and know no operators.
    queries = () if request.operation == "keyword" else queries_of(snapshot, request)
    texts = [query.positive for query in queries] or list(map(words_in, request.search_terms))
    unread = not_searched(view) if request.queries else None
    yield unread or Notice(NoticeKind.SEARCHED, what=_searched(snapshot))
    left_out = sorted(path for path, why in snapshot.hidden.items() if why == "left-out")
    left_out = [path for path in left_out if not view.vault.is_excluded(path)]
    if request.queries and left_out:
        yield Notice(NoticeKind.NEVER_SEARCHED, paths=some_of(left_out, MOST_SAID))
    asked = [leaf for query in queries for leaf in tree.leaves(query.root)]
    tags = [leaf.name for leaf in asked if isinstance(leaf, tree.Tag) and leaf.pattern is None]
    if near := _near_tags(snapshot, [*request.tags, *tags]):
        yield Notice(NoticeKind.NEAR_TAGS, tags=tuple(f"#{tag}" for tag in near))
    keys = [path_key(path) for path in snapshot.visible_paths] if request.scopes else []
    for scope in scopes_of(snapshot, request.scopes or ()):
        if not any(map(scope.matches, keys)):
            yield Notice(NoticeKind.VOID_SCOPE, scope=scope.text)
    names = ((path.rpartition("/")[2].removesuffix(".md"), path) for path in snapshot.visible_paths)
    titles = {path_key(name): path for name, path in names} if request.queries else {}
    if titles and (near := alike(path_key(" ".join(filter(None, texts)))[:100], titles)):
        yield Notice(NoticeKind.NEAR_NAMES, paths=tuple(titles[name] for name in near))


def not_searched(view: View) -> Notice | None:
    """Say how many files of which kinds, the commonest first, a search for words does not read, if any."""
    files = (path for path in view.snapshot.vault.files if not view.vault.is_excluded(path))
    endings = (path.rpartition("/")[2].rpartition(".") for path in files)
    counts = Counter(ending.lower() for name, _, ending in endings if name).most_common()
    kinds = [f"{count} {kind if kind in OWN_KINDS else kind.upper()}" for kind, count in counts]
    if not kinds:
        return None
    what = _searched(view.snapshot)
    return Notice(NoticeKind.NOT_ALL_SEARCHED, what=what, kinds=some_of(kinds, MOST_SAID))


def _searched(snapshot: VaultSnapshot) -> Sentence:
    """Count notes, and other files where there are any."""
    notes, files = (
        int(shown.sum()) for shown in (snapshot.shown_notes, snapshot.visible & snapshot.attached)
    )
    if not files:
        return Sentence("{notes} {notes:note|notes}", notes=notes)
    return Sentence("{notes} {notes:note|notes} and {files} {files:file|files}", notes=notes, files=files)


def _near_tags(snapshot: VaultSnapshot, tags: Sequence[str]) -> list[str]:
    """Return a few tags that are written nearly so, or hold what is asked for."""
    given = list(map(tag_key, tags))
    folded = {fold(tag): tag for tag in snapshot.tags()} if given else {}
    near: list[str] = []
    for key in map(fold, given):
        near += [folded[name] for name in alike(key, folded)]
        near += [tag for name, tag in folded.items() if len(key) > 2 and key in name]
    return [tag for tag in dict.fromkeys(near) if tag_key(tag) not in given][:MOST_SAID]


def filters_of(request: SearchRequest) -> list[NoticeKind]:
    """Return which filters a request has, beside its operation and its queries."""
    return [kind for kind, fields in FILTERS.items() if any(getattr(request, name) for name in fields)]


def unfiltered(request: SearchRequest, filters: Collection[NoticeKind]) -> SearchRequest:
    """Return a request without some of its filters."""
    fields = [name for kind in filters for name in FILTERS[kind]]
    return request.model_copy(
        update={name: SearchRequest.model_fields[name].get_default() for name in fields}
    )


def without_filters(request: SearchRequest) -> tuple[SearchRequest, tuple[Notice, ...]] | None:
    """Return the same request over the whole vault, and what was dropped; None when nothing can be."""
    own = {"by_date": NoticeKind.DATES, "by_tag": NoticeKind.TAGS}.get(request.operation)
    given = [kind for kind in filters_of(request) if kind != own]
    if not given or request.operation == "keyword":
        # A wider search by keywords would send more text to the language model than was asked for.
        return None
    changes: dict[str, object] = {"limit": 1, "offset": 0}
    changes |= {"operation": "fast"} if request.operation == "scoped" else {}
    return unfiltered(request, given).model_copy(update=changes), tuple(map(Notice, given))
