"""Bring a vault to Milvus from the index on this machine: what changed, in steps that can be cut short."""

import json
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from app.errors import IndexBusyError
from app.markdown.links import LinkResolver
from app.search.index.snapshot import VaultSnapshot
from app.search.index.store import LOCK_SECONDS
from app.search.index.sync import Progress, Stopped, SyncReport, documents_of, selected
from app.search.milvus.database import (
    FILTERS,
    NOTES,
    PASSAGES,
    RECORDS,
    VECTORS,
    Row,
    Vault,
    batched,
)
from app.search.milvus.expression import among
from app.search.milvus.head import Meta, head_of, read_meta, write_head
from app.search.milvus.rows import (
    NoteRows,
    dumped,
    note_rows,
    read_records,
    record_rows,
    rows_of,
)
from app.search.private import read_record, write_record
from app.search.upkeep import BUSY_SECONDS, Upkeep
from app.search.vectors.faiss_index import Joined, VectorIndex
from app.search.vectors.store import Listed, read_shards
from app.vault.daily import DayReader

LEASE_SECONDS = 60.0
"""How long a machine that went silent keeps others from bringing the same vault."""
LEASE = ("lease", "")
NOTES_AT_ONCE = 50
WINDOWS_AT_ONCE = 500
State = list[object]
"""A note's size in bytes, modification time in nanoseconds, and digest."""
RECORD, OWNER = "milvus.json", "milvus-owner.json"
"""Files of what was brought from this machine, and of the name by which it holds a lease."""


class Lease:
    """The right to write a vault, which one machine has at a time; kept in the database.

    The database has no comparison that sets: who reads back what it wrote has it. Were two to think so, both
    would write the same rows from the same notes.
    """

    def __init__(self, vault: Vault, owner: str) -> None:
        self._vault, self._owner, self._until = vault, owner, 0.0

    def take(self) -> None:
        """Take it.

        Raises:
            IndexBusyError: another machine has it.
        """
        self._refuse_other()
        self._write(time.time() + LEASE_SECONDS)
        self._refuse_other()

    def keep(self) -> None:
        """Go on having it, where it would end soon.

        Raises:
            IndexBusyError: it ended, and another machine has it now.
        """
        if self._until - time.time() < LEASE_SECONDS / 2:
            self.take()

    def release(self) -> None:
        """Let another machine take it at once."""
        if self._read()[0] == self._owner:
            self._write(0.0)

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
        found = read_records(self._vault, {LEASE: 1})
        owner, until = json.loads(found[LEASE]) if found else ("", 0.0)
        return owner, until

    def _write(self, until: float) -> None:
        self._until = until
        self._vault.upsert(RECORDS, record_rows(self._vault, LEASE, dumped((self._owner, until))))


