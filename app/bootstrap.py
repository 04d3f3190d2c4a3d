"""From flags and configuration to an open vault and a chat's dependencies; the wiring of every front door."""

import logging
import sys
import uuid
from collections.abc import Sequence
from os.path import exists  # this answers no where the disk cannot tell
from pathlib import Path
from typing import TYPE_CHECKING

from app.config.file import FILE_NAME
from app.config.folders import config_folder, lies_in
from app.config.settings import ENV_PREFIX, Configuration, Settings, VaultEntry, load_configuration
from app.errors import BadRequestError, ConfigError, VaultNotFoundError
from app.sentences import Sentence
from app.showing import in_line
from app.spoken import spoken

if TYPE_CHECKING:
    from app.vault.client import VaultClient

LOGGER_NAME = "vault_assistant"
STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class _FieldFormatter(logging.Formatter):
    """A line per record, followed by the fields given as ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record and its extra fields."""
        fields = {key: value for key, value in vars(record).items() if key not in STANDARD_FIELDS}
        shown = " ".join(f"{key}={value!r}" for key, value in fields.items())
        head, _, traceback = super().format(record).partition("\n")
        line = f"{head} {shown}" if shown else head
        return f"{line}\n{traceback}" if traceback else line


def set_up_logging(debug: bool = False) -> None:
    """Keep the log silent, or with ``debug`` write it to stderr."""
    logger = logging.getLogger(LOGGER_NAME)
    logger.handlers.clear()
    if debug:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(_FieldFormatter("%(asctime)s %(levelname)s %(message)s"))
        logger.setLevel(logging.DEBUG)
        logger.addHandler(handler)
    else:
        logger.setLevel(logging.NOTSET)
        logger.addHandler(logging.NullHandler())


def configured(config: Path | None = None, *, of_folder: bool = True) -> Configuration:
    """Read the configuration as `load_configuration` does, and say on stderr which file is ignored."""
    found = load_configuration(config, of_folder=of_folder)
    if found.ignored is not None and found.ignored.is_ours:
        line = Sentence(
            "'{file}' is ignored: {reason}", file=found.ignored.path, reason=found.ignored.reason
        ).said(spoken())
        sys.stderr.write(in_line(" ".join(line.split())) + "\n")
        sys.stderr.flush()
    return found


def open_vault(vault: str | None = None, config: Path | None = None) -> "VaultClient":
    """Open the vault a person means, with the configuration that `configured` finds.

    Args:
        vault: As for `open_configured`.
        config: A configuration file that was named.

    Raises:
        VaultNotFoundError: there is none; the hint says the ways to name one.
        ConfigError: the configuration is wrong.
    """
    return open_configured(vault, configured(config).settings)


def open_vaults(named: Sequence[str], settings: Settings) -> "dict[str, VaultClient]":
    """Open one vault, or several that a person means, by what they are called among each other.

    Args:
        named: Each as for `open_configured`, or the name of a group, or ``NAME=FOLDER``. Without any, as
            `open_configured` without one.
        settings: The settings.

    Returns:
        The vaults by name; a single one by the name `ALONE`. One that is configured has the name it is
        configured with, any other that of its folder unless another is given. Of several, one that cannot
        be opened is said on stderr and left out.

    Raises:
        VaultNotFoundError: there is none of them; the hint says the ways to name one.
        ConfigError: the settings would keep the index or the journal inside the vault.
        BadRequestError: two have one name, or one lies inside another.
    """
    from app.vault.named import ALONE, check_apart, each_of

    given = list(named) or ([str(settings.vault)] if settings.vault is not None else [])
    wanted = [one for each in given for one in settings.groups.get(each, (each,))]
    if len(wanted) < 2:
        return {ALONE: open_configured(_place_of(wanted[0], settings)[1] if wanted else None, settings)}
    places: dict[str, str] = {}
    for one in dict.fromkeys(wanted):
        name, place = _place_of(one, settings)
        if name in places:
            raise BadRequestError(
                "two vaults are called '{name}'", "name one: --vault NAME=FOLDER", name=name
            )
        places[name] = place
    found, failed = each_of(places, lambda place: open_configured(place, settings))
    for notice in failed:
        sys.stderr.write(f"{notice}\n")
    sys.stderr.flush()
    check_apart({name: opened.root for name, opened in found.items()})
    return found


