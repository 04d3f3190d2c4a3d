"""Dates written by the forms of moment.js."""

from datetime import date, datetime, timedelta

import pytest

from app.sentences import Language
from app.vault.moment import written

MOMENT = datetime(2025, 7, 4, 15, 4, 5, 678901)


@pytest.mark.parametrize(
    ("form", "english", "french"),
    [
        ("YYYY-MM-DD", "2025-07-04", "2025-07-04"),
        ("dddd, MMMM Do YYYY", "Friday, July 4th 2025", "vendredi, juillet 4 2025"),
        ("ddd D MMM YY", "Fri 4 Jul 25", "ven. 4 juil. 25"),
        ("dd M Q DDD DDDD", "Fr 7 3 185 185", "ve 7 3 185 185"),
        ("[Week] ww, gggg-[W]WW", "Week 27, 2025-W27", "Week 27, 2025-W27"),
        ("h:mm a, hh A, HH:mm:ss", "3:04 pm, 03 PM, 15:04:05", "3:04 pm, 03 PM, 15:04:05"),
        ("d E", "5 5", "5 5"),
        (r"\Y YYYY [D] é", "Y 2025 D é", "Y 2025 D é"),
    ],
)
def test_each_part_is_written_in_the_language(form: str, english: str, french: str) -> None:
    assert (written(form, MOMENT), written(form, MOMENT, "fr")) == (english, french)


@pytest.mark.parametrize(
    ("day", "language", "week"),
    [
        # In the United States the week of the first of January is the first, and begins on a Sunday.
        (date(2022, 1, 1), "en", "2022 01"),
        (date(2024, 12, 29), "en", "2025 01"),
        (date(2022, 1, 1), "fr", "2021 52"),
    ],
)
def test_weeks_are_counted_as_the_language_does(day: date, language: Language, week: str) -> None:
    assert written("gggg ww", datetime(day.year, day.month, day.day), language) == week


def test_iso_weeks_are_those_of_the_calendar() -> None:
    for number in range(0, 12_000, 3):
        day = date(1999, 1, 1) + timedelta(days=number)
        year, week, _ = day.isocalendar()
        assert written("GGGG W", datetime(day.year, day.month, day.day)) == f"{year} {week}"
