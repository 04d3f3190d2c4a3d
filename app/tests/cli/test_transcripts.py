"""What the commands for people print, held by transcripts; see `app.tests.cli.transcript`."""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.cli.completion import SCRIPTS
from app.cli.main import COMMANDS, main, make_command
from app.cli.options import MenuCommand
from app.mcp.install.clients import CLIENTS
from app.tests.cli.transcript import FOLDER, PIPES, check

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
    "tag": [
        ["tag", "garden"],
        ["tag", "garden", "décision", "--all"],
        ["tag", "gardn"],
        ["tag", "garden", "-l", "-0"],
    ],
    "links": [["links", "Greenhouse"], ["links", "Home"], ["links", "Home", "--json"], ["links", "serre"]],
    "on": [
        ["on", "14 juillet 2025"],
        ["on", "march 2025"],
        ["on", "2025-08-20", "--limit", "1"],
        ["on", "larch"],
    ],
    "tasks": [
        ["tasks"],
        ["tasks", "--limit", "1"],
        ["tasks", "--done"],
        ["tasks", "serre", "--json"],
        ["tasks", "Home"],
        ["tasks", "--done", "--overdue"],
    ],
    "recent": [["recent"], ["recent", "--limit", "2"], ["recent", "--in", "projects", "--json"]],
    "orphans": [["orphans"], ["orphans", "--alone"], ["orphans", "--in", "projects", "-l"]],
    "related": [["related", "Greenhouse"], ["related", "private/Diary"]],
    "tags": [["tags"], ["tags", "garden", "--sort", "name"], ["tags", "--json"], ["tags", "none"]],
    "properties": [["properties"], ["properties", "Status"], ["properties", "--sort", "none"]],
    "find": [
        ["find", "greenhouse"],
        ["find", "tag:#garden leeks"],
        ["find", "greenhouse", "--explain"],
        ["find", "zeppelin"],
        ["find", "--deep", "heating"],
        ["find", "greenhouse", "--limit", "1"],
        ["find", "fast", "greenhouse", "--agent"],
        ["find", "deep", "heating"],
        ["find", "fulltext", "tag:#garden"],
        ["find", "by_tag", "garden"],
        ["find", "by_link", "Home"],
        ["find", "by_date", "march 2025"],
        ["find", "combined", "leeks", "--tags", "garden"],
        ["find", "scoped", "leeks", "--scopes", "project:garden"],
        ["find", "keyword", "which putty", "--search-terms", "putty"],
        ["find", "by_tag", "garden", "-l"],
        ["find", "by_link", "Home", "--notes"],
        ["find", "by_date", "march 2025", "--notes", "--sort", "created"],
        ["find", "greenhouse", "--format", r"{path}:{line}\t{title} {{{score}}}"],
        ["find", "greenhouse", "--format", "{nothing}"],
        ["find", "greenhouse", "--jsonl", "--limit", "1"],
        ["find", "greenhouse", "--notes", "--limit", "1"],
        ["find", "*", "--limit", "0", "-l", "--sort", "title"],
        ["find", "*", "-l", "--sort", "colour"],
    ],
    "cat": [["cat", "Home"], ["cat", "Greenhouse#Greenhouse"], ["cat", "Nowhere"]],
    "open": [["open", "--print", "Greenhouse#The pane"]],
    "ask": [
        ["ask", "How is the greenhouse heated?"],
        ["ask", "--full", "How is the greenhouse heated?"],
        ["ask", "Who paid for the larch?"],
    ],
    "search": [["search", "heating"], ["search", "heating", "--index", "photos"]],
    "pack": [["pack", "How is the greenhouse heated?"], ["pack", "larch"]],
    "why": [["why", "Greenhouse", "heating"], ["why", "serre", "leeks"], ["why", "heating", "Greenhouse"]],
    "note": [
        ["note", "read", "Greenhouse"],
        ["note", "read", "Greenhouse", "--agent"],
        ["note", "create", "Bill", "--content", "Putty."],
        ["note", "update", "Home", "--lines", "3", "--content", "See [[Greenhouse]]."],
        ["note", "append", "Home", "--content", "- putty"],
        ["note", "move", "Greenhouse", "--new-path", "Glasshouse"],
        ["note", "delete", "Greenhouse"],
        ["note", "read", "Greenhouse", "--lines", "90-91"],
        ["note", "read", "Greenhouse", "--lines", "x"],
        ["note", "info", "Greenhouse"],
        ["note", "summarize", "Greenhouse"],
        ["note", "undo"],
    ],
    "edit": [["edit", "Greenhouse"], ["edit", "Nowhere"]],
    "index": [["index"], ["index", "--index", "photos"]],
    "install": [
        *(["install", client, "--dry-run", "--no-test"] for client in CLIENTS),
        ["install", "emacs"],
    ],
    "mcp": [
        ["mcp", "--tools", "fly"],
        ["mcp", "--http", "--host", "192.0.2.1", "--token", "a token of one's own, long enough"],
    ],
    "model": [
        ["model", "list"],
        ["model", "get"],
        ["model", "use", "./nowhere"],
        ["model", "fly"],
    ],
    "serve": [["serve", "--host", "192.0.2.1", "--no-browser"]],
    "skill": [["skill"]],
    "status": [["status"], ["status", "Greenhouse"], ["status", "private/Diary"], ["status", "--sent"]],
    "completion": [["completion", shell] for shell in ("bash", "zsh", "fish", "tcsh")],
    "help": [["--help"], ["tag", "--help"], ["note", "--help"]],
    "mistakes": [["fnd"], ["find", "--fodler", "x"], ["tag"], ["--version"]],
}


