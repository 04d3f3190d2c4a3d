from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from app.search.index.documents import accented_terms
from app.search.lexical import writer
from app.search.lexical.index import LexicalIndex
from app.search.lexical.snapshot import Snapshot
from app.tests.search.lexical.conftest import Corpus, PlainBm25, Written, note, places, write


@pytest.fixture(autouse=True)
def several_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "SMALL", 100)


def edited(index: LexicalIndex, corpus: Corpus, commits: int = 12) -> tuple[Snapshot, dict[str, Written]]:
    """Write, rewrite and delete notes over several commits; give what must be there at the end."""
    live: dict[str, Written] = {}
    for _ in range(commits):
        gone = corpus.random.sample(sorted(live), min(len(live), 2))
        batch = [
            corpus.note(f"n{corpus.random.randint(0, 60)}.md") for _ in range(corpus.random.randint(1, 9))
        ]
        for path in gone:
            del live[path]
        live.update({each[0].path: each for each in batch})
        write(index, *batch, delete=gone)
    while len(index.snapshot()._parts) < 2:
        live["last.md"] = corpus.note("last.md")
        write(index, live["last.md"])
    return index.snapshot(), live


@pytest.mark.parametrize("seed", range(5))
def test_ranking_equals_a_plain_sum_over_every_chunk(index: LexicalIndex, seed: int) -> None:
    corpus = Corpus(seed)
    snapshot, live = edited(index, corpus)
    plain = PlainBm25(live)
    of = dict(
        zip(places(snapshot, np.flatnonzero(snapshot.chunks)), np.flatnonzero(snapshot.chunks), strict=True)
    )
    assert set(of) == set(plain.keys)
    docs = np.array([of[key] for key in plain.keys])
    assert len(snapshot._parts) > 1, [part.count for _, part in snapshot._parts]
    for at in range(250):
        query, k = corpus.query(), corpus.random.choice((1, 3, 10, None))
        mask = None
        if at % 3 == 0:
            notes = snapshot.docs_with(f"tag:{corpus.random.randint(0, 3)}")
            mask = np.isin(snapshot.note_of, notes)
        expected = np.zeros(snapshot.size)
        expected[docs] = plain.scores(query)
        if mask is not None:
            expected[~mask] = 0
        scored = snapshot.rank(query, mask, k)
        best = np.sort(expected[expected > 0])[::-1][:k]
        assert scored.raw == pytest.approx(best, rel=1e-5), query
        assert expected[scored.ids] == pytest.approx(scored.raw, rel=1e-5), query
        everything = np.ones(snapshot.size, np.bool_) if mask is None else mask
        assert np.array_equal(snapshot.having(query, everything), expected > 0), query
        for one, two in zip(range(len(scored.ids)), range(1, len(scored.ids)), strict=False):
            if scored.raw[one] == scored.raw[two]:
                assert places(snapshot, scored.ids[[one]]) < places(snapshot, scored.ids[[two]])


def test_a_word_as_typed_counts_more_than_one_folded_or_stemmed_to_it(index: LexicalIndex) -> None:
    def written(path: str, word: str) -> Written:
        return note(path, f"nous avons parlé avec {word} dans la maison", terms=[*accented_terms(word)])

    snapshot = write(
        index,
        written("stem.md", "porter"),
        written("folded.md", "porté"),
        written("exact.md", "porte"),
        note("mariage.md", "Le marié et la mariée arrivent dans la salle.", terms=["accented:marie"]),
        note("mars.md", "La réunion est dans la salle en mars."),
        note("marie.md", "Hier nous avons dîné avec Marie et avec son frère dans le petit restaurant."),
    )
    found = [path for path, _ in places(snapshot, snapshot.rank("porte").ids)]
    assert found == ["exact.md", "folded.md", "stem.md"]
    found = [path for path, _ in places(snapshot, snapshot.rank("porté").ids)]
    assert found[0] == "folded.md"
    marie = snapshot.rank("Marie")
    shown = dict(zip((path for path, _ in places(snapshot, marie.ids)), marie.shown.tolist(), strict=True))
    assert next(iter(shown)) == "marie.md"
    # They share a stem of three letters.
    assert shown["mars.md"] < 0.7 * shown["marie.md"]


ENGLISH = [
    note(f"en{at}.md", "the engine is in the hangar and " + "fuel " * (at % 4) + "pump " * (at % 3))
    for at in range(12)
]
FRENCH = [
    note(f"fr{at}.md", "la demande est dans le dossier avec les pièces et le courrier " * (at + 1))
    for at in range(12)
]


