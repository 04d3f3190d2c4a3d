"""The table of requirements names the tests that there are."""

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = (HERE.parents[3] / "docs" / "requirements.md").read_text(encoding="utf-8")


def test_the_table_names_every_test_of_a_requirement_and_no_other() -> None:
    section = PAGE.split("\n## Keyword search\n")[1].split("\n## ")[0]
    listed = {
        (number, test)
        for number, row in re.findall(r"^\| REQ-KWS-(\d{3}) (.*)$", section, re.MULTILINE)
        for test in re.findall(r"`(\w+\.py::\w+)`", row)
    }
    tests = {
        f"{file.name}::{test}"
        for file in HERE.glob("test_*.py")
        for test in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    numbered = {(match.group(1), test) for test in tests if (match := re.search(r"req_kws_(\d{3})", test))}
    assert {number for number, _ in listed} == {"001", "002", "003", "004", "005"}
    assert numbered <= listed
    assert {test for _, test in listed} <= tests
