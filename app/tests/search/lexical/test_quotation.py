"""What stands in quotation marks: one reading for phrases, for words that are kept as typed, and for times."""

import pytest

from app.search.lexical.quotation import pieces


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
