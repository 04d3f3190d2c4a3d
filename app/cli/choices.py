"""What may follow on a command line, for the shells' completion: from the commands and the vault's index."""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from typer.core import TyperArgument, TyperGroup, TyperOption

from app import NAME
from app.bootstrap import configured, open_configured
from app.cli import output
from app.cli.help import NO_BREAK
from app.cli.options import MenuCommand
from app.config.settings import logger
from app.search.request import PARAMETERS
from app.sentences import said
from app.spoken import spoken
from app.vault.dates import plain

if TYPE_CHECKING:
    from typer._click import Context

    from app.search.view import View
    from app.vault.client import VaultClient

FILES, OPEN = 3, 4
"""How the command ends where the shell should offer files, and where it should put no space behind a word."""
MOST = 1000
_QUOTED = re.compile(r"""([\s'"\\$`&|;<>()*?\[\]{}!~])""")
DAYS = {
    "en": ("today", "yesterday", "tomorrow", "last week"),
    "fr": ("aujourd'hui", "hier", "demain", "la semaine dernière"),
}


class Found(NamedTuple):
    """What may stand at the cursor, and how the command ends."""

    choices: list["Choice"]
    code: int = 0


class Choice(NamedTuple):
    """What may stand at the cursor, and what it is."""

    value: str
    about: str = ""


T = TypeVar("T")


def show(found: Found, shell: str, word: str) -> int:
    """Print choices as a shell reads them, a line each, and return the exit code."""
    lines = []
    for value, about in found.choices[:MOST]:
        if any(sign < " " for sign in value):
            # No name that holds a newline can be offered by lines.
            continue
        if shell == "bash":
            # Within quotation marks readline writes what it is given; a comment would begin with the sign.
            plain = word[:1] in ("'", '"')
            escaped = value if plain else _QUOTED.sub(r"\\\1", value)
            lines.append(f"\\{escaped}" if escaped.startswith("#") and not plain else escaped)
        else:
            lines.append(f"{value}\t{' '.join(about.split())}" if about else value)
    os.write(1, "".join(f"{line}\n" for line in lines).encode(errors="replace"))
    return found.code


KINDS = {
    "vault": "vault", "config": "file", "file": "file", "project": "file", "query_image": "file",
    "agents": "file", "skill to": "file", "trust folder": "file",
    "index": "index", "model": "llm", "model name": "embedding",
    "note": "note", "notes": "note", "path": "note",
    "cat note": "part", "edit note": "part", "why": "note", "new template": "template",
    "tag": "tag", "folder": "folder", "scope": "folder",
    "list words": "choice:recent|orphans|tags|properties|tasks",
    "day": "day", "due": "day", "list on": "day", "list links": "note",
    "has": "property", "list related": "note",
    "sort": "choice:score|path|title|created|modified", "list sort": "choice:count|name",
    "shell": "choice:bash|zsh|fish", "client": "choice:claude-desktop|claude-code|codex|cursor|vscode",
}  # fmt: skip
"""Parameters by what their values are, of one command behind its name; the values of others are free text."""
_BEHIND = {"by_tag": "tag", "by_link": "note", "by_date": "day"}
"""What stands behind an operation of `find`."""


def complete(arguments: list[str], root: "TyperGroup") -> int:
    """Print what may follow, and return how the command ends; a failure offers nothing.

    Args:
        arguments: The shell, then the words up to the cursor; the last one is begun, or empty.
        root: What holds all commands.
    """
    if len(arguments) < 2:
        return output.NOTHING
    shell, words = arguments[0], arguments[1:]
    try:
        return show(choices(shell, words, root), shell, words[-1])
    except Exception as error:  # noqa: BLE001 - at a half written line no message can be read
        logger.error("command_failed", exc_info=error)
        return output.NOTHING


