import random
import unicodedata

import pytest

from app.search.lexical import phrase
from app.search.lexical.index import LexicalIndex
from app.search.lexical.snapshot import Snapshot
from app.tests.search.lexical.conftest import note, places, write

ALPHABET = [
    "a", "b", "é", "e\u0301", "É", "ß", "œ", "I", "i", "İ", " ", " ", "  ", "\n", "-", ".", "/", "'", "’", "_",
    "+", "#", "[", "]", ":", "*", "7", "²", "½", "⏫", "🔥", "👩‍💻", "👍🏽", "✅\ufe0f", "東", "京", "都", "か", "カ",
    "한", "국", "ｶﾞ", "हि", "न्", "ع", "Σ", "ς", "ﬁ", "\u00ad", "the ", "cat", "C++", "a-b", "x.y/z", "№", "—", "…", "ö",
]  # fmt: skip


def having(snapshot: Snapshot, text: str) -> set[str]:
    return {path for path, _ in places(snapshot, snapshot.phrase(text))}


@pytest.mark.parametrize("seed", range(4))
def test_no_chunk_that_holds_the_text_is_missed(index: LexicalIndex, seed: int) -> None:
    rng = random.Random(seed)
    texts = {f"n{n}.md": "".join(rng.choices(ALPHABET, k=rng.randint(1, 40))) for n in range(60)}
    for start in range(0, 60, 20):
        batch = sorted(texts)[start : start + 20]
        write(index, *(note(path, texts[path]) for path in batch))
    gone = sorted(texts)[:5]
    snapshot = write(index, delete=gone)
    for path in gone:
        del texts[path]
    for _ in range(400):
        whole = texts[rng.choice(sorted(texts))]
        # A kana and its voicing mark are one letter; nobody types half of it.
        cuts = [at for at in range(len(whole)) if whole[at] != "ﾞ"]
        start = rng.choice(cuts)
        piece = whole[start : rng.choice([at for at in cuts if at > start][:12] or [len(whole)])]
        for query in (piece, piece.upper(), piece.lower()):
            holders = {
                path for path, text in texts.items() if query in text or query.casefold() in text.casefold()
            }
            assert holders <= having(snapshot, query), (query, start)


def test_words_in_a_row_are_told_from_words_apart(index: LexicalIndex) -> None:
    snapshot = write(
        index,
        note("row.md", "we took the decision to launch"),
        note("apart.md", "the launch was a decision of ours to take"),
        note("broken.md", "the\ndecision, to launch"),
    )
    assert having(snapshot, "the decision to launch") == {"row.md", "broken.md"}
    assert having(snapshot, "e decision to lau") == {"row.md", "broken.md"}
    assert having(snapshot, " the launch ") == {"apart.md"}
    assert having(snapshot, "launch decision") == set()


def test_a_complete_edge_is_not_met_by_a_longer_word(index: LexicalIndex) -> None:
    snapshot = write(
        index, note("a.md", "star warsaw"), note("b.md", "star wars"), note("c.md", "costar wars")
    )
    assert having(snapshot, " star wars.") == {"b.md"}
    assert having(snapshot, "star wars") == {"a.md", "b.md", "c.md"}


def test_repeated_words_are_counted_by_place(index: LexicalIndex) -> None:
    snapshot = write(index, note("two.md", "no no"), note("three.md", "no no no"), note("one.md", "no"))
    assert having(snapshot, " no no no ") == {"three.md"}
    assert having(snapshot, " no no ") == {"two.md", "three.md"}


def test_joined_words_are_found_whole_and_by_part(index: LexicalIndex) -> None:
    snapshot = write(index, note("a.md", "status: en-cours, due 2025-07-14, [décision] C++"))
    held = (
        "en-cours",
        "s: en-cours",
        "2025-07-14",
        "07-14",
        "[décision]",
        "C++",
        "+",
        "[",
        "cours, due 2025",
    )
    for text in held:
        assert having(snapshot, text) == {"a.md"}, text
    assert having(snapshot, "cours en") == set()


def test_a_text_in_another_unicode_form_is_found(index: LexicalIndex) -> None:
    snapshot = write(index, note("a.md", unicodedata.normalize("NFD", "la décision adoptée")))
    assert having(snapshot, "décision adoptée") == {"a.md"}


def test_a_text_without_words_gives_every_chunk_of_the_mask(index: LexicalIndex) -> None:
    snapshot = write(index, note("a.md", "x"), note("b.md", "y"))
    assert having(snapshot, "[ ]") == {"a.md", "b.md"}
    mask = snapshot.note_of == snapshot.paths()["b.md"]
    assert {p for p, _ in places(snapshot, snapshot.phrase("[ ]", mask))} == {"b.md"}
    assert snapshot.phrase("x", mask).tolist() == []


