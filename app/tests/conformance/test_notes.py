"""The conformance vault: what every note holds, and the queries that need no index.

Where `expected.json` allows several answers (`alt`), this project gives one, and `CHOSEN` holds it:
tags and aliases are read as kindly as Obsidian did up to version 1.8 (`tags: a, b`, `tag:`, `alias:`), for
the sake of old vaults, and a property that is a Markdown link links, as in Obsidian since version 1.11. For
all other fields the first answer is given: a list item with a blank is no tag, only a property whose whole
text is a link links, an empty heading is one, an empty property block is "ok", and only a whole file name
makes a daily note.
"""

import re
from datetime import date
from typing import Any
from urllib.parse import unquote

import pytest

from app.markdown.links import LinkResolver
from app.tests.conformance.reading import VAULT, expected, files, graph, notes, texts
from app.vault.daily import DayReader
from app.vault.dates import CREATED_KEYS, DAY_KEYS, MODIFIED_KEYS, dated_heading, property_day

CHOSEN: dict[tuple[str, str], Any] = {
    ("fm/legacy.md", "tags"): ["alpha", "ancien", "beta", "nouveau"],
    ("fm/legacy.md", "aliases"): ["Un", "Deux", "Vieux nom"],
    ("fm/liens.md", "links"): ["overview.md", "profile.md", "tree.md"],
}
FOLLOWING = {("tree.md", "backlinks"): ["fm/liens.md", "notes/Pas des liens.md", "overview.md"]}
"""What follows from an answer that was chosen."""
# Compared in order; all other lists as sets.
ORDERED = {"headings", "tasks"}
QUERIES = expected()["queries"]


def day_text(day: date | None) -> str | None:
    return day.isoformat() if day else None


def dates_of(path: str) -> dict[str, date | None]:
    properties = notes()[path].properties
    return {
        "created": property_day(properties, CREATED_KEYS),
        "updated": property_day(properties, MODIFIED_KEYS),
        "note": property_day(properties, DAY_KEYS),
        "daily": DayReader(VAULT).daily(path),
    }


def actual(path: str) -> dict[str, Any]:
    note = notes()[path]
    targets = {edge.target for edge in graph().outgoing(path) if edge.target}
    return {
        "title": note.title,
        "h1": note.h1,
        "aliases": list(note.aliases),
        "frontmatter": note.frontmatter,
        "tags": [tag.lower() for tag in note.tags],
        "headings": [[heading.level, heading.text] for heading in note.headings],
        "tasks": [[task.status, task.text] for task in note.tasks],
        "blocks": [block.id for block in note.blocks],
        "links": list(targets - {path}),
        "unresolved": list(graph().unresolved(path)),
        "self_link": path in targets,
        "backlinks": backlinks(path),
        "dates": {name: day_text(day) for name, day in dates_of(path).items()},
    }


def backlinks(path: str) -> list[str]:
    return sorted({edge.source for edge in graph().incoming(path)} - {path})


def comparable(field: str, value: Any) -> Any:
    return sorted(value) if isinstance(value, list) and field not in ORDERED else value


def test_every_note_and_no_other_is_read() -> None:
    assert set(notes()) == set(expected()["notes"])


@pytest.mark.parametrize("path", expected()["notes"])
def test_a_note_holds_what_obsidian_reads_in_it(path: str) -> None:
    wanted = expected()["notes"][path]
    got = {field: comparable(field, value) for field, value in actual(path).items()}
    assert got == {
        field: comparable(field, {**CHOSEN, **FOLLOWING}.get((path, field), value))
        for field, value in wanted.items()
        if field not in ("rules", "alt")
    }


@pytest.mark.parametrize(("path", "field"), CHOSEN)
def test_a_chosen_answer_is_one_of_those_allowed(path: str, field: str) -> None:
    assert CHOSEN[path, field] in expected()["notes"][path]["alt"][field]


@pytest.mark.parametrize("path", expected()["attachments"])
def test_an_attachment_has_the_backlinks_of_the_notes_that_show_it(path: str) -> None:
    assert backlinks(path) == expected()["attachments"][path]["backlinks"]


