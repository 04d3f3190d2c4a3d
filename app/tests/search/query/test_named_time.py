"""The time that a question names: a table of texts with the days they mean, and of texts that name none."""

from datetime import date
from functools import partial

import pytest

from app.search.query.period import Period, Window
from app.search.query.read import timely
from app.search.query.times import named_time, written_periods
from app.tests.measuring import MOST_CALLS, calls_of
from app.tests.search.query.named_times import NAMED, TODAY, UNNAMED, rows


def window(text: str, today: date = TODAY) -> Window | None:
    return timely(text, today).window


def days(text: str) -> tuple[str, str] | None:
    found = window(text)
    if found is None:
        return None
    first, last = found.period.first, found.period.last
    return "*" if first == date.min else str(first), "*" if last == date.max else str(last)


def test_the_days_that_a_text_names() -> None:
    wanted = {text: (first, last) for text, first, last in rows(NAMED)}
    assert {text: days(text) for text in wanted} == wanted


def test_a_text_that_names_no_time() -> None:
    # Through the whole of the rules too, past the quick look that spares most questions them.
    texts = UNNAMED.strip().splitlines()
    assert [text for text in texts if window(text) or named_time(text, TODAY)] == []


def test_a_day_that_few_years_have_is_the_last_one() -> None:
    found = window("what did I write on February 29?")
    assert found is not None
    assert found.period == Period(date(2024, 2, 29), date(2024, 2, 29), "day")


@pytest.mark.parametrize(
    "text", ["2025-13-45", "30 February 2025", "le 31 juin 2025", "week 60", "2025-02-30"]
)
def test_a_day_that_there_is_not_is_none_of_that_number(text: str) -> None:
    found = window(text)
    assert found is None or found.period.kind in ("month", "year")


@pytest.mark.parametrize("piece", ["early ", "last week of the ", "in may "])
def test_a_long_row_of_words_that_a_time_may_begin_with(piece: str) -> None:
    once, twice = (partial(named_time, piece * n + "2025", TODAY) for n in (400, 800))
    once()
    assert calls_of(twice) <= MOST_CALLS * calls_of(once)


@pytest.mark.parametrize(
    ("query", "phrase"),
    [
        ("created:2025-04 kiln", None),
        ("path:2025 kiln", None),
        ('kiln "last week"', None),
        ("[due:<2025-03-01] kiln", None),
        ("tag:#garden kiln last week", "last week"),
    ],
)
def test_operators_and_phrases_name_no_time(query: str, phrase: str | None) -> None:
    found = window(query)
    assert (found and found.phrase) == phrase


def test_the_notice_of_one_day_states_it_once() -> None:
    found = window("kiln hier")
    assert found is not None
    day = str(found.period.first)
    said = [found.notice().said(language) for language in ("en", "fr")]
    assert said == [
        f'"{found.phrase}" read as {day}: what answers and lies inside is preferred',
        f"« {found.phrase} » : le {day} ; les réponses de ce jour passent devant",
    ]


def test_dates_written_out_in_a_text_with_their_year() -> None:
    text = """Seen on 2025-04-12, again on 3 May 2025 and le 1er juin 2025; Q3 2024 was better. In May nothing.
    Version 2024.1.2, room 2031, €2025, June 7th, 2023 and 2025-W12; juillet 2022, 2015-2017."""
    found = [(str(period.first), str(period.last)) for period in written_periods(text)]
    assert found == [
        ("2025-04-12", "2025-04-12"),
        ("2025-05-03", "2025-05-03"),
        ("2025-06-01", "2025-06-01"),
        ("2024-07-01", "2024-09-30"),
        ("2023-06-07", "2023-06-07"),
        ("2025-03-17", "2025-03-23"),
        ("2022-07-01", "2022-07-31"),
        ("2015-01-01", "2017-12-31"),
    ]


def test_periods_meet_where_they_share_a_day() -> None:
    april = Period(date(2025, 4, 1), date(2025, 4, 30), "month")
    ends = [
        ("2025-03-01", "2025-03-31"),
        ("2025-03-01", "2025-04-01"),
        ("2025-04-30", "2025-05-02"),
        ("2025-05-01",) * 2,
    ]
    others = [Period(date.fromisoformat(first), date.fromisoformat(last), "day") for first, last in ends]
    assert [april.meets(other) for other in others] == [False, True, True, False]
