"""Give vectors to the chunks that have none, batch by batch, for as long as the caller allows."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from app.errors import NoteNotFoundError, NoteUnreadableError, PathError
from app.search.embedding.embedder import Embedder
from app.search.embedding.token_vectors import project, quantize
from app.search.embedding.windows import Passage, cut_windows, make_passage
from app.search.index.chunk import split_lines
from app.search.index.snapshot import VaultSnapshot
from app.search.index.sync import Progress, Stopped
from app.search.vectors.store import KeptVectors, Place
from app.vault.client import VaultClient

BATCH_CHUNKS = 32
"""Passages that are added together: what an interrupted run loses at most."""

FEW = 24
"""So many passages are not worth starting the model that works fastest."""

MOST_CHARS = 40_000
"""Of a longer passage, perhaps a picture written as one line of letters, the beginning is embedded."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """What a run did: texts embedded, those left for later, and those cut to their beginning.

    ``busy`` says that another thread or process is at it.
    """

    embedded: int = 0
    remaining: int = 0
    cut: int = 0
    seconds: float = 0.0
    busy: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """How long vectors are built, and who is told: until ``stopped``, or a `time.monotonic` moment."""

    deadline: float | None = None
    progress: Progress | None = None
    stopped: Stopped = lambda: False

    def batches(self, items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
        """Hand out some work while there is time, and one batch of it at least."""
        for at in range(0, len(items), size):
            if self.progress:
                # Said at once: only from now on does the time tell how fast it goes.
                self.progress(at, len(items))
            if self.stopped() or (at and self.deadline is not None and time.monotonic() > self.deadline):
                return
            yield items[at : at + size]
        if self.progress:
            self.progress(len(items), len(items))


def embed_missing(kept: KeptVectors, vault: VaultClient, snapshot: VaultSnapshot, run: Run) -> EmbedReport:
    """Embed the chunks of a snapshot that have no vectors, the newest and most linked notes first.

    Raises:
        SearchError: the model cannot be used, or the disk refuses; what was built is kept.
    """
    begun = time.monotonic()
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
        done = cut = 0
        for batch in run.batches(missing, BATCH_CHUNKS):
            passages = list(_read(vault, snapshot, batch))
            cut += _embed(kept, embedder, passages)
            done += len(passages)
    # What changed since the snapshot was left out, and is still missing.
    return EmbedReport(done, len(kept.joined(snapshot).missing), cut, time.monotonic() - begun)


def _read(vault: VaultClient, snapshot: VaultSnapshot, docs: Sequence[int]) -> Iterator[Passage]:
    """Read the passages of some chunks; those of a note that changed since wait for the next look at it."""
    texts: dict[int, list[str]] = {}
    hashes = snapshot.lexical.column("text_hash")
    for doc in docs:
        note = int(snapshot.lexical.note_of[doc])
        if note not in texts:
            try:
                texts[note] = split_lines(vault.read(snapshot.lexical.path(note)).text)
            except (NoteNotFoundError, NoteUnreadableError, PathError):
                texts[note] = []
        passage = passage_of(snapshot, doc, texts[note])
        if passage.hash == hashes[doc]:
            yield passage


def passage_of(snapshot: VaultSnapshot, doc: int, lines: Sequence[str]) -> Passage:
    """Make the passage of a chunk from the lines of its note."""
    note = int(snapshot.lexical.note_of[doc])
    record = snapshot.note(note)
    named = record.properties.get("title")
    start, end = snapshot.chunk_lines(doc)
    trails = snapshot.chunk_headings(doc)
    return make_passage(
        [record.title, named if isinstance(named, str) else ""],
        record.aliases,
        trails[0] if trails else (),
        lines[start - 1 : end],
        max(0, record.body - start),
    )


def _embed(kept: KeptVectors, embedder: Embedder, passages: Sequence[Passage]) -> int:
    """Embed some passages and keep their vectors; say of how many only the beginning was embedded."""
    places: list[Place] = []
    texts: list[str] = []
    cut = 0
    for passage in passages:
        name, short = passage.hash, _shortened(passage)
        cut += short is not passage
        for at, window in enumerate(cut_windows(short, embedder)):
            places.append((name, at, window.first, window.last))
            texts.append(window.text)
    if texts:
        encoded = embedder.encode(texts)
        tokens = [quantize(project(text.tokens)) for text in encoded]
        kept.append(places, [text.vector for text in encoded], tokens)
    return cut


def _shortened(passage: Passage) -> Passage:
    """Keep the first `MOST_CHARS` of a passage; the same passage where it is not longer."""
    text = "\n".join(passage.lines)
    if len(text) <= MOST_CHARS:
        return passage
    return Passage(passage.header, tuple(text[:MOST_CHARS].split("\n")))