def test_notes_of_another_language_change_no_score(tmp_path: Path) -> None:
    def scores(name: str, question: str, *notes: Written) -> dict[str, float]:
        with closing(LexicalIndex(tmp_path / name)) as index:
            snapshot = write(index, *notes)
            found = snapshot.rank(question, None, None)
            return {
                snapshot.path(int(doc)): float(raw) for doc, raw in zip(found.ids, found.raw, strict=True)
            }

    for question, own in (
        ("where is the fuel pump", ENGLISH),
        ("quelles sont les pièces du dossier", FRENCH),
    ):
        alone = scores(f"alone {question}", question, *own)
        assert len(alone) > 5
        assert scores(f"both {question}", question, *ENGLISH, *FRENCH) == alone


def test_a_language_with_few_notes_has_no_statistics_of_its_own(index: LexicalIndex) -> None:
    snapshot = write(index, *ENGLISH, FRENCH[0])
    assert snapshot.languages == (0, 1)
    assert snapshot.field("body").counts == (13,)
    assert len(write(index, FRENCH[1]).rank("fuel").ids) == 9
    assert index.snapshot().field("body").counts == (12, 2)


def test_the_shown_score_is_the_share_of_the_querys_information(index: LexicalIndex) -> None:
    filler = [note(f"f{n}.md", "some other words stand here today") for n in range(20)]
    snapshot = write(index, note("a.md", "fuel tank burns near rocket engines"), *filler)
    full = snapshot.rank("fuel tank", None, 1)
    assert full.shown[0] == pytest.approx(1.0, abs=0.05)
    half = snapshot.rank("fuel zeppelin", None, 1)
    alone = [snapshot.rank(word, None, 1).reference for word in ("fuel", "zeppelin")]
    assert half.reference == pytest.approx(sum(alone), rel=1e-6)
    assert half.shown[0] == pytest.approx(float(half.raw[0]) / sum(alone), rel=1e-6)
    assert 0.3 < half.shown[0] < 0.5


def test_matched_names_the_words_a_chunk_has_in_the_order_of_the_query(index: LexicalIndex) -> None:
    bodies = ("vaults en-cours and notes", "cours", "written in C today", "written in C++ today")
    snapshot = write(index, note("a.md", *bodies, heading="Fuel"))
    first, second, letter, plus = map(int, np.flatnonzero(snapshot.chunks))
    asked = "note absent fuel vault en-cours"
    assert snapshot.matched(first, f"the {asked}") == ("note", "fuel", "vault", "en-cours")
    assert snapshot.matched(second, "en-cours cours") == ("cours",)
    assert (snapshot.matched(letter, "C++"), snapshot.matched(plus, "C++")) == ((), ("c++",))
    assert snapshot.rank("C++", None, 10).ids.tolist() == [plus, letter]


def test_a_joined_word_that_stands_nowhere_is_asked_for_by_the_parts_that_tell(index: LexicalIndex) -> None:
    snapshot = write(index, note("fr.md", "les erreurs que je repère"), note("en.md", "a to-do list"))

    def asked(text: str) -> list[str]:
        return [word.term.exact for word in snapshot.sought(text)]

    assert asked("comment repère-t-on les erreurs ?") == ["repere", "erreurs"]
    assert asked("où ai-je noté les erreurs ?") == ["note", "erreurs"]
    assert asked("the to-do list") == ["to-do", "to", "do", "list"]
    assert asked("the code A-12") == ["code", "a-12", "a", "12"]


def test_an_empty_index_answers_with_nothing(index: LexicalIndex) -> None:
    snapshot = index.snapshot()
    scored = snapshot.rank("anything", None, 10)
    assert (scored.ids.tolist(), scored.raw.tolist()) == ([], [])
    assert snapshot.phrase("anything").tolist() == []
    assert (snapshot.paths(), snapshot.terms(""), list(snapshot.lexicon())) == ({}, [], [])
    assert scored.reference >= 0
    assert snapshot.docs_with("tag:a").tolist() == []
    for query in ("", " ?! [ ]\n"):
        assert write(index, note("a.md", "fuel")).rank(query, None, 10).ids.tolist() == []
    assert snapshot.speller(snapshot.chunks).chunks_with("a").tolist() == []
