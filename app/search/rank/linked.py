"""Notes that a first hit names, by a link or their title: they may answer what it leaves open."""

import math
from collections.abc import Iterator, Sequence

from app.search.index.documents import MOST_NAME_WORDS, NAME, name_words
from app.search.lexical.index import Mask
from app.search.query.evaluate import chunk_text
from app.search.query.filters import ChunkFilter, Lines
from app.search.view import View
from app.vault.paths import NOTE_SUFFIX

MOST_LINKED = 10
"""Of more notes that a passage names, those with the rarest names are looked at."""

Naming = tuple[Sequence[str], Sequence[int]]
"""The words of a name, and the notes it means."""


def linked_notes(view: View, doc: int, chunks: ChunkFilter, allowed: Mask) -> dict[int, float]:
    """Find the notes that a passage links to, or has a name of in its text, with how much that tells.

    A name tells less the more passages have it, and the more names stand beside it: neither a note that is
    named everywhere nor a list of links says what belongs together.

    Args:
        view: The index, and the vault where the lines are read.
        doc: The passage.
        chunks: What the filters allow; of a passage allowed in part only, those lines are read.
        allowed: The notes that may be found.

    Returns:
        A number between 0 and 1 for each note, the highest first.
    """
    own = int(view.lexical.note_of[doc])
    ranges = chunks.lines.get(doc) or (view.snapshot.chunk_lines(doc),)
    found: dict[int, float] = {}
    for name, notes in (*_links(view, own, ranges), *_mentions(view, doc, ranges)):
        for note in notes:
            if note != own and allowed[note]:
                found[note] = max(_telling(view, doc, name), found.get(note, 0.0))
    shared = math.sqrt(max(len(found), 1))
    first = sorted(found, key=lambda note: -found[note])[:MOST_LINKED]
    return {note: found[note] / shared for note in first if found[note]}


def _links(view: View, note: int, ranges: Sequence[Lines]) -> Iterator[Naming]:
    """Yield what some lines link to, under the name of the file."""
    snapshot, path = view.snapshot, view.lexical.path(note)
    for link in snapshot.links(note):
        if any(start <= link.line <= end for start, end in ranges):
            target = snapshot.resolver.resolve(link.target, path)
            doc = snapshot.doc(target) if target else None
            if target and doc is not None:
                yield name_words(target.rpartition("/")[2].removesuffix(NOTE_SUFFIX)), (doc,)


def _mentions(view: View, doc: int, ranges: Sequence[Lines]) -> Iterator[Naming]:
    """Yield the notes that some lines name; where names overlap, the first and longest counts.

    One word names no note in another language, where it can mean anything: "installation", "dates".
    """
    names = view.snapshot.names
    words = [word for lines in ranges for word in name_words(chunk_text(view, doc, lines))]
    at = 0
    while at < len(words):
        length = 1
        known = names.get(words[at], frozenset())
        for end in range(min(at + MOST_NAME_WORDS, len(words)), at, -1) if known else ():
            name = " ".join(words[at:end])
            notes = view.lexical.docs_with(NAME + name).tolist() if name in known else []
            if end == at + 1:
                notes = [note for note in notes if view.lexical.are_alike(doc, note)]
            if notes:
                yield words[at:end], notes
                length = end - at
                break
        at += length


def _telling(view: View, doc: int, name: Sequence[str]) -> float:
    """Return how rare a name is in the language of a document, 0 to 1, by the rarest of its words."""
    total = view.lexical.count_like(doc)
    rarest = min((max(view.lexical.frequency(word, doc), 1) for word in name), default=total)
    return 1 - math.log(rarest) / math.log(total) if total > 1 else 0.0
