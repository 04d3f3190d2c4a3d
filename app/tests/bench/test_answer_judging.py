"""The bench of answers judges what is quoted by where it stands and what it holds."""

import pytest

from bench.answers.cases import Case, Place
from bench.answers.judging import Quotation, judge, quotation

NOTE = "# Kiln\n\nThe kiln broke down.\nIt was mended in *May* 2024.\n\n| what | € |\n| --- | ---: |\n| larch | 380 |\n"
CASE = Case("1", "When?", "en", "when", evidence=(Place("kiln.md", 3, 4),), must=("kiln", "May"))


def quoted(lines: str, text: str, path: str = "kiln.md") -> Quotation:
    return quotation(path, lines, text, NOTE)


@pytest.mark.parametrize(
    ("lines", "text", "found"),
    [
        ("4", "It was mended in *May* 2024.", (4, 4)),
        ("3-4", "mended in *May*", (4, 4)),
        ("3-4", "broke down.\nIt was mended", (3, 4)),
        ("3-4", "The kiln broke down.\nIt was mended in *May* 2024.\n", (3, 4)),
        ("1-8", "| larch | 380 |", (8, 8)),
    ],
)
def test_a_quotation_is_found_on_the_lines_it_names(lines: str, text: str, found: tuple[int, int]) -> None:
    assert quoted(lines, text).place == Place("kiln.md", *found)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("4", "It was mended in May 2024."),
        ("3", "It was mended in *May* 2024."),
        ("4", "The kiln broke down.\nIt was mended in *May* 2024."),
        ("9-12", "larch"),
        ("0-1", "mended"),
        ("", "mended"),
        ("4", "  "),
    ],
)
def test_what_is_altered_or_stands_elsewhere_is_not_found(lines: str, text: str) -> None:
    assert quoted(lines, text).place is None
    assert quotation("kiln.md", lines, text, None).place is None


@pytest.mark.parametrize(
    ("quotations", "verdict"),
    [
        ([("3-4", "The kiln broke down.\nIt was mended in *May* 2024.")], "first"),
        ([("3", "The KILN  broke down."), ("8", "| larch | 380 |"), ("4", "in *May*")], "together"),
        ([("3", "broke down."), ("8", "larch"), ("8", "380"), ("4", "the kiln, in May")], "place"),
        ([("8", "| larch | 380 |"), ("4", "in *May*")], "wrong"),
        ([], "silent"),
    ],
)
def test_all_strings_of_a_key_have_to_be_quoted_in_the_first_or_in_three_together(
    quotations: list[tuple[str, str]], verdict: str
) -> None:
    assert judge(CASE, True, [quoted(*each) for each in quotations]).verdict == verdict
