"""What commands print, on terminals with colours and without, and in a pipe, in two languages.

Each group of commands has a file in ``transcripts/``, in which forms that look alike stand together.
``TRANSCRIPTS=write`` in the environment writes them anew: look at the difference before it is committed.
"""

import io
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import main

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
LISTS = {
    "tag": ["list --tag garden", "list --tag gardn", "list --tag garden -l -0"],
    "links": ["list --links Greenhouse", "list --links Home --json"],
    "tasks": ["list tasks", "list tasks serre --json"],
    "find": [
        "find greenhouse",
        "find greenhouse --explain",
        "find zeppelin",
        "find fast greenhouse --agent",
        "find by_link Home",
        "find by_date march 2025 --notes",
    ],
    "ask": ["ask How is the greenhouse heated?", "ask Who paid for the larch?"],
    "search": ["search heating", "search heating --index photos"],
    "status": ["status", "status Greenhouse"],
    "chat": ["chat"],
}
WRITES = [
    "mv Greenhouse Glasshouse",
    "mv Nowhere Glasshouse",
    "rm Greenhouse",
    "replace --tag garden yard",
    "replace Greenhouse Glasshouse --in projects",
    "undo",
    "undo --list",
    "new serre",
]
MADE = [
    "new Larch bill",
    "mv Greenhouse Glasshouse --yes",
    "rm serre Home --yes",
    "replace --tag garden yard --yes",
    "replace Greenhouse Glasshouse --yes --json",
]
FORMS = {
    "en pipe": ("C", 0, {}),
    "en 100 colours": ("C", 100, {}),
    "fr pipe": ("fr_FR.UTF-8", 0, {}),
    "fr 60": ("fr_FR.UTF-8", 60, {"NO_COLOR": "1"}),
}
"""The system's language, the columns of a terminal, and what else is in the environment."""
TYPED = "How is the greenhouse heated?\n/help\n/nothing\n"
PROGRAM = shutil.which("vault-assistant", path=str(Path(sys.executable).parent)) or sys.argv[0]
CHANGING = (
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?"), "DAY HOUR"),
    (re.compile(r"(?<= )\d+[.,]\d\d s\b"), "0 s"),
    (re.compile(r"(?<=/)garden-[0-9a-f]{12,}"), "garden-HASH"),
    (re.compile(r"(?<= · )\d{4}-\d\d-\d\d(?= · )"), "DAY"),
    # What was drawn over: how far long work was.
    (re.compile(r"[^\n]*\r"), ""),
    (re.compile(r"(?<=bytes: )\d+|(?<=octets : )\d+"), "N"),
)
"""What is another each time, and what stands for it."""
LONE_SIGN = re.compile(r"^ *[:;?!»](?: |$)", re.MULTILINE)
"""A sign of French that begins a line, torn from the word that it belongs to."""


class _Screen(io.TextIOWrapper):
    """Text, and bytes, that are printed to a terminal or to a pipe."""

    def __init__(self, is_terminal: bool) -> None:
        self.bytes = io.BytesIO()
        super().__init__(self.bytes, "utf-8", newline="", write_through=True)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def printed(arguments: list[str], form: str, root: str) -> str:
    """What a command prints, each stream by itself, and how it ends."""
    locale, columns, more = FORMS[form]
    out, err = _Screen(columns > 0), _Screen(columns > 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("NO_COLOR", raising=False)
        for name, value in {"LC_ALL": locale, "COLUMNS": str(columns or 80), "TERM": "xterm", **more}.items():
            patch.setenv(name, value)
        for name, stream in {"stdout": out, "stderr": err, "stdin": io.StringIO(TYPED)}.items():
            patch.setattr(sys, name, stream)
        code = main(["--vault", root, *arguments])
    parts = [out.bytes.getvalue().decode()]
    parts += [f"[stderr]\n{said.decode()}"] if (said := err.bytes.getvalue()) else []
    parts += [f"[exit {code}]\n"] if code else []
    text = "".join(part if part.endswith("\n") or not part else part + "\n" for part in parts)
    shown = text.replace("\x1b", "␛").replace("\0", "␀").replace(root, "VAULT")
    shown = shown.replace(os.environ["HOME"], "HOME").replace(PROGRAM, "PROGRAM")
    for changing, mask in CHANGING:
        shown = changing.sub(mask, shown)
    return shown


def sections(command: str, root: str, after: Sequence[str]) -> Iterator[str]:
    alike: dict[str, list[str]] = {}
    for form in FORMS:
        alike.setdefault(printed(command.split(), form, root), []).append(form)
        if after:
            assert main([*after, "--vault", root]) == 0
    for text, names in alike.items():
        assert not LONE_SIGN.search(text), text
        yield f"=== {command} | {', '.join(names)}\n{text}"


def check(name: str, commands: list[str], root: str, after: Sequence[str] = ()) -> None:
    """Compare what commands print in every form with what is kept; ``after`` takes back what each wrote."""
    came = "".join(section for command in commands for section in sections(command, root, after))
    file = Path(__file__).parent / "transcripts" / f"{name}.txt"
    if os.environ.get("TRANSCRIPTS") == "write":
        file.write_text(came, encoding="utf-8")
    assert came == file.read_text(encoding="utf-8")


@pytest.fixture
def vault(
    tiny_vault: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """Give a small vault whose notes all changed on one day."""
    root = tiny_vault(NOTES, name="garden").root
    for at, note in enumerate(sorted(root.rglob("*.md"))):
        changed = datetime(2025, 8, 20, 12, at).timestamp()
        os.utime(note, (changed, changed))
    # On a machine that is busy with something else, work takes long enough for a bar.
    monkeypatch.setattr("app.cli.progress.PATIENCE_SECONDS", 3600.0)
    monkeypatch.setenv("VISUAL", "false")
    monkeypatch.chdir(root)
    assert main(["index", "--vault", str(root)]) == 0
    return str(root)


@pytest.mark.parametrize("name", LISTS)
def test_what_is_printed_is_what_is_kept(name: str, vault: str) -> None:
    check(name, LISTS[name], vault)


def test_what_is_said_of_writes_is_what_is_kept(vault: str) -> None:
    long = "projects/garden/a folder with a rather long name/The list of all seeds that are left"
    for command in (
        ["daily", "2025-07-14"],
        ["mv", "Home", "Start"],
        ["undo"],
        ["replace", "--tag", "décision", "choix"],
        ["replace", "électrique", "au gaz"],
        ["rm", long],
    ):
        assert main([*command, "--yes", "--vault", vault]) == 0
    check("writes", WRITES, vault)


def bytes_below(folder: str) -> dict[Path, bytes]:
    files = [file for file in Path(folder).rglob("*") if file.is_file() and ".trash" not in file.parts]
    return {file: file.read_bytes() for file in files}


def test_what_is_said_when_a_write_was_made_is_what_is_kept(vault: str) -> None:
    before = bytes_below(vault)
    check("made", MADE, vault, after=["undo", "--yes"])
    assert bytes_below(vault) == before
