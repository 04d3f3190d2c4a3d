"""An entry in a configuration file of TOML: everything else in it stays as it is, comments too."""

import tomllib
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from app.errors import ConfigError


def with_table(text: str, block: str, name: str, entry: dict[str, Any]) -> str:
    """Return the text of a TOML file with ``entry`` as table ``name`` of its table ``block``.

    A table of that name is merged with the new one, whose values win.

    Raises:
        ConfigError: the text is no TOML, or cannot be changed without changing something else.
    """
    try:
        before, file = tomllib.loads(text), tomlkit.parse(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError("the file is not TOML, so it is left alone: {reason}", reason=error) from error
    tables = before.get(block, {})
    if not isinstance(tables, dict) or not isinstance(tables.get(name, {}), dict):
        raise ConfigError("'{block}' is not a table of tables", "mend the file first", block=block)
    merged = {**tables.get(name, {}), **entry}
    if tables.get(name) == merged:
        return text
    try:
        known = file.setdefault(block, tomlkit.table(is_super_table=True))
        if name not in known:
            known[name] = tomlkit.table()
        known[name].update(entry)
        after = tomlkit.dumps(file)
        if text.count("\n") == text.count("\r\n") > 0:
            # A file of Windows stays one; what is added has the other line ends.
            after = after.replace("\r\n", "\n").replace("\n", "\r\n")
        kept = tomllib.loads(after) == {**before, block: {**tables, name: merged}}
    except (TOMLKitError, ValueError):
        kept = False
    if not kept:
        raise ConfigError("the file is laid out in a way that cannot be kept", "add the entry by hand")
    return after
