"""Bring a vault to Milvus from the index on this machine: what changed, in steps that can be cut short."""

import hashlib
import math
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

import numpy as np

from app.errors import IndexBusyError
from app.markdown.links import LinkResolver
from app.search.index.snapshot import VaultSnapshot
from app.search.index.store import LOCK_SECONDS
from app.search.index.sync import Progress, Stopped, SyncReport, documents_of
from app.search.lexical.schema import CHUNK_COLUMNS, STREAMS, stem_field
from app.search.milvus.conditions import among
from app.search.milvus.database import NOTES, PASSAGES, RECORDS, VECTORS, Row, Vault
from app.search.milvus.rows import Head, read_records, record_rows, rows_of, write_head
from app.search.upkeep import BUSY_SECONDS, Upkeep
from app.search.vectors.faiss_index import Model, Rows
from app.search.vectors.store import Listed, read_shards
from app.vault.attachments.read import AttachmentReader
from app.vault.daily import DayReader

LEASE_SECONDS = 60.0
"""How long a machine that went silent keeps others from bringing the same vault."""
LEASE = "lease"
NOTES_AT_ONCE = 50


class Lease:
    """The right to write a vault, which one machine has at a time; kept in the database.

    The database has no comparison that sets: who reads back what it wrote has it. Were two to think so, both
    would write the same rows from the same notes.
    """

    def __init__(self, vault: Vault, owner: str) -> None:
        self._vault, self._owner, self._until = vault, owner, 0.0

    def hold(self) -> None:
        """Take it, or go on having it where it would end soon.

        Raises:
            IndexBusyError: another machine has it.
        """
        if self._until - time.time() < LEASE_SECONDS / 2:
            self._refuse_other()
            self._write(time.time() + LEASE_SECONDS)
            self._refuse_other()

    def release(self) -> None:
        """Let another machine take it at once."""
        if self._read()[0] == self._owner:
            self._write(0.0)

    def __enter__(self) -> Self:
        self.hold()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _refuse_other(self) -> None:
        owner, until = self._read()
        if owner != self._owner and until > time.time():
            raise IndexBusyError(
                "another machine is bringing the vault '{name}' to Milvus",
                "try again when it is done; if it was cut off, in {left} seconds",
                name=self._vault.name,
                left=max(1, round(until - time.time())),
            )

    def _read(self) -> tuple[str, float]:
        owner, until = read_records(self._vault, [LEASE]).get(LEASE, ("", 0.0))
        return owner, until

    def _write(self, until: float) -> None:
        self._until = until
        self._vault.upsert(RECORDS, record_rows(self._vault, LEASE, "", (self._owner, until)))


