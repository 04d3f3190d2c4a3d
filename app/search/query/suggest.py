"""What to try when nothing was found: near tags, near titles, a wider scope."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from app.notices import Notice, NoticeKind, some_of
from app.search.embedding.glosses import ENGLISH, gloss_of_question
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import fold
from app.search.lexical.speller import alike
from app.search.models import SearchRequest
from app.search.query.explain import words_in
from app.search.query.filters import scopes_of, tag_key
from app.search.query.link_walk import name_key
from app.search.query.read import queries_of
from app.search.query.tree import Tag, leaves
from app.search.view import View
from app.vault.paths import path_key

MOST_NAMED = 5
OWN_KINDS = ("base", "canvas")
"""Endings of Obsidian's own files, which are words; others are initials."""


def suggestions(view: View, request: SearchRequest) -> Iterator[Notice]:
    """Say what was searched, what never is, and what is near, a sentence each."""
    snapshot = view.snapshot
    # The terms of a keyword search are expressions, and know no operators.
    queries = () if request.operation == "keyword" else queries_of(snapshot, request)
    texts = [query.positive for query in queries] or list(map(words_in, request.search_terms))
    unread = not_searched(view) if request.queries else None
    yield unread or Notice(NoticeKind.SEARCHED, notes=len(snapshot.visible_paths))
    left_out = sorted(path for path, why in snapshot.hidden.items() if why == "left-out")
    left_out = [path for path in left_out if not view.vault.is_excluded(path)]
    if request.queries and left_out:
        yield Notice(NoticeKind.NEVER_SEARCHED, paths=some_of(left_out, MOST_NAMED))
    asked = [leaf for query in queries for leaf in leaves(query.root)]
    tags = [leaf.name for leaf in asked if isinstance(leaf, Tag) and leaf.pattern is None]
    if near := _near_tags(snapshot, [*request.tags, *tags]):
        yield Notice(NoticeKind.NEAR_TAGS, tags=tuple(f"#{tag}" for tag in near))
    if request.ranks_passages:
        yield from _in_other_words(view, texts)
    keys = [path_key(path) for path in snapshot.visible_paths] if request.scopes else []
    for scope in scopes_of(snapshot, request.scopes or ()):
        if not any(map(scope.matches, keys)):
            yield Notice(NoticeKind.VOID_SCOPE, scope=scope.text)
    titles = {name_key(path): path for path in snapshot.visible_paths} if request.queries else {}
    if titles and (names := alike(path_key(" ".join(filter(None, texts)))[:100], titles)):
        yield Notice(NoticeKind.NEAR_NAMES, paths=tuple(titles[name] for name in names))


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


def _in_other_words(view: View, texts: Sequence[str]) -> Iterator[Notice]:
    """Say what a question finds word by word in another language."""
    for text in texts:
        if gloss := gloss_of_question(text):
            english = view.lexical.language_of == ENGLISH
            allowed = view.snapshot.chunks_of(view.snapshot.visible) & english
            if count := len(np.unique(view.lexical.note_of[view.lexical.rank(gloss.text, allowed).ids])):
                yield Notice(NoticeKind.NEAR_GLOSS, gloss=gloss.text, notes=count)


def _near_tags(snapshot: VaultSnapshot, tags: Sequence[str]) -> list[str]:
    """Return a few tags that are written nearly so, or hold what is asked for."""
    given = list(map(tag_key, tags))
    folded = {fold(tag): tag for tag in snapshot.tags()} if given else {}
    near: list[str] = []
    for key in map(fold, given):
        near += [folded[name] for name in alike(key, folded)]
        near += [tag for name, tag in folded.items() if len(key) > 2 and key in name]
    return [tag for tag in dict.fromkeys(near) if tag_key(tag) not in given][:MOST_NAMED]


def without_filters(request: SearchRequest) -> tuple[SearchRequest, tuple[Notice, ...]] | None:
    """Return the same request over the whole vault, and what was dropped; None when nothing can be."""
    fields = {
        NoticeKind.SCOPES: ("scopes",),
        NoticeKind.FOLDER: ("folder",),
        NoticeKind.DATES: ("start", "end") if request.operation != "by_date" else (),
        NoticeKind.TAGS: ("tags",) if request.operation != "by_tag" else (),
    }
    given = {kind: names for kind, names in fields.items() if any(getattr(request, name) for name in names)}
    if not given or request.operation == "keyword":
        # A wider search by keywords would send more text to the language model than was asked for.
        return None
    changes: dict[str, object] = {name: None for names in given.values() for name in names}
    changes |= {"tags": ()} if NoticeKind.TAGS in given else {}
    changes |= {"operation": "fast"} if request.operation == "scoped" else {}
    changes |= {"limit": 1, "offset": 0}
    return request.model_copy(update=changes), tuple(map(Notice, given))
