"""Days in properties, names and headings, and the ends of a range."""

from datetime import date, datetime

import pytest

from app.errors import BadRequestError
from app.vault.dates import dated_heading, note_dates, parse_bound, parse_day

TODAY = date(2024, 3, 31)
NOON = datetime(2025, 6, 1, 12, 0)


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2025-02-03", "2025-02-03"),
        ("2025-01-05 08:00", "2025-01-05"),
        ("2025-01-31T23:50:00+02:00", "2025-01-31"),
        ("2025-01-01T25:61:61", "2025-01-01"),
        (date(2025, 2, 3), "2025-02-03"),
        ("9999-12-31", "9999-12-31"),
    ],
)
def test_a_real_day_is_the_day_written(value: object, day: str) -> None:
    assert parse_day(value) == date.fromisoformat(day)


@pytest.mark.parametrize(
    "value",
    [
        *("2025-02-30", "2025-13-45", "0000-00-00", "99999-01-01", "-0001-01-01", "07/11/2023", "20231107"),
        *("2025-W05-1", "2025-02", "2025-02-03x", "2025-02-03-04", "٢٠٢٥-٠١-٠١", "bientôt", ""),
        *(None, 2025, 20231107, True, ["2025-01-01"], {"a": 1}),
    ],
)
def test_anything_else_is_no_day(value: object) -> None:
    assert parse_day(value) is None


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2025-03-02 — réunion", date(2025, 3, 2)),
        ("2024-14-02", None),
        ("2025-03-021", None),
        ("le 2025-03-02", None),
    ],
)
def test_a_dated_heading_begins_with_a_real_day(text: str, day: date | None) -> None:
    assert dated_heading(text) == day


@pytest.mark.parametrize(
    ("properties", "named", "created", "modified", "day"),
    [
        ({}, date(2025, 2, 10), "name 2025-02-10", "file 2025-06-01", "2025-02-10"),
        ({"date": "2025-01-02"}, date(2025, 2, 10), "property 2025-01-02", "file 2025-06-01", "2025-01-02"),
        (
            {"created": "bientôt", "date": "2025-01-02", "updated": "2025-02-30", "modified": "2025-01-04"},
            None,
            "property 2025-01-02",
            "property 2025-01-04",
            "2025-01-04",
        ),
    ],
)
def test_properties_come_before_the_name_and_the_name_before_the_file(
    properties: dict[str, object], named: date | None, created: str, modified: str, day: str | None
) -> None:
    dates = note_dates(properties, named, mtime=NOON.timestamp(), birth=datetime(2025, 5, 1, 9).timestamp())
    assert f"{dates.created_source} {dates.created.date()}" == created
    assert f"{dates.modified_source} {dates.modified.date()}" == modified
    assert (dates.day and dates.day.isoformat()) == day


@pytest.mark.parametrize(
    ("name", "made"),
    [
        *(("Créée", True), ("cree", True), ("cre\u0301e\u0301_le", True), ("DATE_DE_CREATION", True)),
        *(("Modifiée", False), ("modifié  le", False), ("mis à jour", False), ("Mise-a-jour", False)),
    ],
)
def test_the_days_a_note_was_made_and_changed_are_named_in_french_too(name: str, made: bool) -> None:
    dates = note_dates({name: "2025-01-02"}, None, mtime=NOON.timestamp())
    days = (dates.created, dates.created_source) if made else (dates.modified, dates.modified_source)
    assert (days, dates.day) == ((datetime(2025, 1, 2), "property"), date(2025, 1, 2))


@pytest.mark.parametrize("name", ["created at", "créé par", "日date", "jour", "mis", "modifié par", "dates"])
def test_other_properties_date_no_note(name: str) -> None:
    dates = note_dates({name: "2025-01-02"}, None, mtime=NOON.timestamp())
    assert (dates.created_source, dates.modified_source, dates.day) == ("file", "file", None)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2025-07-14 23:59:59", "2025-07-14", "2025-07-14"),
        ("2024", "2024-01-01", "2024-12-31"),
        ("2025-12", "2025-12-01", "2025-12-31"),
        ("2 Weeks Ago", "2024-03-17", "2024-03-17"),
        ("13 months ago", "2023-02-28", "2023-02-28"),
        ("il y a 2 mois", "2024-01-31", "2024-01-31"),
    ],
)
def test_a_bound_is_a_whole_day_and_a_month_has_two_ends(text: str, start: str, end: str) -> None:
    assert parse_bound(text, today=TODAY) == date.fromisoformat(start)
    assert parse_bound(text, end=True, today=TODAY) == date.fromisoformat(end)


@pytest.mark.parametrize(
    "text",
    [
        *("", "demain", "0000", "2025-13", "2025-02-30", "20250714", "2025-W05-1", "14/07/2025", "2025-7-4"),
        *("2025-07-14T25:00", "-1 days ago", "3000 years ago", "9" * 5000 + " days ago", "two days ago"),
    ],
)
def test_a_bound_not_understood_shows_the_accepted_forms(text: str) -> None:
    with pytest.raises(BadRequestError) as caught:
        parse_bound(text, today=TODAY)
    assert caught.value.message == f"date '{text}' is not understood"
    assert "2025-07-14T09:30" in caught.value.hint
    assert "N days|weeks|months|years ago" in caught.value.hint
