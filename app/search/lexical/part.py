"""A part of a vault's notes in memory, searched as the index is: what an engine elsewhere has found."""

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from app.search.lexical.fields import ChunkDoc, NoteDoc
from app.search.lexical.pool import WordPool
from app.search.lexical.segment import SegmentFile
from app.search.lexical.snapshot import Snapshot
from app.search.lexical.statistics import Statistics


def snapshot_of_part(
    notes: Iterable[tuple[NoteDoc, Sequence[ChunkDoc]]], vault_data: bytes, statistics: Statistics
) -> Snapshot:
    """Return some notes as a snapshot that ranks them by the numbers of their whole vault.

    Args:
        notes: The notes with their chunks; of one path the last counts.
        vault_data: The record of the vault.
        statistics: The numbers of all its chunks.
    """
    pool = WordPool()
    for note, chunks in notes:
        pool.add(note, chunks)
    parts: list[SegmentFile] = []
    dead = np.zeros(pool.count, np.bool_)
    for run in pool.dead:
        dead[run.start : run.stop] = True
    if pool.count:
        # The file stays mapped after its name is gone, so that nothing is left of it when the process ends.
        with tempfile.TemporaryDirectory(prefix="vault-assistant-") as folder:
            path = Path(folder) / "part.seg"
            parts.append(SegmentFile(path, pool.write(path)))
    return Snapshot(0, parts, [dead] if parts else [], vault_data, statistics)
