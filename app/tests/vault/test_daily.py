"""The day of a daily note by the vault's own form of names."""

import json
from datetime import date
from pathlib import Path

import pytest

from app.vault.daily import daily_reader


def reading(root: Path, path: str, **settings: str) -> date | None:
    (root / ".obsidian").mkdir()
    (root / ".obsidian/daily-notes.json").write_text(json.dumps(settings), encoding="utf-8")
    return daily_reader(root)(path)


@pytest.mark.parametrize(
    ("form", "path", "day"),
    [
        ("", "D/2025-07-14.md", date(2025, 7, 14)),
        ("", "D/E/2025-07-14.md", None),
        ("YYYY/MM/YYYY-MM-DD", "D/2025/07/2025-07-14.md", date(2025, 7, 14)),
        ("DD.MM.YY", "D/14.07.25.md", date(2025, 7, 14)),
        ("D MMMM YYYY", "D/1 août 2025.md", date(2025, 8, 1)),
        ("[Day] YYYY-MM-DD", "D/Day 2025-07-14.md", date(2025, 7, 14)),
        # A form that says no whole day, and one with signs that mean something in patterns.
        ("(YYYY)+MM*DD", "D/(2025)+07*14.md", date(2025, 7, 14)),
    ],
)
def test_the_day_is_read_by_the_form_of_the_vault(
    tmp_path: Path, form: str, path: str, day: date | None
) -> None:
    assert reading(tmp_path, path, folder="D", format=form) == day


def test_without_a_setting_the_whole_name_is_the_day(tmp_path: Path) -> None:
    assert daily_reader(tmp_path)("any/2025-07-14.md") == date(2025, 7, 14)
    assert daily_reader(tmp_path)("any/x 2025-07-14.md") is None
