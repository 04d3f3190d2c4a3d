"""Change one value of a configuration file, and keep all others."""

import json
from pathlib import Path
from typing import Any

from app.config.file import FILE_NAME, ConfigFile
from app.config.folders import config_folder, replace_file
from app.config.trust import trust
from app.errors import ConfigError
from app.sentences import reason_of
from app.system import own_user


def change_config(file: ConfigFile | None, keys: tuple[str, ...], value: object) -> ConfigFile:
    """Set a value in the file that holds, or the person's own where there is none; return it as it is then.

    A folder's file that was trusted stays trusted as it is then: what changed is what the person asked for.

    Args:
        file: The file, as it was read.
        keys: Where the value stands, such as ``("index", "indexes", "notes", "embedding_model")``.
        value: What stands there from then on.

    Raises:
        ConfigError: the file changed meanwhile, or cannot be written.
    """
    path = file.path if file is not None else config_folder() / FILE_NAME
    try:
        values = _unchanged(file, path)
        inner = values
        for name in keys[:-1]:
            inner = inner.setdefault(name, {})
        inner[keys[-1]] = value
        data = (json.dumps(values, indent=2) + "\n").encode()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # A link that leads to the file stays a link.
        replace_file(path.resolve(), data)
    except OSError as error:
        raise ConfigError("cannot write '{path}': {reason}", path=path, reason=reason_of(error)) from error
    if file is None:
        return ConfigFile(path, data, values, "own", own_user())
    # Exactly what was written: somebody may have put another file in its place since.
    changed = file._replace(data=data, values=values)
    if file.origin == "folder":
        trust(path.parent, changed.accepted)
    return changed


def _unchanged(file: ConfigFile | None, path: Path) -> dict[str, Any]:
    if file is None:
        if path.exists():
            raise ConfigError("'{path}' was made meanwhile", "try again", path=path)
        return {}
    if path.read_bytes() != file.data:
        raise ConfigError("'{path}' changed meanwhile", "try again", path=path)
    values: dict[str, Any] = json.loads(file.data)
    return values
