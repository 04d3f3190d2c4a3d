"""What commands print, on terminals of several widths, with colours and without, and in a pipe, in two languages.

Each command has a file in ``transcripts/``, in which forms that look alike stand together.
``TRANSCRIPTS=write`` in the environment writes them anew: look at the difference before it is committed.
"""

import io
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.cli.main import main

FOLDER = Path(__file__).parent / "transcripts"
SCREENS = ((60, False), (100, True))
"""Columns of a terminal, and whether it shows colours."""
LOCALES = {"en": "C", "fr": "fr_FR.UTF-8"}
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


class _Screen(io.TextIOWrapper):
    """Text, and bytes, that are printed to a terminal or to a pipe."""

    def __init__(self, is_terminal: bool) -> None:
        self._bytes = io.BytesIO()
        super().__init__(self._bytes, "utf-8", newline="", write_through=True)
        self._is_terminal = is_terminal

    def getvalue(self) -> str:
        self.flush()
        return self._bytes.getvalue().decode()

    def isatty(self) -> bool:
        return self._is_terminal


@dataclass(frozen=True)
class Form:
    language: str
    columns: int
    has_colours: bool

    @property
    def name(self) -> str:
        if not self.columns:
            return f"{self.language} pipe"
        return f"{self.language} {self.columns}{' colours' if self.has_colours else ''}"

    @property
    def environment(self) -> Mapping[str, str]:
        plain = {} if self.has_colours else {"NO_COLOR": "1"}
        return {
            "LC_ALL": LOCALES[self.language],
            "COLUMNS": str(self.columns or 80),
            "TERM": "xterm",
            **plain,
        }


FORMS = [
    Form(language, columns, has_colours)
    for language in LOCALES
    for columns, has_colours in [*SCREENS, (0, False)]
]


LONE_SIGN = re.compile(r"^ *[:;?!»](?: |$)", re.MULTILINE)
"""A sign of French that begins a line, torn from the word that it belongs to."""


def printed(arguments: list[str], form: Form, root: str, typed: str = "") -> str:
    """What a command prints where something is typed into it, each stream by itself, and how it ends."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("NO_COLOR", raising=False)
        for name, value in form.environment.items():
            patch.setenv(name, value)
        out, err = _Screen(form.columns > 0), _Screen(form.columns > 0)
        patch.setattr("sys.stdout", out)
        patch.setattr("sys.stderr", err)
        patch.setattr("sys.stdin", io.StringIO(typed))
        code = main(arguments)
    parts = [out.getvalue()]
    parts += [f"[stderr]\n{err.getvalue()}"] if err.getvalue() else []
    parts += [f"[exit {code}]\n"] if code else []
    text = "".join(part if part.endswith("\n") or not part else part + "\n" for part in parts)
    shown = text.replace("\x1b", "␛").replace("\0", "␀").replace(root, "VAULT")
    shown = shown.replace(os.environ["HOME"], "HOME").replace(PROGRAM, "PROGRAM")
    for changing, mask in CHANGING:
        shown = changing.sub(mask, shown)
    return shown


def sections(title: str, arguments: list[str], root: str, typed: str, after: Sequence[str]) -> Iterator[str]:
    alike: dict[str, list[str]] = {}
    for form in FORMS:
        alike.setdefault(printed(arguments, form, root, typed), []).append(form.name)
        if after:
            assert main([*after, "--vault", root]) == 0
    for text, names in alike.items():
        assert not LONE_SIGN.search(text), text
        yield f"=== {title} | {', '.join(names)}\n{text}"


def check(
    name: str,
    commands: list[list[str]],
    root: str,
    *,
    typed: str = "",
    after: Sequence[str] = (),
) -> None:
    """Compare what commands print in every form with what is kept, or keep it.

    ``typed`` is typed into each, and ``after`` is run behind it, such as what takes back what it wrote.
    """
    came = "".join(
        section
        for command in commands
        for section in sections(" ".join(command), ["--vault", root, *command], root, typed, after)
    )
    file = FOLDER / f"{name}.txt"
    if os.environ.get("TRANSCRIPTS") == "write":
        FOLDER.mkdir(exist_ok=True)
        file.write_text(came, encoding="utf-8")
    assert came == file.read_text(encoding="utf-8")
