"""What to try when nothing was found: near tags, near titles, a wider scope."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from itertools import chain

import numpy as np

from app.errors import NoteNotFoundError, NoteUnreadableError, PathError
from app.notices import Notice, NoticeKind, some_of
from app.search.embedding.glosses import glossary_of
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import fold, runs
from app.search.lexical.bm25 import ranking_words
from app.search.lexical.speller import alike
from app.search.models import SearchRequest
from app.search.query.explain import words_in
from app.search.query.filters import tag_key, void_scopes
from app.search.query.read import queries_of
from app.search.query.tree import Query, found_tags
from app.search.view import View
from app.vault.paths import path_key

MOST_READ = 200
"""Most notes that no search shows in which words are looked up after all."""
MOST_NAMED = 5
OWN_KINDS = ("base", "canvas")
"""Endings of Obsidian's own files, which are words; others are initials."""


def suggestions(view: View, request: SearchRequest) -> Iterable[Notice]:
    """Say what was searched, what never is, and what is near, a sentence each."""
    snapshot = view.snapshot
    unread = not_searched(view) if request.queries else None
    yield unread or Notice(NoticeKind.SEARCHED, notes=len(snapshot.visible_paths))
    if request.queries:
        yield from _never_searched(view, request)
    asked = (found_tags(query.root) for query in _queries(snapshot, request) if query.root is not None)
    tags = [*(request.tags or ()), *chain.from_iterable(asked)]
    if tags and (near := _near_tags(snapshot, tags)):
        yield Notice(NoticeKind.NEAR_TAGS, tags=tuple(f"#{tag}" for tag in near))
    if request.ranks_passages:
        yield from _in_other_words(view, request)
    for scope in void_scopes(snapshot, request.scopes or ()):
        yield Notice(NoticeKind.VOID_SCOPE, scope=scope)
    if request.queries and (near := _near_titles(snapshot, " ".join(_texts(view.snapshot, request)))):
        yield Notice(NoticeKind.NEAR_NAMES, paths=tuple(near))


def not_searched(view: View) -> Notice | None:
    """Say how many files of which kinds, the commonest first, a search for words does not read, if any."""
    files = (path for path in view.snapshot.vault.files if not view.vault.is_excluded(path))
    endings = (path.rpartition("/")[2].rpartition(".") for path in files)
    counts = Counter(ending.lower() for name, _, ending in endings if name).most_common()
    kinds = [f"{count} {kind if kind in OWN_KINDS else kind.upper()}" for kind, count in counts]
    if not kinds:
        return None
    notes = len(view.snapshot.visible_paths)
    return Notice(NoticeKind.NOT_ALL_SEARCHED, notes=notes, kinds=some_of(kinds, MOST_NAMED))


def _in_other_words(view: View, request: SearchRequest) -> Iterable[Notice]:
    """Say what a question finds word by word in another language."""
    for text in _texts(view.snapshot, request):
        if glossary := glossary_of(text):
            gloss = glossary.gloss(text).text
            allowed = view.snapshot.chunks_of(view.snapshot.visible) & view.lexical.in_language(glossary.into)
            if count := len(np.unique(view.lexical.note_of[view.lexical.rank(gloss, allowed).ids])):
                yield Notice(NoticeKind.NEAR_GLOSS, gloss=gloss, notes=count)


def _never_searched(view: View, request: SearchRequest) -> Iterable[Notice]:
    """Name the notes that a project vault leaves out, and those of them that have words asked for.

    Excluded notes are no part of this.
    """
    snapshot = view.snapshot
    left_out = sorted(path for path, why in snapshot.hidden.items() if why == "left-out")
    paths = [path for path in left_out if not view.vault.is_excluded(path)]
    if not paths:
        return
    yield Notice(NoticeKind.NEVER_SEARCHED, paths=some_of(paths, MOST_NAMED))
    asked = {
        fold(word.text): word.text
        for text in _texts(view.snapshot, request)
        for word in ranking_words(text, snapshot.lexical.languages)
    }
    holding: dict[str, list[str]] = {}
    for path in paths[:MOST_READ]:
        try:
            words = set(map(fold, runs(view.vault.read(path).text)))
        except (NoteUnreadableError, NoteNotFoundError, PathError):
            # `status` says what cannot be read.
            continue
        for key in asked.keys() & words:
            holding.setdefault(asked[key], []).append(path)
    for word in asked.values():
        if word in holding:
            yield Notice(NoticeKind.STANDS_IN, word=word, paths=some_of(holding[word], MOST_NAMED))


def _texts(snapshot: VaultSnapshot, request: SearchRequest) -> list[str]:
    """Return what the queries look for, without their operators."""
    if request.operation == "keyword":
        return [words_in(term) for term in request.search_terms]
    return [text for query in _queries(snapshot, request) if (text := query.positive)]


def _queries(snapshot: VaultSnapshot, request: SearchRequest) -> Sequence[Query]:
    """Return the queries as the operation reads them; those of ``keyword`` have no operators."""
    return () if request.operation == "keyword" else queries_of(snapshot, request)


def without_filters(request: SearchRequest) -> tuple[SearchRequest, tuple[Notice, ...]] | None:
    """Return the same request over the whole vault, and what was dropped; None when nothing can be."""
    dropped = {
        NoticeKind.SCOPES: request.scopes is not None,
        NoticeKind.FOLDER: request.folder is not None,
        NoticeKind.DATES: bool(request.start or request.end) and request.operation != "by_date",
        NoticeKind.TAGS: bool(request.tags) and request.operation != "by_tag",
    }
    if request.operation == "keyword":
        # A wider search would send more text to the language model than was asked for.
        return None
    names = tuple(Notice(kind) for kind, given in dropped.items() if given)
    if not names:
        return None
    changes: dict[str, object] = {
        "operation": "fast" if request.operation == "scoped" else request.operation,
        "scopes": None,
        "folder": None,
        "start": request.start if request.operation == "by_date" else None,
        "end": request.end if request.operation == "by_date" else None,
        "tags": request.tags if request.operation == "by_tag" else (),
        "limit": 1,
        "offset": 0,
    }
    return request.model_copy(update=changes), names


def _near_tags(snapshot: VaultSnapshot, tags: Collection[str]) -> list[str]:
    visible = snapshot.tags()
    folded = {fold(tag): tag for tag in visible}
    near: list[str] = []
    for tag in tags:
        key = tag_key(tag)
        near += (folded[name] for name in get_close_matches(fold(key), folded, n=3, cutoff=0.6))
        near += [other for other in visible if fold(other) == fold(key) or (len(key) > 2 and key in other)][
            :3
        ]
    given = set(map(tag_key, tags))
    return [tag for tag in dict.fromkeys(near) if tag_key(tag) not in given][:5]


def _near_titles(snapshot: VaultSnapshot, query: str) -> list[str]:
    titles = {path_key(path.rpartition("/")[2].removesuffix(".md")): path for path in snapshot.visible_paths}
    return [titles[key] for key in alike(path_key(query)[:100], titles)]
