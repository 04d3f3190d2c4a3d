"""The index as whoever knows Whoosh reads it: by Whoosh's index, searcher and query parser."""

import pickle
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from whoosh.qparser import QueryParser
from whoosh.query import Term

from app.errors import IndexBusyError, IndexCorruptError
from app.search.lexical import writer
from app.search.lexical.index import LexicalIndex
from app.tests.search.lexical.conftest import Written, note, write

WORDS = "alpha beta gamma delta deltas rocket rockets fuel pump-house état".split()  # noqa: SIM905


def found(index: LexicalIndex, text: str, filtered: str = "") -> list[int]:
    with index.searcher() as searcher:
        query = QueryParser("body", index.schema).parse(text)
        among = Term("terms", filtered) if filtered else None
        hits = searcher.search(query, limit=None, filter=among)
        return sorted(hit.docnum for hit in hits)


@pytest.fixture
def written(index: LexicalIndex, monkeypatch: pytest.MonkeyPatch) -> dict[str, Written]:
    """Notes in several segments, some of them rewritten or deleted."""
    monkeypatch.setattr(writer, "SMALL", 100)
    rng = random.Random(3)
    live: dict[str, Written] = {}
    for turn in range(8):
        batch = [
            note(f"n{rng.randrange(40)}.md", *(" ".join(rng.choices(WORDS, k=rng.randint(1, 9))) for _ in "ab"),
                 terms=[f"tag:{turn % 3}"])
            for _ in range(6)
        ]  # fmt: skip
        gone = sorted(live)[:1]
        live = {path: each for path, each in live.items() if path not in gone}
        live.update({each[0].path: each for each in batch})
        write(index, *batch, delete=gone)
    if len(index.snapshot()._parts) == 1:
        live["last.md"] = note("last.md", "alpha beta")
        write(index, live["last.md"])
    assert len(index.snapshot()._parts) > 1
    return live


def expected(index: LexicalIndex, live: dict[str, Written], holds: Callable[[list[str]], bool]) -> list[int]:
    snapshot = index.snapshot()
    return [
        doc
        for doc in np.flatnonzero(snapshot.chunks).tolist()
        if holds(live[snapshot.path(doc)][1][doc - int(snapshot.note_of[doc]) - 1].body.split())
    ]


def test_whooshs_parser_and_searcher_find_what_was_written(
    index: LexicalIndex, written: dict[str, Written]
) -> None:
    whoosh = LexicalIndex(index._folder)
    for word in ("alpha", "deltas", "rocket", "état", "absent"):
        asked = "etat" if word == "état" else word
        holds = expected(index, written, lambda words, word=word: word in words)  # type: ignore[misc]
        assert found(whoosh, asked) == found(whoosh, asked.upper()) == holds
    assert (
        found(whoosh, "house")
        == found(whoosh, "pump-house")
        == expected(index, written, lambda words: "pump-house" in words)
    )
    for phrase in ("alpha beta", "fuel rocket", "gamma gamma delta"):
        holds = expected(index, written, lambda words, text=phrase: f" {text} " in f" {' '.join(words)} ")  # type: ignore[misc]
        assert found(whoosh, f'"{phrase}"') == holds
    assert found(whoosh, "delta*") == expected(
        index, written, lambda words: bool({"delta", "deltas"} & {*words})
    )
    assert found(whoosh, "[b TO e]") == expected(
        index, written, lambda words: bool({"beta", "delta", "deltas"} & {*words})
    )
    assert found(whoosh, "alpha NOT beta") == expected(
        index, written, lambda words: "alpha" in words and "beta" not in words
    )
    assert found(whoosh, "alpha AND (fuel OR rocket)") == expected(
        index, written, lambda words: "alpha" in words and bool({"fuel", "rocket"} & {*words})
    )
    # A stem counts as Whoosh's: the word of any language.
    assert found(whoosh, "body_stem:rockets") == expected(
        index, written, lambda words: bool({"rocket", "rockets"} & {*words})
    )


def test_whooshs_filters_and_columns_are_those_of_notes(
    index: LexicalIndex, written: dict[str, Written]
) -> None:
    snapshot, whoosh = index.snapshot(), LexicalIndex(index._folder)
    assert found(whoosh, "terms:'tag:1'") == snapshot.docs_with("tag:1").tolist() != []
    assert found(whoosh, "path:n*.md", "tag:2") == snapshot.docs_with("tag:2").tolist()
    with whoosh.searcher() as searcher:
        assert searcher.doc_count() == int(snapshot.chunks.sum() + snapshot.notes.sum())
        starts = searcher.reader().column_reader("start")
        assert [starts[doc] for doc in range(snapshot.size)] == snapshot.column("start").tolist()
        by_line = searcher.search(Term("body", "alpha"), limit=None, sortedby="start")
        lines = [hit["start"] for hit in by_line]
        assert lines == sorted(lines)
        assert {hit["path"] for hit in by_line} <= set(written)


def test_whooshs_searcher_refreshes_to_the_last_commit(index: LexicalIndex) -> None:
    write(index, note("a.md", "alpha"), note("b.md", "beta"))
    with LexicalIndex(index._folder).searcher() as old:
        write(index, note("a.md", "gamma"), delete=["b.md"])
        assert not old.up_to_date()
        with old.refresh() as new:
            counts = {word: new.doc_frequency("body", word) for word in ("alpha", "beta", "gamma")}
    assert counts == {"alpha": 0, "beta": 0, "gamma": 1}


def test_whooshs_writer_is_the_one_writer(index: LexicalIndex) -> None:
    with LexicalIndex(index._folder).writer() as one:
        with pytest.raises(IndexBusyError):
            LexicalIndex(index._folder).writer()
        with one.group():
            one.add_document(path="a.md", terms=("tag:a",), data=b"", text="", line_hashes=(), size=1, mtime_ns=0,
                             created=0, modified=0)  # fmt: skip
            one.add_document(body="alpha", heading="", title="", aliases="", data=b"", start=1, end=1, day=0,
                             text_hash=0, content_hash=0)  # fmt: skip
        one.commit()
    snapshot = index.snapshot()
    assert snapshot.rank("alpha").ids.tolist() == [1]
    assert snapshot.paths() == {"a.md": 0}


def test_nothing_is_unpickled(index: LexicalIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("a pickle was read")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, fail)
    write(index, note("a.md", "alpha beta"))
    write(index, note("a.md", "alpha gamma"))
    assert len(found(LexicalIndex(index._folder), "alpha")) == 1
    planted = pickle.dumps(Path("x"))
    for path in sorted(index._folder.iterdir()):
        kept = path.read_bytes()
        path.write_bytes(planted)
        if path.suffix:
            with pytest.raises(IndexCorruptError):
                LexicalIndex(index._folder)
        path.write_bytes(kept)
    (index._folder / "_MAIN_99.toc").write_bytes(planted)
    with pytest.raises(IndexCorruptError, match=r"'_MAIN_99\.toc' is damaged"):
        LexicalIndex(index._folder)
