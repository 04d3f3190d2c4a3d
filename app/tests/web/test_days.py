"""Daily notes: those beside one, and a month of them."""

import re

import pytest
from starlette.testclient import TestClient

from app.tests.conftest import MakeVault
from app.tests.web.visiting import LEXICAL, visit

NOTES: dict[str, str | bytes] = {
    "Journal/2025-07-14.md": "# Monday\n",
    "Journal/2025-07-17.md": "Thursday\n",
    "Journal/2025-08-02.md": "a day\n",
    "Elsewhere/2025-07-15.md": "---\ndate: 2025-07-15\n---\nno daily note of this vault\n",
    "Trip.md": "---\ndate: 2025-07-14\n---\n# The trip\n\nto <b>sea</b>\n",
    "Secret/2025-07-16.md": "---\ndate: 2025-07-16\n---\nhidden\n",
    ".obsidian/daily-notes.json": '{"folder": "Journal"}',
    ".obsidian/app.json": '{"userIgnoreFilters": ["Secret/"]}',
}


@pytest.fixture
def client(tiny_vault: MakeVault) -> TestClient:
    return visit(tiny_vault(NOTES, index=LEXICAL))


def beside(page: str) -> list[tuple[str, str]]:
    return re.findall(r'<a rel="(prev|next)" href="(/note/[^"]*)"', page)


def test_a_daily_note_leads_to_those_before_and_after(client: TestClient) -> None:
    assert beside(client.get("/note/Journal/2025-07-17.md").text) == [
        ("prev", "/note/Journal/2025-07-14.md"),
        ("next", "/note/Journal/2025-08-02.md"),
    ]
    assert beside(client.get("/note/Journal/2025-07-14.md").text) == [("next", "/note/Journal/2025-07-17.md")]
    for other in ("Trip.md", "Elsewhere/2025-07-15.md"):
        assert 'class="beside"' not in client.get(f"/note/{other}").text


