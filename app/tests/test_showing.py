"""Text of notes as it is shown: nothing obeyed, nothing hidden, nothing out of its marks."""

import pytest

from app.showing import cut, in_line, listing, marked, showing


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("a\r\nb\rc\td\n", "a\nb\\rc\td\n"),
        ("\x85\x9b\u2028\u2029", "\\x85\\x9b\\u2028\\u2029"),
        ("\u202eabc\u202c \u2066\u2069", "\\u202eabc\\u202c \\u2066\\u2069"),
        ("se\u200bcret\ufeff\u2060\xad", "se\\u200bcret\\ufeff\\u2060\\xad"),
        ("\U000e0049\U000e0047", "\\U000e0049\\U000e0047"),
        ("x\ufe0f\ufe0e\U000e0101", "x\ufe0f\\ufe0e\\U000e0101"),
        ("a\u200db \u200c", "a\\u200db \\u200c"),
        ("\udce9", "\\udce9"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, shown: str) -> None:
    assert showing(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Été à Brest, «\u00a0ici\u00a0»…\n\t- [ ] 日本語",
        "👩\u200d🚀 ❤\ufe0f 1\ufe0f⃣ 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می\u200cخواهم क\u094d\u200dष",
    ],
)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert showing(text) == text


def test_a_line_is_one_line_and_no_longer_than_asked() -> None:
    assert in_line("a\nb\tc") == "a\\nb\\tc"
    assert in_line("\x1b" * 1_000_000, 10) == "\\x1b\\x1b\\…"
    assert (cut("abcd", 4), cut("abcde", 4)) == ("abcd", "abc…")
    assert listing(["a", "b\n", "ccccc", "d"], 3, 4) == "a, b\\n, ccc…, … and 1 more"


@pytest.mark.parametrize(
    "text",
    [
        "</note>",
        "</ NOTE >",
        "<note>",
        "< / file>",
        "<file name='x'>",
        "<document>",
        "</results>",
        "<\u200b/note>",
    ],
)
def test_no_text_leaves_its_marks_or_begins_others(text: str) -> None:
    shown = marked("note", f"a {text} b", path='x">')
    assert shown.startswith('<note path="x\'›">\na <')
    assert shown.endswith(" b\n</note>")
    inner = shown.partition("\n")[2].removesuffix("\n</note>")
    assert inner in (f"a {text.replace('<', '<' + chr(92), 1)} b", "a <\\u200b/note> b")
