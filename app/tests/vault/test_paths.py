"""What paths of notes may look like, how they are compared, and what a normal form of text costs."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import PathError
from app.vault.paths import Form, is_note_name, normalize_path, normalized, path_key

HOSTILE = [
    *("..", "../secret.md", "../../etc/passwd", "a/../../secret.md", "a/b/../../../secret.md"),
    *("./../secret.md", "/../secret.md", "[[../secret]]", "[[../secret|harmless]]"),
    *("..\\secret.md", "a\\..\\..\\secret.md", "a/..\\../secret.md"),
    *(
        "%2e%2e/secret.md",
        "%2E%2e%2Fsecret.md",
        "..%2fsecret.md",
        "..%5csecret.md",
        "a/%2e%2e/%2e%2e/secret.md",
    ),
    *("%252e%252e%252fsecret.md", "%25252e%25252e/secret.md", "%2525252525252e%2e/secret.md"),
    *("a%2f..%2f..%2fsecret.md", "note\0.md", "note.md\0.png", "note%00.md", "note%2500.md"),
    *("C:/secret.md", "C:\\secret.md", "c:secret.md", "/C:/secret.md", "C:", "C%3A/secret.md"),
    "C%253A%5Csecret.md",
    "\u212a:/secret.md",  # the Kelvin sign is K in NFC
    *("//host/share/secret.md", "\\\\host\\share\\secret.md", "///etc/passwd"),
    *("/%2fhost/secret.md", "%2F%2Fhost/secret.md", "%5c%5chost%5csecret.md"),
    *("file:///etc/passwd", "https://example.org/a.md", "obsidian://open?file=a"),
    *("~/secret.md", "~", "/~/secret.md", "%7e/secret.md"),
    *("lone \udcff surrogate.md", "lone \ud800 surrogate.md", "x" * 5000),
]
# Marks of several classes, some that come apart, signs that are none, and letters that take marks.
SIGNS = "\u0301\u0323\u0344\u0f73\u0f71\u05b4\u093c\u3099\uff9e\u200d\u20dd🔥—¨aéかｶ한\u1161 \n."
RUNS = st.lists(
    st.text(st.sampled_from(SIGNS), max_size=4) | st.text(st.sampled_from(SIGNS[:9]), min_size=30)
)


@pytest.mark.parametrize("path", HOSTILE)
def test_a_path_that_leads_out_is_refused(path: str) -> None:
    with pytest.raises(PathError) as raised:
        normalize_path(path)
    assert raised.value.hint
    str(raised.value).encode()


@pytest.mark.parametrize(
    "path", ["", " ", "/", "./", ".", "[[]]", "a/..", "a/b/", ".md", ".obsidian/x.md", "a/.b/c"]
)
def test_what_names_no_visible_note_is_refused(path: str) -> None:
    with pytest.raises(PathError):
        normalize_path(path)


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("A", "A.md"),
        ("A.MD", "A.MD"),
        ("Version 2.0", "Version 2.0.md"),
        ("./a/b", "a/b.md"),
        ("a/../b", "b.md"),
        ("![[A]]", "A.md"),
        ("[[a/A#Heading|alias]]", "a/A.md"),
        ("Cafe\u0301", "Caf\u00e9.md"),
        ("100%25 %s.md", "100%25 %s.md"),
        ("dos\\barre.md", "dos\\barre.md"),
        ("  espaces  .md", "  espaces  .md"),
        ("a [[b]] # c ^d | e.md", "a [[b]] # c ^d | e.md"),
    ],
)
def test_a_forgiving_path_becomes_the_path_of_a_note(written: str, path: str) -> None:
    assert normalize_path(written) == path


@given(st.text(max_size=40))
def test_a_normalised_path_stays_inside_and_normalises_to_itself(text: str) -> None:
    try:
        path = normalize_path(text)
    except PathError:
        return
    assert not path.startswith("/")
    assert ".." not in path.split("/")
    assert unicodedata.is_normalized("NFC", path)
    assert is_note_name(path)
    assert normalize_path(path) == path


def test_paths_are_compared_without_case_and_unicode_form_but_with_accents() -> None:
    assert path_key("É/Note.MD") == path_key("e\u0301/note.md")
    assert path_key("Cafe.md") != path_key("Café.md")


@pytest.mark.parametrize("form", ["NFC", "NFKD"])
@given(RUNS | st.lists(st.text()))
def test_every_text_gets_the_form_that_the_standard_gives_it(form: Form, pieces: list[str]) -> None:
    text = "".join(pieces)
    assert normalized(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("offset", range(34))
def test_a_long_run_is_seen_wherever_it_stands(offset: int) -> None:
    text = "x" * offset + "a" + "\u0301\u0323" * 17 + "é" * 40
    assert normalized("NFC", text) == unicodedata.normalize("NFC", text)
