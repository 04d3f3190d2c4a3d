"""Give vectors to the chunks that have none, batch by batch, for as long as the caller allows."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from app.errors import NoteNotFoundError, NoteUnreadableError, PathError
from app.search.embedding.embedder import Embedder
from app.search.embedding.token_vectors import project, quantize
from app.search.embedding.windows import Passage, Window, cut_windows, make_passage
from app.search.index.chunk import split_lines
from app.search.index.snapshot import VaultSnapshot
from app.search.vectors.file_format import ROW, LogWriter
from app.search.vectors.store import KeptVectors
from app.vault.client import VaultClient

BATCH_CHUNKS = 32
"""Passages that are appended together: what an interrupted run loses at most."""

FEW = 24
"""So many passages are not worth starting the model that works fastest."""

MOST_CHARS = 40_000
"""Of a longer passage, perhaps a picture written as one line of letters, the beginning is embedded."""

Progress = Callable[[int, int], None]
"""Called with passages done and passages to do."""


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

    def then(self, other: "EmbedReport") -> "EmbedReport":
        """Add what was done after this."""
        return EmbedReport(
            self.embedded + other.embedded,
            self.remaining + other.remaining,
            self.cut + other.cut,
            self.seconds + other.seconds,
            self.busy or other.busy,
        )


def embed_missing(
    kept: KeptVectors,
    vault: VaultClient,
    snapshot: VaultSnapshot,
    *,
    deadline: float | None = None,
    progress: Progress | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> EmbedReport:
    """Embed the chunks of a snapshot that have no vectors, the newest and most linked notes first.

    Args:
        kept: Where the vectors go.
        vault: Where the lines are read.
        snapshot: The snapshot.
        deadline: A `time.monotonic` moment at which to stop with what is done, which is one batch at least.
        progress: Called after each batch.
        stopped: Asked before each batch whether to stop.

    Raises:
        SearchError: the model cannot be used, or the disk refuses; what was built is kept.
    """
    begun = time.monotonic()
    if not len(kept.joined(snapshot).missing):
        return EmbedReport()
    with kept.writing() as writer:
        # Another process may have been at it until now.
        missing = kept.joined(snapshot).missing.tolist()
        if writer is None:
            return EmbedReport(remaining=len(missing), busy=True)
        # What works fastest starts slowest: with little time it would not come to work at all.
        many = deadline is None and len(missing) > FEW
        embedder = kept.bulk_embedder if many else kept.embedder
        if progress:
            # Said again: only from now on does the time tell how fast it goes.
            progress(0, len(missing))
        done = cut = 0
        for batch in _batches(missing):
            if stopped() or (done and deadline is not None and time.monotonic() > deadline):
                break
            passages = list(_read(vault, snapshot, batch))
            cut += _append(writer, embedder, passages)
            done += len(passages)
            if progress:
                progress(done, len(missing))
    # What changed since the snapshot was left out, and is still missing.
    return EmbedReport(done, len(kept.joined(snapshot).missing), cut, time.monotonic() - begun)


def _batches(docs: Sequence[int]) -> Iterator[Sequence[int]]:
    for at in range(0, len(docs), BATCH_CHUNKS):
        yield docs[at : at + BATCH_CHUNKS]


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


def _append(writer: LogWriter, embedder: Embedder, passages: Sequence[Passage]) -> int:
    """Embed some passages and append them; say of how many only the beginning was embedded."""
    windows: list[Window] = []
    rows: list[tuple[int, int, int, int, int]] = []
    for passage in passages:
        cut = cut_windows(_shortened(passage), embedder)
        windows += cut
        rows += [(passage.hash, at, len(cut), window.first, window.last) for at, window in enumerate(cut)]
    if not windows:
        return 0
    encoded = embedder.encode([window.text for window in windows])
    tokens = [quantize(project(text.tokens)) for text in encoded]
    block = np.array([(*row, len(some)) for row, some in zip(rows, tokens, strict=True)], ROW)
    writer.append(block, np.stack([text.vector for text in encoded]), tokens)
    return sum(_shortened(passage) is not passage for passage in passages)


def _shortened(passage: Passage) -> Passage:
    """Keep the first `MOST_CHARS` of a passage; the same passage where it is not longer."""
    room, lines = MOST_CHARS, list[str]()
    for line in passage.lines:
        lines.append(line[:room])
        room -= len(line) + 1
        if room <= 0:
            break
    kept = Passage(passage.header, tuple(lines))
    return passage if kept == passage else kept
