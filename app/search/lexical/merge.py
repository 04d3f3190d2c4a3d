"""Merge segments, array by array: the live documents of several become one new segment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.fields import (
    CHUNK_COLUMNS,
    LINES,
    NOTE_COLUMNS,
    POSITIONS,
    RECORDS,
    STREAMS,
    TABLES,
    TEXTS,
)
from app.search.lexical.postings import (
    Array,
    ArrayFileWriter,
    Kind,
    Postings,
    Proved,
    TermTable,
    narrow,
    prefix_sums,
    ragged,
    stable_order,
    write_postings,
    write_starts,
    write_terms,
)
from app.search.lexical.segment import Blobs, SegmentFile, write_paths

Int = NDArray[np.int64]

BLOCK = 1 << 18
"""Postings merged at a time, which bounds the memory of a merge of any size."""


@dataclass(frozen=True, slots=True)
class _Source:
    """A segment to merge: which documents live, and their number in the new segment."""

    segment: SegmentFile
    live: NDArray[np.bool_]
    renumber: Int


def _sources(parts: Sequence[tuple[SegmentFile, NDArray[np.bool_]]]) -> list[_Source]:
    """Number the live documents of the segments one after the other."""
    numbered, base = [], 0
    for segment, live in parts:
        count = np.cumsum(live, dtype=np.int64)
        numbered.append(_Source(segment, live, count - 1 + base))
        base += int(count[-1]) if len(count) else 0
    return numbered


def merge(path: Path, parts: Sequence[tuple[SegmentFile, NDArray[np.bool_]]]) -> tuple[int, int]:
    """Write the live documents of some segments as one; give its length in bytes and its documents."""
    merging = _sources(parts)
    with ArrayFileWriter(path) as out:
        _merge_documents(out, merging)
        for field in TABLES:
            _merge_table(out, field, merging)
        return out.finish(), sum(int(live.sum()) for _, live in parts)


def _merge_documents(out: ArrayFileWriter, merging: Sequence[_Source]) -> None:
    live_notes = [source.live[source.segment.notes] for source in merging]
    live_chunks = [source.live[source.segment.is_chunk] for source in merging]

    def join(name: str, masks: Sequence[Array]) -> Array:
        return np.concatenate(
            [source.segment.arrays[name][mask] for source, mask in zip(merging, masks, strict=True)]
        )

    notes = [
        source.renumber[source.segment.notes[mask]] for source, mask in zip(merging, live_notes, strict=True)
    ]
    out.add("notes", narrow(np.concatenate(notes)))
    write_paths(
        out,
        [
            path
            for source, mask in zip(merging, live_notes, strict=True)
            for path, live in zip(source.segment.paths(), mask.tolist(), strict=True)
            if live
        ],
    )
    _merge_blobs(out, RECORDS, [(source.segment.records, source.live) for source in merging])
    texts = [source.segment.texts for source in merging]
    _merge_blobs(out, TEXTS, list(zip(texts, live_notes, strict=True)))
    sizes = [np.diff(source.segment.arrays[f"{LINES}.at"].astype(np.int64)) for source in merging]
    hashes = [source.segment.line_hashes(mask) for source, mask in zip(merging, live_notes, strict=True)]
    out.add(LINES, np.concatenate(hashes))
    kept = [size[mask] for size, mask in zip(sizes, live_notes, strict=True)]
    out.add(f"{LINES}.at", narrow(prefix_sums(np.concatenate(kept))))
    for name in NOTE_COLUMNS:
        out.add(name, narrow(join(name, live_notes).astype(np.int64)))
    out.add("language", join("language", live_notes))
    for name in CHUNK_COLUMNS:
        out.add(name, narrow(join(name, live_chunks).astype(np.int64)))
    for stream in STREAMS:
        out.add(f"{stream}.length", narrow(join(f"{stream}.length", live_chunks)))


def _merge_blobs(out: ArrayFileWriter, name: str, merging: Sequence[tuple[Blobs, NDArray[np.bool_]]]) -> None:
    """Copy the byte strings of all that lives, as they stand."""
    sizes: list[Array] = []
    for blobs, live in merging:
        at = blobs.at.astype(np.int64)
        sizes.append(np.diff(at)[live])
        for start, end in _stretches(live):
            out.add(name, blobs.bytes[int(at[start]) : int(at[end])])
    out.add(name, np.zeros(0, np.uint8))
    out.add(f"{name}.at", narrow(prefix_sums(np.concatenate(sizes))))


def _stretches(live: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield the runs of neighbours that live: first, and after the last."""
    edges = np.flatnonzero(np.diff(live.astype(np.int8), prepend=0, append=0))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _merge_table(out: ArrayFileWriter, field: str, merging: Sequence[_Source]) -> None:
    """Merge one field, a block of terms at a time; terms left without a live document vanish."""
    tables = [source.segment.table(field) for source in merging]
    names, rows = _merge_names(tables)
    weights = np.zeros(len(names), np.int64)
    for table, row in zip(tables, rows, strict=True):
        weights[row] += _sizes(table.starts)
    placed = field in POSITIONS
    kinds = (_widest([table.tfs for table in tables]), _widest([table.positions for table in tables]))
    dfs = np.zeros(len(names), np.int64)
    counts = np.zeros(len(names), np.int64)
    for low, high in _blocks(weights):
        piece = _merge_block(merging, tables, rows, low, high, placed)
        dfs[low:high] = _sizes(piece.starts)
        if placed:
            counts[low:high] = _sizes(piece.position_starts)
        write_postings(out, field, piece, kinds)
    if not len(names):
        empty = np.zeros(0, np.int64)
        write_postings(out, field, Postings(empty, empty.astype("<u4"), empty, empty if placed else None))
    kept = dfs > 0
    write_terms(out, field, [name for name, keep in zip(names, kept.tolist(), strict=True) if keep])
    write_starts(out, field, prefix_sums(dfs[kept]), prefix_sums(counts[kept]) if placed else None)


