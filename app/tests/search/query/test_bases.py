"""``base:`` keeps what a view of a Base selects, and says which part of its filters it cannot translate."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from app.config.settings import Settings
from app.errors import BadRequestError
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.tests.search.query.conftest import NOTES, write
from app.vault.client import VaultClient

SERRE, BATEAU, DAY, HOME, WORK = (path.removesuffix(".md") for path in NOTES)
EVERY = {SERRE, BATEAU, DAY, HOME, WORK}
BEFORE, AFTER = (date.today() + timedelta(days=days) for days in (-3, 3))
TYPES = {"types": {"status": "text", "sold": "checkbox", "list": "multitext"}}


def kept(folder: Path, filters: object, query: str = "base:Open") -> set[str]:
    base = {"filters": filters, "views": [{"type": "table", "name": "Open", "filters": None}]}
    files = {
        ".obsidian/app.json": '{"userIgnoreFilters": ["secret/"]}', ".obsidian/types.json": json.dumps(TYPES),
        "bases/Projects.base": json.dumps(base), "secret/Own.base": json.dumps({"views": [{"name": "Hidden"}]}),
        "secret/Plan.md": "---\nstatus: Draft\nsold: true\n---\n#boat [[Home]]\n",
    }  # fmt: skip
    vault = VaultClient(write(folder / "vault", {**NOTES, **files}), Settings(cache_dir=folder / "cache"))
    searcher = searcher_for(vault)
    searcher.update()
    found = searcher.search(parse_request({"operation": "fulltext", "query": query, "limit": 50}))
    return {hit.path.removesuffix(".md") for hit in found.results}


@pytest.mark.parametrize(
    ("filters", "notes"),
    [
        (None, EVERY),
        ('file.hasTag("boat", "garden")', {SERRE, BATEAU}),
        ('!file.hasTag("boat") && file.inFolder("Projects")', {SERRE}),
        ('status == "draft" || note["price"] > 10', {SERRE, BATEAU}),
        ("price < 5 && !(status != 'Draft')", {SERRE}),
        ('due <= date("2025-02-28")', {BATEAU}),
        ('status.contains("raf")', {SERRE}),
        ('tags.containsAny("boat", "x")', {BATEAU}),
        ("list.isEmpty() && note.price == 12", {BATEAU}),
        ('file.hasLink("Home")', {SERRE}),
        ('up == link("Home")', {SERRE}),
        ('file.hasProperty("due")', {SERRE, BATEAU}),
        ('file.folder == "Journal"', {DAY}),
        ('file.basename == "Home" || file.name == "Work notes"', {HOME, WORK}),
        ('file.ctime > date("2025-02-01") && file.ctime < date("2025-02-11")', {BATEAU}),
        (f'file.mtime > now() - "1 week" && file.mtime < date("{AFTER}") && file.basename == "Home"', {HOME}),
        ({"and": ['file.ext == "md"', {"not": ['status == "done"', 'file.inFolder("Projects")']}]}, {HOME, WORK}),
        ({"or": ['file.path == "Home.md"', {"and": ["price >= 7", "price <= 7"]}]}, {HOME, DAY}),
    ],
)  # fmt: skip
def test_the_notes_of_a_view(tmp_path: Path, filters: object, notes: set[str]) -> None:
    assert kept(tmp_path, filters) == notes


@pytest.mark.parametrize(
    ("query", "notes"),
    [
        ("base:Projects", {SERRE}),
        ('base:"Projects#Open" -serre', set()),
        ("base:open OR boat", {SERRE, BATEAU}),
    ],
)
def test_a_view_is_a_filter_like_others(tmp_path: Path, query: str, notes: set[str]) -> None:
    assert kept(tmp_path, 'file.hasTag("garden")', query) == notes


@pytest.mark.parametrize(
    ("filters", "query", "message"),
    [
        ("file.size > 100", "base:Open", "the view 'Open' filters by 'file.size > 100', which cannot be searched for"),
        ({"and": ["price > 1", "formula.x > 1"]}, "base:Open", "filters by 'formula.x > 1'"),
        ("file.hasLink(this)", "base:Open", "filters by 'file.hasLink(this)'"),
        ("due.contains(3)", "base:Open", "filters by 'due.contains(3)'"),
        ('file.name.contains("work")', "base:Open", "filters by 'file.name.contains"),
        ('due > "x" + "1 week"', "base:Open", "filters by 'due > "),
        ('due > now() * "1 week"', "base:Open", "filters by 'due > now"),
        ("due in tags", "base:Open", "filters by 'due in tags'"),
        ("price >", "base:Open", "filters by 'price >'"),
        ({"xor": []}, "base:Open", "filters by '{'xor': []}'"),
        (None, "base:Nothing", "0 views of Bases are called 'Nothing'. there are base:\"Projects#Open\""),
        (None, "base:Hidden", "0 views of Bases are called 'Hidden'. there are base:\"Projects#Open\""),
    ],
)  # fmt: skip
def test_what_cannot_be_translated_is_said(tmp_path: Path, filters: object, query: str, message: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        kept(tmp_path, filters, query)
    assert message in str(raised.value)
