"""Rank notes by words: by their best chunks, and by parts of words where no chunk scores."""

from collections.abc import Sequence

import numpy as np

from app.dependencies import VaultClient
from app.search.lexical.index import Mask
from app.search.models import Ranked
from app.search.query.texts import Texts
from app.search.snapshot import VaultSnapshot
from app.search.text import calculate_relevance

SECOND_CHUNK = 0.1
"""How much a note's second-best chunk adds to its best; at 0.2 long notes begin to win."""

PARTS_READ = 100
"""Most notes whose text is read to score words inside longer ones."""


def rank_notes(view: VaultSnapshot, vault: VaultClient, text: str, mask: Mask) -> list[Ranked]:
    """Rank notes by their best chunk and a little of their second best."""
    scored = view.lexical.rank(text, view.chunks_of(mask), None)
    owners = view.lexical.note_of[scored.ids].tolist()
    raw: dict[int, float] = {}
    shown: dict[int, float] = {}
    seen: dict[int, int] = {}
    for note, one, score in zip(owners, scored.raw.tolist(), scored.shown.tolist(), strict=True):
        share = (1.0, SECOND_CHUNK, 0.0)[min(seen.get(note, 0), 2)]
        raw[note] = raw.get(note, 0.0) + share * one
        shown[note] = min(1.0, shown.get(note, 0.0) + share * score)
        seen[note] = seen.get(note, 0) + 1
    ranked = sorted(raw, key=lambda doc: (-raw[doc], view.lexical.path(doc)))
    rest = view.newest_first([doc for doc in np.flatnonzero(mask).tolist() if doc not in raw])
    least = min(shown.values(), default=1.0)
    return [Ranked(doc, shown[doc]) for doc in ranked] + _rank_parts(view, vault, text, rest, least)


def _rank_parts(
    view: VaultSnapshot, vault: VaultClient, text: str, docs: Sequence[int], most: float
) -> list[Ranked]:
    """Rank notes that hold the words as parts of longer ones only, which no posting scores.

    Their texts are read, so only the newest of very many are scored; none scores above ``most``.
    """
    texts = Texts(view, vault)
    worth = dict.fromkeys(docs, 0.0)
    for doc in docs[:PARTS_READ]:
        title = view.note(doc).title
        worth[doc] = min(most, calculate_relevance(texts.read(doc).raw, text, title))
    return [Ranked(doc, worth[doc]) for doc in sorted(docs, key=lambda doc: -worth[doc])]