def _sizes(starts: Array) -> Int:
    """Return how long each of some neighbouring runs is."""
    whole: Int = starts.astype(np.int64)
    return whole[1:] - whole[:-1]


def _widest(arrays: Sequence[Proved | None]) -> Kind:
    kinds = [array.dtype for array in arrays if array is not None]
    return max(kinds, key=lambda kind: kind.itemsize, default=None)


def _merge_names(tables: Sequence[TermTable]) -> tuple[list[bytes], list[Int]]:
    """Return the terms of all tables in order, and for each table where its rows went."""
    lists = [table.names() for table in tables]
    # The lists are sorted, and a sort of lists one after the other finds that and joins them.
    names = list(dict.fromkeys(sorted(chain.from_iterable(lists))))
    number = dict(zip(names, range(len(names)), strict=True))
    return names, [np.fromiter(map(number.__getitem__, listed), np.int64, len(listed)) for listed in lists]


def _blocks(weights: Int) -> Iterator[tuple[int, int]]:
    """Cut the terms into runs of about `BLOCK` postings each."""
    ends = np.cumsum(weights)
    low = 0
    while low < len(weights):
        done = int(ends[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(ends, done + BLOCK, "right")))
        yield low, high
        low = high


def _merge_block(
    merging: Sequence[_Source],
    tables: Sequence[TermTable],
    rows: Sequence[Int],
    low: int,
    high: int,
    placed: bool,
) -> Postings:
    """Merge the postings of the new terms from ``low`` to before ``high``."""
    terms, ids, tfs, places, sizes = [], [], [], [], []
    for source, table, row in zip(merging, tables, rows, strict=True):
        first, last = np.searchsorted(row, (low, high)).tolist()
        starts = table.starts[first : last + 1].astype(np.int64)
        part = slice(int(starts[0]), int(starts[-1]))
        docs, tf = table.ids[part], table.tfs[part].astype(np.int64)
        keep = source.live[docs]
        terms.append(np.repeat((row[first:last] - low).astype(np.uint32), np.diff(starts))[keep])
        ids.append(source.renumber[docs[keep]].astype("<u4"))
        tfs.append(tf[keep])
        if placed:
            assert table.positions is not None
            assert table.position_starts is not None
            at = slice(int(table.position_starts[first]), int(table.position_starts[last]))
            places.append(table.positions[at][np.repeat(keep, tf)])
            sizes.append(tfs[-1])
    term = np.concatenate(terms)
    order = stable_order(term, high - low)
    tf = np.concatenate(tfs)
    starts = np.searchsorted(term[order], np.arange(high - low + 1)).astype(np.int64)
    positions = None
    if placed:
        heads = prefix_sums(np.concatenate(sizes))[:-1]
        positions = np.concatenate(places)[ragged(heads[order], tf[order])]
    return Postings(starts, np.concatenate(ids)[order], tf[order], positions)
