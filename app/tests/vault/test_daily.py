"""The day of a note by its name: in the vault's own form, or where the name begins with a day."""

import json
import random
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest

from app.sentences import Language
from app.vault.daily import DayReader
from app.vault.moment import day_read, written
from app.vault.obsidian import DAILY_FILE, PERIODIC_FILE, PLUGINS_FILE


def reader(root: Path, settings: Any = None, periodic: Any = None, plugins: Any = None) -> DayReader:
    for name, values in ((DAILY_FILE, settings), (PERIODIC_FILE, periodic), (PLUGINS_FILE, plugins)):
        if values is not None:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(json.dumps(values), encoding="utf-8")
    return DayReader(root)


@pytest.mark.parametrize(
    ("form", "path", "day"),
    [
        ("YYYY/MM/YYYY-MM-DD", "D/2025/07/2025-07-14.md", date(2025, 7, 14)),
        ("YYYY/MM-MMMM/YYYY-MM-DD-dddd", "D/2026/06-juin/2026-06-27-samedi.md", date(2026, 6, 27)),
        ("YYYY-MM-DD dddd", "D/2026-06-26 sexta-feira.md", date(2026, 6, 26)),
        ("DD.MM.YY", "D/14.07.25.md", date(2025, 7, 14)),
        ("YYYYMMDD", "D/20250714.md", date(2025, 7, 14)),
        ("Do MMMM YYYY", "D/1er mai 2025.md", date(2025, 5, 1)),
        ("[Journal] D MMMM YYYY", "D/Journal 3 mai 2026.md", date(2026, 5, 3)),
        # What means something in patterns is a character like any other.
        ("(YYYY)+MM*DD", "D/(2025)+07*14.md", date(2025, 7, 14)),
        ("YYYY-MM", "D/2025-07.md", None),
        ("[Plan]", "D/Plan.md", None),
    ],
)
def test_a_daily_note_is_read_by_the_form_of_the_vault(
    tmp_path: Path, form: str, path: str, day: date | None
) -> None:
    assert reader(tmp_path, {"folder": "D", "format": form}).daily(path) == day


PARTS = (
    ("YYYY", "YY", "gggg", "GGGG", "[Year] YYYY"),
    ("MM", "M", "MMM", "MMMM", "MM-MMMM", "[Q]Q/MM"),
    ("DD", "D", "Do", "DD-dddd", "ddd DD", "dd D", "DD HH.mm", "D [à] h-mm A", r"DD \M", "[d’] D"),
)


def forms() -> list[str]:
    """Thirty forms, made of parts in any order."""
    chance, found = random.Random(39), set[str]()
    while len(found) < 30:
        year, month, day = (chance.choice(choices) for choices in PARTS)
        parts = [year.replace("gggg", "YYYY [of] gggg").replace("GGGG", "YYYY [W]WW"), month, day]
        chance.shuffle(parts)
        found.add(chance.choice((" ", "-", "_", "/", ", ", " [·] ")).join(parts))
    return sorted(found)


@pytest.mark.parametrize("form", forms())
@pytest.mark.parametrize("language", get_args(Language))
def test_what_is_written_in_a_form_is_read_again(form: str, language: Language) -> None:
    for number in range(0, 1200, 7):
        moment = datetime(2023, 12, 25, 15, 4) + timedelta(days=number)
        assert day_read(form, written(form, moment, language)) == moment.date(), (form, moment)


def test_no_form_is_compared_for_ever() -> None:
    assert day_read("YYYY-MM-DD" + "hHmsDdwQ" * 20, "2025-07-14" + "1" * 240 + "x") is None
    assert day_read("YYYYMMDDDDDDoMoQoDwWHhkmseEdgggg", "1" * 250) is None


def test_without_a_setting_the_whole_name_is_the_day(tmp_path: Path) -> None:
    days = reader(tmp_path)
    assert days.daily("any/2025-07-14.md") == date(2025, 7, 14)
    for path in ("any/2025-07-14 x.md", "any/2025-02-30.md", "2025-07-14/note.md", "20250714.md"):
        assert days.daily(path) is None


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("2026-05-03 Beans.md", date(2026, 5, 3)),
        ("27-06-2026 Réunion.md", date(2026, 6, 27)),
        ("2026-05-031.md", None),
        ("2026-02-30 Beans.md", None),
        ("Beans 2026-05-03.md", None),
    ],
)
def test_a_name_that_begins_with_a_day_says_it(tmp_path: Path, path: str, day: date | None) -> None:
    assert reader(tmp_path, {"folder": "D", "format": "YYYY/DD-MM-YYYY"}).named(path) == day


DAILY = {"enabled": True, "folder": "P", "format": "DD.MM.YYYY"}


@pytest.mark.parametrize(
    "periodic",
    [
        {"daily": DAILY},
        {
            "activeCalendarSet": "Mine",
            "calendarSets": [{"id": "x", "day": {}}, 3, {"id": "Mine", "day": DAILY}],
        },
    ],
)
def test_the_settings_of_periodic_notes_are_read_beside_those_of_obsidian(
    tmp_path: Path, periodic: dict[str, Any]
) -> None:
    days = reader(tmp_path, {"folder": "D", "format": "YYYYMMDD"}, periodic)
    assert days.daily("P/27.06.2026.md") == days.daily("D/20260627.md") == date(2026, 6, 27)
    assert days.daily("D/27.06.2026.md") is None
    assert days.told[0].folder == "P/"
    # Of a plugin that is switched off, what it has named is still read, and nothing new is named.
    days = reader(tmp_path, plugins=["calendar"])
    assert (days.told[0].folder, days.daily("P/27.06.2026.md")) == ("D/", date(2026, 6, 27))
