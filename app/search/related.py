"""Notes that have to do with one: by links, by what both link to, by tags, by words, and by meaning."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from app.config.settings import logger
from app.errors import VaultError
from app.notices import CommandKind, Notice
from app.search.lexical.index import Mask
from app.search.rank.fusion import reciprocal_ranks
from app.search.view import View
from app.showing import TAG, TITLE, in_line
from app.vault.paths import path_key

MOST_PASSAGES = 200
"""Passages that are ranked by words, and by meaning."""
TEXT_CHARS = 1500
"""How much of a note's text is asked for by its words."""
RANK_CONSTANT = 60.0
"""How much the first places of a list count, as in reciprocal rank fusion."""
MOST_SHARED = 3
"""Names of what two notes share that are shown."""
MOST_NEAR = 20
"""Of the notes nearest by words, or by meaning, so many are called so."""
EVERYWHERE = 0.2
"""A tag, or a note that is linked to, which so large a share of the notes has, relates none of them."""

Shared = dict[int, Counter[str]]
"""Notes, each with the names of what it shares with another, by how rare that is."""


@dataclass(frozen=True, slots=True)
class Related:
    """A related note, and why."""

    doc: int
    reasons: tuple[Notice, ...]


def related_notes(view: View, doc: int, limit: int | None) -> list[Related]:
    """Return the notes most related to one, best first; notes that are not shown count for nothing.

    Args:
        view: The index.
        doc: The note.
        limit: The most notes; None for all that anything relates to it.
    """
    others = view.snapshot.visible.copy()
    others[doc] = False
    tags, targets = _tags(view, doc, others), _targets(view, doc, others)
    linked = [note for note in _linked(view, doc) if others[note]]
    words, meaning = _by_words(view, doc, others), _by_meaning(view, doc, others)
    lists = [linked, _rarest_first(tags), _rarest_first(targets), words, meaning]
    best = reciprocal_ranks([np.array(one, np.int64) for one in lists], RANK_CONSTANT)[0][:limit].tolist()

    def why(note: int) -> Iterator[Notice]:
        if note in linked:
            yield Notice(CommandKind.RELATED_LINK)
        for kind, shared in ((CommandKind.RELATED_TAGS, tags), (CommandKind.RELATED_TARGETS, targets)):
            if names := shared.get(note):
                yield Notice(kind, names=tuple(name for name, _ in names.most_common(MOST_SHARED)))
        if note in meaning[:MOST_NEAR]:
            yield Notice(CommandKind.RELATED_MEANING)
        if note in words[:MOST_NEAR]:
            yield Notice(CommandKind.RELATED_WORDS)

    return [Related(note, tuple(why(note))) for note in best]


def _linked(view: View, doc: int) -> list[int]:
    graph, path = view.snapshot.graph, view.lexical.path(doc)
    names = [edge.target for edge in graph.outgoing(path) if edge.target is not None]
    names += [edge.source for edge in graph.incoming(path)]
    found = (view.snapshot.doc(name) for name in dict.fromkeys(names))
    return [note for note in found if note is not None]


def _tags(view: View, doc: int, others: Mask) -> Shared:
    """Return the notes that share tags, each with these, the rarest weighing most."""
    shared: Shared = {}
    for tag in view.snapshot.note(doc).tags:
        docs = view.lexical.docs_with(f"tag:{path_key(tag)}").tolist()
        _share(shared, f"#{in_line(tag, TAG)}", docs, others)
    return shared


def _targets(view: View, doc: int, others: Mask) -> Shared:
    """Return the notes that link to what a note links to, each with the names of that."""
    shared: Shared = {}
    graph, path = view.snapshot.graph, view.lexical.path(doc)
    for target in dict.fromkeys(edge.target for edge in graph.outgoing(path)):
        if target is None or target == path or view.snapshot.is_excluded(target):
            continue
        sources = dict.fromkeys(edge.source for edge in graph.incoming(target))
        own = view.snapshot.doc(target)
        name = view.snapshot.note(own).title if own is not None else target.rpartition("/")[2]
        _share(shared, in_line(name, TITLE), map(view.snapshot.doc, sources), others)
    return shared


def _share(shared: Shared, name: str, having: Iterable[int | None], others: Mask) -> None:
    notes = [note for note in having if note is not None and others[note]]
    if len(notes) <= max(2, EVERYWHERE * int(others.sum())):
        for note in notes:
            # Counters hold whole numbers: what few notes have counts up to a thousand.
            shared.setdefault(note, Counter())[name] = round(1000 / len(notes)) or 1


def _rarest_first(shared: Shared) -> list[int]:
    return sorted(shared, key=lambda note: -shared[note].total())


def _by_words(view: View, doc: int, others: Mask) -> list[int]:
    snapshot = view.snapshot
    note = snapshot.note(doc)
    headings = [section.text for section in snapshot.outline(doc).sections]
    body = "\n".join(snapshot.lines(doc)[max(note.body - 1, 0) :])[:TEXT_CHARS]
    text = "\n".join([note.title, *note.aliases, *headings, body])
    found = view.lexical.rank(text, snapshot.chunks_of(others), MOST_PASSAGES)
    return _notes_of(view, found.ids.tolist())


def _by_meaning(view: View, doc: int, others: Mask) -> list[int]:
    """Return the notes nearest in meaning, by the vectors that there are: no model is loaded."""
    if view.vectors is None:
        return []
    try:
        joined = view.vectors.wanted().joined(view.snapshot)
        rows = joined.note_rows(doc)
        if not len(rows):
            return []
        middle = joined.index.vectors(rows).mean(axis=0)
        middle /= max(float(np.linalg.norm(middle)), 1e-6)
        return _notes_of(view, joined.nearest(middle, MOST_PASSAGES, view.snapshot.chunks_of(others), {}))
    except VaultError as error:
        logger.warning("deep_degraded", extra={"what": "no nearest notes", "error": str(error)})
        return []


def _notes_of(view: View, chunks: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(int(view.lexical.note_of[chunk]) for chunk in chunks))
