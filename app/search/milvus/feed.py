"""Bring a vault to Milvus from the index on this machine: what changed, in steps that can be cut short."""

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from app.config.settings import IndexDefinition
from app.errors import IndexBusyError
from app.markdown.links import LinkResolver
from app.search.index.snapshot import VaultSnapshot
from app.search.index.store import LOCK_SECONDS
from app.search.index.sync import Progress, Stopped, SyncReport, documents_of, selected
from app.search.milvus.database import HEADS, NOTES, PASSAGES, TOKENS, VECTORS, Row, Vault, batched
from app.search.milvus.expression import among
from app.search.milvus.head import Meta, head_of, read_meta, write_head
from app.search.milvus.rows import (
    NoteRows,
    first_rows,
    part_id,
    passage_id,
    rows_of,
    tokens_id,
    tokens_row,
)
from app.search.private import read_record, write_record
from app.search.upkeep import BUSY_SECONDS, Upkeep
from app.search.vectors.by_chunk import Joined
from app.search.vectors.faiss_index import VectorIndex
from app.search.vectors.file_format import read_log
from app.vault.client import VaultClient

LEASE_SECONDS = 60.0
"""How long a machine that went silent keeps others from bringing the same vault."""
NOTES_AT_ONCE = 50
WINDOWS_AT_ONCE = 500
RECORD, OWNER = "milvus.json", "milvus-owner.json"
"""Files of what was brought from this machine, and of the name by which it holds a lease."""
COMMON = (
    "id", "note", "path", "key", "name", "terms", "created_day", "modified_day", "cut",
    "hidden", "digest",
)  # fmt: skip


class Lease:
    """The right to write a vault, which one machine has at a time; kept in the database.

    The database has no comparison that sets: who reads back what it wrote has it. Were two to think so, both
    would write the same rows from the same notes.
    """

    def __init__(self, vault: Vault, owner: str, seconds: float = LEASE_SECONDS) -> None:
        self._vault, self._owner, self._seconds = vault, owner, seconds
        self._until = 0.0

    def take(self) -> None:
        """Take it.

        Raises:
            IndexBusyError: another machine has it.
        """
        owner, until = self._read()
        if owner and owner != self._owner and until > time.time():
            raise self._busy(until)
        self._write(time.time() + self._seconds)
        if (found := self._read())[0] != self._owner:
            raise self._busy(found[1])

    def keep(self) -> None:
        """Go on having it, where it would end soon.

        Raises:
            IndexBusyError: it ended, and another machine has it now.
        """
        if self._until - time.time() < self._seconds / 2:
            self.take()

    def release(self) -> None:
        """Let another machine take it at once."""
        if self._read()[0] == self._owner:
            self._write(0.0)

    def _busy(self, until: float) -> IndexBusyError:
        left = max(1, round(until - time.time()))
        return IndexBusyError(
            "another machine is bringing the vault '{name}' to Milvus",
            "try again when it is done; if it was cut off, in {left} seconds",
            name=self._vault.name,
            left=left,
        )

    def _read(self) -> tuple[str, float]:
        rows = self._vault.by_id(HEADS, [self._vault.id_of("lease")], ["blob", "until"])
        return (str(rows[0]["blob"]), float(rows[0]["until"])) if rows else ("", 0.0)

    def _write(self, until: float) -> None:
        self._until = until
        self._vault.upsert(HEADS, [{"id": self._vault.id_of("lease"), "blob": self._owner, "until": until}])


