import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.search.lexical.analysis import atoms, fold, pieces, run_pattern, runs
from app.search.lexical.bm25 import ranking_words
from app.search.lexical.language import LANGUAGES, detect, stop_words


def tokens(text: str) -> list[str]:
    """Return the folded words of a text as they are indexed, wholes before their parts."""
    return [atom.term for run in runs(text) for atom in atoms(run)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[décision] status: en-cours", ["decision", "status", "en-cours", "en", "cours"]),
        ("2025-07-14", ["2025-07-14", "2025", "07", "14"]),
        ("C++ and C# or c.", ["c++", "c", "and", "c#", "c", "or", "c"]),
        ("foo-C++ l'f# c#x", ["foo-c++", "foo", "c++", "c", "l", "f#", "f", "c", "x"]),
        ("projects/alpha v1.2", ["projects/alpha", "projects", "alpha", "v1.2", "v1", "2"]),
        ("snake_case _it_", ["snake_case", "snake", "case", "it"]),
        ("l'eau don’t", ["l", "eau", "don", "t"]),
        ("⏫ 🔥🔥 ✅\ufe0f 👍🏽", ["⏫", "🔥🔥", "🔥", "🔥", "✅", "👍"]),
        ("👩\u200d💻", ["👩💻", "👩", "💻"]),
        ("東京都 は iPhone手机", ["東京", "京都", "は", "iphone", "手机"]),
        ("a/b/c/d/e/f/g/h/i", list("abcdefghi")),
        ("co\u00adop", ["coop"]),
        ("a\u2011b", ["a-b", "a", "b"]),
        ("", []),
        ("[ ] -- ** | ...", []),
    ],
)
def test_text_becomes_words_whole_and_by_part(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Décision", "decision"),
        ("ŒUVRE", "oeuvre"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("ΟΔΟΣ", "οδοσ"),
        ("ﬁn", "fin"),
        ("ＡＢＣ", "abc"),
        (unicodedata.normalize("NFD", "が"), "が"),
        ("Łódź", "lodz"),
    ],
)
def test_a_word_folds_to_one_form(text: str, expected: str) -> None:
    assert fold(text) == fold(expected) == expected


def test_both_unicode_forms_give_the_same_words() -> None:
    for text in ("Élève à l’école œuvre", "naïve façade", "が パ 한국어", "Ångström ñandú"):
        assert tokens(unicodedata.normalize("NFD", text)) == tokens(unicodedata.normalize("NFC", text)), text


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("how do i install the plugin", "english"),
        ("comment installer le plugin dans le coffre", "french"),
        ("wie kann ich das machen", "german"),
        ("xyzzy", "english"),
    ],
)
def test_the_language_is_told_by_its_stop_words(text: str, language: str) -> None:
    assert LANGUAGES[detect(set(text.split()))] == language


def test_a_letter_that_is_a_name_is_no_stop_word() -> None:
    assert "c" not in stop_words(LANGUAGES.index("french"))
    assert {"a", "y", "comment", "etaient"} <= stop_words(LANGUAGES.index("french"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("l'eau", ["eau"]),
        ("L’eau", ["eau"]),
        ("l’œil", ["oeil"]),
        ("lorsqu’elle", []),
        ("quelqu'un", ["quelqu"]),
        # No short form of another word: both halves count, and a note has to hold them side by side.
        ("aujourd’hui", ["aujourd", "hui"]),
        ("presqu'île", ["presqu", "ile"]),
        ("rendez-vous", ["rendez-vous", "rendez", "vous"]),
    ],
)
def test_short_forms_before_an_apostrophe_do_not_rank(text: str, expected: list[str]) -> None:
    words = ranking_words(f"réserver {text}", (LANGUAGES.index("french"),))
    assert [term.exact for word in words[1:] for term in word.terms] == expected


@given(st.text(st.characters(max_codepoint=127), max_size=40) | st.text("aZ_9-./'@&+# \n", max_size=40))
def test_text_of_plain_letters_has_the_runs_that_any_text_has(text: str) -> None:
    assert runs(text) == run_pattern("é").findall(text.lower())


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('say "due date" and “the end”', ["due date", "the end"]),
        ("« le devis » ou „der Plan“", [" le devis ", "der Plan"]),
        ("the \u2018manager\u2019s note\u2019 of June", ["manager\u2019s note"]),
        ('l\u2019eau, the managers\u2019 day, 5" disk, “open', []),
        ('""', [""]),
    ],
)
def test_what_stands_in_marks_is_told_from_the_rest(text: str, quoted: list[str]) -> None:
    found = list(pieces(text))
    assert [piece.text for piece in found if piece.quoted] == quoted
    assert "".join(text[piece.start : piece.end] for piece in found) == text
    assert all(text[piece.start : piece.end] == piece.text for piece in found if not piece.quoted)
