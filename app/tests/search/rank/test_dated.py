"""The time a question names: what lies there comes first, wherever its day stands, and nothing is hidden."""

import os
from collections.abc import Mapping
from datetime import date, datetime

import pytest

from app.search.models import SearchResults
from app.search.query import read
from app.search.rank.dated import name_periods
from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find, paths
from app.vault.client import VaultClient

TODAY = date(2026, 11, 18)
LINE = "The kiln was fired and the roof of the workshop mended.\n"
APRIL = {
    "name": {"reports/2025-04.md": LINE},
    "words in the name": {"reports/Rapport avril 2025.md": LINE},
    "folder": {"reports/2025/04/a.md": LINE},
    "compact name": {"reports/20250412 a.md": LINE},
    "daily note": {"2025-04-12.md": LINE},
    "property": {"reports/a.md": f"---\ncreated: 2025-04-12\nupdated: 2026-01-01\n---\n{LINE}"},
    "any property": {"reports/a.md": f"---\nmonth: April 2025\n---\n{LINE}"},
    "dated heading": {"reports/a.md": f"# 2025-04-12 kiln\n{LINE}"},
    "lower heading": {"reports/a.md": f"# Reports\n## 12 avril 2025\n{LINE}"},
    "text": {"reports/a.md": f"Report of April 12th, 2025. {LINE}"},
}
OTHERS = {
    # These hold the words of the question more often, and belong to other days.
    "reports/2025-03.md": f"kiln roof workshop\n{LINE}{LINE}",
    "reports/2025-05.md": f"kiln roof workshop\n{LINE}In April the kiln was cold.\n",
    "kiln.md": "# Kiln\nkiln roof workshop\n",
}


@pytest.fixture(autouse=True)
def on_a_fixed_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "local_today", lambda: TODAY)


def made(tiny_vault: MakeVault, notes: Mapping[str, str]) -> VaultClient:
    """Write notes whose files are as old as each other, and of no month that is asked for."""
    vault = tiny_vault(notes)
    moment = datetime(2024, 1, 15, 12).timestamp()
    for path in notes:
        os.utime(vault.root / path, (moment, moment))
    return vault


def notices(results: SearchResults) -> list[str]:
    return [str(notice) for notice in results.notices]


@pytest.mark.parametrize("place", APRIL)
@pytest.mark.parametrize("query", ["the kiln in April 2025", "kiln roof avril 2025"])
def test_what_lies_in_the_time_is_first(place: str, query: str, tiny_vault: MakeVault, find: Find) -> None:
    vault = made(tiny_vault, {**OTHERS, **APRIL[place]})
    found = find(vault, "fast", query=query)
    assert paths(found)[0] in APRIL[place]
    # Where a date is given, the time in the words is none.
    assert set(paths(find(vault, "fast", query=query, start_date="1900-01-01"))) == set(paths(found))
    scores = [result.score for result in found.results]
    assert scores == sorted(scores, reverse=True)


def test_a_time_hides_nothing_by_the_score_of_what_it_puts_first(tiny_vault: MakeVault, find: Find) -> None:
    """Weak answers of the year pass the good one of another year, and their scores must not take it down."""
    notes = {"2020-05-04.md": "# Kiln pots\nWe fired the kiln with pots of clay, glazed.\n"}
    for day in range(1, 29):
        notes[f"2023-02-{day:02}.md"] = f"# Day {day}\nThe {('pots', 'kiln')[day % 2]} and item {day}.\n"
    notes |= {f"other/{at}.md": f"# Other {at}\nSomething about matter {at} and roads.\n" for at in range(32)}
    vault = made(tiny_vault, notes)
    timed = find(vault, "fast", query="kiln pots in 2023?", limit=50)
    assert paths(timed)[0].startswith("2023-")
    assert "2020-05-04.md" in paths(timed)
    for query in ("kiln pots?", "kiln pots in 2023?"):
        results = find(vault, "fast", query=query, min_score=0.3)
        assert paths(results)[0] == "2020-05-04.md"
        assert all(result.score >= 0.3 for result in results.results)


