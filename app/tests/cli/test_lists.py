"""The notes of a day, and the tasks that are due: by headings of every level, properties and names."""

import json
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


def rows(run: Run, *words: str, root: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = run("list", *words, "--json", "--vault", root).json["results"]
    return found


def test_a_day_is_named_by_headings_of_every_level_by_properties_and_by_names(
    run: Run, tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tiny_vault(NOTES).root
    for note in root.rglob("*.md"):
        os.utime(note, (1e9, 1e9))
    monkeypatch.chdir(root)
    vault = str(root)
    assert {row["path"]: row["relevance_reason"] for row in rows(run, "--on", "2024-02-03", root=vault)} == {
        "Log.md": "line 5",
        "About.md": "of that day",
        "2024-02-03 visit.md": "created",
        "journal/2024-02-03.md": "created",
    }
    assert run("list", "--on", "2024-02-04", "-l", "--vault", vault).out == "Log.md\n"
    since = run("find", "by_date", "2024-02-03", "-l", "--vault", vault)
    assert since.out.splitlines() == ["2024-02-03 visit.md", "journal/2024-02-03.md"]
    # The notes of several days stand in their order.
    os.utime("Other.md", (1706832000, 1706832000))
    month = rows(run, "--on", "february 2024", root=vault)
    assert [row["date"] for row in month] == ["2024-02-02", *["2024-02-03"] * 4]
    assert (month[0]["path"], {row["path"]: row["relevance_reason"] for row in month}["Log.md"]) == (
        "Other.md", "line 5, 9",
    )  # fmt: skip


def test_a_note_whose_name_says_its_day_in_the_vaults_form_is_found_by_it(
    run: Run, tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "Diary/Journal 27 juin 2026.md"
    root = tiny_vault({path: "Sowed the beans.\n", "Other.md": "Beans.\n"}).root
    for note in root.rglob("*.md"):
        os.utime(note, (1e9, 1e9))
    monkeypatch.chdir(root)

    def found(*words: str) -> list[str]:
        return run(*words, "-l", "--vault", str(root)).out.splitlines()

    # Whatever was known of it before its form was set is known anew.
    assert found("list", "--on", "2026-06-27") == []
    (root / ".obsidian").mkdir()
    form = {"folder": "Diary", "format": "[Journal] D MMMM YYYY"}
    (root / ".obsidian/daily-notes.json").write_text(json.dumps(form))
    for asked in (
        ["list", "--on", "2026-06-27"],
        ["find", "by_date", "2026-06-27"],
        ["find", "created:2026-06"],
        ["find", "beans", "--since", "2026-06-27", "--until", "2026-06-27"],
    ):
        assert found(*asked) == [path], asked
    assert run("daily", "2026-06-27", "--vault", str(root)).out == f"{path}\n"


def test_tasks_that_are_due_are_listed_by_their_day(
    run: Run, tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.search.query.times.local_today", lambda: date(2026, 11, 25))
    monkeypatch.setattr("app.vault.dates.local_today", lambda: date(2026, 11, 25))
    class_b = (
        "- [ ] marks 📅 2026-11-27\n- [ ] copies [due:: 2026-11-24]\n- [x] seats 📅 2026-11-23\n"
        "- [-] trip 📅 2026-11-24\n- [ ] books\n"
    )
    root = tiny_vault({"Class.md": class_b, "Home.md": "- [/] roof (due:: 2026-11-26)\n"}).root
    monkeypatch.chdir(root)

    def due(*words: str) -> list[str]:
        return run("list", "tasks", *words, "--vault", str(root)).out.splitlines()

    week = [
        "Class.md:2: - [ ] copies [due:: 2026-11-24]",
        "Home.md:1: - [/] roof (due:: 2026-11-26)",
        "Class.md:1: - [ ] marks 📅 2026-11-27",
    ]
    assert due("--due", "this week") == due("--due", "cette semaine") == week
    assert due("--overdue") == week[:1]
    assert due("--overdue", "--due", "2026-11-26") == due("--due", "today") == []
    assert due("Class", "--due", "this week") == [week[0], week[2]]
    # Whatever is listed: those due first, then by place, and last those without a day.
    assert due() == [*week, "Class.md:5: - [ ] books"]
    assert [row.get("date") for row in rows(run, "tasks", root=str(root))] == [
        "2026-11-24", "2026-11-26", "2026-11-27", None,
    ]  # fmt: skip


def test_what_is_linked_to_and_what_is_a_template_is_no_orphan(run: Run, tiny_vault: MakeVault) -> None:
    notes = {
        "Ada Lowe.md": "",
        "Kiln.md": "",
        "Home.md": '---\nmd: "[Ada](Ada%20Lowe.md)"\n---\n[k]\n\n[k]: Kiln.md\n',
        "Modèles (a+b)/Cours.md": "# {{title}}\n",
        "Templater/Appel.md": "# <% tp.file.title %>\n",
        "Outils/Jour.md": "# {{date}}\n",
        "Outils/Journal.md": "journal\n",
        ".obsidian/templates.json": '{"folder": "modèles (a+b)"}',
        ".obsidian/daily-notes.json": '{"template": "Outils/Jour"}',
        ".obsidian/plugins/templater-obsidian/data.json": '{"templates_folder": "Templater"}',
    }
    root = str(tiny_vault(notes).root)
    assert {row["path"] for row in rows(run, "orphans", root=root)} == {"Home.md", "Outils/Journal.md"}
    recent = {row["path"] for row in rows(run, "recent", root=root)}
    assert recent == {"Ada Lowe.md", "Kiln.md", "Home.md", "Outils/Journal.md"}
    assert len(rows(run, "recent", "--in", "Outils", root=root)) == 2
    assert "Cours" in run("find", "title", "-l", "--vault", root).out


def test_what_has_a_name_is_listed_in_the_order_of_a_dictionary(
    run: Run, tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = "- [ ] prune 📅 2026-11-27\n"
    notes = dict.fromkeys(("b.md", "Été.md", "a/z.md", "A2.md"), f"{task}- [ ] sow\n{task}")
    tags = "---\nÉtat: ouvert\nzèle: 1\nfin: 1\n---\n#zoo #été #Etage #fleur #étage/haut\n"
    root = str(tiny_vault({**notes, "C.md": tags, "D.md": "---\nétat: clos\n---\n"}).root)
    monkeypatch.chdir(root)
    places = ["a/z.md", "A2.md", "b.md", "Été.md"]
    assert [(row["path"], row["lines"]) for row in rows(run, "tasks", root=root)] == [
        *((path, "1, 3") for path in places),
        *((path, "2") for path in places),
    ]

    def listed(*words: str) -> list[str]:
        return [line.split("\t")[0] for line in run("list", *words, "--vault", root).out.splitlines()]

    assert listed("tags") == ["#Etage", "#étage", "#étage/haut", "#été", "#fleur", "#zoo"]
    assert listed("properties") == ["État", "fin", "zèle"]
    # Of the notes of a tag, or of a folder.
    assert (listed("properties", "état"), listed("properties", "état", "--tag", "zoo")) == (
        ["clos", "ouvert"],
        ["ouvert"],
    )
    assert (listed("tags", "--in", "a"), listed("properties", "--in", "a")) == ([], [])
    # Notes of a property, or of one of its values.
    assert sorted(listed("--property", "état", "-l")) == ["C.md", "D.md"]
    assert listed("--property", "état=ouvert", "-l") == ["C.md"]
    assert run("list", "--property", "colour", "--vault", root).code == 1
