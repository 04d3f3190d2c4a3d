import stat

import numpy as np
import pytest

from app.errors import IndexBusyError, IndexCorruptError
from app.search.lexical import writer
from app.search.lexical.index import LexicalIndex
from app.search.lexical.snapshot import Snapshot
from app.tests.search.lexical.conftest import Corpus, PlainBm25, Written, note, places, word_docs, write


def files(index: LexicalIndex) -> set[str]:
    return {path.name for path in index._folder.iterdir()}


def assert_holds(snapshot: Snapshot, live: dict[str, Written]) -> None:
    """Compare every live document with what was written."""
    assert set(snapshot.paths()) == set(live)
    for path, doc in snapshot.paths().items():
        noted, chunks = live[path]
        assert snapshot.path(doc) == path
        assert (snapshot.data(doc), int(snapshot.column("size")[doc])) == (noted.data, noted.size)
        assert snapshot.text(doc) == noted.text
        for at, chunk in enumerate(chunks, doc + 1):
            assert (int(snapshot.note_of[at]), snapshot.path(at), bool(snapshot.chunks[at])) == (
                doc,
                path,
                True,
            )
            assert snapshot.data(at) == noted.data
            values = tuple(int(snapshot.column(name)[at]) for name in ("start", "end", "day"))
            assert values == (chunk.start, chunk.end, chunk.day)
        for term in noted.terms:
            assert doc in snapshot.docs_with(term).tolist()
    assert int(snapshot.notes.sum()) == len(live)
    assert int(snapshot.chunks.sum()) == sum(len(chunks) for _, chunks in live.values())


@pytest.mark.parametrize("number", [0, -1, 2**32, 2**63 - 1, -(2**63)])
def test_columns_keep_any_number_of_64_bits(index: LexicalIndex, number: int) -> None:
    noted, chunks = note("a.md", "x")

    snapshot = write(index, (noted._replace(created=number), chunks), note("b.md", "y"))
    assert snapshot.column("created")[snapshot.paths()["a.md"]] == number
    assert snapshot.column("created")[snapshot.paths()["b.md"]] == 3


def test_filter_terms_are_any_text(index: LexicalIndex) -> None:
    terms = ["tag:a/b", "tag:a", "tag:é", "folder:with space", "x:new\nline", "z:\udce9", "tag:a"]
    write(
        index,
        note("a.md", "x", terms=terms),
        note("b.md", "y", terms=["tag:a"]),
        note("c.md", terms=["tag:gone"]),
    )
    snapshot = write(index, delete=["c.md"])
    a, b = (snapshot.paths()[path] for path in ("a.md", "b.md"))
    assert snapshot.docs_with("tag:a").tolist() == sorted([a, b])
    for term in terms[1:]:
        assert a in snapshot.docs_with(term).tolist(), term
    assert snapshot.docs_with("tag:gone").tolist() == snapshot.docs_with("tag").tolist() == []
    assert set(snapshot.terms("tag:")) - {"tag:gone"} == {"tag:a", "tag:a/b", "tag:é"}
    assert snapshot.terms("x:") == ["x:new\nline"]
    assert snapshot.terms("") == sorted(snapshot.terms(""), key=lambda t: t.encode("utf-8", "surrogatepass"))


def test_the_vault_record_is_part_of_the_commit(index: LexicalIndex) -> None:
    assert index.snapshot().vault_data == b""
    with index.writer() as w:
        w.set_vault(b"one")
        w.commit()
        w.set_vault(b"two")
    assert index.snapshot().vault_data == b"one"
    assert write(index, note("a.md", "x")).vault_data == b"one"
    assert LexicalIndex(index._folder).snapshot().vault_data == b"one"


def test_leaving_the_writer_without_a_commit_drops_what_was_written(
    index: LexicalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "POOL_WORDS", 5)
    before = write(index, note("a.md", "x"))
    kept = files(index)
    with index.writer() as w:
        for n in range(10):
            w.replace(*note(f"n{n}.md", "some words here and there"))
        w.delete("a.md")
        assert files(index) > kept
    assert index.snapshot() is before
    assert files(index) == kept
    assert set(write(index, note("b.md", "y")).paths()) == {"a.md", "b.md"}


def test_one_writer_commits_many_times_and_holds_the_lock_all_along(index: LexicalIndex) -> None:
    with index.writer() as w:
        for n in range(5):
            w.replace(*note(f"n{n}.md", f"word{n}"))
            w.commit()
            assert set(index.snapshot().paths()) == {f"n{m}.md" for m in range(n + 1)}
            with pytest.raises(IndexBusyError, match="another process"):
                LexicalIndex(index._folder).writer()
    with LexicalIndex(index._folder).writer():
        pass


def test_a_large_commit_is_pooled_in_pieces_and_appears_at_once(
    index: LexicalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "POOL_WORDS", 20)
    live = {f"n{n}.md": note(f"n{n}.md", "fuel and more words", f"word{n}") for n in range(40)}
    with index.writer() as w:
        for each in live.values():
            w.replace(*each)
        w.replace(*note("n3.md", "changed"))
        w.delete("n4.md")
        live["n3.md"] = note("n3.md", "changed")
        del live["n4.md"]
        assert index.snapshot().size == 0
        w.commit()
    assert_holds(index.snapshot(), live)