class Feeder:
    """Brings one vault to the database: twice the same changes nothing, and what was cut short goes on."""

    def __init__(self, remote: Vault, local: Upkeep) -> None:
        self._remote, self._local, self._vault = remote, local, local.vault
        self._done: tuple[object, ...] | None = None
        self._owner = secrets.token_hex(8)

    def feed(
        self,
        *,
        seconds: float = math.inf,
        progress: Progress | None = None,
        again: bool = False,
        stopped: Stopped = lambda: False,
    ) -> SyncReport:
        """Bring what changed, or all ``again``, for as many seconds as it may take.

        Raises:
            IndexBusyError: another machine is at it.
            SearchError: the database does not answer.
        """
        if self._vault.obsidian.hides_all:
            return SyncReport()
        snapshot = self._local.snapshot()
        listed = self._local.vectors.listed() if self._local.vectors else None
        if self._done == (snapshot.lexical, listed) and not again:
            return SyncReport()
        for kind in (NOTES, PASSAGES, RECORDS):
            self._remote.make(kind)
        begun, wait = time.monotonic(), LOCK_SECONDS if seconds == math.inf else BUSY_SECONDS
        # One process of this machine at a time, and then one machine.
        with self._local.store.exclusive(wait), Lease(self._remote, self._owner) as lease:
            kind, vectors = self._vectors(listed)
            digests = _digests(snapshot, kind, vectors)
            there = {row["path"]: row["digest"] for row in self._remote.query(NOTES, "", ["path", "digest"])}
            todo = [path for path, digest in digests.items() if again or there.get(path) != digest]
            # What became private leaves the database before anything else is brought there.
            todo.sort(key=lambda path: path not in snapshot.hidden)
            written = done = 0
            for rows in self._rows(snapshot, todo, digests, kind, vectors):
                lease.hold()
                self._write(rows)
                written, done = written + len(rows), min(done + NOTES_AT_ONCE, len(todo))
                if progress:
                    progress(done, len(todo))
                if stopped() or time.monotonic() > begun + seconds:
                    break
            gone = [path for path in there if path not in digests]
            # Here too the note comes last: by it a run that is cut short is known to have more to delete.
            for name in (PASSAGES, *self._remote.vectors(), RECORDS, NOTES) if gone else ():
                self._remote.delete(name, gone)
            rest = len(todo) - done
            write_head(self._remote, _head_of(snapshot, rest, kind, vectors))
        if not rest:
            self._done = (snapshot.lexical, listed)
        return SyncReport(written, len(gone), rest, seconds=time.monotonic() - begun)

    def _vectors(self, listed: tuple[Path, Listed] | None) -> tuple[str, Rows]:
        """Return the vectors here, in the order of the hashes of their texts, and their collection."""
        shards = [*read_shards(listed[0], listed[1].model)[1].values()] if listed else []
        if not listed or not shards:
            return "", np.zeros(0, [("hash", "<i8")])
        kind, rows = vectors_of(listed[1].model), np.concatenate([shard.rows for shard in shards])
        self._remote.make(kind, listed[1].model.dimension)
        rows = rows[np.lexsort((rows["window"], rows["hash"]))]
        # Token vectors stay here.
        rows["tokens"] = 0
        return kind, rows

    def _rows(
        self,
        snapshot: VaultSnapshot,
        todo: Sequence[str],
        digests: Mapping[str, str],
        kind: str,
        vectors: Rows,
    ) -> Iterator[list[dict[str, list[Row]]]]:
        """Yield the rows of notes, of some at once; a file that has vanished leaves the index later."""
        scan = self._vault.scan() if todo else None
        stats = {str(path): stat for path, stat in (*scan.notes.items(), *scan.files.items())} if scan else {}
        resolver = LinkResolver([*snapshot.vault.files, *digests], all_types=snapshot.vault.all_types)
        days = DayReader(self._vault.root)

        def windows(text_hash: int) -> Rows:
            first, last = (np.searchsorted(vectors["hash"], text_hash, side) for side in ("left", "right"))
            return vectors[first:last]

        with AttachmentReader(self._vault.root, self._vault.settings) as reader:
            for at in range(0, len(todo), NOTES_AT_ONCE):
                some = [path for path in todo[at : at + NOTES_AT_ONCE] if path in stats]
                read = {
                    path: documents_of(self._vault, stats[path], resolver, days, reader.read) for path in some
                }
                yield [
                    rows_of(self._remote, docs, digests[path], kind, windows)
                    for path, docs in read.items()
                    if docs
                ]

    def _write(self, batch: Sequence[Mapping[str, list[Row]]]) -> None:
        """Write notes with all that belongs to them, and take away what they had before."""
        notes = [note for rows in batch for note in rows[NOTES]]
        paths = [note["path"] for note in notes]
        former = f"not ({among('digest', [note['digest'] for note in notes])})"
        wordless = [note["path"] for rows in batch for note in rows[NOTES] if not rows[PASSAGES]]
        self._remote.delete(RECORDS, wordless, former)
        # What is found leads to its note, and that to its record. So the note comes last: a run that is cut
        # short before it does all of this again.
        for kind in dict.fromkeys(kind for rows in batch for kind in rows if kind != NOTES):
            self._remote.upsert(kind, [row for rows in batch for row in rows.get(kind, ())])
        for kind in (PASSAGES, *self._remote.vectors()):
            self._remote.delete(kind, paths, former)
        self._remote.upsert(NOTES, notes)
        self._remote.delete(RECORDS, paths, former)


def vectors_of(model: Model) -> str:
    """Name the collection of the vectors of a model."""
    return f"{VECTORS}_{model.digest}"


def _digests(snapshot: VaultSnapshot, kind: str, vectors: Rows) -> dict[str, str]:
    """Name by a hash what there is of each note here: the same on every machine with the same vectors."""
    lexical = snapshot.lexical
    columns = [lexical.column(name) for name in CHUNK_COLUMNS]
    table = np.stack([*columns, np.isin(lexical.column("text_hash"), vectors["hash"])], axis=1)
    found: dict[str, str] = {}
    for path, doc in lexical.paths().items():
        # The chunks of a note follow it.
        chunks = table[doc + 1 : int(np.searchsorted(lexical.note_of, doc, "right"))]
        kept = repr((path, snapshot.hidden.get(path), lexical.data(doc), kind, chunks.tobytes()))
        found[path] = hashlib.blake2b(kept.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return found


def _head_of(snapshot: VaultSnapshot, rest: int, kind: str, vectors: Rows) -> Head:
    """Gather what is known of the vault as a whole."""
    lexical = snapshot.lexical
    live = lexical.chunks.astype(int)
    words = {stem: 0 for stream in STREAMS for stem in lexical.tally("", live, stem_field(stream))}
    for stream in STREAMS:
        for word, count in lexical.tally("", live, stream).items():
            words[word] = max(count, words.get(word, 0))
    known = [*lexical.terms("property:"), *lexical.terms("tag:")]
    hashes = lexical.column("text_hash")[lexical.chunks]
    return Head(
        lexical.vault_data,
        {path: snapshot.hidden.get(path, "") for path in snapshot.note_paths},
        [term for term in known if snapshot.shows_term(term)],
        snapshot.aliases(),
        [*lexical.language_counts.items()],
        words,
        len(hashes),
        rest,
        kind,
        float(np.isin(hashes, vectors["hash"]).mean()) if len(hashes) else 1.0,
    )