@pytest.mark.parametrize("most", [0, 3])
def test_nothing_is_missed_where_a_cut_word_could_be_many(
    index: LexicalIndex, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phrase, "MOST_ROWS", most)
    rng = random.Random(most)
    words = ["star", "starry", "costar", "war", "wars", "toward", "a", "at", "the", "bathe"]
    texts = {f"n{n}.md": " ".join(rng.choices(words, k=6)) for n in range(40)}
    snapshot = write(index, *(note(path, text) for path, text in texts.items()))
    for _ in range(200):
        whole = rng.choice(sorted(texts.values()))
        start = rng.randrange(len(whole))
        piece = whole[start : start + rng.randint(1, 12)]
        assert {path for path, text in texts.items() if piece in text} <= having(snapshot, piece), piece


def test_signs_that_belong_to_a_word_are_told_apart(index: LexicalIndex) -> None:
    snapshot = write(
        index, note("plus.md", "in C++17 and x-C++"), note("sharp.md", "C# or C#x"), note("c.md", "plain C")
    )
    assert having(snapshot, "C++") == having(snapshot, "c++1") == {"plus.md"}
    assert having(snapshot, "C# ") == {"sharp.md"}
    assert having(snapshot, "C#x") == {"sharp.md"}
    assert having(snapshot, "C#") >= {"sharp.md"}


def test_only_the_body_is_looked_at(index: LexicalIndex) -> None:
    snapshot = write(index, note("a.md", "body", heading="the heading words"))
    assert having(snapshot, "heading words") == set()


@pytest.mark.parametrize("most", [2, 5])
def test_nothing_is_missed_where_a_few_words_of_a_long_row_are_looked_for(
    index: LexicalIndex, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phrase, "MOST_IN_ROW", most)
    rng = random.Random(most)
    texts = {f"n{n}.md": " ".join(rng.choices("abcdefg", k=30)) for n in range(40)}
    snapshot = write(index, *(note(path, text) for path, text in texts.items()))
    for _ in range(200):
        whole = rng.choice(sorted(texts.values()))
        start = rng.randrange(len(whole))
        piece = whole[start : start + rng.randint(1, 40)]
        assert {path for path, text in texts.items() if piece in text} <= having(snapshot, piece), piece


def test_a_long_row_is_told_by_its_first_words(index: LexicalIndex) -> None:
    snapshot = write(index, note("a.md", "fuel " * 20_000), note("b.md", "fuel " * (phrase.MOST_IN_ROW - 1)))
    assert having(snapshot, "fuel " * 3000) == {"a.md"}


@pytest.mark.parametrize("most", [0, 3, 99])
def test_a_text_that_goes_on_in_the_next_chunk_is_not_missed(
    index: LexicalIndex, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if most < 99:
        monkeypatch.setattr(phrase, "MOST_ROWS", most)
    rng = random.Random(most)
    signs = [*"abc", "ab", "- ", "b-c", "* *", "東京"]
    lines = {
        f"n{n}.md": [" ".join(rng.choices(signs, k=rng.randint(1, 4))) for _ in range(4)] for n in range(40)
    }
    for start in (0, 20):
        write(index, *(note(path, *lines[path]) for path in sorted(lines)[start : start + 20]))
    snapshot = index.snapshot()
    texts = {path: " ".join("\n".join(parts).split()) for path, parts in lines.items()}
    crossing = 0
    for _ in range(300):
        whole = rng.choice(sorted(texts.values()))
        start = rng.randrange(len(whole))
        piece = whole[start : start + rng.randint(3, 12)].strip()
        found = having(snapshot, piece)
        ends = {path for path, _ in places(snapshot, snapshot.going_on(piece))}
        expected = {path for path, text in texts.items() if piece in text}
        assert expected <= found | ends, piece
        crossing += bool(expected - found)
    assert crossing > 20


def test_a_text_goes_on_where_a_chunk_begins_with_a_later_word_of_it(index: LexicalIndex) -> None:
    snapshot = write(
        index, note("a.md", "the star", "- wars began"), note("b.md", "wars and star"), note("c.md", "star")
    )
    assert places(snapshot, snapshot.going_on("star wars")) == [("a.md", 11), ("b.md", 1)]
    # A note without one of the words does not hold them in a row.
    assert places(snapshot, snapshot.going_on("star and war")) == [("b.md", 1)]
    assert places(snapshot, snapshot.going_on("wars star")) == []
    assert places(snapshot, snapshot.going_on("star unknown")) == []


def test_cut_words_are_met_behind_words_that_stand_in_a_long_text_hundreds_of_times(
    index: LexicalIndex,
) -> None:
    long = "fuel " * 200 + "fuels burn " * 100
    snapshot = write(
        index, note("a.md", long), note("b.md", "old fuels last"), note("c.md", long, "fuels rise")
    )
    assert having(snapshot, "fuels bu") == {"a.md", "c.md"}
    assert having(snapshot, "old fuel") == {"b.md"}
    assert having(snapshot, "burn fuels b") == {"a.md", "c.md"}
    assert having(snapshot, "fuel fuels b") == {"a.md", "c.md"}
    assert places(snapshot, snapshot.going_on("burn fuel")) == [("a.md", 1), ("c.md", 1), ("c.md", 11)]
