"""The manual page, made of the commands and their help: ``python bundle/manual.py`` prints it."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from app import NAME
from app.cli.main import COMMANDS, make_command

ABOUT = "search, read and change a vault of Markdown notes, or ask it"

COMMON = ("vault", "config", "debug")
"""Options that all commands have; they are described once."""


def manual() -> str:
    """Return the page in the macros of man(7)."""
    made = {name: make_command(name) for name in ("", *COMMANDS)}
    lines = [
        f'.TH {NAME.upper()} 1 "" "" "User commands"',
        ".SH NAME",
        f"{_text(NAME)} \\- {ABOUT}",
        ".SH SYNOPSIS",
        f".B {_text(NAME)}",
        r"[\fIoption\fR ...] \fIcommand\fR [\fIargument\fR ...]",
        ".SH DESCRIPTION",
        _text(made[""].help),
        "Without a command, on a terminal, it is a picker of notes.",
        *_prose(made[""].epilog),
        ".SH OPTIONS",
        *_options(made[""], is_whole=True),
        ".SH COMMANDS",
    ]
    for name in COMMANDS:
        command = made[name]
        arguments = [_argument(one) for one in command.params if one.param_type_name == "argument"]
        lines += [
            f".SS {_text(' '.join([name, '[option ...]', *arguments]))}",
            _text(command.help),
            *_operations(command),
            *_options(command),
            *_prose(command.epilog or ""),
        ]
    return "\n".join(lines) + "\n"


def _argument(one: Any) -> str:
    name = f"{one.metavar or one.name.upper()}{'' if one.nargs == 1 else '...'}"
    return name if one.required else f"[{name}]"


def _operations(command: Any) -> Iterator[str]:
    if not hasattr(command, "operations"):
        return
    for name, function in command.operations().items():
        yield from (".TP", rf"\fB{_text(name)}\fR", _text((function.__doc__ or "").strip().split("\n")[0]))


def _options(command: Any, *, is_whole: bool = False) -> Iterator[str]:
    for each in command.params:
        if each.param_type_name == "argument" and each.help:
            yield from (".TP", rf"\fI{_text(each.metavar or each.name.upper())}\fR", _text(each.help))
    for each in command.params:
        if each.param_type_name == "option" and not each.hidden and (is_whole or each.name not in COMMON):
            names = ", ".join(rf"\fB{_text(name)}\fR" for name in sorted(each.opts, key=len))
            value = "" if each.is_flag else rf" \fI{_text(each.metavar or each.name.upper())}\fR"
            yield from (".TP", names + value, _text(each.help or ""))


def _prose(epilog: str) -> Iterator[str]:
    """Yield paragraphs; one that begins with the sign for it keeps its lines."""
    for paragraph in epilog.split("\n\n"):
        kept = paragraph.startswith("\b\n")
        rows = [row.strip() for row in paragraph.removeprefix("\b\n").split("\n") if row.strip()]
        if kept:
            yield from (".PP", ".nf", ".RS 4", *map(_text, rows), ".RE", ".fi")
        elif rows:
            yield from (".PP", _text(" ".join(rows)))


def _text(text: str) -> str:
    """Return a line of text with what the macros would read as their own written out."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("~", r"\(ti").replace("^", r"\(ha")
    return re.sub(r"^([.'])", r"\\&\1", escaped.replace("'", r"\(aq"))


if __name__ == "__main__":
    print(manual(), end="")  # noqa: T201 - the page is what is asked for
