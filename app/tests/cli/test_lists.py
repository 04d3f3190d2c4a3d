"""The notes of a day, and the tasks that are due: by headings of every level, properties and names."""

import os
from datetime import date

import pytest

from app.tests.cli.conftest import Run
from app.tests.conftest import MakeVault

NOTES = {
    "Log.md": "# Log\n\nBegun.\n\n## 2024-02-03\n\nA frost.\n\n### 2024-02-04 thaw\n\nWater.\n",
    "About.md": "---\ncreated: 2020-01-01\ndate: 2024-02-03\n---\n# About\n\n" + "A long note.\n\n" * 900,
    "2024-02-03 visit.md": "Callum came.\n",
    "journal/2024-02-03.md": "A day.\n",
    "Other.md": "On 2024-02-03 something happened.\n\n# 2023-02-03\n",
}


@pytest.fixture
def vault(tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch) -> str:
    root = tiny_vault(NOTES).root
    for note in root.rglob("*.md"):
        os.utime(note, (1e9, 1e9))
    monkeypatch.setattr("app.vault.scan._KEEPS_BIRTH", False)
    monkeypatch.chdir(root)
    return str(root)


def test_a_day_is_named_by_headings_of_every_level_by_properties_and_by_names(run: Run, vault: str) -> None:
    found = run("on", "2024-02-03", "--json", "--vault", vault).json["results"]
    assert {row["path"]: row["remark"] for row in found} == {
        "Log.md": "line 5",
        "About.md": "of that day",
        "journal/2024-02-03.md": "created",
    }
    later = run("on", "february 2024", "--json", "--vault", vault).json["results"]
    assert {row["path"]: row["remark"] for row in later}["Log.md"] == "line 5, 9"
    assert run("on", "2024-02-04", "-l", "--vault", vault).out == "Log.md\n"
    since = run("find", "by_date", "2024-02-03", "-l", "--vault", vault)
    assert since.out == "journal/2024-02-03.md\n"


def test_the_notes_of_several_days_stand_in_their_order(run: Run, vault: str) -> None:
    rows = run("on", "2024", "--json", "--vault", vault).json["results"]
    assert [row["day"] for row in rows] == ["2024-02-03"] * 3
    os.utime("Other.md", (1706832000, 1706832000))
    rows = run("on", "february 2024", "--json", "--vault", vault).json["results"]
    assert (rows[0]["path"], rows[0]["day"]) == ("Other.md", "2024-02-02")
    assert "day" not in run("on", "2024-02-03", "--json", "--vault", vault).json["results"][0]


def test_where_nothing_is_found_the_days_are_named(run: Run, vault: str) -> None:
    said = run("on", "march", "2019", "--vault", vault)
    assert (said.code, said.out) == (1, "")
    assert said.err == "Nothing found.\nDays looked at: 2019-03-01 – 2019-03-31.\n"
    assert run("on", "2019-03-04", "--vault", vault).err.endswith("Days looked at: 2019-03-04.\n")


def test_names_are_in_the_order_of_a_dictionary(run: Run, tiny_vault: MakeVault) -> None:
    root = tiny_vault(
        {"A.md": "---\nÉtat: Été\nzèle: 1\nfin: 1\n---\n#zoo #été #Etage #fleur #étage/haut\n"}
    ).root
    by_name = run("tags", "--sort", "name", "--vault", str(root)).out.splitlines()
    assert [line.split("\t")[0] for line in by_name] == [
        "#Etage",
        "#étage",
        "#étage/haut",
        "#été",
        "#fleur",
        "#zoo",
    ]
    assert run("tags", "--vault", str(root)).out.splitlines() == by_name
    properties = run("properties", "--sort", "name", "--vault", str(root)).out.splitlines()
    assert [line.split("\t")[0] for line in properties] == ["État", "fin", "zèle"]


def test_tasks_that_are_due_are_listed_by_their_day(
    run: Run, tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.search.query.days.local_today", lambda: date(2026, 11, 25))
    monkeypatch.setattr("app.vault.dates.local_today", lambda: date(2026, 11, 25))
    class_b = (
        "- [ ] marks 📅 2026-11-27\n- [ ] copies [due:: 2026-11-24]\n- [x] seats 📅 2026-11-23\n"
        "- [-] trip 📅 2026-11-24\n- [ ] books\n"
    )
    root = tiny_vault({"Class.md": class_b, "Home.md": "- [/] roof (due:: 2026-11-26)\n"}).root
    monkeypatch.chdir(root)

    def due(*words: str) -> list[str]:
        return run("tasks", *words, "--vault", str(root)).out.splitlines()

    week = [
        "Class.md:2: - [ ] copies [due:: 2026-11-24]",
        "Home.md:1: - [/] roof (due:: 2026-11-26)",
        "Class.md:1: - [ ] marks 📅 2026-11-27",
    ]
    assert due("--due", "this week") == due("--due", "cette semaine") == due("--due", "2026-11") == week
    assert due("--overdue") == week[:1]
    assert due("--overdue", "--due", "2026-11-26") == due("--due", "today") == []
    assert due("Class", "--due", "this week") == [week[0], week[2]]
    assert due("--done", "--due", "2026") == ["Class.md:3: - [x] seats 📅 2026-11-23"]
    rows = run("tasks", "--json", "--vault", str(root)).json["tasks"]
    assert {row["text"][6:11]: row["due"] for row in rows}["books"] is None
    assert [
        row["due"] for row in run("tasks", "--overdue", "--json", "--vault", str(root)).json["tasks"]
    ] == ["2026-11-24"]
    both = run("tasks", "--done", "--overdue", "--vault", str(root))
    assert (both.code, both.err.splitlines()[0]) == (2, "error: a task that is done is not overdue")


def test_templates_are_no_latest_notes_and_no_orphans(run: Run, tiny_vault: MakeVault) -> None:
    notes = {
        "Home.md": "home\n",
        "Modèles (a+b)/Cours.md": "# {{title}}\n",
        "Templater/Appel.md": "# <% tp.file.title %>\n",
        "Outils/Jour.md": "# {{date}}\n",
        "Outils/Journal.md": "journal\n",
        ".obsidian/templates.json": '{"folder": "modèles (a+b)"}',
        ".obsidian/daily-notes.json": '{"template": "Outils/Jour"}',
        ".obsidian/plugins/templater-obsidian/data.json": '{"templates_folder": "Templater"}',
    }
    root = str(tiny_vault(notes).root)
    for command in ("recent", "orphans"):
        rows = run(command, "--json", "--vault", root).json["results"]
        assert {row["path"] for row in rows} == {"Home.md", "Outils/Journal.md"}
    assert len(run("recent", "--in", "Outils", "-l", "--vault", root).out.splitlines()) == 2
    assert "Cours" in run("find", "title", "-l", "--vault", root).out