def choices(shell: str, words: list[str], root: "TyperGroup") -> Found:
    """Return what may follow some words, which the command library reads."""
    from typer._click import shell_completion as library

    if shell == "bash":
        words = ["".join(library.split_arg_string(word)[:1]) for word in _joined(words)]
    *before, word = words
    context = library._resolve_context(root, {}, NAME, before)
    waiting, begun = library._resolve_incomplete(context, before, word)
    if isinstance(waiting, TyperGroup) and not begun.startswith("-"):
        rows = (Choice(name, _about(waiting.get_command(context, name))) for name in waiting.commands)
        return Found(_like(begun, rows))
    if not isinstance(waiting, TyperOption | TyperArgument):
        options = waiting.shell_complete(context, begun)
        return Found([Choice(one.value, _told(one.help)) for one in options])
    # Bash completes what stands behind the sign, other shells the whole word.
    lead = "" if shell == "bash" else word.removesuffix(begun)
    found = _of_kind(kind_of(context, waiting), begun, context.params)
    return found._replace(choices=[Choice(lead + value, about) for value, about in found.choices])


def kind_of(context: "Context", parameter: "TyperOption | TyperArgument") -> str:
    """Return what kind of value a parameter of a command takes."""
    command, name = context.command, parameter.name or ""
    annotation = parameter.type_descriptor.annotation
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "choice:" + "|".join(str(one.value) for one in annotation)
    if isinstance(command, MenuCommand) and name in ("operation", "words"):
        words = context.params.get("words")
        return _BEHIND.get(words[0], "") if words else "choice:" + "|".join(command.operations())
    if command.name == "list" and name == "words" and (words := context.params.get("words")):
        return {"tags": "tag", "properties": "property", "tasks": "note"}.get(words[0], "")
    row = PARAMETERS.get(name)
    if row and row.choices:
        return "choice:" + "|".join(row.choices)
    return KINDS.get(f"{command.name} {name}") or KINDS.get(row.holds.lower() if row else name, "text")


def _about(command: Any) -> str:  # noqa: ANN401 - as typer's
    return _told((command.help or "").strip().split("\n")[0])


def _told(text: str | None) -> str:
    return said(text or "", output.screen().language).replace(NO_BREAK, " ")


def _of_kind(kind: str, word: str, options: Mapping[str, Any]) -> Found:
    if kind.startswith("choice:"):
        return Found(_like(word, map(Choice, kind.removeprefix("choice:").split("|"))))
    if kind == "day":
        return Found(_like(word, map(Choice, DAYS[spoken()])))
    if kind in ("", "text", "file"):
        return Found([], FILES if kind == "file" else 0)
    if kind == "embedding":
        from app.search.embedding.hub import CATALOGUE

        return Found(_like(word, (Choice(model.name) for model in CATALOGUE)))
    named = options.get("vault")
    names = _Names(named[0] if named and isinstance(named, list) else named or None, options.get("config"))
    if kind == "part":
        # A heading may follow the name.
        return Found(_headings(names, word) if "#" in word else _notes(names.notes(), word), OPEN)
    found = names.of_kind(kind, word)
    return Found(found, FILES if kind == "vault" and not found else 0)


