"""What to try when nothing was found: near tags, near titles, words one edit away, a wider scope."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from app.notices import Notice, NoticeKind
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import fold
from app.search.models import SearchRequest
from app.search.query.filters import tag_key, void_scopes
from app.search.query.parse import parse_query
from app.search.text import query_words
from app.vault.paths import path_key

MAX_WORD = 30
"""Longest word, in letters, for which others one letter away are looked for."""

_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"


def suggestions(snapshot: VaultSnapshot, request: SearchRequest) -> Iterable[Notice]:
    """Say what was searched and what is near, a sentence each."""
    yield Notice(NoticeKind.SEARCHED, notes=int(snapshot.visible.sum()))
    if request.tags and (near := _near_tags(snapshot, request.tags)):
        yield Notice(NoticeKind.NEAR_TAGS, tags=tuple(f"#{tag}" for tag in near))
    for scope in void_scopes(snapshot, request.scopes or ()):
        yield Notice(NoticeKind.VOID_SCOPE, scope=scope)
    if request.queries:
        texts = _texts(request)
        words = [word for text in texts for word in query_words(text)]
        if near := _near_words(snapshot, words):
            yield Notice(NoticeKind.NEAR_WORDS, words=tuple(near))
        if near := _near_titles(snapshot, " ".join(texts)):
            yield Notice(NoticeKind.NEAR_NAMES, paths=tuple(near))


def _texts(request: SearchRequest) -> list[str]:
    """Return what the queries look for, without their operators."""
    if request.operation == "keyword":
        return list(request.search_terms)
    return [text for query in request.queries if (text := parse_query(query).positive)]


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
    known = [term.removeprefix("tag:") for term in snapshot.lexical.terms("tag:")]
    visible = [tag for tag in known if snapshot.visible[snapshot.lexical.docs_with(f"tag:{tag}")].any()]
    near: list[str] = []
    for tag in tags:
        key = tag_key(tag)
        near += get_close_matches(key, visible, n=3, cutoff=0.6)
        near += [other for other in visible if fold(other) == fold(key) or (len(key) > 2 and key in other)][
            :3
        ]
    return list(dict.fromkeys(near))[:5]


def _near_words(snapshot: VaultSnapshot, words: Iterable[str]) -> list[str]:
    lexicon = snapshot.lexical.lexicon()
    near: list[str] = []
    for word in words:
        if 3 < len(word) <= MAX_WORD and word.isalnum() and not _shown(snapshot, word):
            near += sorted(edit for edit in _edits(word) if edit in lexicon and _shown(snapshot, edit))[:3]
    return list(dict.fromkeys(near))[:5]


def _shown(snapshot: VaultSnapshot, word: str) -> bool:
    return bool(snapshot.visible[snapshot.lexical.note_of[snapshot.lexical.word_docs(word)]].any())


def _edits(word: str) -> set[str]:
    """Return all words one deletion, exchange, replacement or insertion away (after Norvig, 2007)."""
    halves = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    edits = {a + b[1:] for a, b in halves if b}
    edits |= {a + b[1] + b[0] + b[2:] for a, b in halves if len(b) > 1}
    edits |= {a + letter + b[1:] for a, b in halves if b for letter in _ALPHABET}
    edits |= {a + letter + b for a, b in halves for letter in _ALPHABET}
    return edits - {word}


def _near_titles(snapshot: VaultSnapshot, query: str) -> list[str]:
    titles = {
        path_key(path.rpartition("/")[2].removesuffix(".md")): path
        for path, doc in snapshot.lexical.paths().items()
        if snapshot.visible[doc]
    }
    return [titles[key] for key in get_close_matches(path_key(query)[:100], titles, n=3, cutoff=0.7)]
