"""The command by which a client starts the server, from anywhere, with few variables set."""

import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

SCRIPT = "vault-assistant"


def start_command(
    vault: str,
    *,
    config: Path | None = None,
    tools: Sequence[str] = (),
    folders: Sequence[str] = (),
    read_only: bool = False,
) -> tuple[str, tuple[str, ...]]:
    """Give the program and its arguments, all paths absolute.

    Args:
        vault: The vault's folder, absolute, or a name that the configuration file gives it.
        config: The configuration file, where there is one.
        tools: As the option ``--tools``.
        folders: As the option ``--folder``.
        read_only: As the option.
    """
    arguments = ["mcp", "--vault", vault]
    if config is not None:
        arguments += ["--config", str(config.expanduser().absolute())]
    arguments += [part for name in tools for part in ("--tools", name)]
    arguments += [part for folder in folders for part in ("--folder", folder)]
    if read_only:
        arguments.append("--read-only")
    script = Path(sysconfig.get_path("scripts")) / SCRIPT
    if script.is_file():
        return str(script), tuple(arguments)
    # -P: a folder 'app' where the client happens to stand must not be taken for this program.
    return sys.executable, ("-P", "-m", "app.cli.main", *arguments)
