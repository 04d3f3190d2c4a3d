import random
from pathlib import Path

import numpy as np
import pytest

from app.search.lexical.arrays import ArrayFileWriter, Arrays
from app.search.lexical.fields import STREAMS, stem_field
from app.search.lexical.index import LexicalIndex
from app.search.lexical.postings import (
    Int,
    PostingsWriter,
    TermTable,
    invert,
    position_widths,
    prefix_sums,
    read_positions,
)
from app.tests.search.lexical.conftest import note, write

Word = tuple[int, int, int]
"""A term, a document, and a position there."""


def written(path: Path, words: list[Word], terms: int, lengths: Int) -> TermTable:
    """Write words, ordered by document and position, as the one field of a file, in two pieces."""
    widths = position_widths(lengths)
    with ArrayFileWriter(path) as out:
        writer = PostingsWriter(out, "body", np.dtype("<u4"), placed=True)
        half = terms // 2
        for low, high in ((0, half), (half, terms)):
            some = np.array([word for word in words if low <= word[0] < high], np.int64).reshape(-1, 3)
            flat = some.astype(np.uint32)
            writer.add(invert(flat[:, 0] - low, flat[:, 1], high - low, flat[:, 2], widths))
        writer.finish([f"term{n:05}".encode() for n in range(terms)], np.ones(terms, np.bool_))
        out.finish()
    return TermTable(Arrays(path), "body")


@pytest.mark.parametrize("seed", range(4))
def test_postings_are_read_as_they_were_written(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    # Few documents and many, near and far apart; terms that stand once, often, and far back in a long text.
    count, terms = rng.choice([(40, 7), (700, 30), (70_000, 50), (200_000, 9)])
    lengths = np.array([rng.choice([3, 256, 257, 70_000]) for _ in range(count)], np.int64)
    words: set[Word] = set()
    for term in range(terms):
        for doc in rng.sample(range(count), rng.choice([1, 2, count // 10, min(count, 3000)])):
            places = rng.choice([1, 1, 1, 2, 3])
            words.update((term, doc, rng.randrange(int(lengths[doc]))) for _ in range(places))
        words.update((term, 0, place) for place in range(rng.choice([0, int(min(400, lengths[0]))])))
    ordered = sorted(words, key=lambda word: (word[1], word[2]))
    table = written(tmp_path / "a.seg", ordered, terms, lengths)
    plain: list[dict[int, list[int]]] = [{} for _ in range(terms)]
    for term, doc, place in ordered:
        plain[term].setdefault(doc, []).append(place)
    widths = position_widths(lengths)
    assert table.positions is not None
    assert table.position_starts is not None
    for row, expected in enumerate(plain):
        ids, tfs = table.postings(row)
        assert ids.tolist() == sorted(expected)
        assert tfs.tolist() == [len(expected[doc]) for doc in sorted(expected)]
        each = np.repeat(widths[ids], tfs.astype(np.int64)).astype(np.int64)
        starts = prefix_sums(each)[:-1] + int(table.position_starts[row])
        placed = read_positions(table.positions, starts, each)
        assert placed.tolist() == [place for doc in sorted(expected) for place in expected[doc]]
    some = np.array(sorted(rng.sample(range(terms), terms // 2)), np.int64)
    for rows in (range(terms), range(2, terms - 1), range(3, 3), some):
        sizes, ids, tfs = table.gather(rows)
        assert sizes.tolist() == [len(plain[row]) for row in rows]
        at = np.repeat(np.arange(len(sizes)), sizes)
        found = list(zip(at.tolist(), ids.tolist(), tfs.tolist(), strict=True))
        assert found == [
            (number, doc, len(plain[row][doc]))
            for number, row in enumerate(rows)
            for doc in sorted(plain[row])
        ]


def test_a_stem_of_one_word_has_that_word_s_postings(
    index: LexicalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.search.lexical.writer.SMALL", 1)

    def same(stem: str) -> list[bool]:
        found = []
        for _, part in index.snapshot()._parts:
            table = part.table(stem_field("body"))
            row = table.row(stem.encode())
            if row is not None:
                found.append(bool(table.same[row]))
        return found

    def stemmed(stem: str) -> list[str]:
        snapshot = index.snapshot()
        return sorted(snapshot.path(doc) for doc in snapshot._impacts.postings("body_stem", (stem,))[0])

    write(index, note("a.md", "porcupine " * 300 + "tank"), note("b.md", "porcupine fuels"))
    assert same("porcupin") == same("tank") == same("fuel") == [True]
    # Another word of the same stem comes with a segment of its own, and both are merged.
    write(index, note("c.md", "porcupines here"), note("d.md", "tank"), note("e.md", "some more"))
    write(index, note("f.md"), note("g.md"), note("h.md"))
    assert len(index.snapshot()._parts) == 1
    assert (same("porcupin"), same("tank"), same("fuel")) == ([False], [True], [True])
    assert stemmed("porcupin") == ["a.md", "b.md", "c.md"]
    counts = index.snapshot()._impacts.postings("body_stem", ("porcupin",))[1]
    assert sorted(counts.tolist()) == [1, 1, 300]
    assert stemmed("tank") == ["a.md", "d.md"]
    # What is deleted is gone from both, and no stem names a word that is not there.
    with index.writer() as w:
        for path in ("b.md", "c.md"):
            w.delete(path)
        w.commit(purge=True)
    assert (stemmed("porcupin"), stemmed("fuel"), stemmed("tank")) == (["a.md"], [], ["a.md", "d.md"])
    for _, part in index.snapshot()._parts:
        for stream in STREAMS:
            words, stems = part.table(stream), part.table(stem_field(stream))
            assert (stems.same <= len(words)).all()
            assert (stems.sizes > 0).all()
