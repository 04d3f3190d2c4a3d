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


@pytest.mark.parametrize("seed", range(3))
def test_incremental_writing_gives_the_order_and_the_scores_of_a_rebuild(
    index: LexicalIndex, seed: int, tmp_path: object
) -> None:
    corpus = Corpus(100 + seed)
    snapshot, live = edited(index, corpus, commits=25)
    from pathlib import Path

    rebuilt_index = LexicalIndex(Path(str(tmp_path)) / "rebuilt")
    rebuilt = write(rebuilt_index, *(live[path] for path in sorted(live)))
    for _ in range(100):
        query = corpus.query()
        for k in (5, None):
            one, two = snapshot.rank(query, None, k), rebuilt.rank(query, None, k)
            assert places(snapshot, one.ids) == places(rebuilt, two.ids)
            assert one.raw.tolist() == two.raw.tolist()
            assert one.shown.tolist() == two.shown.tolist()


def test_documents_of_notes_without_text_change_no_score(index: LexicalIndex) -> None:
    before = write(index, note("a.md", "fuel for the rocket"), note("b.md", "rocket science"))
    scores = before.rank("rocket fuel", None, 10).raw.tolist()
    after = write(
        index, *(note(f"empty{n}.md") for n in range(50)), *(note(f"blank{n}.md", "") for n in range(5))
    )
    assert after.rank("rocket fuel", None, 10).raw.tolist() == scores


def test_equal_scores_are_ordered_by_path_then_line(index: LexicalIndex) -> None:
    write(index, note("b.md", "same", "same"))
    write(index, note("c.md", "same"))
    snapshot = write(index, note("a.md", "same"))
    expected = [("a.md", 1), ("b.md", 1), ("b.md", 11), ("c.md", 1)]
    assert places(snapshot, snapshot.rank("same", None, None).ids) == expected
    assert places(snapshot, snapshot.rank("same", None, 2).ids) == expected[:2]


def test_a_word_is_found_by_its_stem_and_the_exact_form_comes_first(index: LexicalIndex) -> None:
    snapshot = write(
        index, note("a.md", "the dog runs"), note("b.md", "the dog run"), note("c.md", "the cat")
    )
    assert places(snapshot, snapshot.rank("runs", None, 10).ids) == [("a.md", 1), ("b.md", 1)]
    assert places(snapshot, snapshot.rank("running", None, 10).ids) == [("a.md", 1), ("b.md", 1)]


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


def test_each_language_of_the_vault_stems_the_query(index: LexicalIndex) -> None:
    snapshot = write(
        index,
        note("fr.md", "les décisions que nous avons prises"),
        note("en.md", "the decisions that we have made and the houses"),
    )
    assert snapshot.languages == (0, 1)
    assert {path for path, _ in places(snapshot, snapshot.rank("décision", None, 10).ids)} == {
        "fr.md",
        "en.md",
    }
    assert places(snapshot, snapshot.rank("house", None, 10).ids) == [("en.md", 1)]


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


def test_words_of_both_languages_change_no_score_in_the_question_s_own(tmp_path: Path) -> None:
    """`pump` is rare in French notes beside it, or common: among English ones it tells what it told."""
    noisy = [note(f"fr{at}.md", "la pump est dans le fuel " + "et la hangar " * at) for at in range(12)]

    def english(name: str, question: str, *notes: Written) -> dict[str, float]:
        with closing(LexicalIndex(tmp_path / name)) as index:
            snapshot = write(index, *notes)
            found = snapshot.rank(question, None, None)
            rows = zip(map(int, found.ids), found.raw, strict=True)
            return {path: float(raw) for doc, raw in rows if (path := snapshot.path(doc)).startswith("en")}

    asked = "where is the fuel pump in the hangar"
    alone = english("alone", asked, *ENGLISH)
    assert len(alone) == 12
    for few in (5, 12):
        assert english(f"{few} beside", asked, *ENGLISH, *noisy[:few]) == pytest.approx(alone, rel=1e-6)
        # A text without a word that tells its language asks both alike.
        assert english(f"{few} unsaid", "fuel pump", *ENGLISH, *noisy[:few]) != pytest.approx(
            english(f"{few} unsaid alone", "fuel pump", *ENGLISH), rel=1e-3
        )


