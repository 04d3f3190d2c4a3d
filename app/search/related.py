"""Notes that have to do with one: by links, by what both link to, by tags, by words, and by meaning."""

from collections import Counter
from collections.abc import Iterable, Sequence
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
EVERYWHERE = 0.2
"""A tag, or a note that is linked to, which so large a share of the notes has, relates none of them."""


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
    reasons: dict[int, list[Notice]] = {}

    def say(notes: Iterable[int], reason: Notice) -> None:
        for note in notes:
            reasons.setdefault(note, []).append(reason)

    linked = [note for note in _linked(view, doc) if others[note]]
    say(linked, Notice(CommandKind.RELATED_LINK))
    lists: list[Sequence[int]] = [linked]
    for kind, shared in (
        (CommandKind.RELATED_TAGS, _tags(view, doc, others)),
        (CommandKind.RELATED_TARGETS, _targets(view, doc, others)),
    ):
        lists.append(sorted(shared, key=lambda note: -sum(shared[note].values())))
        for note, names in shared.items():
            say([note], Notice(kind, names=tuple(name for name, _ in names.most_common(MOST_SHARED))))
    by_words = _by_words(view, doc, others)
    lists.append(by_words)
    by_meaning = _by_meaning(view, doc, others)
    say(by_meaning[: MOST_PASSAGES // 10], Notice(CommandKind.RELATED_MEANING))
    lists.append(by_meaning)
    say(by_words[: MOST_PASSAGES // 10], Notice(CommandKind.RELATED_WORDS))
    best = reciprocal_ranks([np.array(one, np.int64) for one in lists], RANK_CONSTANT)[0][:limit].tolist()
    return [Related(note, tuple(reasons.get(note, ()))) for note in best]


def _linked(view: View, doc: int) -> list[int]:
    graph, path = view.snapshot.graph, view.lexical.path(doc)
    names = [edge.target for edge in graph.outgoing(path) if edge.target is not None]
    names += [edge.source for edge in graph.incoming(path)]
    found = (view.snapshot.doc(name) for name in dict.fromkeys(names))
    return [note for note in found if note is not None]


def _tags(view: View, doc: int, others: Mask) -> dict[int, Counter[str]]:
    """Return the notes that share tags, each with these, the rarest weighing most."""
    shared: dict[int, Counter[str]] = {}
    for tag in view.snapshot.note(doc).tags:
        docs = view.lexical.docs_with(f"tag:{path_key(tag)}")
        _share(shared, f"#{in_line(tag, TAG)}", docs[others[docs]].tolist(), int(others.sum()))
    return shared


def _targets(view: View, doc: int, others: Mask) -> dict[int, Counter[str]]:
    """Return the notes that link to what a note links to, each with the names of that."""
    shared: dict[int, Counter[str]] = {}
    graph, path = view.snapshot.graph, view.lexical.path(doc)
    for target in dict.fromkeys(edge.target for edge in graph.outgoing(path)):
        if target is None or target == path or view.snapshot.is_excluded(target):
            continue
        sources = dict.fromkeys(edge.source for edge in graph.incoming(target))
        notes = [
            note for source in sources if (note := view.snapshot.doc(source)) is not None and others[note]
        ]
        own = view.snapshot.doc(target)
        name = view.snapshot.note(own).title if own is not None else target.rpartition("/")[2]
        _share(shared, in_line(name, TITLE), notes, int(others.sum()))
    return shared


def _share(shared: dict[int, Counter[str]], name: str, notes: Sequence[int], of: int) -> None:
    if not notes or len(notes) > max(2, EVERYWHERE * of):
        return
    for note in notes:
        # Counters hold whole numbers: what few notes have counts up to a thousand.
        shared.setdefault(note, Counter())[name] = round(1000 / len(notes)) or 1


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
