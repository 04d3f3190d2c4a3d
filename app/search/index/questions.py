"""Questions that a vault answers itself: headings, texts of links, descriptions, and where each leads."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from app.search.index.snapshot import VaultSnapshot

LEAST_WORDS, MOST_WORDS = 2, 12
"""Of a heading or the text of a link that can be asked as a question."""
MOST_DESCRIBED = 30
"""Words of a description that can be asked."""
DESCRIPTIONS = ("description", "summary", "résumé", "resume", "abstract")
"""Properties that say in other words what a note is about."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """A text that is asked, the chunks that it means, all of one note, and where it comes from."""

    text: str
    docs: tuple[int, ...]
    source: Literal["heading", "link", "description"]


def shown_chunks(snapshot: VaultSnapshot) -> list[int]:
    """Return the chunks that a search may show, in the order of their notes' paths."""
    docs: list[int] = np.flatnonzero(snapshot.chunks_of(snapshot.visible)).tolist()
    docs.sort(key=lambda doc: (snapshot.lexical.path(int(snapshot.lexical.note_of[doc])), doc))
    return docs


def headings(snapshot: VaultSnapshot, docs: Sequence[int]) -> Iterator[Asked]:
    """Yield the headings that only one chunk has, and that are more than a name of their note."""
    found = [(doc, trail[-1]) for doc in docs for trail in snapshot.chunk_headings(doc) if trail]
    often = Counter(heading.casefold() for _, heading in found)
    for doc, heading in found:
        if often[heading.casefold()] == 1 and _is_question(heading, _names(snapshot, doc)):
            yield Asked(heading, (doc,), "heading")


def link_texts(snapshot: VaultSnapshot, docs: Sequence[int]) -> Iterator[Asked]:
    """Yield the texts of links that say in other words what a note is about."""
    own = _by_note(snapshot, docs)
    seen = set[int]()
    for source in own:
        for link in snapshot.links(source):
            path = (
                snapshot.resolver.resolve(link.target, snapshot.lexical.path(source)) if link.target else None
            )
            target = snapshot.doc(path) if path is not None else None
            if target is None or target not in own or target == source or target in seen or link.embed:
                continue
            if _is_question(link.display, _names(snapshot, target)):
                seen.add(target)
                yield Asked(link.display, tuple(own[target]), "link")


def descriptions(snapshot: VaultSnapshot, docs: Sequence[int]) -> Iterator[Asked]:
    """Yield what properties say of their notes in a sentence."""
    own = _by_note(snapshot, docs)
    said = [
        (note, text.strip())
        for note in own
        for name, text in snapshot.note(note).properties.items()
        if name.lower() in DESCRIPTIONS and isinstance(text, str)
    ]
    often = Counter(text.casefold() for _, text in said)
    for note, text in said:
        names = _names(snapshot, own[note][0])
        if often[text.casefold()] == 1 and _is_question(text, names, MOST_DESCRIBED):
            yield Asked(text, tuple(own[note]), "description")


def spread(things: Sequence[T], most: int) -> list[T]:
    """Choose some things evenly over all of them."""
    if len(things) <= most:
        return list(things)
    return [things[at * len(things) // most] for at in range(most)]


def _by_note(snapshot: VaultSnapshot, docs: Sequence[int]) -> dict[int, list[int]]:
    own: dict[int, list[int]] = {}
    for doc in docs:
        own.setdefault(int(snapshot.lexical.note_of[doc]), []).append(doc)
    return own


def _names(snapshot: VaultSnapshot, doc: int) -> set[str]:
    """Return what the note of a document is called, folded."""
    note = snapshot.note(int(snapshot.lexical.note_of[doc]))
    return {name.casefold() for name in (note.title, *note.aliases)}


def _is_question(text: str, names: set[str], most: int = MOST_WORDS) -> bool:
    return LEAST_WORDS <= len(text.split()) <= most and text.casefold() not in names
