"""Which configuration file holds, read once, and which one was passed over and why."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, Literal, NamedTuple

from app.config.folders import config_folder, is_same, read_small
from app.config.paths import destinations
from app.errors import ConfigError
from app.sentences import Sentence

FILE_NAME = "config.json"

Origin = Literal["option", "variable", "folder", "own"]
"""How a file was chosen: by --config, by a variable, as that of the working folder, as the person's own."""

NOT_FOR_CLIENTS = (
    "a server takes no file of the folder that a client starts it in; if it is yours, name it with --config"
)


class ConfigFile(NamedTuple):
    """A configuration file as it was read."""

    path: Path
    """Absolute, as it was named: a symbolic link is not resolved."""
    data: bytes
    values: dict[str, Any]
    """What `data` says; relative paths in it are still as they stand there."""
    origin: Origin
    owner: int
    """The user's number."""

    @property
    def accepted(self) -> bytes:
        """What a person accepts with the file: its content, and where its paths lead through links."""
        paths = destinations(self.values, self.path.parent)
        return b"\0".join([self.data, *(path.encode("utf-8", "surrogatepass") for path in paths)])


class Ignored(NamedTuple):
    """The working folder's file, which was not taken."""

    path: Path
    reason: str
    """Why, and how to accept it."""
    is_ours: bool
    """Whether it names settings of this program; many a project has a config.json of another one."""


def read_config(path: Path, origin: Origin) -> ConfigFile:
    """Read a configuration file; its values are not checked.

    Raises:
        FileNotFoundError: nothing is there.
        ConfigError: it cannot be read, or is not a JSON object.
    """
    path = path.absolute()
    found = read_small(path)
    try:
        values = json.loads(found.data.decode())
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            "cannot read the configuration '{path}': {reason}", "it must be JSON", path=path, reason=error
        ) from error
    if not isinstance(values, dict):
        raise ConfigError("the configuration '{path}' is not a JSON object", 'start it with "{{"', path=path)
    return ConfigFile(path, found.data, values, origin, found.stat.st_uid)


def read_named(path: Path, origin: Origin) -> ConfigFile:
    """Read the configuration file that a person named; raises ConfigError also where there is none."""
    try:
        return read_config(path.expanduser(), origin)
    except (FileNotFoundError, RuntimeError) as error:
        raise ConfigError(
            "no configuration file at '{path}'", "name an existing JSON file", path=path
        ) from error


def choose_file(names: Collection[str], *, of_folder: bool) -> tuple[ConfigFile | None, Ignored | None]:
    """Choose where none was named: the working folder's file if it is trusted, else the person's own.

    Args:
        names: The names of all settings; a file with none of them is another program's.
        of_folder: Whether the working folder's file may be taken at all.

    Returns:
        The file that holds, and the one that was passed over; each may be missing.

    Raises:
        ConfigError: the person's own file cannot be read.
    """
    here = _of_working_folder(names, allowed=of_folder)
    if isinstance(here, ConfigFile):
        return here, None
    try:
        return read_config(config_folder() / FILE_NAME, "own"), here
    except FileNotFoundError:
        return None, here


def _of_working_folder(names: Collection[str], *, allowed: bool) -> ConfigFile | Ignored | None:
    try:
        path = Path(FILE_NAME).absolute()
        if is_same(path, config_folder() / FILE_NAME):
            return None
        file = read_config(path, "folder")
    except FileNotFoundError:
        # No such file, or the working folder itself was deleted.
        return None
    except ConfigError as error:
        return Ignored(path, error.message, is_ours=False)
    if not any(name in file.values for name in names):
        return None
    reason = _objection(file) if allowed else Sentence(NOT_FOR_CLIENTS)
    return file if reason is None else Ignored(path, reason, is_ours=True)


def _objection(file: ConfigFile) -> str | None:
    """Say why the working folder's file does not hold; nothing where it is trusted as it was read."""
    # Most working folders have no such file.
    from app.config.trust import standing_of

    try:
        standing = standing_of(file.path.parent, file.accepted)
    except ConfigError as error:
        return str(error)
    if standing == "trusted":
        return None
    return Sentence(
        "it changed since you trusted it; 'vault-assistant setup trust' shows what it would change, and asks"
        if standing == "changed"
        else "you have not trusted it; 'vault-assistant setup trust' shows what it would change, and asks"
    )
