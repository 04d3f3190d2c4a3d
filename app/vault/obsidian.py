"""The vault's own settings, read from ``.obsidian/app.json`` and never written."""

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from app.errors import PathError, PatternError
from app.notices import Notice, NoticeKind
from app.sentences import Sentence
from app.system import flags
from app.vault.paths import clean_path, nfc, path_key

if TYPE_CHECKING:
    import regex

SETTINGS_FOLDER = ".obsidian"
SETTINGS_FILE = f"{SETTINGS_FOLDER}/app.json"
TEMPLATES_FILE = f"{SETTINGS_FOLDER}/templates.json"
DAILY_FILE = f"{SETTINGS_FOLDER}/daily-notes.json"
PERIODIC_FILE = f"{SETTINGS_FOLDER}/plugins/periodic-notes/data.json"
PLUGINS_FILE = f"{SETTINGS_FOLDER}/community-plugins.json"
TYPES_FILE = f"{SETTINGS_FOLDER}/types.json"
TASKS_FILE = f"{SETTINGS_FOLDER}/plugins/obsidian-tasks-plugin/data.json"
DAILY_FORM = "YYYY-MM-DD"
Unit = Literal["day", "week", "month", "quarter", "year"]
UNITS: tuple[Unit, ...] = get_args(Unit)
_PERIODS: Mapping[Unit, tuple[str, str]] = {
    "day": ("daily", DAILY_FORM),
    "week": ("weekly", "gggg-[W]ww"),
    "month": ("monthly", "YYYY-MM"),
    "quarter": ("quarterly", "YYYY-[Q]Q"),
    "year": ("yearly", "YYYY"),
}
"""What Periodic Notes calls notes of a unit of time, and the form of their names where none is set."""
TEMPLATER_FILE = f"{SETTINGS_FOLDER}/plugins/templater-obsidian/data.json"
MAX_SETTINGS_BYTES = 4_000_000
SHOWN_CHARS = 80
"""Most that is shown of a value that is not understood."""
MATCH_SECONDS = 0.25
"""Longest comparison of one name with one expression, in seconds; an ordinary one takes microseconds."""

TrashOption = Literal["system", "local", "none"]
LinkFormat = Literal["shortest", "relative", "absolute"]


@dataclass(frozen=True, slots=True)
class ObsidianSettings:
    """What Obsidian itself is told about this vault; its defaults where it is told nothing."""

    ignore_filters: tuple[str, ...] = ()
    trash_option: TrashOption = "system"
    new_link_format: LinkFormat = "shortest"
    all_file_types: bool = False
    strict_line_breaks: bool = False
    """Whether a line that ends within a paragraph is shown as going on, as Markdown has it."""
    problems: tuple[str, ...] = ()
    hides_all: Notice | None = None
    """Why it is not known what is excluded, so that every note is; None where it is known."""
    is_unsettled: bool = False
    """Whether the file is to be read again though it looks unchanged."""
    _known: bool = False
    """Whether they come from a file."""
    _prefixes: tuple[str, ...] = ()
    _patterns: tuple["regex.Pattern[str]", ...] = ()

    @property
    def rules(self) -> str:
        """Everything that decides what is excluded; equal where the same paths are."""
        patterns = tuple(pattern.pattern for pattern in self._patterns)
        return repr((bool(self.hides_all), self._prefixes, patterns))

    def is_ignored(self, path: str) -> bool:
        """Return whether an "excluded files" filter matches: the start of the path, or ``/expression/``."""
        if self.hides_all:
            return True
        if self._prefixes and path_key(path).startswith(self._prefixes):
            return True
        for pattern in self._patterns:
            try:
                if pattern.search(nfc(path), timeout=MATCH_SECONDS):
                    return True
            except TimeoutError:
                self._give_up(pattern.pattern)
                return True
        return False

    def _give_up(self, source: str) -> None:
        """Exclude every note from now on: who gave the vault away chose an expression that never ends."""
        reason = Notice(NoticeKind.FILTER_TOO_SLOW, source=source)
        # What is read from the file never changes, but for this, which shows only as names are compared.
        object.__setattr__(self, "hides_all", reason)
        object.__setattr__(self, "problems", (*self.problems, reason))


