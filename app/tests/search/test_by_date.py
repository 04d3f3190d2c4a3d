"""by_date: whole local days, both inclusive, newest first."""

import pytest

from app.errors import BadRequestError
from app.tests.conftest import MakeVault
from app.tests.engines import on_every_engine
from app.tests.search.conftest import Find, paths

pytestmark = on_every_engine

NOTES = {
    "a.md": "---\ncreated: 2025-01-31T23:50:00+02:00\nupdated: 2025-06-01\n---\n",
    "b.md": "---\ndate: 2025-02-01\nmodified: 2025-06-03\n---\n",
    "journal/2025-02-02.md": "rien\n",
    "c.md": "---\ncreated: 2025-02-30\ndate: 2025-02-03\n---\n",
}


def test_both_ends_are_inclusive_and_the_newest_comes_first(tiny_vault: MakeVault, find: Find) -> None:
    results = find(tiny_vault(NOTES), "by_date", start_date="2025-01-31", end_date="2025-02-02")
    assert paths(results) == ["journal/2025-02-02.md", "b.md", "a.md"]
    assert [result.date_source for result in results.results] == ["name", "property", "property"]


def test_an_impossible_day_gives_way_to_the_next_property(tiny_vault: MakeVault, find: Find) -> None:
    assert paths(find(tiny_vault(NOTES), "by_date", start_date="2025-02-03", end_date="2025-02-03")) == [
        "c.md"
    ]


def test_modified_has_its_own_properties(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(NOTES)
    found = find(vault, "by_date", start_date="2025-06", end_date="2025-06", date_field="modified")
    assert paths(found) == ["b.md", "a.md"]


@pytest.mark.parametrize("day", ["14/07/2025", "soon", "2025-13", "2025-02-30", "-3 days ago"])
def test_a_form_not_understood_shows_the_accepted_ones(day: str, tiny_vault: MakeVault, find: Find) -> None:
    with pytest.raises(BadRequestError, match="2025-07-14"):
        find(tiny_vault(NOTES), "by_date", start_date=day)
