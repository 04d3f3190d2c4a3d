"""Merge segments, array by array: the live documents of several become one new segment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.arrays import Array, ArrayFileWriter, narrow
from app.search.lexical.fields import (
    CHUNK_COLUMNS,
    LINES,
    NOTE_COLUMNS,
    POSITIONS,
    RECORDS,
    STREAMS,
    TABLES,
    TEXTS,
    exact_field,
)
from app.search.lexical.packing import Packed, write_packed
from app.search.lexical.postings import (
    Postings,
    PostingsWriter,
    TermTable,
    prefix_sums,
    ragged,
    sizes_of,
    stable_order,
    taken,
)
from app.search.lexical.segment import SegmentFile, write_paths

Int = NDArray[np.int64]
Mask = NDArray[np.bool_]

BLOCK = 1 << 18
"""Postings merged at a time, which bounds the memory of a merge of any size."""


@dataclass(frozen=True, slots=True)
class _Source:
    """A segment to merge: which documents live, and their number in the new segment.

    ``notes`` and ``chunks`` tell the same of its notes and of its chunks alone.
    """

    segment: SegmentFile
    live: Mask
    renumber: Int
    notes: Mask
    chunks: Mask


def _sources(parts: Sequence[tuple[SegmentFile, Mask]]) -> list[_Source]:
    """Number the live documents of the segments one after the other."""
    numbered, base = [], 0
    for segment, live in parts:
        numbers = np.cumsum(live, dtype=np.int64) - 1 + base
        numbered.append(_Source(segment, live, numbers, live[segment.notes], live[segment.is_chunk]))
        base += int(live.sum())
    return numbered


def merge(path: Path, parts: Sequence[tuple[SegmentFile, Mask]]) -> tuple[int, int]:
    """Write the live documents of some segments as one; give its length in bytes and its documents."""
    merging = _sources(parts)
    with ArrayFileWriter(path) as out:
        _merge_documents(out, merging)
        merged: dict[str, _Names] = {}
        for field in TABLES:
            merged[field] = _merge_table(out, field, merging, merged.get(exact_field(field)))
        return out.finish(), sum(int(live.sum()) for _, live in parts)


def _merge_documents(out: ArrayFileWriter, merging: Sequence[_Source]) -> None:
    def of_notes(name: str) -> Array:
        return np.concatenate([source.segment.arrays[name][source.notes] for source in merging])

    def of_chunks(name: str) -> Array:
        return np.concatenate([source.segment.arrays[name][source.chunks] for source in merging])

    notes = [source.renumber[source.segment.notes[source.notes]] for source in merging]
    out.add("notes", narrow(np.concatenate(notes)))
    paths = (compress(source.segment.paths(), source.notes.tolist()) for source in merging)
    write_paths(out, list(chain.from_iterable(paths)))
    write_packed(out, RECORDS, _Chosen([(source.segment.records, source.live) for source in merging]))
    write_packed(out, TEXTS, _Chosen([(source.segment.texts, source.notes) for source in merging]))
    sizes = [sizes_of(source.segment.arrays[f"{LINES}.at"])[source.notes] for source in merging]
    out.add(LINES, np.concatenate([source.segment.line_hashes(source.notes) for source in merging]))
    out.add(f"{LINES}.at", narrow(prefix_sums(np.concatenate(sizes))))
    for name in NOTE_COLUMNS:
        out.add(name, narrow(of_notes(name).astype(np.int64)))
    out.add("language", of_notes("language"))
    for name in CHUNK_COLUMNS:
        out.add(name, narrow(of_chunks(name).astype(np.int64)))
    for stream in STREAMS:
        out.add(f"{stream}.length", narrow(of_chunks(f"{stream}.length")))


class _Chosen(Sequence[bytes]):
    """The byte strings of some segments that live, unpacked one by one."""

    def __init__(self, merging: Sequence[tuple[Packed, Mask]]) -> None:
        self._packed = [packed for packed, _ in merging]
        places = [np.flatnonzero(live) for _, live in merging]
        self._of = np.repeat(np.arange(len(places)), list(map(len, places))).tolist()
        self._at = np.concatenate(places).tolist()

    def __len__(self) -> int:
        return len(self._at)

    def __getitem__(self, number: int) -> bytes:  # type: ignore[override]
        return self._packed[self._of[number]][self._at[number]]


@dataclass(frozen=True, slots=True)
class _Names:
    """The terms of a field in all segments: in order, where each segment's rows went, and which are kept."""

    tables: list[TermTable]
    names: list[bytes]
    rows: list[Int]
    kept: Mask

    def having(self) -> Int:
        """Return in how many of the segments each term is."""
        return np.bincount(np.concatenate(self.rows), minlength=len(self.names))


