"""What may follow on a command line, for the shells' completion: from the commands and the vault's index."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeVar

from typer.core import TyperArgument, TyperGroup, TyperOption

from app import NAME
from app.bootstrap import configured, open_configured
from app.cli import output
from app.cli.build import from_index
from app.cli.help import purpose
from app.config.settings import logger
from app.errors import NoteNotFoundError, PathError
from app.search.inventory import property_counts, tag_counts
from app.search.request import OPERATION_NAMES
from app.sentences import said
from app.vault.dates import plain
from app.vault.paths import is_note_name

if TYPE_CHECKING:
    from typer._click import Context

    from app.vault.client import VaultClient

T = TypeVar("T")
Choice = tuple[str, str]
"""What may stand at the cursor, and what it is."""
MOST = 1000
DAYS = {
    "en": ("today", "yesterday", "tomorrow", "last week"),
    "fr": ("aujourd'hui", "hier", "demain", "la semaine dernière"),
}
BEHIND = {
    "by_tag": "TAG", "by_link": "NOTE", "by_date": "DAY",
    "tags": "TAG", "properties": "NAME[=VALUE]", "tasks": "NOTE",
}  # fmt: skip
"""What stands behind the first word of `find` and of `list`."""
CHANGING = ("edit", "mv", "rm", "undo")
KINDS = ("FOLDER|NAME", "INDEX", "DAY", "TAG", "NAME[=VALUE]", "FOLDER", "SCOPE", "NOTE", "NOTE[#HEADING]")
"""What values are called in the help whose names are offered; other values are free, or of few choices."""


def complete(arguments: Sequence[str], root: TyperGroup) -> int:
    """Print what may follow, a line each, and return the exit code; a failure offers nothing.

    Args:
        arguments: The shell, then the words up to the cursor; the last one is begun, or empty.
        root: What holds all commands.
    """
    shell, *words = arguments
    try:
        found = list(choices(_read_by_bash(words) if shell == "bash" else words, root))
    except Exception as error:  # noqa: BLE001 - at a half written line no message can be read
        logger.error("command_failed", exc_info=error)
        return output.NOTHING
    # A name that holds a newline cannot be offered by lines.
    shown = [(value, about) for value, about in found if not any(sign < " " for sign in value)][:MOST]
    lines = [f"{value}\t{about}" if about and shell != "bash" else value for value, about in shown]
    output.say("".join(f"{line}\n" for line in lines))
    return output.FOUND if shown else output.NOTHING


def _read_by_bash(words: Sequence[str]) -> list[str]:
    """Return words as bash reads them, which hands them on as they are typed and divides them at ``=``."""
    from typer._click.shell_completion import split_arg_string

    read = ["".join(split_arg_string(word)[:1]) for word in words]
    return [word for word in read[:-1] if word != "="] + [word if word != "=" else "" for word in read[-1:]]


def choices(words: Sequence[str], root: TyperGroup) -> Iterator[Choice]:
    """Yield what may follow some words, which the command library reads."""
    from typer._click import shell_completion as library

    *before, word = words
    context = library._resolve_context(root, {}, NAME, before)
    waiting, begun = library._resolve_incomplete(context, before, word)
    if isinstance(waiting, TyperGroup) and not begun.startswith("-"):
        # Each command is made for what it is told of it.
        names = [name for name in waiting.commands if name.startswith(begun)]
        yield from ((name, _told(purpose(waiting.get_command(context, name)))) for name in names)
        return
    for item in waiting.shell_complete(context, begun):
        yield item.value, _told(item.help)
    if isinstance(waiting, TyperOption | TyperArgument):
        lead = word.removesuffix(begun)
        kind, key = kind_of(context, waiting), plain(begun)
        rows = _names(kind, begun, context) if kind else ()
        yield from ((lead + value, about) for value, about in rows if plain(value).startswith(key))


def _told(text: str | None) -> str:
    return " ".join(said(text or "", output.screen().language).split())


def kind_of(context: "Context", parameter: TyperOption | TyperArgument) -> str:
    """Return what a parameter holds, as the English help of its command calls the value."""
    if parameter.type_descriptor.is_path:
        return ""
    if parameter.name == "words" and context.info_name in ("find", "list"):
        words = context.params.get("words")
        return BEHIND.get(words[0], "") if words else str(context.info_name)
    language = output.screen().language
    return next((kind for kind in KINDS if said(kind, language) == parameter.metavar), "")


def _names(kind: str, word: str, context: "Context") -> Iterable[Choice]:
    """Return what there is of a kind."""
    settings = configured(context.params.get("config")).settings
    match kind:
        case "find":
            return ((name, "") for name in OPERATION_NAMES)
        case "list":
            return ((name, "") for name in ("recent", "orphans", "tags", "properties", "tasks"))
        case "DAY":
            return ((day, "") for day in DAYS[output.screen().language])
        case "FOLDER|NAME":
            return ((name, "") for name in (*settings.vaults, *settings.groups))
        case "INDEX":
            return ((name, "") for name in settings.index.indexes)
    named = context.params.get("vault") or None
    vault = open_configured(named[0] if isinstance(named, list) else named, settings)
    match kind:
        case "TAG":
            sign = "#" if word.startswith("#") else ""
            return ((sign + tag.name, str(tag.notes)) for tag in from_index(vault, tag_counts))
        case "NAME[=VALUE]":
            return ((row.name, str(row.notes)) for row in from_index(vault, property_counts))
        case "FOLDER" | "SCOPE":
            places = {str(folder) for path in _notes(vault) for folder in PurePosixPath(path).parents[:-1]}
            return ((place, "") for place in sorted(places))
    if "#" in word and (headings := list(_headings(vault, word))):
        return headings
    # Other files are read, and changed nowhere.
    paths = filter(is_note_name, _notes(vault)) if context.info_name in CHANGING else _notes(vault)
    return _notes_named(list(paths), by_path="/" in word)


def _notes(vault: "VaultClient") -> list[str]:
    """Return the paths of the notes that may be shown, in order; without an index those on the disk."""
    paths = from_index(vault, lambda snapshot: list(snapshot.visible_paths)) or vault.scan().notes
    return sorted(path for path in paths if not vault.is_excluded(path))


def _notes_named(paths: Sequence[str], *, by_path: bool) -> Iterator[Choice]:
    """Yield notes by their names, each with its folder; by their paths where several have a name."""
    named = [PurePosixPath(path.removesuffix(".md")) for path in paths]
    times = Counter(plain(path.name) for path in named)
    for path in named:
        is_told_apart = times[plain(path.name)] == 1 and not by_path
        yield path.name if is_told_apart else str(path), str(path.parent)


def _headings(vault: "VaultClient", word: str) -> Iterator[Choice]:
    """Yield the headings of a note behind its name, each once."""
    from app.markdown.parse import parse_note

    # A name may hold the sign itself: the longest one that a note has is meant.
    for at in (at for at in reversed(range(len(word))) if word[at] == "#"):
        with suppress(NoteNotFoundError, PathError):
            path = vault.resolve(output.note_named(vault, word[:at]))
            if not vault.is_excluded(path):
                headings = parse_note(vault.read(path).text).headings
                yield from dict.fromkeys((f"{word[:at]}#{heading.text}", "") for heading in headings)
            return
