"""What the commands for people print, held by transcripts; see `app.tests.cli.transcript`."""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import main
from app.tests.cli.transcript import check

NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"], "trashOption": "local"}',
    "Home.md": "# Home\n\nSee [[Greenhouse]], [[Missing]] and ![[plan.png]].\n",
    "plan.png": "not a picture",
    "projects/garden/Greenhouse.md": (
        "---\ntags: [Garden, garden/glass]\ncreated: 2025-03-02\nstatus: open\n---\n# Greenhouse\n\n"
        "The heating of the greenhouse\nis electric. Back to [[Home]].\n\n"
        "- [ ] mend the pane before the first frost, and ask the neighbour with the long ladder\n- [x] order putty\n"
    ),
    "projects/garden/a folder with a rather long name/The list of all seeds that are left.md": (
        "---\ntags: [garden]\ncreated: 2025-03-02\nstatus: done\n---\nLeeks and beans, for the [[Greenhouse]].\n"
    ),
    "serre.md": "# La serre\n\nLe chauffage de la serre est électrique.\n\n# 2025-07-14\n\n- [ ] décider #décision\n",
    "private/Diary.md": "# Diary\n\nThe secret of the [[Greenhouse]]. #private\n\n- [ ] hide\n",
}
CHANGED = datetime(2025, 8, 20, 12).timestamp()

LISTS = {
    "tag": [["list", "--tag", "garden"], ["list", "--tag", "gardn"], ["list", "--tag", "garden", "-l", "-0"]],
    "links": [["list", "--links", "Greenhouse"], ["list", "--links", "Home", "--json"]],
    "tasks": [
        ["list", "tasks"],
        ["list", "tasks", "serre", "--json"],
    ],
    "find": [
        ["find", "greenhouse"],
        ["find", "greenhouse", "--explain"],
        ["find", "zeppelin"],
        ["find", "fast", "greenhouse", "--agent"],
        ["find", "by_link", "Home"],
        ["find", "by_date", "march 2025", "--notes", "--sort", "created"],
        ["find", "greenhouse", "--format", r"{path}:{line}\t{title} {{{score}}}"],
        ["find", "greenhouse", "--jsonl", "--limit", "1"],
    ],
    "ask": [["ask", "How is the greenhouse heated?"], ["ask", "Who paid for the larch?"]],
    "search": [["search", "heating"], ["search", "heating", "--index", "photos"]],
    "status": [["status"], ["status", "Greenhouse"]],
}


@pytest.fixture
def vault(tiny_vault: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give a small vault whose notes all changed on one day."""
    root = tiny_vault(NOTES, name="garden").root
    for at, note in enumerate(sorted(root.rglob("*.md"))):
        os.utime(note, (CHANGED + 60 * at, CHANGED + 60 * at))
    # On a machine that is busy with something else, work takes long enough for a bar.
    monkeypatch.setattr("app.cli.progress.PATIENCE_SECONDS", 3600.0)
    monkeypatch.setenv("VISUAL", "false")
    monkeypatch.chdir(root)
    assert main(["index", "--vault", str(root)]) == 0
    return str(root)


WRITES = [
    ["mv", "Greenhouse", "Glasshouse"],
    ["mv", "Nowhere", "Glasshouse"],
    ["rm", "Greenhouse"],
    ["replace", "--tag", "garden", "yard"],
    ["replace", "Greenhouse", "Glasshouse", "--in", "projects"],
    ["undo"],
    ["undo", "--list"],
    ["new", "serre"],
]


def test_what_is_said_of_writes_is_what_is_kept(vault: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        ["daily", "2025-07-14", "--yes"],
        ["mv", "Home", "Start", "--yes"],
        ["undo", "--yes"],
        ["replace", "--tag", "décision", "choix", "--yes"],
        ["replace", "électrique", "au gaz", "--yes"],
        [
            "rm",
            "projects/garden/a folder with a rather long name/The list of all seeds that are left",
            "--yes",
        ],
    ):
        assert main([*command, "--vault", vault]) == 0
    check("writes", WRITES, vault)


MADE = [
    ["new", "Larch", "bill"],
    ["mv", "Greenhouse", "Glasshouse", "--yes"],
    ["rm", "serre", "Home", "--yes"],
    ["replace", "--tag", "garden", "yard", "--yes"],
    ["replace", "Greenhouse", "Glasshouse", "--yes", "--json"],
]


def test_what_is_said_when_a_write_was_made_is_what_is_kept(
    vault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = bytes_below(vault)
    check("made", MADE, vault, after=["undo", "--yes"])
    assert bytes_below(vault) == before


def bytes_below(folder: str) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in Path(folder).rglob("*")
        if file.is_file() and ".trash" not in file.parts
    }


@pytest.mark.parametrize("name", LISTS)
def test_what_is_printed_is_what_is_kept(name: str, vault: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(name, LISTS[name], vault)


def test_what_is_said_in_a_chat_is_what_is_kept(vault: str) -> None:
    check("chat", [["chat"]], vault, typed="How is the greenhouse heated?\n/help\n/nothing\n")