def _place_of(written: str, settings: Settings) -> tuple[str, str]:
    """Return what a vault is called among several, and how to open it."""
    if written in settings.vaults:
        return written, written
    name, is_given, place = written.partition("=")
    is_name = is_given and name and place and not set(name) & set("/\\:")
    # A folder whose own name holds the sign is still found by it.
    if is_name and not exists(Path(written).expanduser()):  # noqa: PTH110
        return name, place
    root = Path(written).expanduser()
    known = (name for name, entry in settings.vaults.items() if _same_folder(entry, root))
    return next(known, None) or root.absolute().resolve().name, written


def open_configured(vault: str | None, settings: Settings) -> "VaultClient":
    """Open the vault a person means, with settings that were read.

    Args:
        vault: A folder, or a name from the setting ``vaults``. Without it the environment's, the
            configuration's, then the nearest parent folder that holds ``.obsidian/``.
        settings: The settings.

    Raises:
        VaultNotFoundError: there is none; the hint says the ways to name one.
        ConfigError: the settings would keep the index or the journal inside the vault.
    """
    from app.vault.client import VaultClient
    from app.vault.obsidian import find_vault

    named = vault if vault is not None else str(settings.vault) if settings.vault is not None else None
    if named in settings.groups:
        names = ", ".join(settings.groups[named])
        raise BadRequestError(
            "'{named}' stands for several vaults", "name one of them: {names}", named=named, names=names
        )
    if named is not None:
        root, settings = _named_vault(named, settings)
    else:
        found = find_vault(Path.cwd())
        if found is None:
            raise VaultNotFoundError(
                Sentence("no vault named, and none around '{path}'", path=Path.cwd()),
                Sentence("'vault-assistant setup' asks and sets one; or {hint}", hint=_ways(settings)),
            )
        root = found
    try:
        opened = VaultClient(root, settings)
    except VaultNotFoundError as error:
        raise VaultNotFoundError(error.message, _ways(settings)) from error
    for name, place in (("cache_dir", settings.cache_dir), ("state_dir", settings.state_dir)):
        if place is not None and lies_in(place, opened.root):
            raise ConfigError(
                "setting '{name}': '{place}' lies inside the vault '{root}'",
                "name a folder outside",
                name=name,
                place=place,
                root=opened.root,
            )
    return opened


def _named_vault(named: str, settings: Settings) -> tuple[Path, Settings]:
    if not named.strip():
        raise VaultNotFoundError("the vault's name is empty", _ways(settings))
    entry = settings.vaults.get(named)
    root = entry.path if entry is not None else Path(named).expanduser()
    if entry is None:
        entry = next((one for one in settings.vaults.values() if _same_folder(one, root)), None)
    if entry is not None and entry.index is not None:
        settings = settings.model_copy(update={"index": entry.index})
    return root, settings


def _same_folder(entry: VaultEntry, root: Path) -> bool:
    return entry.path.absolute() == root.absolute()


def _ways(settings: Settings) -> Sentence:
    names = ", ".join(sorted(settings.vaults))
    return Sentence(
        'name an existing folder with --vault PATH{known} or {variable}, put "vault" into '
        "'{file}', or start inside a folder that holds .obsidian/",
        known=Sentence(" (configured names: {names})", names=names) if names else "",
        variable=f"{ENV_PREFIX}VAULT",
        file=config_folder() / FILE_NAME,
    )


def new_trace_id() -> str:
    """Make the id that ties the log lines and the writes of one turn together."""
    return uuid.uuid4().hex[:12]