def test_a_language_with_few_notes_has_no_statistics_of_its_own(index: LexicalIndex) -> None:
    snapshot = write(index, *ENGLISH, FRENCH[0])
    assert snapshot.languages == (0, 1)
    assert snapshot.field("body").counts == (13,)
    assert len(write(index, FRENCH[1]).rank("fuel").ids) == 9
    assert index.snapshot().field("body").counts == (12, 2)


def test_a_stem_counts_in_its_language_alone(index: LexicalIndex) -> None:
    snapshot = write(
        index,
        note("en.md", "that is not what the engine has, and it was not said"),
        note("fr.md", "la note est dans le dossier avec les pièces"),
        note("both.md", "the notes are in the hangar with the engine"),
    )
    assert snapshot.languages == (0, 1)
    assert {path for path, _ in places(snapshot, snapshot.rank("notes", None, 10).ids)} == {
        "fr.md",
        "both.md",
    }


def test_stop_words_rank_only_when_there_is_nothing_else(index: LexicalIndex) -> None:
    snapshot = write(index, note("a.md", "how to do it"), note("b.md", "the fuel"), note("c.md", "water"))
    assert places(snapshot, snapshot.rank("how to do the fuel", None, 10).ids) == [("b.md", 1)]
    assert places(snapshot, snapshot.rank("how to", None, 10).ids) == [("a.md", 1)]


def test_a_word_typed_twice_counts_the_square_root_of_two(index: LexicalIndex) -> None:
    snapshot = write(index, note("a.md", "fuel"), note("b.md", "rocket rocket"))
    once, twice = snapshot.rank("fuel rocket", None, 10), snapshot.rank("fuel, rocket, fuel", None, 10)
    asked = dict(zip(once.ids.tolist(), once.raw.tolist(), strict=True))
    fuel, rocket = (doc for _, doc in sorted((snapshot.path(doc), doc) for doc in asked))
    again = dict(zip(twice.ids.tolist(), twice.raw.tolist(), strict=True))
    assert again == pytest.approx({fuel: asked[fuel] * 2**0.5, rocket: asked[rocket]})


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
    snapshot = write(index, note("a.md", "vaults en-cours and notes", heading="Fuel"), note("b.md", "cours"))
    (doc,) = snapshot.rank("notes", None, 1).ids.tolist()
    assert snapshot.matched(doc, "the note absent fuel vault en-cours") == (
        "note",
        "fuel",
        "vault",
        "en-cours",
    )
    (other,) = (int(d) for d in np.flatnonzero(snapshot.chunks) if d != doc)
    assert snapshot.matched(other, "en-cours cours") == ("cours",)


def test_a_word_with_its_sign_is_not_matched_by_the_letter_alone(index: LexicalIndex) -> None:
    snapshot = write(index, note("c.md", "written in C today"), note("plus.md", "written in C++ today"))
    ids = snapshot.rank("C++", None, 10).ids
    assert [place for place, _ in places(snapshot, ids)] == ["plus.md", "c.md"]
    assert [snapshot.matched(int(doc), "C++") for doc in ids] == [("c++",), ()]


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
    assert snapshot.speller(snapshot.chunks).chunks_with("a").tolist() == []


def test_a_query_without_words_ranks_nothing(index: LexicalIndex) -> None:
    snapshot = write(index, note("a.md", "fuel"))
    for query in ("", "   ", "?!", "[ ]", "\n"):
        assert snapshot.rank(query, None, 10).ids.tolist() == []


def test_a_stop_word_of_one_language_counts_where_nothing_else_is_found(index: LexicalIndex) -> None:
    swedish = "det är en bok som inte är mot att jag och du har den"
    snapshot = write(index, note("bok.md", swedish), note("a.md", "le mot juste est dans la note"))
    ids = snapshot.rank("mot introuvable").ids
    assert [snapshot.path(int(snapshot.note_of[doc])) for doc in ids] == ["a.md", "bok.md"]