@pytest.mark.parametrize("path", expected()["notes"])
def test_the_place_of_a_link_is_its_file_part(path: str) -> None:
    text = texts()[path]
    for link in notes()[path].links:
        written = text[link.start : link.end]
        opening = ("(", "<") if link.kind == "markdown" else "["
        assert text[: link.start].endswith(opening)
        assert link.target in (written.strip(), unquote(written.replace("\\", "")))
        assert link.line == text.count("\n", 0, link.start) + 1


@pytest.mark.parametrize("query", QUERIES["resolve"], ids=lambda query: f"{query['link']} in {query['from']}")
def test_a_link_resolves_as_in_obsidian(query: dict[str, str | None]) -> None:
    assert LinkResolver(files()).resolve(str(query["link"]), str(query["from"])) == query["expect"]


@pytest.mark.parametrize(
    "query", QUERIES["by_link"], ids=lambda query: f"{query['direction']} {query['path']}"
)
def test_the_link_graph_answers_both_ways(query: dict[str, Any]) -> None:
    path = query["path"]
    if query["direction"] == "backlinks":
        found = set(backlinks(path))
    else:
        found = {edge.target for edge in graph().outgoing(path) if edge.target} - {path}
        assert sorted(graph().unresolved(path)) == sorted(query["unresolved"])
    assert found - set(query.get("either", ())) == set(query["expect"])


@pytest.mark.parametrize(
    "query", QUERIES["by_date"], ids=lambda query: f"{query['field']} {query['from']} {query['to']}"
)
def test_properties_and_names_date_the_notes_in_a_range(query: dict[str, Any]) -> None:
    left_out = {*expected()["project_vault_left_out"], *expected()["hidden_from_search"]}
    first, last = query["from"] or "0001-01-01", query["to"] or "9999-12-31"
    found = {
        path for path in notes() if (day := day_text(dates_of(path)[query["field"]])) and first <= day <= last
    }
    # The queries name some of the notes that a search leaves out; it is the range that is tested here.
    assert found - left_out == set(query["expect"]) - left_out
    assert set(query["expect"]) <= found


@pytest.mark.parametrize(
    "query", [query for query in QUERIES["by_tag"] if not query["nested"]], ids=lambda query: query["tags"][0]
)
def test_without_nesting_only_the_tag_itself_counts(query: dict[str, Any]) -> None:
    wanted = {tag.casefold() for tag in query["tags"]}
    found = {path for path, note in notes().items() if wanted & {tag.casefold() for tag in note.tags}}
    assert found == set(query["expect"])


def changelog(path: str) -> list[list[str | None]]:
    """Read a changelog: an H1 for each day, an H2 `[kind] title` for each entry."""
    day: date | None = None
    entries: list[list[str | None]] = []
    for heading in notes()[path].headings:
        if heading.level == 1:
            day = dated_heading(heading.text)
        elif heading.level == 2:
            kind, title = re.fullmatch(r"(?:\[(.*?)\]\s*)?(.*)", heading.text).groups()  # type: ignore[union-attr]
            entries.append([day_text(day), kind, title])
    return entries


def project_tasks(path: str) -> list[list[str | None]]:
    """Read a tasks file: an H1 for each task, `status:` and `prio:` among the lines below it."""
    lines = texts()[path].splitlines()
    h1s = [heading for heading in notes()[path].headings if heading.level == 1]
    ends = [heading.line - 1 for heading in h1s[1:]] + [len(lines)]
    tasks: list[list[str | None]] = []
    for heading, end in zip(h1s, ends, strict=True):
        values = dict(line.split(": ", 1) for line in lines[heading.line : end] if ": " in line)
        tasks.append([heading.text, values.get("status"), values.get("prio")])
    return tasks


@pytest.mark.parametrize("path", expected()["seed"]["changelogs"])
def test_the_headings_of_a_changelog_give_days_kinds_and_titles(path: str) -> None:
    assert changelog(path) == expected()["seed"]["changelogs"][path]


@pytest.mark.parametrize("path", expected()["seed"]["tasks"])
def test_the_headings_of_a_tasks_file_give_one_task_each(path: str) -> None:
    assert project_tasks(path) == expected()["seed"]["tasks"][path]