def test_explicit_days_stay_hard_and_leave_no_window(tiny_vault: MakeVault, find: Find) -> None:
    vault = made(tiny_vault, {"2025-04-12.md": LINE, "2025-05-01.md": LINE})
    found = find(vault, "fast", query="kiln April 2025", start_date="2025-05", end_date="2025-05")
    assert (paths(found), notices(found)) == (["2025-05-01.md"], [])


def test_a_day_alone_does_not_beat_what_answers(tiny_vault: MakeVault, find: Find) -> None:
    notes = {
        "2025-04-12.md": "The heron came back to the pond.\n",
        "2025-04-13.md": "A letter about the insurance of the car.\n",
        "2024-02-01.md": "The insurance of the workshop covers fire and the glazing kiln.\n",
    }
    vault = made(tiny_vault, notes)
    found = find(vault, "fast", query="does the workshop insurance cover the glazing kiln, April 2025")
    # The last is found by a word of its name alone.
    assert paths(found) == ["2024-02-01.md", "2025-04-13.md", "2025-04-12.md"]


def test_a_question_for_nothing_but_a_time_lists_it_newest_first(tiny_vault: MakeVault, find: Find) -> None:
    week = {"2026-11-10.md": "Rain.\n", "2026-11-12.md": "Heron.\n", "2026-11-16.md": "Not last week.\n"}
    vault = made(tiny_vault, week)
    expected = ["2026-11-12.md", "2026-11-10.md", "2026-11-16.md"]
    for query in ("last week", "what happened last week?"):
        assert paths(find(vault, "fast", query=query)) == expected
    french = "que s'est-il passé la semaine dernière ?"
    assert paths(find(vault, "fast", query=french))[:2] == expected[:2]


def test_a_question_of_time_is_answered_from_a_part_of_a_note(tiny_vault: MakeVault, find: Find) -> None:
    dated = "# 2026-11-17\n\nThe roof leaks.\n\n## Sub\n\nThe kiln broke.\n"
    vault = made(tiny_vault, {"log.md": f"{dated}\n# 2026-11-10\n\n## Sub\n\nOlder.\n"})
    [first, *_] = find(vault, "fast", query="what happened yesterday?", scopes=["log.md#Sub"]).results
    assert (first.path, first.lines, "The kiln broke." in first.excerpt) == ("log.md", "5-8", True)


def test_files_without_a_day_are_as_old_as_their_file(tiny_vault: MakeVault, find: Find) -> None:
    vault = made(tiny_vault, {"a.md": LINE, "b.md": f"kiln\n{LINE}"})
    moment = datetime(2026, 11, 11, 12).timestamp()
    os.utime(vault.root / "a.md", (moment, moment))
    assert paths(find(vault, "fast", query="the kiln last week"))[0] == "a.md"


def test_what_has_no_day_is_filtered_by_the_date_of_its_file(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": LINE, "2024-05-06.md": LINE, "2024-05-20.md": LINE})
    moment = datetime(2024, 5, 6, 12).timestamp()
    os.utime(vault.root / "a.md", (moment, moment))
    day = {"start_date": "2024-05-06", "end_date": "2024-05-06", "date_field": "modified"}
    found = find(vault, "fast", query="kiln", **day).results
    assert {(one.path, one.date_source) for one in found} == {("a.md", "file"), ("2024-05-06.md", "name")}


@pytest.mark.parametrize(
    ("path", "first", "last"),
    [
        ("a/2025-04.md", "2025-04-01", "2025-04-30"),
        ("a/2025-W16.md", "2025-04-14", "2025-04-20"),
        ("a/Q2 2025.md", "2025-04-01", "2025-06-30"),
    ],
)
def test_the_days_that_a_path_tells(path: str, first: str, last: str) -> None:
    assert [(str(p.first), str(p.last)) for p in name_periods(path)] == [(first, last)]


@pytest.mark.parametrize(
    "path", ["v2024.1.md", "room 2024.md", "20259912.md", "2025/99/a.md", "a12345678901.md"]
)
def test_a_path_that_tells_no_day(path: str) -> None:
    assert list(name_periods(path)) == []
