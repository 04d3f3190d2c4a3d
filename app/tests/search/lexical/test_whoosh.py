"""The index as whoever knows Whoosh reads it: by Whoosh's index, searcher and query parser."""

import pickle
import random
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from whoosh.qparser import QueryParser
from whoosh.query import Every, NestedChildren, Term

from app.errors import IndexBusyError, IndexCorruptError
from app.search.lexical import writer
from app.search.lexical.index import LexicalIndex
from app.tests.search.lexical.conftest import Written, note, write

WORDS = "alpha beta gamma delta deltas rocket rockets fuel état décision décisions fusée".split()  # noqa: SIM905
WORDS += ["pump-house", "l'eau"]


class Plain(NamedTuple):
    """A document as its words in order, folded, and what its note is filtered by."""

    path: str
    words: list[str]
    terms: tuple[str, ...]
    is_note: bool

    def has(self, *words: str) -> bool:
        return bool({*words} & {*self.words})

    def row(self, text: str) -> bool:
        return f" {text} " in f" {' '.join(self.words)} "

    def between(self, low: str, high: str) -> bool:
        return any(low <= word <= high for word in (*self.words, *self.wholes()))

    def begins(self, *letters: str) -> bool:
        return any(word.startswith(letters) for word in self.words)

    def wholes(self) -> list[str]:
        return ["pump-house"] if self.has("pump") else []


Holds = Callable[[Plain], bool]

# What Whoosh's parser is asked, the term by which its searcher filters notes, and what a document must hold.
QUERIES: list[tuple[str, str, Holds]] = [
    # Words
    ("alpha", "", lambda d: d.has("alpha")),
    ("rocket", "", lambda d: d.has("rocket")),
    ("état", "", lambda d: d.has("etat")),
    ("ÉTAT", "", lambda d: d.has("etat")),
    ("de\u0301cision", "", lambda d: d.has("decision")),
    ("pump-house", "", lambda d: d.has("house")),
    ("absent", "", lambda d: False),
    # Several, and groups of them
    ("alpha beta", "", lambda d: d.has("alpha") and d.has("beta")),
    ("alpha OR fuel", "", lambda d: d.has("alpha", "fuel")),
    ("absent OR delta", "", lambda d: d.has("delta")),
    ("alpha AND (fuel OR rocket)", "", lambda d: d.has("alpha") and d.has("fuel", "rocket")),
    # NOT
    ("alpha NOT beta", "", lambda d: d.has("alpha") and not d.has("beta")),
    ("NOT fuel", "", lambda d: not d.has("fuel")),
    ("NOT (état OR alpha)", "", lambda d: not d.has("etat", "alpha")),
    # Phrases
    ('"alpha beta"', "", lambda d: d.row("alpha beta")),
    ('"fuel rocket"', "", lambda d: d.row("fuel rocket")),
    ('"gamma gamma delta"', "", lambda d: d.row("gamma gamma delta")),
    ('"house fuel"', "", lambda d: d.row("house fuel")),
    # Prefixes and ranges
    ("delta*", "", lambda d: d.begins("delta")),
    ("decis*", "", lambda d: d.begins("decis")),
    ("[fuel TO gamma]", "", lambda d: d.between("fuel", "gamma")),
    ("[roc TO]", "", lambda d: d.between("roc", "~")),
    # Stems, paths and terms
    ("body_stem:rockets", "", lambda d: d.has("rocket", "rockets")),
    ("path:p9.md", "", lambda d: d.is_note and d.path == "p9.md"),
    ("terms:'tag:1'", "", lambda d: d.is_note and "tag:1" in d.terms),
    # Filters
    ("path:n*.md", "tag:2", lambda d: d.is_note and "tag:2" in d.terms and d.path.startswith("n")),
    ("fuel NOT alpha", "tag:1", lambda d: d.has("fuel") and not d.has("alpha") and "tag:1" in d.terms),
]


def found(index: LexicalIndex, text: str, filtered: str = "") -> list[int]:
    with index.searcher() as searcher:
        query, notes = QueryParser("body", index.schema).parse(text), Every("path")
        # A note is the parent of its chunks.
        among = NestedChildren(notes, Term("terms", filtered)) | Term("terms", filtered) if filtered else None
        hits = searcher.search(query, limit=None, filter=among)
        return sorted(hit.docnum for hit in hits)


@pytest.fixture
def written(index: LexicalIndex, monkeypatch: pytest.MonkeyPatch) -> dict[str, Written]:
    """Notes in several segments, some of them rewritten or deleted."""
    monkeypatch.setattr(writer, "SMALL", 1)
    rng = random.Random(3)
    live: dict[str, Written] = {}
    for turn in range(16):
        batch = [
            note(f"n{rng.randrange(40)}.md", *(" ".join(rng.choices(WORDS, k=rng.randint(1, 9))) for _ in "ab"),
                 terms=[f"tag:{turn % 3}"])
            for _ in range(6)
        ]  # fmt: skip
        batch.append(note(f"p{turn}.md", "gamma gamma delta", "alpha beta", terms=["tag:0"]))
        gone = sorted(live)[:1]
        live = {path: each for path, each in live.items() if path not in gone}
        live.update({each[0].path: each for each in batch})
        write(index, *batch, delete=gone)
    live["last.md"] = note("last.md", "décision fusée eau état")
    write(index, live["last.md"])
    assert len(index.snapshot()._parts) > 1
    return live


def test_whooshs_parser_and_searcher_find_what_was_written(
    index: LexicalIndex, written: dict[str, Written]
) -> None:
    def plain(doc: int) -> Plain:
        document, chunks = written[snapshot.path(doc)]
        at = doc - int(snapshot.note_of[doc]) - 1
        folded = unicodedata.normalize("NFKD", chunks[at].body if at >= 0 else "")
        words = re.findall(r"[a-z]+", "".join(c for c in folded if not unicodedata.combining(c)))
        return Plain(document.path, words, document.terms, at < 0)

    whoosh, snapshot = LexicalIndex(index._folder), index.snapshot()
    documents = {doc: plain(doc) for doc in np.flatnonzero(snapshot.chunks | snapshot.notes).tolist()}
    wrong, empty = [], []
    for query, filtered, holds in QUERIES:
        expected = [doc for doc, document in documents.items() if holds(document)]
        empty += [] if expected else [query]
        if found(whoosh, query, filtered) != expected:
            wrong.append((query, filtered))
    assert wrong == []
    assert empty == ["absent"]


def test_a_search_loads_whooshs_index_codec_and_fields(index: LexicalIndex) -> None:
    write(index, note("a.md", "alpha"))
    code = (
        "import sys; from pathlib import Path; from app.search.lexical.index import LexicalIndex;"
        "print(*LexicalIndex(Path(sys.argv[1])).snapshot().rank('alpha').ids, *sys.modules)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, str(index._folder)], capture_output=True, text=True, check=True
    )
    found, *modules = process.stdout.split()
    assert found == "1"
    assert {"whoosh.index", "whoosh.codec.base", "whoosh.fields"} <= {*modules}
    # What only a writer, or Whoosh's own searcher, needs takes its time to import.
    assert not {"whoosh.writing", "whoosh.searching", "whoosh.codec.whoosh3"} & {*modules}


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
            one.add_document(body="alpha", heading="", title="", aliases="", start=1, end=1, day=0,
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