def _merge_table(
    out: ArrayFileWriter, field: str, merging: Sequence[_Source], exact: _Names | None
) -> _Names:
    """Merge one field, a block of terms at a time; terms left without a live document vanish.

    Args:
        out: The new segment.
        field: The field.
        merging: The segments.
        exact: The terms of the same words as they stand, where the field is one of stems.
    """
    tables = [source.segment.table(field) for source in merging]
    names, rows = _merge_names(tables)
    found = _Names(tables, names, rows, np.zeros(len(names), np.bool_))
    same = np.zeros(len(names), np.int64) if exact is None else _same(found, exact)
    weights = np.zeros(len(names), np.int64)
    for table, row in zip(tables, rows, strict=True):
        weights[row] += table.sizes
    weights[same > 0] = 0
    placed = field in POSITIONS
    kind = max((table.counts_kind for table in tables), key=lambda kind: kind.itemsize)
    writer = PostingsWriter(out, field, kind, placed)
    for low, high in _blocks(weights):
        piece = _merge_block(merging, found, same, low, high, placed)
        found.kept[low:high] = sizes_of(piece.starts) > 0
        writer.add(piece)
    if exact is not None:
        found.kept[same > 0] = exact.kept[same[same > 0] - 1]
        # Where the kept terms of the exact words went, with 0 for what is none.
        moved = np.concatenate(([0], np.cumsum(exact.kept)))
        out.add(f"{field}.same", narrow(moved[same[found.kept]]))
    writer.finish(names, found.kept)
    return found


def _same(stems: _Names, exact: _Names) -> Int:
    """Return for each stem 1 + the exact term that every segment says it is the same as, else 0."""
    least, most = np.full(len(stems.names), len(exact.names) + 1), np.zeros(len(stems.names), np.int64)
    for table, row, to in zip(stems.tables, stems.rows, exact.rows, strict=True):
        named = np.concatenate(([0], to + 1))[table.same]
        least[row], most[row] = np.minimum(least[row], named), np.maximum(most[row], named)
    # Where a segment has the word and not the stem, they are not the same.
    everywhere = stems.having() == np.concatenate(([0], exact.having()))[most]
    return np.where((least == most) & everywhere, most, 0)


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
    merging: Sequence[_Source], merged: _Names, same: Int, low: int, high: int, placed: bool
) -> Postings:
    """Merge the postings of the new terms from ``low`` to before ``high``."""
    terms, ids, tfs, places, sizes = [], [], [], [], []
    for source, table, row in zip(merging, merged.tables, merged.rows, strict=True):
        first, last = np.searchsorted(row, (low, high)).tolist()
        rows: range | Int = range(first, last)
        if same[low:high].any():
            rows = first + np.flatnonzero(same[row[first:last]] == 0)
        own, docs, tf = table.gather(rows)
        keep = source.live[docs]
        new = (row[np.asarray(rows, np.int64)] - low).astype(np.uint32)
        terms.append(np.repeat(new, own)[keep])
        ids.append(source.renumber[docs[keep]].astype("<u4"))
        tfs.append(tf[keep].astype(np.int64))
        if placed:
            assert table.positions is not None
            assert table.position_starts is not None
            wide = tf * source.segment.position_widths[docs].astype(np.int64)
            places.append(table.positions[taken(table.position_starts, rows)][np.repeat(keep, wide)])
            sizes.append(wide[keep])
    term = np.concatenate(terms)
    order = stable_order(term, high - low)
    starts = np.searchsorted(term[order], np.arange(high - low + 1)).astype(np.int64)
    merged_ids, tf = np.concatenate(ids)[order], np.concatenate(tfs)[order]
    if not placed:
        return Postings(starts, merged_ids, tf)
    size = np.concatenate(sizes)
    heads = prefix_sums(size)[:-1]
    positions = np.concatenate(places)[ragged(heads[order], size[order])]
    return Postings(starts, merged_ids, tf, positions, prefix_sums(size[order])[starts])
