"""The table of what is asked of MCP and of the installation names the tests that there are."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parents[1] / "docs" / "requirements.md").read_text(encoding="utf-8")
SECTION = PAGE.split("\n## MCP and installation\n")[1].split("\n## ")[0]


def test_every_row_names_tests_and_every_test_that_is_named_is_there() -> None:
    tests = {
        f"{file.name}::{test}"
        for folder in ("mcp", "cli", "serving")
        for file in (TESTS / folder).glob("test_*.py")
        for test in re.findall(r"^(?:async )?def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    rows = SECTION.split("| --- | --- |\n")[1].strip().splitlines()
    assert [row for row in rows if not re.search(r"`\w+\.py::\w+`", row)] == []
    assert set(re.findall(r"`(\w+\.py::\w+)`", SECTION)) - tests == set()
