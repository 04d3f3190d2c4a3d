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


@pytest.fixture
def vault(tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch) -> str:
    root = tiny_vault(NOTES).root
    for note in root.rglob("*.md"):
        os.utime(note, (1e9, 1e9))
    monkeypatch.chdir(root)
    return str(root)


def test_a_day_is_named_by_headings_of_every_level_by_properties_and_by_names(run: Run, vault: str) -> None:
    found = run("list", "--on", "2024-02-03", "--json", "--vault", vault).json["results"]
    assert {row["path"]: row["relevance_reason"] for row in found} == {
        "Log.md": "line 5",
        "About.md": "of that day",
        "2024-02-03 visit.md": "created",
        "journal/2024-02-03.md": "created",
    }
    later = run("list", "--on", "february 2024", "--json", "--vault", vault).json["results"]
    assert {row["path"]: row["relevance_reason"] for row in later}["Log.md"] == "line 5, 9"
    assert run("list", "--on", "2024-02-04", "-l", "--vault", vault).out == "Log.md\n"
    since = run("find", "by_date", "2024-02-03", "-l", "--vault", vault)
    assert since.out.splitlines() == ["2024-02-03 visit.md", "journal/2024-02-03.md"]


@pytest.mark.parametrize(
    ("form", "path"),
    [
        ("DD-MM-YYYY", "Diary/27-06-2026.md"),
        ("YYYY/MM-MMMM/YYYY-MM-DD-dddd", "Diary/2026/06-June/2026-06-27-Saturday.md"),
        ("[Journal] D MMMM YYYY", "Diary/Journal 27 juin 2026.md"),
        ("YYYYMMDD", "2026-06-27 Beans.md"),
    ],
)
@pytest.mark.parametrize("periodic", [False, True])
def test_a_note_whose_name_says_its_day_in_the_vaults_form_is_found_by_it(
    run: Run, tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch, form: str, path: str, periodic: bool
) -> None:
    root = tiny_vault({path: "Sowed the beans.\n", "Other.md": "Beans.\n"}).root
    for note in root.rglob("*.md"):
        os.utime(note, (1e9, 1e9))
    monkeypatch.chdir(root)

    def found(*words: str) -> list[str]:
        return run(*words, "-l", "--vault", str(root)).out.splitlines()

    # Whatever was known of it before its form was set is known anew.
    assert found("list", "--on", "2026-06-27") == ([path] if "2026-06-27" in path else [])
    settings = {"folder": "Diary", "format": form}
    place = root / (
        ".obsidian/plugins/periodic-notes/data.json" if periodic else ".obsidian/daily-notes.json"
    )
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"daily": settings | {"enabled": True}} if periodic else settings))
    for asked in (
        ["list", "--on", "2026-06-27"],
        ["list", "--on", "june 2026"],
        ["find", "by_date", "2026-06-27"],
        ["find", "created:2026-06"],
        ["find", "beans", "--since", "2026-06-01"],
        ["find", "beans", "--since", "2026-06-27", "--until", "2026-06-27"],
    ):
        assert found(*asked) == [path], asked
    [row] = run("find", "fast", "beans", "--since", "2026-06", "--json", "--vault", str(root)).json["results"]
    assert (row["date"], row["date_source"]) == ("2026-06-27", "name")
    if path.startswith("Diary"):
        assert run("daily", "2026-06-27", "--vault", str(root)).out == f"{path}\n"


def test_the_notes_of_several_days_stand_in_their_order(run: Run, vault: str) -> None:
    rows = run("list", "--on", "2024", "--json", "--vault", vault).json["results"]
    assert [row["date"] for row in rows] == ["2024-02-03"] * 4
    os.utime("Other.md", (1706832000, 1706832000))
    rows = run("list", "--on", "february 2024", "--json", "--vault", vault).json["results"]
    assert (rows[0]["path"], rows[0]["date"]) == ("Other.md", "2024-02-02")
    assert "date" not in run("list", "--on", "2024-02-03", "--json", "--vault", vault).json["results"][0]


