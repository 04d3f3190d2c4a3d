"""Let each content be found once: the best-ranked chunk stays, the places of the others are named."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import Ids, Mask
from app.search.models import Ranked

FIRST_FACTOR = 2
"""So many times the wanted hits are ranked at first; then twice as many, and so on."""


def distinct(view: VaultSnapshot, rank: Callable[[int], Sequence[Ranked]], k: int) -> list[Ranked]:
    """Give the best ``k`` chunks of different content, as many as there are.

    Args:
        view: The snapshot.
        rank: Ranks that many chunks, or somewhat more, best first; fewer where there are no more.
        k: Most chunks.
    """
    contents = view.lexical.column("content_hash")
    count = FIRST_FACTOR * k
    while True:
        items = rank(count)
        kept = _first_of_each(items, contents)
        if len(kept) >= k or len(items) < count:
            return kept[:k]
        count *= 2


def also_in(view: VaultSnapshot, doc: int, among: Mask) -> list[str]:
    """Name the other notes with a chunk of the same content, among some chunks, by path."""
    contents = view.lexical.column("content_hash")
    if not contents[doc]:
        return []
    same = np.flatnonzero(among & (contents == contents[doc]))
    paths = {view.lexical.path(note) for note in view.lexical.note_of[same].tolist()}
    return sorted(paths - {view.lexical.path(int(view.lexical.note_of[doc]))})


def _first_of_each(items: Iterable[Ranked], contents: Ids) -> list[Ranked]:
    kept: list[Ranked] = []
    seen: set[int] = set()
    for item in items:
        content = int(contents[item.doc])
        if content in seen:
            continue
        kept.append(item)
        # Chunks without text of their own, such as empty notes, have nothing in common.
        if content:
            seen.add(content)
    return kept