PIPED = {
    "init": [["init"]],
    "trust": [["trust"], ["trust", "--yes"], ["trust", "--list"], ["find", "heating"]],
}
"""Commands that name other folders than the vault."""


@pytest.fixture
def vault(tiny_vault: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give a small vault whose notes all changed on one day."""
    root = tiny_vault(NOTES, name="garden").root
    for at, note in enumerate(sorted(root.rglob("*.md"))):
        os.utime(note, (CHANGED + 60 * at, CHANGED + 60 * at))
    # Nobody can set the time when a file was made; without it a note is made when it changed.
    monkeypatch.setattr("app.vault.scan._KEEPS_BIRTH", False)
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
    ["rm", "serre", "--permanent"],
    ["tag", "rename", "garden", "yard"],
    ["tag", "rename", "garden", "yard", "--dry-run"],
    ["tag", "rename", "gardn", "yard"],
    ["tag", "rename", "garden", "2025"],
    ["replace", "Greenhouse", "Glasshouse", "--in", "projects"],
    ["replace", "zeppelin", "balloon"],
    ["undo"],
    ["undo", "serre"],
    ["log"],
    ["log", "serre"],
    ["log", "--limit", "1", "--json"],
    ["daily", "2025-07-14"],
    ["new", "serre"],
]


def test_what_is_said_of_writes_is_what_is_kept(vault: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        ["daily", "2025-07-14"],
        ["mv", "Home", "Start", "--yes"],
        ["undo", "--yes"],
        ["tag", "rename", "décision", "choix", "--yes"],
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
    ["daily", "2025-07-15"],
    ["mv", "Greenhouse", "Glasshouse", "--yes"],
    ["rm", "serre", "--yes"],
    ["rm", "serre", "Home", "--yes"],
    ["tag", "rename", "garden", "yard", "--yes"],
    ["replace", "Greenhouse", "Glasshouse", "--yes"],
    ["replace", "Greenhouse", "Glasshouse", "--yes", "--json"],
    ["note", "create", "Bill", "--content", "Putty.", "--yes"],
    ["note", "update", "Home", "--lines", "3", "--content", "See [[Greenhouse]].", "--yes"],
    ["note", "append", "Home", "--content", "- putty", "--yes"],
    ["note", "move", "Greenhouse", "--new-path", "Glasshouse", "--yes"],
    ["note", "delete", "serre", "--yes"],
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


@pytest.mark.parametrize("name", PIPED)
def test_what_is_printed_in_a_pipe_is_what_is_kept(name: str, vault: str) -> None:
    Path(vault, "config.json").write_text('{"writes": "allow"}', encoding="utf-8")
    check(name, PIPED[name], vault, forms=PIPES)


def test_what_is_said_in_a_chat_is_what_is_kept(vault: str) -> None:
    check("chat", [["chat"]], vault, typed="How is the greenhouse heated?\n/help\n/nothing\n")


FIRST_WORDS = {"tag": ("rename",), "completion": SCRIPTS, "install": CLIENTS}
"""Of the commands without a menu."""


def commands_of_the_program() -> set[str]:
    """Every command, and where its first argument is one of a few words, every one with each of them."""
    found = set(COMMANDS)
    for name in COMMANDS:
        command = make_command(name)
        words = command.operations() if isinstance(command, MenuCommand) else FIRST_WORDS.get(name, ())
        found |= {f"{name} {word}" for word in words}
    return found


def test_there_is_a_transcript_of_every_command() -> None:
    files = {**LISTS, **PIPED, "chat": [["chat"]], "writes": WRITES, "made": MADE}
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(files)
    asked = {
        " ".join(command[:size]) for commands in files.values() for command in commands for size in (1, 2)
    }
    assert commands_of_the_program() - asked == set()
