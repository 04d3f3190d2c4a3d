"""The tables of SRCH.1 to SRCH.4 and of the edge cases name the tests that there are."""

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = (HERE.parents[3] / "docs" / "requirements.md").read_text(encoding="utf-8")
SECTION = PAGE.split("\n## Named indexes\n")[1].split("\n## ")[0]


def test_the_tables_name_every_test_of_a_requirement_and_no_test_that_is_not_there() -> None:
    listed = {
        (number, test)
        for number, row in re.findall(r"^\| SRCH\.(\d) (.*)$", SECTION, re.MULTILINE)
        for test in re.findall(r"`(\w+\.py::\w+)`", row)
    }
    tests = {
        f"{file.name}::{test}"
        for file in HERE.glob("test_*.py")
        for test in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    numbered = {(match.group(1), test) for test in tests if (match := re.search(r"test_srch_(\d)", test))}
    assert {number for number, _ in listed} == {"1", "2", "3", "4"}
    assert numbered == listed
    assert set(re.findall(r"`(\w+\.py::\w+)`", SECTION)) <= tests


def test_every_edge_case_has_a_test() -> None:
    rows = [line for line in SECTION.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    assert len(rows) > 20
    assert [row for row in rows if "::" not in row] == [
        "| requirement | says | tests |",
        "| edge case | tests |",
    ]
