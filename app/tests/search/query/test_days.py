"""Days as they are named at a command line."""

from datetime import date

import pytest

from app.errors import BadRequestError
from app.search.query.times import named_day, named_days

MONDAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("today", "2026-11-23", "2026-11-23"),
        ("demain", "2026-11-24", "2026-11-24"),
        ("lundi dernier", "2026-11-16", "2026-11-16"),
        ("la semaine dernière", "2026-11-16", "2026-11-22"),
        ("le 14 juillet 2025", "2025-07-14", "2025-07-14"),
        ("avril 2025", "2025-04-01", "2025-04-30"),
        # Words of other things too, as "may", which alone can be nothing else here.
        ("mai", "2026-05-01", "2026-05-31"),
        ("il y a 3 jours", "2026-11-20", "2026-11-20"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("d'avril 2025", "2025-04-01", "2025-04-30"),
    ],
)
def test_days_are_read_in_both_languages(text: str, first: str, last: str) -> None:
    assert tuple(map(str, named_days(text, MONDAY))) == (first, last)


@pytest.mark.parametrize("text", ["larch", "larch of last week", "last week of larch", "", "2025-02-30"])
def test_what_is_no_day_alone_is_refused(text: str) -> None:
    with pytest.raises(BadRequestError, match="names no day"):
        named_days(text, MONDAY)


def test_one_day_is_asked_for_where_only_one_will_do() -> None:
    assert named_day("14 juillet 2025", MONDAY) == date(2025, 7, 14)
    with pytest.raises(BadRequestError, match="'last week' is more than one day: 2026-11-16 to 2026-11-22"):
        named_day("last week", MONDAY)