def test_segments_are_merged_so_that_many_commits_leave_few(index: LexicalIndex) -> None:
    for n in range(60):
        write(index, note(f"n{n}.md", f"fuel word{n}"))
    segments = [name for name in files(index) if name.endswith(".seg")]
    assert len(segments) <= 3
    assert_holds(index.snapshot(), {f"n{n}.md": note(f"n{n}.md", f"fuel word{n}") for n in range(60)})


def test_a_large_update_joins_its_segments_at_its_end(
    index: LexicalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "SMALL", 1)
    monkeypatch.setattr(writer, "MANY", 4)
    counts, live = [], {}
    with index.writer() as w:
        for n in range(7):
            live[f"n{n}.md"] = note(f"n{n}.md", f"fuel word{n}")
            w.replace(*live[f"n{n}.md"])
            w.commit(more=n < 6)
            counts.append(sum(name.endswith(".seg") for name in files(index)))
            assert_holds(index.snapshot(), live)
    # The fourth makes them many; the last joins what has grown together, as any commit does.
    assert counts == [1, 2, 3, 1, 2, 3, 2]


def test_a_mostly_dead_segment_is_rewritten_and_a_dead_one_dropped(index: LexicalIndex) -> None:
    write(index, *(note(f"n{n}.md", "fuel") for n in range(10)))
    snapshot = write(index, delete=[f"n{n}.md" for n in range(4)])
    assert snapshot.size == 12
    snapshot = write(index, delete=[f"n{n}.md" for n in range(4, 10)])
    assert (snapshot.size, [name for name in files(index) if name.endswith(".seg")]) == (0, [])


@pytest.mark.parametrize("seed", range(3))
def test_any_sequence_of_edits_leaves_what_was_written_last(
    index: LexicalIndex, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "SMALL", 3)
    monkeypatch.setattr("app.search.lexical.writer.BLOCK", 50)
    corpus = Corpus(seed)
    live: dict[str, Written] = {}
    for _ in range(25):
        with index.writer() as w:
            for _ in range(corpus.random.randint(1, 6)):
                path = f"n{corpus.random.randint(0, 25)}.md"
                if corpus.random.random() < 0.35:
                    w.delete(path)
                    live.pop(path, None)
                else:
                    live[path] = corpus.note(path)
                    w.replace(*live[path])
            w.commit()
        assert_holds(index.snapshot(), live)
    snapshot = index.snapshot()
    plain = PlainBm25(live)
    words = {word for streams in plain.words.values() for _, exact in streams for word in exact}
    assert words <= set(snapshot.lexicon())
    for word in sorted(words):
        having = {
            key
            for at, key in enumerate(plain.keys)
            if any(plain.words[stream][at][1][word] for stream in plain.words)
        }
        assert set(places(snapshot, word_docs(snapshot, word))) == having


def test_the_folder_is_for_its_user_alone(index: LexicalIndex) -> None:
    assert stat.S_IMODE(index._folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("damage", ["cut", "empty", "zeros", "foreign", "text"])
@pytest.mark.parametrize("suffix", [".toc", ".seg"])
def test_a_damaged_file_is_told_in_one_error(index: LexicalIndex, suffix: str, damage: str) -> None:
    write(index, note("a.md", "fuel"))
    (path,) = (file for file in index._folder.iterdir() if file.name.endswith(suffix))
    data = path.read_bytes()
    path.write_bytes({
        "cut": data[: len(data) // 2], "empty": b"", "zeros": bytes(len(data)),
        "foreign": b"\x80\x04cnowhere\nnothing\n." * 9, "text": b"hello\n" * 99,
    }[damage])  # fmt: skip
    with pytest.raises(IndexCorruptError):
        LexicalIndex(index._folder)


def test_a_text_may_be_of_any_signs(index: LexicalIndex) -> None:
    texts = {"a.md": "", "b.md": "\ud800 half a sign, \0 and 👩‍💻", "c.md": "plain " * 100_000}
    snapshot = write(index, *(note(path, text) for path, text in texts.items()))
    assert {path: snapshot.text(doc) for path, doc in snapshot.paths().items()} == texts
    [segment] = index._folder.glob("*.seg")
    assert segment.stat().st_size < len(texts["c.md"])


def test_a_missing_segment_and_a_file_in_the_place_of_the_folder_are_told(
    index: LexicalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.search.lexical.index._PAUSE", 0)
    write(index, note("a.md", "fuel"))
    [segment] = index._folder.glob("*.seg")
    with pytest.raises(IndexCorruptError):
        LexicalIndex(segment)
    segment.unlink()
    with pytest.raises(IndexCorruptError, match="lacks a file"):
        LexicalIndex(index._folder)


def test_an_old_snapshot_answers_after_merges_and_close(index: LexicalIndex) -> None:
    old = write(index, note("a.md", "fuel tank"), note("b.md", "tank"))
    for n in range(20):
        write(index, note(f"n{n}.md", "fuel"), delete=["a.md"])
    index.close()
    assert places(old, old.rank("fuel", None, 5).ids) == [("a.md", 1)]
    assert [place for place, _ in places(old, old.phrase("tank"))] == ["a.md", "b.md"]
    assert np.count_nonzero(old.chunks) == 2
