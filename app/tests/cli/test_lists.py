"""The notes of a day: by headings of every level, properties and names."""

import os

import pytest

from app.tests.cli.conftest import Run
from app.tests.conftest import MakeVault

NOTES = {
    "Log.md": "# Log\n\nBegun.\n\n## 2024-02-03\n\nA frost.\n\n### 2024-02-04 thaw\n\nWater.\n",
    "About.md": "---\ncreated: 2020-01-01\ndate: 2024-02-03\n---\n# About\n\n" + "A long note.\n\n" * 900,
    "2024-02-03 visit.md": "Callum came.\n",
    "journal/2024-02-03.md": "A day.\n",
    "Other.md": "On 2024-02-03 something happened.\n\n# 2023-02-03\n",
}


@pytest.fixture
def vault(tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch) -> str:
    root = tiny_vault(NOTES).root
    for note in root.rglob("*.md"):
        os.utime(note, (1e9, 1e9))
    monkeypatch.setattr("app.vault.scan._KEEPS_BIRTH", False)
    monkeypatch.chdir(root)
    return str(root)


def test_a_day_is_named_by_headings_of_every_level_by_properties_and_by_names(run: Run, vault: str) -> None:
    found = run("on", "2024-02-03", "--json", "--vault", vault).json["results"]
    assert {row["path"]: row["remark"] for row in found} == {
        "Log.md": "line 5",
        "About.md": "of that day",
        "journal/2024-02-03.md": "created",
    }
    later = run("on", "february 2024", "--json", "--vault", vault).json["results"]
    assert {row["path"]: row["remark"] for row in later}["Log.md"] == "line 5, 9"
    assert run("on", "2024-02-04", "-l", "--vault", vault).out == "Log.md\n"
    since = run("find", "by_date", "2024-02-03", "-l", "--vault", vault)
    assert since.out == "journal/2024-02-03.md\n"


def test_where_nothing_is_found_the_days_are_named(run: Run, vault: str) -> None:
    said = run("on", "march", "2019", "--vault", vault)
    assert (said.code, said.out) == (1, "")
    assert said.err == "Nothing found.\nDays looked at: 2019-03-01 – 2019-03-31.\n"
    assert run("on", "2019-03-04", "--vault", vault).err.endswith("Days looked at: 2019-03-04.\n")
