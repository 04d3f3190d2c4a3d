"""Daily notes: those beside one, and a month of them."""

import re

import pytest
from starlette.testclient import TestClient

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


@pytest.mark.parametrize("month", ["2025", "2025-13", "0001-01", "9999-12", "2025-07-14", "<b>", "2025-7"])
def test_what_is_no_month_is_said(client: TestClient, month: str) -> None:
    answer = client.get(f"/days/{month}")
    assert answer.status_code == 400
    assert "is no month" in answer.text
    assert "<b>" not in answer.text
