"""Find the vault's own images, and the notes that embed them."""

from collections.abc import Iterator, Sequence

import numpy as np

from app.dependencies import VaultClient
from app.search.index.snapshot import VaultSnapshot
from app.search.models import Ranked
from app.search.results import uri
from app.search.vectors.images import FoundImage, KeptImages
from app.search.wksc.models import SCORE_DIGITS, SearchHit

SHARE = 3
"""Words find an image among this many hits, where there is one: a model that knows both puts all texts nearer
to words than any image, so that by cosine alone an image would come after every note."""

MOST_PLACES = 20
"""Most paths that ``also_in`` and an excerpt name."""


def embedding_chunks(view: VaultSnapshot, images: Sequence[FoundImage]) -> dict[int, Ranked]:
    """Give the visible chunks that embed images, each with the cosine of the best one, and its line."""
    found: dict[int, Ranked] = {}
    for image in images:
        for note, line in _embeds(view, image):
            doc = _chunk_at(view, note, line)
            if doc is not None and (doc not in found or found[doc].score < image.cosine):
                found[doc] = Ranked(doc, image.cosine, near=(line, line))
    return found


def merged(
    chunks: Sequence[Ranked], images: Sequence[FoundImage], k: int, *, by_words: bool
) -> list[Ranked | FoundImage]:
    """Give the best ``k`` of both by their cosines; asked by words, some of them are images."""

    def cosine(item: Ranked | FoundImage) -> float:
        return item.cosine if isinstance(item, FoundImage) else item.score

    # Of equals the image comes before the chunk that embeds it.
    both: list[Ranked | FoundImage] = [*images, *chunks]
    best = sorted(both, key=cosine, reverse=True)[:k]
    least = min(len(images), k // SHARE if by_words else 0)
    if sum(isinstance(item, FoundImage) for item in best) < least:
        best = sorted([*images[:least], *chunks[: k - least]], key=cosine, reverse=True)
    return best


def image_hit(view: VaultSnapshot, vault: VaultClient, image: FoundImage) -> SearchHit:
    """Show an image; its excerpt names the notes that embed it."""
    places = [f"{view.lexical.path(note)} line {line}" for note, line in _embeds(view, image)]
    more = f" and {len(places) - MOST_PLACES} more places" if len(places) > MOST_PLACES else ""
    listed = ", ".join(places[:MOST_PLACES]) + more
    return SearchHit(
        uri=uri(vault, image.path),
        path=image.path,
        title=image.path.rpartition("/")[2],
        lines=None,
        score=round(min(1.0, max(0.0, image.cosine)), SCORE_DIGITS),
        excerpt=f"image, embedded in {listed}" if listed else "image, embedded in no note",
        also_in=image.copies[:MOST_PLACES],
    )


def image_notices(vault: VaultClient, view: VaultSnapshot, images: KeptImages) -> Iterator[str]:
    """Say which images cannot be found, and why."""
    if pending := images.pending(vault, view):
        yield f"images without vectors so far: {len(pending)}, such as '{pending[0]}'; not searched yet"
    if broken := images.unreadable(vault, view):
        path, reason = broken[0]
        yield f"images that cannot be read: {len(broken)}, such as '{path}': {reason}"


def _embeds(view: VaultSnapshot, image: FoundImage) -> list[tuple[int, int]]:
    """Give the visible notes that embed an image or a copy of it, each with the line, by path."""
    edges = {
        (edge.source, edge.link.line)
        for path in (image.path, *image.copies)
        for edge in view.graph.incoming(path)
        if edge.link.embed
    }
    placed = ((view.doc(source), line) for source, line in sorted(edges))
    return [(note, line) for note, line in placed if note is not None and view.visible[note]]


def _chunk_at(view: VaultSnapshot, note: int, line: int) -> int | None:
    # The chunks of a note follow it.
    start, end = np.searchsorted(view.lexical.note_of, (note, note + 1))
    for doc in range(int(start), int(end)):
        first, last = view.chunk_lines(doc)
        if view.lexical.chunks[doc] and first <= line <= last:
            return doc
    return None
