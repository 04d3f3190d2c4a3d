"""What may follow on a command line, for the shells' completion: from the commands and the vault's index."""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from app.spoken import spoken

if TYPE_CHECKING:
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
Row = Mapping[str, Any]
"""A command: its options, each with what it is about and what it takes, and the kinds of its arguments."""


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


def choices(
    shell: str,
    words: list[str],
    commands: Callable[[], Iterable[Choice]],
    row_of: Callable[[str], Row | None],
) -> Found:
    """Return what may follow some words.

    Args:
        shell: Which shell asks.
        words: The words up to the cursor; the last one is begun, or empty.
        commands: Makes a choice of each command.
        row_of: Reads a command by its name, by the empty one what holds them all; None where there is none.
    """
    if shell == "bash":
        words = [_unquoted(word) for word in _joined(words)]
    *before, word = words
    lead = ""
    options: dict[str, str] = {}
    command, values, waits = "", list[str](), ""
    row = row_of("") or {}
    ended = False
    for one in before:
        if waits:
            options[waits] = one
            waits = ""
        elif one == "--" and command:
            ended = True
        elif one.startswith("-") and not ended:
            name, equals, value = one.partition("=")
            if equals:
                options[name] = value
            elif row["options"].get(name, {}).get("takes"):
                waits = name
        elif not command:
            command = one
            if (found := row_of(command)) is None:
                return Found([])
            row = found
        else:
            values.append(one)
    if waits:
        kind = row["options"][waits]["takes"]
    elif word.startswith("-") and not ended:
        name, equals, value = word.partition("=")
        if not equals or name not in row["options"]:
            return Found(_like(word, (Choice(name, told["about"]) for name, told in row["options"].items())))
        # Bash completes what stands behind the sign, other shells the whole word.
        kind, word, lead = row["options"][name]["takes"], value, "" if shell == "bash" else f"{name}="
    elif not command:
        return Found(_like(word, commands()))
    else:
        kind = _argument(row["arguments"], values)
    offered = _of_kind(kind, word, options)
    return offered._replace(choices=[Choice(lead + value, about) for value, about in offered.choices])


def _argument(kinds: Sequence[Any], values: Sequence[str]) -> str:
    """Return what kind of value comes next; it may depend on the first one, as behind an operation."""
    if not kinds:
        return ""
    kind = kinds[min(len(values), len(kinds) - 1)]
    if isinstance(kind, str):
        return kind
    follow: Mapping[str, str] = kind
    return follow.get(values[0], follow.get("", ""))


def _of_kind(kind: str, word: str, options: Mapping[str, str]) -> Found:
    if kind.startswith("choice:"):
        return Found(_like(word, map(Choice, kind.removeprefix("choice:").split("|"))))
    if kind == "day":
        return Found(_like(word, map(Choice, DAYS[spoken()])))
    if kind in ("", "text", "file"):
        return Found([], FILES if kind == "file" else 0)
    if kind == "embedding":
        from app.search.embedding.catalogue import CATALOGUE

        return Found(_like(word, (Choice(model.name) for model in CATALOGUE)))
    names = _Names(options.get("--vault"), options.get("--config"))
    if kind == "part":
        # A heading may follow the name.
        return Found(_headings(names, word) if "#" in word else _notes(names.notes(), word), OPEN)
    found = names.of_kind(kind, word)
    return Found(found, FILES if kind == "vault" and not found else 0)


class _Names:
    """The names of a vault, of notes that may be shown; from its index, and without one from the disk."""

    def __init__(self, named: str | None, config: str | None) -> None:
        from app.bootstrap import configured

        self._named = named
        self._settings = configured(None if config is None else Path(config)).settings

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
        from app.bootstrap import open_configured

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
    again = (
        row for row in rows if "/" in row.value and _key(row.value.rpartition("/")[2]).startswith(_key(word))
    )
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
    """Return the choices that begin with what was typed, case aside."""
    key = _key(word)
    return [row for row in rows if _key(row.value).startswith(key)]


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


def _unquoted(word: str) -> str:
    """Return a word as the shell would read it, though its quotation marks may be open still."""
    read, quote, escaped = [], "", False
    for sign in word:
        if escaped:
            read.append(sign)
            escaped = False
        elif sign == "\\" and quote != "'":
            escaped = True
        elif sign == quote:
            quote = ""
        elif sign in "'\"" and not quote:
            quote = sign
        else:
            read.append(sign)
    return "".join(read)
