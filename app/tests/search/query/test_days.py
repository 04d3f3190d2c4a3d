"""Days as they are named at a command line."""

from datetime import date

import pytest

from app.errors import BadRequestError
from app.search.query.times import named_days

MONDAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("demain", "2026-11-24", "2026-11-24"),
        ("la semaine dernière", "2026-11-16", "2026-11-22"),
        # Words of other things too, as "may", which alone can be nothing else here.
        ("mai", "2026-05-01", "2026-05-31"),
        ("d'avril 2025", "2025-04-01", "2025-04-30"),
    ],
)
def test_days_are_read_in_both_languages(text: str, first: str, last: str) -> None:
    assert tuple(map(str, named_days(text, MONDAY))) == (first, last)


@pytest.mark.parametrize("text", ["larch", "larch of last week", "last week of larch", "", "2025-02-30"])
def test_what_is_no_day_alone_is_refused(text: str) -> None:
    with pytest.raises(BadRequestError, match="names no day"):
        named_days(text, MONDAY)