class _Names:
    """The names of a vault, of notes that may be shown; from its index, and without one from the disk."""

    def __init__(self, named: str | None, config: Path | None) -> None:

        self._named = named
        self._settings = configured(config).settings

    def of_kind(self, kind: str, word: str) -> list[Choice]:
        """Return names of one kind that begin with what was typed."""
        settings = self._settings
        if kind == "tag":
            from app.search.inventory import tag_counts

            plain = word.removeprefix("#")
            tags = self._asked(lambda view: tag_counts(view.snapshot))
            found = _like(plain, (Choice(tag.name, str(tag.notes)) for tag in tags))
            return [Choice("#" * (len(word) - len(plain)) + value, about) for value, about in found]
        if kind == "template":
            from app.vault.obsidian import templates

            folder = templates(self._vault.root).folder
            paths = (path for path in self.notes() if folder and path.startswith(f"{folder}/"))
            return _like(word, (Choice(path[len(folder) + 1 : -3]) for path in paths))
        values: Iterable[str]
        match kind:
            case "note":
                return _notes(self.notes(), word)
            case "vault":
                values = sorted([*settings.vaults, *settings.groups])
            case "folder":
                values = sorted(
                    {path[:at] for path in self.notes() for at, sign in enumerate(path) if sign == "/"}
                )
            case "property":
                from app.search.inventory import property_counts

                rows = self._asked(lambda view: property_counts(view.snapshot))
                values = (row.name for row in rows)
            case "index":
                values = settings.index.indexes
            case _:
                models = [settings.model, *settings.keyword_models, "offline"]
                values = dict.fromkeys(filter(None, models))
        return _like(word, map(Choice, values))

    def notes(self) -> list[str]:
        """Return the paths of the notes, in order."""
        vault = self._vault
        paths = self._asked(lambda view: list(view.snapshot.visible_paths))
        return sorted(path for path in paths or vault.scan().notes if not vault.is_excluded(path))

    def headings(self, path: str) -> Iterable[str]:
        """Return the headings of a note, each once."""
        from app.markdown.parse import parse_note

        return dict.fromkeys(heading.text for heading in parse_note(self._vault.read(path).text).headings)

    def _asked(self, read: "Callable[[View], list[T]]") -> list[T]:
        """Return what a function reads of the index; nothing where there is none yet."""
        from app.search.searcher import searcher_for

        searcher = searcher_for(self._vault)
        if self._vault.obsidian.hides_all or not searcher.view().lexical.notes.any():
            return []
        return searcher.ask(read)

    @cached_property
    def _vault(self) -> "VaultClient":

        return open_configured(self._named, self._settings)


def _notes(paths: Sequence[str], word: str) -> list[Choice]:
    """Return notes by their names, or by their paths where a slash was typed or several have a name."""
    if "/" in word:
        return _like(word.removeprefix("/"), (Choice(path[:-3]) for path in paths))
    stems = [path.rpartition("/")[2][:-3] for path in paths]
    several: dict[str, int] = {}
    for stem in stems:
        several[_key(stem)] = several.get(_key(stem), 0) + 1
    rows = []
    for path, stem in zip(paths, stems, strict=True):
        folder = path.rpartition("/")[0]
        rows.append(Choice(stem, folder) if several[_key(stem)] == 1 else Choice(path[:-3], folder))
    found = _like(word, rows)
    # The end of a path that several share is found by its name too.
    again = (row for row in rows if "/" in row.value and _begins(row.value.rpartition("/")[2], _key(word)))
    return [*found, *(row for row in again if word and row not in found)]


def _headings(names: _Names, word: str) -> list[Choice]:
    """Return the headings of a note behind its name."""
    paths = names.notes()
    # A name may hold the sign itself: the longest one that a note has is meant.
    for at in (at for at in range(len(word) - 1, -1, -1) if word[at] == "#"):
        note = word[:at]
        key = _key(note.strip().removesuffix(".md"))
        fitting = [path for path in paths if _key(path[:-3]) == key]
        fitting = fitting or [path for path in paths if _key(path[:-3]).endswith(f"/{key}")]
        if fitting:
            texts = names.headings(fitting[0]) if len(fitting) == 1 else ()
            return _like(word, (Choice(f"{note}#{text}") for text in texts))
    return []


def _like(word: str, rows: Iterable[Choice]) -> list[Choice]:
    """Return the choices that begin with what was typed, case aside, and accents that were not typed."""
    key = _key(word)
    return [row for row in rows if _begins(row.value, key)]


def _begins(value: str, key: str) -> bool:
    # A letter that was typed with its accent has that.
    pairs = zip(key, _key(value)[: len(key)].ljust(len(key)), strict=True)
    return all(sign in (there, plain(there)) for sign, there in pairs)


def _key(text: str) -> str:
    return text.casefold() if text.isascii() else unicodedata.normalize("NFC", text).casefold()


def _joined(words: Sequence[str]) -> list[str]:
    """Put together what bash divides at ``=``: an option with its value."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1].startswith("--") and (word == "=" or joined[-1].endswith("=")):
            joined[-1] += word
        else:
            joined.append(word)
    return joined