def read_obsidian_settings(root: Path, earlier: ObsidianSettings | None = None) -> ObsidianSettings:
    """Read the settings of the vault at `root`; what is missing or odd takes its default.

    What is excluded is private, so it never depends on luck: while the file cannot be read, or is gone,
    `earlier` settings that exclude something stay; without them, or with a filter that is not understood,
    every note is excluded.

    Args:
        root: Folder of the vault.
        earlier: What was read before.
    """
    try:
        values = _load(root)
    except OSError as error:
        # Such as too many open files: nothing about the file need change for it to be read.
        return replace(_unread(error, earlier), is_unsettled=True)
    except (ValueError, RecursionError) as error:
        return _unread(error, earlier)
    if values is None and earlier is not None and earlier.ignore_filters:
        # A sync program may put it back in a moment, and what was private would be shown until then.
        return replace(
            earlier, problems=(f"{SETTINGS_FILE} is gone; its earlier settings hold until it is back",)
        )
    known = values or {}
    settings = ObsidianSettings(
        trash_option=_choice(known, "trashOption", get_args(TrashOption), "system"),
        new_link_format=_choice(known, "newLinkFormat", get_args(LinkFormat), "shortest"),
        all_file_types=known.get("showUnsupportedFiles") is True,
        strict_line_breaks=known.get("strictLineBreaks") is True,
        _known=values is not None,
    )
    try:
        filters = _filters(known.get("userIgnoreFilters") or [])
        prefixes = (path_key(text.removeprefix("/")) for text in filters if not _is_expression(text))
        patterns = tuple(_compiled(text) for text in filters if _is_expression(text))
    except PatternError as error:
        said = Notice(NoticeKind.FILTERS_NOT_UNDERSTOOD, reason=error.expected)
        return replace(settings, problems=(said,), hides_all=said)
    return replace(
        settings, ignore_filters=filters, _prefixes=tuple(filter(None, prefixes)), _patterns=patterns
    )


class Templates(NamedTuple):
    """Where templates lie, and by which forms a template writes a date and a time that names none."""

    folder: str
    date_form: str
    time_form: str


def templates(root: Path) -> Templates:
    """Read how templates are filled in; Obsidian's own defaults where it is told nothing."""
    values = _plugin_settings(root / TEMPLATES_FILE)
    forms = (_text_in(values, "dateFormat", "YYYY-MM-DD"), _text_in(values, "timeFormat", "HH:mm"))
    return Templates(_path_in(values, "folder"), *forms)


class TemplatePlaces(NamedTuple):
    """How the paths of a vault's templates begin: folders, with a slash behind, and single notes."""

    starts: tuple[str, ...]

    def has(self, path: str) -> bool:
        """Return whether a note is a template."""
        return path_key(path).startswith(tuple(map(path_key, self.starts)))


def template_places(root: Path) -> TemplatePlaces:
    """Read where templates lie, by the settings of Obsidian and of the plugin Templater."""
    templater = _path_in(_plugin_settings(root / TEMPLATER_FILE), "templates_folder")
    folders = (f"{folder}/" for folder in (templates(root).folder, templater) if folder)
    told = (one.template for unit in UNITS for one in daily_notes(root, unit) if one.template)
    notes = (f"{template.removesuffix('.md')}.md" for template in told)
    return TemplatePlaces(tuple(dict.fromkeys((*folders, *notes))))


def new_notes_folder(root: Path, current: str) -> str:
    """Name the folder into which Obsidian puts a new note; empty for the vault's root.

    Args:
        root: Folder of the vault.
        current: The folder of what is open at the moment.
    """
    values = _plugin_settings(root / SETTINGS_FILE)
    match values.get("newFileLocation"):
        case "folder":
            return _path_in(values, "newFileFolderPath")
        case "current":
            return current
    return ""


