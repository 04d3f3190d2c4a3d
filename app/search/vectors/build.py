"""Give vectors to the chunks that have none, batch by batch, for as long as the caller allows."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.search.embedding.embedder import Embedder, project, quantize
from app.search.embedding.windows import Passage, cut_windows, make_passage
from app.search.index.snapshot import VaultSnapshot
from app.search.index.sync import Run
from app.search.vectors.store import KeptVectors, Place

BATCH_CHUNKS = 32
"""Passages that are added together: what an interrupted run loses at most."""

FEW = 24
"""So many passages are not worth starting the model that works fastest."""

MOST_CHARS = 40_000
"""Of a longer passage, perhaps a picture written as one line of letters, the beginning is embedded."""


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """What a run did: texts embedded, and those left for later.

    ``busy`` says that another thread or process is at it.
    """

    embedded: int = 0
    remaining: int = 0
    seconds: float = 0.0
    busy: bool = False


def embed_missing(kept: KeptVectors, snapshot: VaultSnapshot, run: Run) -> EmbedReport:
    """Embed the chunks of a snapshot that have no vectors, those of the newest notes first.

    Raises:
        SearchError: the model cannot be used, or the disk refuses; what was built is kept.
    """
    if not len(kept.joined(snapshot).missing):
        return EmbedReport()
    with kept.writing() as is_ours:
        # Another process may have been at it until now.
        missing = kept.joined(snapshot).missing.tolist()
        if not is_ours:
            return EmbedReport(remaining=len(missing), busy=True)
        # What works fastest starts slowest: with little time it would not come to work at all.
        many = run.deadline is None and len(missing) > FEW
        embedder = kept.bulk_embedder if many else kept.embedder
        done = 0
        for batch in run.batches(missing, BATCH_CHUNKS):
            _embed(kept, embedder, [passage_of(snapshot, doc) for doc in batch])
            done += len(batch)
    return EmbedReport(done, len(missing) - done)


def passage_of(snapshot: VaultSnapshot, doc: int) -> Passage:
    """Make the passage of a chunk from its note."""
    note = int(snapshot.lexical.note_of[doc])
    record = snapshot.note(note)
    named = record.properties.get("title")
    start, end = snapshot.chunk_lines(doc)
    trails = snapshot.chunk_headings(doc)
    return make_passage(
        [record.title, named if isinstance(named, str) else ""],
        record.aliases,
        trails[0] if trails else (),
        snapshot.lines(note)[start - 1 : end],
        max(0, record.body - start),
    )


def _embed(kept: KeptVectors, embedder: Embedder, passages: Sequence[Passage]) -> None:
    """Embed some passages and keep their vectors."""
    places: list[Place] = []
    texts: list[str] = []
    for passage in passages:
        text = "\n".join(passage.lines)[:MOST_CHARS]
        for at, window in enumerate(cut_windows(Passage(passage.header, tuple(text.split("\n"))), embedder)):
            places.append((passage.hash, at, window.first, window.last))
            texts.append(window.text)
    encoded = embedder.encode(texts)
    tokens = [quantize(project(text.tokens if kept.has_tokens else text.tokens[:0])) for text in encoded]
    kept.append(places, [text.vector for text in encoded], tokens)