def test_names_are_in_the_order_of_a_dictionary(run: Run, tiny_vault: MakeVault) -> None:
    root = tiny_vault(
        {"A.md": "---\nÉtat: Été\nzèle: 1\nfin: 1\n---\n#zoo #été #Etage #fleur #étage/haut\n"}
    ).root
    tags = run("list", "tags", "--vault", str(root)).out.splitlines()
    assert [line.split("\t")[0] for line in tags] == [
        "#Etage",
        "#étage",
        "#étage/haut",
        "#été",
        "#fleur",
        "#zoo",
    ]
    properties = run("list", "properties", "--vault", str(root)).out.splitlines()
    assert [line.split("\t")[0] for line in properties] == ["État", "fin", "zèle"]


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
    assert due("--due", "this week") == due("--due", "cette semaine") == due("--due", "2026-11") == week
    assert due("--overdue") == week[:1]
    assert due("--overdue", "--due", "2026-11-26") == due("--due", "today") == []
    assert due("Class", "--due", "this week") == [week[0], week[2]]
    # Whatever is listed: those due first, then by place, and last those without a day.
    assert due() == [*week, "Class.md:5: - [ ] books"]
    rows = run("list", "tasks", "--json", "--vault", str(root)).json["results"]
    assert [(row["path"], row["lines"], row.get("date")) for row in rows] == [
        ("Class.md", "2", "2026-11-24"),
        ("Home.md", "1", "2026-11-26"),
        ("Class.md", "1", "2026-11-27"),
        ("Class.md", "5", None),
    ]


def test_what_a_property_or_a_definition_links_to_is_no_orphan(run: Run, tiny_vault: MakeVault) -> None:
    notes = {
        "Ada Lowe.md": "",
        "Kiln.md": "",
        "Alone.md": "",
        "Home.md": '---\nmd: "[Ada](Ada%20Lowe.md)"\n---\n[k]\n\n[k]: Kiln.md\n',
    }
    rows = run("list", "orphans", "--json", "--vault", str(tiny_vault(notes).root)).json["results"]
    assert {row["path"] for row in rows} == {"Alone.md", "Home.md"}


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
        rows = run("list", command, "--json", "--vault", root).json["results"]
        assert {row["path"] for row in rows} == {"Home.md", "Outils/Journal.md"}
    assert len(run("list", "recent", "--in", "Outils", "-l", "--vault", root).out.splitlines()) == 2
    assert "Cours" in run("find", "title", "-l", "--vault", root).out


def test_tasks_of_one_day_are_listed_by_place(run: Run, tiny_vault: MakeVault) -> None:
    task = "- [ ] prune 📅 2026-11-27\n"
    notes = dict.fromkeys(("b.md", "Été.md", "a/z.md", "A2.md"), f"{task}- [ ] sow\n{task}")
    root = tiny_vault(notes).root
    for age, path in enumerate(notes):
        os.utime(root / path, (1e9 + age, 1e9 + age))
    rows = run("list", "tasks", "--json", "--vault", str(root)).json["results"]
    places = ["a/z.md", "A2.md", "b.md", "Été.md"]
    assert [(row["path"], row["lines"]) for row in rows] == [
        *((path, "1, 3") for path in places),
        *((path, "2") for path in places),
    ]


def test_notes_of_a_property_or_of_one_of_its_values(
    run: Run, tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = {"A.md": "---\nstatus: open\n---\n", "B.md": "---\nstatus: done\n---\n", "C.md": "status: open\n"}
    root = str(tiny_vault(notes).root)
    monkeypatch.chdir(root)
    at = ["-l", "--vault", root]
    assert sorted(run("list", "--property", "Status", *at).out.split()) == ["A.md", "B.md"]
    assert run("list", "--property", "status=open", *at).out == "A.md\n"
    assert run("list", "--property", "colour", *at).code == 1