class DailyNotes(NamedTuple):
    """How notes of a unit of time are made: in which folder, named by which form, from which template.

    The folder ends in a slash; it is empty for the root of the vault.
    """

    folder: str
    form: str
    template: str


def own_form(unit: Unit) -> DailyNotes:
    """Return how notes of a unit of time are made where nothing is set."""
    return DailyNotes("", _PERIODS[unit][1], "")


def daily_notes(root: Path, unit: Unit = "day") -> tuple[DailyNotes, ...]:
    """Read how daily notes are made, new ones in the first way: by Periodic Notes where it is on.

    It is empty where nothing is set, or the settings cannot be read. Of other units Periodic Notes alone
    makes notes.
    """
    name, form = _PERIODS[unit]
    periodic, plugins = _plugin_settings(root / PERIODIC_FILE), _settings(root / PLUGINS_FILE)
    listed = periodic.get("calendarSets")
    sets = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    sets.sort(key=lambda one: one.get("id") != periodic.get("activeCalendarSet"))
    own = [row for row in (periodic.get(name), *(one.get(unit) for one in sets)) if isinstance(row, dict)]
    on = [row for row in own if row.get("enabled")]
    core = [_plugin_settings(root / DAILY_FILE)] if unit == "day" else []
    is_on = not isinstance(plugins, list) or "periodic-notes" in plugins
    return tuple(
        DailyNotes(
            f"{folder}/" if (folder := _path_in(values, "folder")) else "",
            _text_in(values, "format", form),
            _path_in(values, "template") or _path_in(values, "templatePath"),
        )
        for values in ([*on, *core] if is_on else [*core, *on])
        if values
    )


def property_types(root: Path) -> Mapping[str, str]:
    """Read the types of properties, such as ``date``, by the keys of their names."""
    own = _plugin_settings(root / TYPES_FILE).get("types")
    rows = own.items() if isinstance(own, dict) else ()
    told = {path_key(name): kind for name, kind in rows if isinstance(kind, str)}
    return {**told, "tags": "tags", "aliases": "aliases", "cssclasses": "multitext"}


class TasksPlugin(NamedTuple):
    """How the plugin Tasks dates what is done, empty where it does not, and the text that its tasks hold."""

    done: str
    filter: str


def tasks_plugin(root: Path) -> TasksPlugin | None:
    """Read the settings of the plugin Tasks; None where it is not on."""
    values, plugins = _plugin_settings(root / TASKS_FILE), _settings(root / PLUGINS_FILE)
    if not isinstance(plugins, list) or "obsidian-tasks-plugin" not in plugins:
        return None
    done = "  [completion:: {day}]" if values.get("taskFormat") == "dataview" else " ✅ {day}"
    dates = values.get("setDoneDate") is not False
    return TasksPlugin(done if dates else "", _text_in(values, "globalFilter", ""))


def _plugin_settings(path: Path) -> Mapping[str, Any]:
    """Read the settings of one of Obsidian's plugins; empty where they cannot be read."""
    values = _settings(path)
    return values if isinstance(values, dict) else {}


def _settings(path: Path) -> object:
    try:
        return json.loads(_read_regular(path))
    except (OSError, ValueError, RecursionError):
        return None


def _text_in(values: Mapping[str, Any], key: str, default: str) -> str:
    text = values.get(key)
    return text.strip() if isinstance(text, str) and text.strip() else default


def _path_in(values: Mapping[str, Any], key: str) -> str:
    try:
        path = values.get(key)
        return clean_path(path).strip() if isinstance(path, str) else ""
    except PathError:
        return ""


