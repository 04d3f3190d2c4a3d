"""What may follow on a command line, for the shells' completion, without importing the program.

The commands with their options, and the names of a vault, are written down by the program
(`app.cli.completion`) and read here, as long as nothing has changed: the program's own files, the files of
settings, the vault's folders and what it excludes, the index. Otherwise the program is asked, and writes them
down anew.
"""

import json
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from app.serving.known import code, digest, is_private, known_place, state_of, ways_folder
from app.spoken import spoken

FILES, OPEN = 3, 4
"""How the command ends where the shell should offer files, and where it should put no blank behind a word."""
MOST = 1000
NAMES_SUFFIX = ".names"
_COMMIT = re.compile(r"(\d{1,18})\.commit\Z")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_QUOTED = re.compile(r"""([\s'"\\$`&|;<>()*?\[\]{}!~])""")
DAYS = {
    "en": ("today", "yesterday", "tomorrow", "last week"),
    "fr": ("aujourd'hui", "hier", "demain", "la semaine dernière"),
}
_MOST_NOTE_BYTES = 5_000_000


class Found(NamedTuple):
    """What may stand at the cursor, and how the command ends."""

    choices: list["Choice"]
    code: int = 0


class Choice(NamedTuple):
    """What may stand at the cursor, and what it is."""

    value: str
    about: str = ""


def completed(arguments: Sequence[str]) -> int | None:
    """Print what may follow; None where the program has to be asked."""
    if not arguments or len(arguments) < 2:
        return None
    commands = read_commands()
    if commands is None:
        return None
    found = choices(commands, arguments[0], list(arguments[1:]), None)
    if found is None:
        return None
    return show(found, arguments[0], arguments[-1])


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
    commands: Mapping[str, Any], shell: str, words: list[str], names: Mapping[str, Any] | None
) -> Found | None:
    """Return what may follow some words; None where names are needed and not known.

    Args:
        commands: The table of commands; see `app.cli.completion`.
        shell: Which shell asks.
        words: The words up to the cursor; the last one is begun, or empty.
        names: The names of the vault; None to look for those that were written down.
    """
    if shell == "bash":
        words = [_unquoted(word) for word in _joined(words)]
    *before, word = words
    lead = ""
    options: dict[str, str] = {}
    command, values, waits = "", list[str](), ""
    ended = False
    for one in before:
        table = _options(commands, command)
        if waits:
            options[waits] = one
            waits = ""
        elif one == "--" and command:
            ended = True
        elif one.startswith("-") and not ended:
            name, equals, value = one.partition("=")
            if equals:
                options[name] = value
            elif table.get(name, {}).get("takes"):
                waits = name
        elif not command:
            command = one
        else:
            values.append(one)
    if waits:
        kind = _options(commands, command)[waits]["takes"]
    elif word.startswith("-") and not ended:
        name, equals, value = word.partition("=")
        row = _options(commands, command).get(name)
        if not equals or row is None:
            rows = _options(commands, command).items()
            return Found(_like(word, (Choice(name, row["about"]) for name, row in rows)))
        # Bash completes what stands behind the sign, other shells the whole word.
        kind, word, lead = row["takes"], value, "" if shell == "bash" else f"{name}="
    elif not command:
        shown = ((name, row["about"]) for name, row in commands.items() if name)
        return Found(_like(word, (Choice(name, about) for name, about in shown)))
    elif command not in commands:
        return Found([])
    else:
        kind = _argument(commands[command]["arguments"], values)
    found = _of_kind(kind, word, options, names)
    if found is None or not lead:
        return found
    return found._replace(choices=[Choice(lead + value, about) for value, about in found.choices])


def _options(commands: Mapping[str, Any], command: str) -> Mapping[str, Any]:
    row = commands.get(command) or commands[""]
    found: Mapping[str, Any] = row["options"]
    return found


def _argument(kinds: Sequence[Any], values: Sequence[str]) -> str:
    """Return what kind of value comes next; it may depend on the first one, as behind an operation."""
    if not kinds:
        return ""
    kind = kinds[min(len(values), len(kinds) - 1)]
    if isinstance(kind, str):
        return kind
    follow: Mapping[str, str] = kind
    return follow.get(values[0], follow.get("", ""))


