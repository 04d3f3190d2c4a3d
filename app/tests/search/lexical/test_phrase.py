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


LONG_NOTE = "fuel " * 200 + "fuels burn " * 100
ROWS = {"row.md": "we took the decision to launch", "apart.md": "the launch was a decision of ours to take",
        "broken.md": "the\ndecision, to launch"}  # fmt: skip
STARS = {"a.md": "star warsaw", "b.md": "star wars", "c.md": "costar wars"}
TIMES = {"one.md": "no", "two.md": "no no", "three.md": "no no no"}
SIGNS = {"plus.md": "in C++17 and x-C++", "sharp.md": "C# or C#x", "c.md": "plain C"}
JOINED = {"a.md": "status: en-cours, due 2025-07-14, [décision] C++"}
OFTEN = {"a.md": LONG_NOTE, "b.md": "old fuels last", "c.md": f"{LONG_NOTE} fuels rise"}


@pytest.mark.parametrize(
    ("notes", "query", "expected"),
    [
        (ROWS, "the decision to launch", "row broken"),
        (ROWS, "e decision to lau", "row broken"),
        (ROWS, " the launch ", "apart"),
        (ROWS, "launch decision", ""),
        # An edge that is complete is not met by a longer word.
        (STARS, " star wars.", "b"),
        (STARS, "star wars", "a b c"),
        # A word is counted as often as it stands in a row.
        (TIMES, " no no no ", "three"),
        (TIMES, " no no ", "two three"),
        *((JOINED, text, "a") for text in ("s: en-cours", "2025-07-14", "07-14", "[décision]", "+", "cours, due 2025")),
        (JOINED, "cours en", ""),
        ({"a.md": unicodedata.normalize("NFD", "la décision adoptée")}, "décision adoptée", "a"),
        (SIGNS, "C++", "plus"),
        (SIGNS, "c++1", "plus"),
        (SIGNS, "C#x", "sharp"),
        # A cut word behind one that stands in a long text hundreds of times.
        (OFTEN, "fuels bu", "a c"),
        (OFTEN, "old fuel", "b"),
        (OFTEN, "burn fuels b", "a c"),
    ],
)  # fmt: skip
def test_words_in_a_row_are_found_as_they_stand(
    index: LexicalIndex, notes: dict[str, str], query: str, expected: str
) -> None:
    snapshot = write(index, *(note(path, text, heading="heading " + query) for path, text in notes.items()))
    assert having(snapshot, query) == {f"{name}.md" for name in expected.split()}


@pytest.mark.parametrize(
    ("limit", "most", "words"),
    [
        ("MOST_ROWS", 0, "star starry costar war wars toward a at the bathe"),
        ("MOST_ROWS", 3, "star starry costar war wars toward a at the bathe"),
        ("MOST_IN_ROW", 2, "a b c d e f g"),
        ("MOST_IN_ROW", 5, "a b c d e f g"),
    ],
)
def test_nothing_is_missed_at_a_limit(
    index: LexicalIndex, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, words: str
) -> None:
    monkeypatch.setattr(phrase, limit, most)
    rng = random.Random(most)
    texts = {f"n{n}.md": " ".join(rng.choices(words.split(), k=20)) for n in range(40)}
    snapshot = write(index, *(note(path, text) for path, text in texts.items()))
    for _ in range(200):
        whole = rng.choice(sorted(texts.values()))
        start = rng.randrange(len(whole))
        piece = whole[start : start + rng.randint(1, 30)]
        assert {path for path, text in texts.items() if piece in text} <= having(snapshot, piece), piece


def test_a_text_without_words_gives_every_chunk_of_the_mask(index: LexicalIndex) -> None:
    snapshot = write(index, note("a.md", "x"), note("b.md", "y"))
    assert having(snapshot, "[ ]") == {"a.md", "b.md"}
    mask = snapshot.note_of == snapshot.paths()["b.md"]
    assert {p for p, _ in places(snapshot, snapshot.phrase("[ ]", mask))} == {"b.md"}
    assert snapshot.phrase("x", mask).tolist() == []


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