class Feeder:
    """Brings one vault to the database: twice the same changes nothing, and what was cut short goes on."""

    def __init__(self, remote: Vault, local: Upkeep) -> None:
        self._remote, self._local, self._vault = remote, local, local.vault
        self._done: tuple[object, ...] | None = None

    def feed(
        self,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        again: bool = False,
        stopped: Stopped = lambda: False,
    ) -> SyncReport:
        """Bring what changed, for as long as ``seconds`` allows.

        Args:
            seconds: How long; None as long as it takes.
            progress: Called with notes done and notes to do.
            again: Read all notes anew, whatever is known of them here.
            stopped: Asked after each note whether to stop; what is done by then is kept.

        Raises:
            IndexBusyError: another machine is at it.
            SearchError: the database does not answer.
        """
        if self._vault.obsidian.hides_all:
            return SyncReport()
        snapshot = self._local.snapshot()
        state = (snapshot.lexical, self._listed())
        if self._done == state and not again:
            return SyncReport()
        for kind in (NOTES, PASSAGES, RECORDS):
            self._remote.make(kind)
        deadline = None if seconds is None else time.monotonic() + seconds

        def ends() -> bool:
            return stopped() or (deadline is not None and time.monotonic() > deadline)

        # One process of this machine at a time, and then one machine.
        with (
            self._local.store.exclusive(BUSY_SECONDS if seconds is not None else LOCK_SECONDS),
            self._lease() as lease,
        ):
            before = read_meta(self._remote) or Meta()
            report, brought = self._notes(snapshot, {} if again else self._known(), lease, ends, progress)
            meta = replace(
                before,
                generation=secrets.token_hex(8),
                notes=len(snapshot.visible_paths),
                chunks=int(snapshot.lexical.chunks.sum()),
                rest=report.remaining,
            )
            if not report.remaining:
                meta = self._with_vectors(meta, snapshot, brought, lease)
            write_head(self._remote, head_of(snapshot), meta)
            if again and not report.remaining:
                for kind in self._remote.kinds(VECTORS):
                    if kind != meta.vectors:
                        self._remote.delete(kind, "vault", [self._remote.key])
        if not report.remaining:
            self._done = state
        return report

    @contextmanager
    def _lease(self) -> Iterator[Lease]:
        # A machine that was cut off goes on at once: it is known by what its folder says.
        owner = read_record(self._local.folder / OWNER)
        if not isinstance(owner, str):
            owner = secrets.token_hex(8)
            write_record(self._local.folder / OWNER, owner)
        lease = Lease(self._remote, owner)
        lease.take()
        try:
            yield lease
        finally:
            lease.release()

    def _known(self) -> dict[str, State]:
        """Return the notes as they were last brought from this machine."""
        found = read_record(self._local.folder / RECORD)
        return found["notes"] if isinstance(found, dict) and found.get("of") == self._identity() else {}

    def _identity(self) -> list[str]:
        return [self._remote.uri, self._remote.name, self._local.snapshot().vault.rules]

    def _notes(
        self,
        snapshot: VaultSnapshot,
        known: Mapping[str, State],
        lease: Lease,
        ends: Stopped,
        progress: Progress | None,
    ) -> tuple[SyncReport, Mapping[str, State]]:
        """Bring notes; returns what was done, and which notes are there now."""
        notes = selected(self._vault.scan().notes, self._local.definition)
        stats = {path: stat for path, stat in notes.items() if path in snapshot.note_paths}
        there = {row["path"]: row["digest"] for row in self._remote.query(NOTES, "", ["path", "digest"])}
        seen = {path: [stat.size, stat.mtime_ns, there.get(path)] for path, stat in stats.items()}
        now: dict[str, State] = {path: one for path, one in seen.items() if known.get(path) == one}
        todo = [path for path in stats if path not in now]
        resolver = LinkResolver([*snapshot.vault.files, *stats], all_types=snapshot.vault.all_types)
        days = DayReader(self._vault.root)
        written = done = 0
        batch: list[NoteRows] = []
        for done, path in enumerate(todo, start=1):
            documents = documents_of(self._vault, stats[path], resolver, days)
            if documents is not None:
                rows = rows_of(self._remote, documents)
                now[path] = [*seen[path][:2], rows.note["digest"]]
                if now[path] != seen[path]:
                    batch.append(rows)
                    written += 1
            if len(batch) >= NOTES_AT_ONCE:
                self._write(batch, lease)
                batch = []
            if progress:
                progress(done, len(todo))
            if done < len(todo) and ends():
                break
        self._write(batch, lease)
        gone = [path for path in there if path not in stats]
        # Here too the note comes last: by it a run that is cut short is known to have more to delete.
        self._forget(gone)
        for kind in (PASSAGES, RECORDS, NOTES):
            self._remote.delete(kind, "path", gone)
        write_record(self._local.folder / RECORD, {"of": self._identity(), "notes": now})
        return SyncReport(written, len(gone), len(todo) - done), now

    def _write(self, batch: Sequence[NoteRows], lease: Lease) -> None:
        """Write notes with all that belongs to them, and take away what they had before."""
        if not batch:
            return
        lease.keep()
        paths = [rows.note["path"] for rows in batch]
        former = f"not ({among('digest', [rows.note['digest'] for rows in batch])})"
        # What is found leads to its note, and that to its record. So the note comes last: a run that is cut
        # short before it does all of this again.
        self._remote.upsert(RECORDS, [row for rows in batch for row in rows.record])
        self._remote.upsert(PASSAGES, [row for rows in batch for row in rows.passages])
        self._remote.delete(PASSAGES, "path", paths, former)
        empty = [rows.note["path"] for rows in batch if not rows.passages]
        self._forget(empty)
        self._remote.delete(RECORDS, "path", empty, former)
        self._remote.upsert(NOTES, [rows.note for rows in batch])
        self._remote.delete(RECORDS, "path", paths, former)

    def _forget(self, paths: Sequence[str]) -> None:
        """Delete all meaning of notes that are gone or private, also where this machine has no model."""
        for kind in self._remote.kinds(VECTORS) if paths else ():
            self._remote.delete(kind, "path", paths)

    def _listed(self) -> tuple[Path, Listed] | None:
        """Return where vectors lie on this machine, and their list, which changes when some are added."""
        return self._local.vectors.listed() if self._local.vectors else None

    def _with_vectors(
        self, meta: Meta, snapshot: VaultSnapshot, brought: Mapping[str, State], lease: Lease
    ) -> Meta:
        """Bring the vectors there are on this machine, and say so."""
        if (listed := self._listed()) is None:
            return meta
        folder, model = listed[0], listed[1].model
        shards = [*read_shards(folder, model)[1].values()]
        if not shards:
            return meta
        joined = Joined(snapshot, VectorIndex(shards, model, sum(len(shard.rows) for shard in shards)))
        kind = f"{VECTORS}_{model.digest}"
        self._remote.make(kind, model.dimension)
        there = {row["id"]: row["digest"] for row in self._remote.query(kind, "", ["id", "digest"])}
        rows = self._windows(joined, brought)
        new = [row for row in rows if there.get(row["id"]) != row["digest"]]
        for some in batched(new, WINDOWS_AT_ONCE):
            lease.keep()
            found = note_rows(self._remote, {row["path"] for row in some}, list(FILTERS))
            notes = {note["path"]: {**note, "terms": list(note["terms"])} for note in found}
            vectors = joined.index.vectors(np.array([row["dense"] for row in some])).tolist()
            rows_and_vectors = zip(some, vectors, strict=True)
            full = [{**notes[row["path"]], **row, "dense": vector} for row, vector in rows_and_vectors]
            self._remote.upsert(kind, full)
        self._remote.delete(kind, "id", list(there.keys() - {row["id"] for row in rows}))
        return replace(meta, vectors=kind, share=joined.share, background=joined.background)

    def _windows(self, joined: Joined, brought: Mapping[str, State]) -> list[Row]:
        """Return what is written of each window besides the filters of its note.

        In the place of its vector stands where that is, since hardly any is written anew.
        """
        snapshot, lexical = joined.snapshot, joined.snapshot.lexical
        rows: list[Row] = []
        for path in filter(brought.__contains__, snapshot.visible_paths):
            doc = lexical.paths()[path]
            # The chunks of a note follow it.
            first, last = np.searchsorted(lexical.note_of, (doc, doc + 1)).tolist()
            for number, chunk in enumerate(range(first + 1, last)):
                rows += [
                    {
                        "id": self._remote.id_of(path, number, window),
                        "path": path,
                        "day": int(lexical.column("day")[chunk]),
                        "first": int(joined.index.first_line[at]),
                        "last": int(joined.index.last_line[at]),
                        "window": window,
                        "hash": str(lexical.column("text_hash")[chunk]),
                        "digest": str(brought[path][2]),
                        "dense": at,
                    }
                    for window, at in enumerate(joined.rows(chunk, {}).tolist())
                ]
        return rows
