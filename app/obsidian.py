"""The vault's own settings, read from ``.obsidian/`` and never written."""

import json
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from app.paths import nfc, path_key

SETTINGS_FOLDER = ".obsidian"
MAX_SETTINGS_BYTES = 4_000_000

TrashOption = Literal["system", "local", "none"]
LinkFormat = Literal["shortest", "relative", "absolute"]


@dataclass(frozen=True, slots=True)
class ObsidianSettings:
    """What Obsidian itself is told about this vault; its defaults where it is told nothing."""

    ignore_filters: tuple[str, ...] = ()
    trash_option: TrashOption = "system"
    new_link_format: LinkFormat = "shortest"
    use_markdown_links: bool = False
    all_file_types: bool = False
    attachment_folder: str = "/"
    daily_folder: str = ""
    daily_format: str = "YYYY-MM-DD"
    templates_folder: str = ""
    property_types: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    _prefixes: tuple[str, ...] = ()
    _patterns: tuple[re.Pattern[str], ...] = ()

    def is_ignored(self, path: str) -> bool:
        """Tell whether an "excluded files" filter matches: the start of the path, or ``/expression/``."""
        if self._prefixes and path_key(path).startswith(self._prefixes):
            return True
        return any(pattern.search(nfc(path)) for pattern in self._patterns)


def read_obsidian_settings(root: Path) -> ObsidianSettings:
    """Read the settings of the vault at `root`; what is missing, broken or odd takes its default.

    Args:
        root: Folder of the vault.
    """
    problems: list[str] = []
    app = _Values(root, "app.json", problems)
    daily = _Values(root, "daily-notes.json", problems)
    templates = _Values(root, "templates.json", problems)
    types = _Values(root, "types.json", problems).values.get("types", {})
    filters = app.texts("userIgnoreFilters")
    prefixes, patterns = _compile_filters(filters, problems)
    return ObsidianSettings(
        ignore_filters=filters,
        trash_option=app.choice("trashOption", get_args(TrashOption), "system"),
        new_link_format=app.choice("newLinkFormat", get_args(LinkFormat), "shortest"),
        use_markdown_links=app.values.get("useMarkdownLinks") is True,
        all_file_types=app.values.get("showUnsupportedFiles") is True,
        attachment_folder=app.text("attachmentFolderPath", "/"),
        daily_folder=daily.text("folder", "").strip("/"),
        daily_format=daily.text("format", "") or "YYYY-MM-DD",
        templates_folder=templates.text("folder", "").strip("/"),
        property_types=_text_items(types),
        problems=tuple(problems),
        _prefixes=prefixes,
        _patterns=patterns,
    )


def settings_signature(root: Path) -> tuple[int, int, int]:
    """Give what changes when ``app.json`` does: modification time, size and inode; zeros without one."""
    try:
        found = (root / SETTINGS_FOLDER / "app.json").stat()
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino)


class _Values:
    """The members of one settings file, each checked when taken."""

    def __init__(self, root: Path, name: str, problems: list[str]) -> None:
        self._name = f"{SETTINGS_FOLDER}/{name}"
        self._problems = problems
        self.values = self._load(root)

    def _load(self, root: Path) -> Mapping[str, Any]:
        try:
            loaded = json.loads(_read_regular(root / self._name))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            self._problems.append(f"{self._name} cannot be read: {error}")
            return {}
        if isinstance(loaded, dict):
            return loaded
        self._problems.append(f"{self._name} is not a JSON object")
        return {}

    def text(self, key: str, default: str) -> str:
        value = self.values.get(key, default)
        if isinstance(value, str):
            return nfc(value)
        self._problems.append(f"{self._name}: '{key}' is not a text: {value!r}")
        return default

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key) or []
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list):
            self._problems.append(f"{self._name}: '{key}' is not a list: {value!r}")
            return ()
        if odd := [item for item in value if not isinstance(item, str)]:
            self._problems.append(f"{self._name}: '{key}' holds {odd[0]!r}, which is not a text")
        return tuple(nfc(item) for item in value if isinstance(item, str) and item)

    def choice(self, key: str, choices: tuple[Any, ...], default: Any) -> Any:  # noqa: ANN401
        value = self.values.get(key, default)
        if value in choices:
            return value
        self._problems.append(f"{self._name}: '{key}' is {value!r}, not one of {', '.join(choices)}")
        return default


def _read_regular(path: Path) -> str:
    # Opening a FIFO would wait for a writer for ever.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("it is not a regular file")
        data = file.read(MAX_SETTINGS_BYTES + 1)
    if len(data) > MAX_SETTINGS_BYTES:
        raise OSError(f"it is larger than {MAX_SETTINGS_BYTES} bytes")
    return data.decode("utf-8-sig")


def _compile_filters(
    filters: tuple[str, ...], problems: list[str]
) -> tuple[tuple[str, ...], tuple[re.Pattern[str], ...]]:
    prefixes: list[str] = []
    patterns: list[re.Pattern[str]] = []
    for text in filters:
        if len(text) > 2 and text.startswith("/") and text.endswith("/"):
            # JavaScript names groups (?<name>…), Python (?P<name>…).
            source = re.sub(r"\(\?<(?![=!])", "(?P<", text[1:-1])
            try:
                patterns.append(re.compile(source, re.IGNORECASE))
            except re.error as error:
                problems.append(f"excluded files: the expression {text} is not understood: {error}")
        else:
            prefixes.append(path_key(text.removeprefix("/")))
    return tuple(prefix for prefix in prefixes if prefix), tuple(patterns)


def _text_items(value: object) -> Mapping[str, str]:
    if not isinstance(value, dict):
        return {}
    return {key: item for key, item in value.items() if isinstance(key, str) and isinstance(item, str)}