def _of_kind(
    kind: str, word: str, options: Mapping[str, str], names: Mapping[str, Any] | None
) -> Found | None:
    if kind.startswith("choice:"):
        return Found(_like(word, map(Choice, kind.removeprefix("choice:").split("|"))))
    if kind == "day":
        return Found(_like(word, map(Choice, DAYS[spoken()])))
    if kind in ("", "text", "file"):
        return Found([], FILES if kind == "file" else 0)
    if names is None:
        names = read_names(options.get("--vault"), options.get("--config"))
    if names is None:
        return None
    if kind == "part":
        # A heading may follow the name.
        return Found(_headings(names, word) if "#" in word else _notes(names["notes"], word), OPEN)
    if kind == "vault":
        vaults = _like(word, map(Choice, names["vaults"]))
        return Found(vaults, 0 if vaults else FILES)
    return Found(_named(names, kind, word))


def _named(names: Mapping[str, Any], kind: str, word: str) -> list[Choice]:
    if kind == "note":
        return _notes(names["notes"], word)
    if kind == "template":
        inside = f"{names['templates']}/"
        paths = (path for path in names["notes"] if names["templates"] and path.startswith(inside))
        return _like(word, (Choice(path[len(inside) : -3]) for path in paths))
    if kind == "tag":
        plain = word.removeprefix("#")
        found = _like(plain, (Choice(name, str(count)) for name, count in names["tags"]))
        return [Choice("#" * (len(word) - len(plain)) + value, about) for value, about in found]
    lists = {"folder": "folders", "property": "properties", "index": "indexes"}
    return _like(word, map(Choice, names.get(lists.get(kind, kind), ())))


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


def _headings(names: Mapping[str, Any], word: str) -> list[Choice]:
    """Return the headings of a note behind its name, read from its file."""
    # A name may hold the sign itself: the longest one that a note has is meant.
    for at in (at for at in range(len(word) - 1, -1, -1) if word[at] == "#"):
        note = word[:at]
        key = _key(note.strip().removesuffix(".md"))
        fitting = [path for path in names["notes"] if _key(path[:-3]) == key]
        fitting = fitting or [path for path in names["notes"] if _key(path[:-3]).endswith(f"/{key}")]
        if fitting:
            file = os.path.join(names["root"], fitting[0])
            texts = _headings_of(file) if len(fitting) == 1 else ()
            return _like(word, (Choice(f"{note}#{text}") for text in texts))
    return []


def _headings_of(file: str) -> Iterator[str]:
    """Yield the headings that a file's lines begin, those within fences left out."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as opened:
            lines = opened.read(_MOST_NOTE_BYTES).decode("utf-8-sig", "replace").splitlines()
    except OSError:
        return
    start = 0
    if lines and lines[0].rstrip() == "---":
        start = next((at for at, line in enumerate(lines[1:], 2) if line.rstrip() == "---"), 0)
    fence = ""
    seen = set[str]()
    for line in lines[start:]:
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif opening:
            fence = opening[1]
        elif (heading := _HEADING.fullmatch(line)) and heading[1] and heading[1] not in seen:
            seen.add(heading[1])
            yield heading[1]


def _like(word: str, rows: Iterable[Choice]) -> list[Choice]:
    """Return the choices that begin with what was typed, as it is typed if there are such."""
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


# What was written down


def commands_file() -> str:
    """Return where the table of commands is kept, for the program's files as they are and one language."""
    return os.path.join(ways_folder(), f"{digest((*code(), spoken()))}.commands")


def read_commands() -> dict[str, Any] | None:
    """Return the table of commands; None where it is not written down."""
    return _read(commands_file()) if is_private(ways_folder()) else None


def read_names(vault: str | None, config: str | None) -> dict[str, Any] | None:
    """Return the names of the vault that options mean; None where they are not known, or may have changed."""
    way = known_place(vault, config, NAMES_SUFFIX)
    if way is None or not is_private(os.path.dirname(way["names"])):
        return None
    names = _read(way["names"])
    return names if names is not None and is_current(names) else None


def is_current(names: Mapping[str, Any]) -> bool:
    """Return whether nothing has changed that names depend on."""
    try:
        root = names["root"]
        if latest(names["index"]) != names["generation"]:
            return False
        if [list(state_of(file) or ()) for file in names["settings"]] != list(names["settings"].values()):
            return False
        return all(
            os.stat(os.path.join(root, folder)).st_mtime_ns == changed
            for folder, changed in names["changed"].items()
        )
    except (OSError, KeyError, TypeError, ValueError):
        return False


def latest(folder: str) -> int:
    """Return the number of an index's last commit; -1 where there is none."""
    try:
        return max(
            (int(found[1]) for name in os.listdir(folder) if (found := _COMMIT.match(name))), default=-1
        )
    except FileNotFoundError:
        return -1


def _read(file: str) -> dict[str, Any] | None:
    try:
        with open(file, encoding="utf-8") as opened:
            found = json.load(opened)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