def test_the_calendar_of_a_vault_without_daily_notes_opens_where_its_last_note_is_dated(
    tiny_vault: MakeVault,
) -> None:
    notes = {
        "A.md": "---\ndate: 2021-03-05\n---\nold\n",
        "B.md": "---\ndate: 2023-11-30\n---\nnewer\n",
        "C.md": "---\ndate: 2999-01-01\n---\nnot yet\n",
    }
    client = visit(tiny_vault(notes, index=LEXICAL))
    answer = client.get("/days/", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/days/2023-11")


def test_a_month_links_its_days_and_lists_what_else_is_dated(client: TestClient) -> None:
    page = client.get("/days/2025-07").text
    assert re.findall(r'<td[^>]*>\s*<a href="([^"]*)" aria-label="([^"]*)"', page) == [
        ("/note/Journal/2025-07-14.md", "2025-07-14"),
        ("/note/Journal/2025-07-17.md", "2025-07-17"),
    ]
    rows = re.findall(r'id="day-([^"]*)".*?<li><a href="([^"]*)">([^<]*)</a>', page, re.DOTALL)
    assert rows == [
        ("2025-07-14", "/note/Trip.md", "The trip"),
        ("2025-07-15", "/note/Elsewhere/2025-07-15.md", "2025-07-15"),
    ]
    assert "Secret" not in page
    assert "2025-07-16" not in page
    assert re.findall(r'rel="(?:prev|next)" href="([^"]*)"', page) == ["/days/2025-06", "/days/2025-08"]
    days = [int(number) for number in re.findall(r"<(?:span|a [^>]*)>(\d+)</(?:span|a)>", page)]
    assert days == list(range(1, 32))
    assert "<h1>July 2025</h1>" in page
    assert "<h1>juillet 2025</h1>" in client.get("/days/2025-07", headers={"Accept-Language": "fr"}).text


def test_the_calendar_opens_at_the_last_daily_note(client: TestClient) -> None:
    assert client.get("/days/", follow_redirects=False).headers["location"] == "/days/2025-08"
    assert '<a class="quiet" href="/days/">Calendar</a>' in client.get("/browse/").text
    empty = client.get("/days/2024-02").text
    assert "No note is of this month." in empty


@pytest.mark.parametrize("month", ["2025", "2025-13", "0001-01", "9999-12", "2025-07-14", "<b>", "2025-7"])
def test_what_is_no_month_is_said(client: TestClient, month: str) -> None:
    answer = client.get(f"/days/{month}")
    assert answer.status_code == 400
    assert "is no month" in answer.text
    assert "<b>" not in answer.text


def test_years_change_with_the_months(client: TestClient) -> None:
    page = client.get("/days/2024-12").text
    assert re.findall(r'rel="(?:prev|next)" href="([^"]*)"', page) == ["/days/2024-11", "/days/2025-01"]


LONGER: dict[str, str | bytes] = {
    **NOTES,
    "Trip.md": "---\ndate: 2025-07-14\ntags: [sea/north]\n---\n# The trip\n\nto <b>sea</b>\n",
    "Old/1999.md": "---\ndate: 1999-12-31\ntags: [sea]\n---\nlong ago\n",
    "Old/Log.md": "# 2025-07-14\n\none\n\n# 2025-07-20\n\ntwo\n\n# 2025-08-02\n\nthree\n",
    "Old/Deep/Plan.md": "no date\n",
}


@pytest.fixture
def longer(tiny_vault: MakeVault) -> TestClient:
    return visit(tiny_vault(LONGER, index=LEXICAL))


def bars(page: str) -> dict[str, int]:
    """The months that have a note, with how many."""
    found = re.findall(r'<li><a href="/days/([\d-]+)[^"]*"><span class="unseen">[^<]*?: (\d+) note', page)
    return {month: int(count) for month, count in found if count != "0"}


def test_the_timeline_counts_each_note_once_a_month(longer: TestClient) -> None:
    page = longer.get("/timeline").text
    assert bars(page) == {"1999-12": 1, "2025-07": 5, "2025-08": 2}
    assert re.findall(r'<h2 id="head-(\d+)"', page) == ["2025", "1999"]
    assert "7 dated notes, from 1999-12-31 to 2025-08-02" in page
    assert "Secret" not in page
    assert '<span class="unseen">July 2025: 5 notes</span>' in page
    assert (
        '<span class="unseen">juillet 2025\u202f: 5 notes</span>'
        in longer.get("/timeline", headers={"Accept-Language": "fr"}).text
    )
    assert '<a class="quiet" href="/timeline">Timeline</a>' in longer.get("/browse/").text


def squares(page: str) -> list[tuple[str, str, str]]:
    return re.findall(r'<a href="([^"]*)" tabindex="-1"><title>([\d-]+): (\d+)</title>', page)


def test_one_year_shows_its_days(longer: TestClient) -> None:
    assert squares(longer.get("/timeline").text) == [
        ("/days/2025-07#day-2025-07-14", "2025-07-14", "3"),
        ("/note/Elsewhere/2025-07-15.md", "2025-07-15", "1"),
        ("/note/Journal/2025-07-17.md", "2025-07-17", "1"),
        ("/note/Old/Log.md", "2025-07-20", "1"),
        ("/days/2025-08#day-2025-08-02", "2025-08-02", "2"),
    ]
    assert squares(longer.get("/timeline?year=1999").text) == [("/note/Old/1999.md", "1999-12-31", "1")]
    assert squares(longer.get("/timeline?year=2001").text) == []
    days = longer.get("/timeline").text
    assert re.findall(r'<text x="-13"[^>]*>(.)', days) == list("MTWTFSSMTWTFSS")
    # The second half of 2025 began on a Tuesday; its October did on a Wednesday, in the 14th week.
    assert '<text x="156" y="-5">October</text>' in days
    assert 'd="M0 12H12V0H324V36H312V84H0Z"' in days
    # Friday is the fifth row; July of 1999 began on a Thursday, so its last day is in the 27th week.
    assert 'x="312" y="48"' in longer.get("/timeline?year=1999").text


def test_the_timeline_and_its_months_are_narrowed_by_folder_and_tag(longer: TestClient) -> None:
    page = longer.get("/timeline?folder=Old").text
    assert bars(page) == {"1999-12": 1, "2025-07": 1, "2025-08": 1}
    assert re.findall(r'<li><a href="(/days/2025-07[^"]*)"', page) == ["/days/2025-07?folder=Old"]
    assert re.findall(r'<option value="([^"]*)" selected>', page) == ["Old"]
    month = longer.get("/days/2025-07?folder=Old").text
    assert re.findall(r'id="day-([^"]*)"', month) == ["2025-07-14", "2025-07-20"]
    assert "The trip" not in month
    assert re.findall(r'rel="(?:prev|next)" href="([^"]*)"', month) == [
        "/days/2025-06?folder=Old",
        "/days/2025-08?folder=Old",
    ]
    assert 'href="/timeline?folder=Old&amp;year=2025#year-2025"' in month
    assert bars(longer.get("/timeline?tag=sea").text) == {"1999-12": 1, "2025-07": 1}
    assert bars(longer.get("/timeline?tag=sea&tag=sea/north").text) == {"2025-07": 1}
    assert 'href="/?tag=sea&amp;from=1999&amp;to=1999"' in longer.get("/timeline?tag=sea").text
    assert bars(longer.get("/timeline?folder=Old/Deep").text) == {}
    assert "None of these notes is dated." in longer.get("/timeline?folder=Old/Deep").text


def test_a_timeline_of_what_is_not_there_is_refused_in_words(longer: TestClient) -> None:
    for address, said in (
        ("/timeline?folder=Secret", "Unknown folder"),
        ("/timeline?folder=Nowhere", "Unknown folder"),
        ("/days/2025-07?folder=Secret", "Unknown folder"),
        ("/timeline?year=<b>", "is no year"),
        ("/timeline?year=99999", "is no year"),
    ):
        answer = longer.get(address)
        assert answer.status_code == 400, address
        assert said in answer.text
        assert "<b>" not in answer.text


def test_a_vault_without_dates_says_what_dates_a_note(tiny_vault: MakeVault) -> None:
    page = visit(tiny_vault({"A.md": "a"}, index=LEXICAL)).get("/timeline").text
    assert "No note is dated yet." in page
    assert bars(page) == {}


def test_the_last_year_that_has_begun_is_open(tiny_vault: MakeVault) -> None:
    notes = {"A.md": "---\ndate: 2021-03-05\n---\nold\n", "B.md": "---\ndate: 2999-01-01\n---\nnot yet\n"}
    page = visit(tiny_vault(notes, index=LEXICAL)).get("/timeline").text
    assert [day for _, day, _ in squares(page)] == ["2021-03-05"]
    assert 'href="/timeline?year=2999#year-2999"' in page


def test_years_beyond_those_drawn_are_listed(tiny_vault: MakeVault) -> None:
    notes: dict[str, str | bytes] = {
        f"{year}.md": f"---\ndate: {year}-03-01\n---\nx" for year in range(1960, 2005)
    }
    client = visit(tiny_vault(notes, index=LEXICAL))
    page = client.get("/timeline").text
    assert re.findall(r'<h2 id="head-(\d+)"', page) == [str(year) for year in range(2004, 1964, -1)]
    assert re.findall(r'<li><a href="([^"]*)">(\d+)</a>', page) == [
        (f"/?from={year}&amp;to={year}", str(year)) for year in range(1964, 1959, -1)
    ]
    assert 'id="head-1961"' in client.get("/timeline?year=1961").text