class Feeder:
    """Brings one vault to the database: twice the same changes nothing, and what was cut short goes on."""

    def __init__(self, vault: VaultClient, definition: IndexDefinition, remote: Vault, local: Upkeep) -> None:
        self._vault, self._definition, self._remote, self._local = vault, definition, remote, local
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
        state = (snapshot.lexical, self._vectors_state())
        if self._done == state and not again:
            return SyncReport()
        for kind in (NOTES, PASSAGES, HEADS):
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
            head = head_of(snapshot)
            report = self._notes(snapshot, {} if again else self._known(), lease, ends, progress)
            meta = replace(
                before,
                generation=secrets.token_hex(8),
                notes=len(head.shown),
                chunks=int(snapshot.lexical.chunks.sum()),
                rest=report.remaining,
            )
            if not report.remaining:
                meta = self._with_vectors(meta, snapshot, lease)
            write_head(self._remote, head, meta, before)
            if again and not report.remaining:
                for kind in self._remote.kinds(VECTORS):
                    if kind != meta.vectors:
                        self._forget(kind, "")
        self._remote.settle()
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

    def _known(self) -> dict[str, list[object]]:
        """Return size, time and digest of the notes as they were last brought from this machine."""
        found = read_record(self._local.folder / RECORD)
        return found["notes"] if isinstance(found, dict) and found.get("of") == self._identity() else {}

    def _identity(self) -> list[str]:
        return [self._remote.uri, self._remote.name, self._local.snapshot().vault.rules]

    def _notes(
        self,
        snapshot: VaultSnapshot,
        known: Mapping[str, list[object]],
        lease: Lease,
        ends: Stopped,
        progress: Progress | None,
    ) -> SyncReport:
        scan = self._vault.scan()
        stats = {path: stat for path, stat in selected(scan.notes, self._definition).items()
                 if path in snapshot.lexical.paths()}  # fmt: skip
        there = {
            row["note"]: row
            for row in self._remote.query(NOTES, "part == 0", ["note", "path", "digest", "chunks", "parts"])
        }
        now: dict[str, list[object]] = {}
        for path, stat in stats.items():
            row = there.get(self._remote.id_of(path))
            if row and known.get(path) == (one := [stat.size, stat.mtime_ns, row["digest"]]):
                now[path] = one
        todo = [path for path in stats if path not in now]
        resolver = LinkResolver([*snapshot.vault.files, *stats], all_types=snapshot.vault.all_types)
        written = done = 0
        batch: list[NoteRows] = []
        for done, path in enumerate(todo, start=1):
            documents = documents_of(self._vault, stats[path], resolver)
            if documents is not None:
                rows = rows_of(self._remote, documents)
                now[path] = [stats[path].size, stats[path].mtime_ns, rows.digest]
                old = there.get(rows.id)
                if old is None or old["digest"] != rows.digest:
                    batch.append(rows)
                    written += 1
            if len(batch) >= NOTES_AT_ONCE:
                self._write(batch, there, lease)
                batch = []
            if progress:
                progress(done, len(todo))
            if done < len(todo) and ends():
                break
        self._write(batch, there, lease)
        wanted = {self._remote.id_of(path) for path in stats}
        gone = [row for note, row in there.items() if note not in wanted]
        self._drop([(row, 0, 0) for row in gone])
        write_record(self._local.folder / RECORD, {"of": self._identity(), "notes": now})
        return SyncReport(written, len(gone), len(todo) - done)

    def _write(self, batch: Sequence[NoteRows], there: Mapping[str, Row], lease: Lease) -> None:
        """Write notes with their passages, and take away what the ones before had more of."""
        if not batch:
            return
        lease.keep()
        # A passage leads to its note, which is read whole: so the note comes last.
        self._remote.upsert(PASSAGES, [row for rows in batch for row in rows.passages])
        self._remote.upsert(NOTES, [row for rows in batch for row in rows.notes])
        self._drop([(there[it.id], len(it.notes), len(it.passages)) for it in batch if it.id in there])

    def _drop(self, old: Sequence[tuple[Row, int, int]]) -> None:
        """Delete the rows of notes beyond so many parts and passages of each."""
        parts = [part_id(row["note"], n) for row, kept, _ in old for n in range(kept, row["parts"])]
        passages = [passage_id(row["note"], n) for row, _, kept in old for n in range(kept, row["chunks"])]
        self._remote.delete(NOTES, parts)
        self._remote.delete(PASSAGES, passages)
        # Notes that are gone or have become private lose all meaning, also where this machine has no model.
        empty = [row["note"] for row, _, kept in old if not kept]
        for kind in self._remote.kinds(VECTORS) if empty else ():
            for some in batched(empty, NOTES_AT_ONCE):
                self._forget(kind, among("note", some))

    def _forget(self, kind: str, filter_: str) -> None:
        """Delete vectors of a model that meet a condition, and their token vectors that no others share."""
        columns = ["id", "hash", "window"]
        rows = self._remote.query(kind, filter_, columns)
        self._remote.delete(kind, [row["id"] for row in rows])
        if self._remote.has(tokens := TOKENS + kind.removeprefix(VECTORS)):
            for some in batched(rows, WINDOWS_AT_ONCE):
                same = among("hash", {row["hash"] for row in some})
                ids, kept = ({tokens_id(self._remote, row["hash"], row["window"]) for row in which}
                             for which in (some, self._remote.query(kind, same, columns)))  # fmt: skip
                self._remote.delete(tokens, list(ids - kept))

    def _vectors_state(self) -> object:
        """Return what changes whenever vectors are added on this machine."""
        if self._local.vectors is None:
            return None
        shelf = self._local.vectors.shelf
        shelved = shelf.named(self._local.vectors.name)
        if shelved is None:
            return None
        files = shelf.folder_of(shelved).glob("*")
        return shelved.digest, tuple(sorted((file.name, file.stat().st_size) for file in files))

    def _with_vectors(self, meta: Meta, snapshot: VaultSnapshot, lease: Lease) -> Meta:
        """Bring the vectors there are on this machine, and say so; the model is not loaded for it."""
        semantic = self._local.vectors
        shelved = semantic.shelf.named(semantic.name) if semantic else None
        if semantic is None or shelved is None:
            return meta
        contents = read_log(semantic.shelf.folder_of(shelved), shelved.shape)
        if not len(contents.rows):
            return meta
        joined = Joined(snapshot, VectorIndex(contents, len(contents.rows)))
        kind = f"{VECTORS}_{shelved.digest}"
        self._remote.make(kind, shelved.dimension)
        there = {row["id"]: row["digest"] for row in self._remote.query(kind, "", ["id", "digest"])}
        rows = self._windows(snapshot, joined)
        new = [row for row in rows if there.get(row["id"]) != row["digest"]]
        gone = list(there.keys() - {row["id"] for row in rows})
        tokens = f"{TOKENS}_{shelved.digest}" if self._vault.settings.deep.tokens_weight else ""
        if new or gone or tokens != meta.tokens:
            # They come first: a run that is cut short before the vectors looks here again.
            for each in {tokens, meta.tokens} - {""}:
                self._bring_tokens(each, joined.index, rows if each == tokens else (), lease)
        for some in batched(new, WINDOWS_AT_ONCE):
            lease.keep()
            found = first_rows(self._remote, dict.fromkeys(row["note"] for row in some), COMMON)
            notes = {note["note"]: {**note, "terms": list(note["terms"])} for note in found}
            vectors = joined.index.vectors(np.array([row["dense"] for row in some])).tolist()
            full = [{**notes[row["note"]], **row, "dense": vector}
                    for row, vector in zip(some, vectors, strict=True) if row["note"] in notes]  # fmt: skip
            self._remote.upsert(kind, full)
        self._remote.delete(kind, gone)
        return replace(meta, vectors=kind, tokens=tokens, share=joined.share, background=joined.background)

    def _bring_tokens(self, kind: str, index: VectorIndex, rows: Sequence[Row], lease: Lease) -> None:
        """Have a collection hold the token vectors of some windows, and of this vault no others."""
        wanted = {tokens_id(self._remote, row["hash"], row["window"]): row["dense"] for row in rows}
        self._remote.make(kind)
        there = {row["id"] for row in self._remote.query(kind, "", ["id"])}
        for some in batched([row_id for row_id in wanted if row_id not in there], WINDOWS_AT_ONCE):
            lease.keep()
            vectors = [index.row_tokens(wanted[row_id]) for row_id in some]
            self._remote.upsert(kind, list(map(tokens_row, some, vectors)))
        self._remote.delete(kind, list(there - wanted.keys()))

    def _windows(self, snapshot: VaultSnapshot, joined: Joined) -> list[Row]:
        """Return what is written of each window besides the filters of its note.

        In the place of its vector stands where that is, since hardly any is written anew.
        """
        lexical, known = snapshot.lexical, self._known()
        rows: list[Row] = []
        for path in snapshot.visible_paths:
            doc, note = lexical.paths()[path], self._remote.id_of(path)
            if path not in known:
                continue
            # The chunks of a note follow it.
            first, last = np.searchsorted(lexical.note_of, (doc, doc + 1)).tolist()
            for number, chunk in enumerate(range(first + 1, last)):
                hashed = int(lexical.column("text_hash")[chunk])
                rows += [
                    {
                        "id": f"{passage_id(note, number)}-{window}",
                        "note": note,
                        "day": int(lexical.column("day")[chunk]),
                        "first": int(joined.index.first_line[at]),
                        "last": int(joined.index.last_line[at]),
                        "window": window,
                        "hash": str(hashed),
                        "digest": f"{hashed}-{known[path][2]}"[:60],
                        "dense": at,
                    }
                    for window, at in enumerate(joined.rows(chunk, {}).tolist())
                ]
        return rows