def settings_signature(root: Path) -> tuple[int, ...]:
    """Return what changes when ``app.json`` does, its permissions included; nothing without one."""
    try:
        # Asked for every note that is indexed or shown, and making a path would cost more than the look.
        found = os.stat(f"{root}/{SETTINGS_FILE}")  # noqa: PTH116
    except OSError as error:
        return (error.errno or 0,)
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def _unread(error: Exception, earlier: ObsidianSettings | None) -> ObsidianSettings:
    reason = Notice(NoticeKind.FILTERS_UNREADABLE, file=SETTINGS_FILE, reason=str(error))
    if earlier is not None and earlier._known:
        return replace(
            earlier,
            problems=(Sentence("{reason}; its earlier settings hold until it can", reason=reason),),
            is_unsettled=False,
        )
    said = Notice(NoticeKind.NO_NOTE_SHOWN, reason=reason)
    return ObsidianSettings(problems=(said,), hides_all=said)


def _load(root: Path) -> Mapping[str, Any] | None:
    """Read the file; None where there is none.

    Raises:
        OSError: it is there and cannot be read.
        ValueError: it is no JSON object.
        RecursionError: it is nested too deeply.
    """
    try:
        loaded = json.loads(_read_regular(root / SETTINGS_FILE))
    except (FileNotFoundError, NotADirectoryError):
        if any(path.is_symlink() for path in (root / SETTINGS_FOLDER, root / SETTINGS_FILE)):
            raise
        return None
    if not isinstance(loaded, dict):
        raise ValueError("it is not a JSON object")
    return loaded


def _read_regular(path: Path) -> str:
    # Opening a FIFO would wait for a writer for ever.
    descriptor = os.open(path, flags("RDONLY", "NONBLOCK"))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("it is not a regular file")
        data = file.read(MAX_SETTINGS_BYTES + 1)
    if len(data) > MAX_SETTINGS_BYTES:
        raise ValueError(f"it is larger than {MAX_SETTINGS_BYTES} bytes")
    return data.decode("utf-8-sig")


def _filters(listed: object) -> tuple[str, ...]:
    """Return the "excluded files" as Obsidian lists them.

    Raises:
        PatternError: they are no list of texts.
    """
    filters = [listed] if isinstance(listed, str) else listed
    if not isinstance(filters, list):
        raise PatternError(
            "{file}: 'userIgnoreFilters' is not a list: {value}", file=SETTINGS_FILE, value=_json(listed)
        )
    if odd := [item for item in filters if not isinstance(item, str)]:
        raise PatternError(
            "{file}: 'userIgnoreFilters' holds {value}, which is not a text",
            file=SETTINGS_FILE,
            value=_json(odd[0]),
        )
    return tuple(nfc(item) for item in filters if item)


def _is_expression(text: str) -> bool:
    return len(text) > 2 and text.startswith("/") and text.endswith("/")


def _compiled(text: str) -> "regex.Pattern[str]":
    """Return an expression between slashes, ready to be compared; raises PatternError where it is none."""
    from app.vault.javascript import compiled, translate

    try:
        return compiled(translate(text[1:-1]).text)
    except PatternError as error:
        said = "excluded files: the expression {text} is not understood: expected {expected}"
        raise PatternError(Sentence(said, text=text, expected=error.expected)) from error


def _choice(values: Mapping[str, Any], key: str, choices: tuple[Any, ...], default: str) -> Any:  # noqa: ANN401
    value = values.get(key, default)
    return value if value in choices else default


def _json(value: object) -> str:
    """Return a value as it stands in a file of settings, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN_CHARS else text[: SHOWN_CHARS - 1] + "…"


def find_vault(start: Path) -> Path | None:
    """Find the nearest folder, from `start` upwards, that Obsidian has opened as a vault."""
    folder = start.absolute()
    return next((each for each in (folder, *folder.parents) if _is_vault(each)), None)


def _is_vault(folder: Path) -> bool:
    try:
        return (folder / SETTINGS_FOLDER).is_dir()
    except OSError:
        return False
