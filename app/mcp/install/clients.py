"""The programs that can start the server: where each is configured, and which command it runs."""

import asyncio
import os
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TextIO, cast

from platformdirs.unix import Unix

from app.errors import BadRequestError, VaultError
from app.sentences import Sentence

SCRIPT = "vault-assistant"
PATIENCE_SECONDS = 60.0
SAID_CHARS = 500


@dataclass(frozen=True, slots=True)
class Client:
    """A program: its name, and where a server's entry belongs.

    ``application`` and ``file`` name its own configuration file, in the system's folder for such files or,
    where ``application`` is empty, in the home folder; ``project_file`` is that of one project, where it
    has one. ``block`` is the key that holds the servers.
    """

    title: str
    block: str
    application: str
    file: str
    project_file: str = ""
    names_kind: bool = False
    """Whether an entry says that the server talks over standard input and output."""
    moved_by: str = ""
    """The program's own variable for the folder in which it keeps its configuration."""

    @property
    def is_toml(self) -> bool:
        """Whether the configuration is TOML, whatever its file is called, and not JSON."""
        return self.file.endswith(".toml")

    def path(self, project: Path | None = None, platform: str = sys.platform) -> Path:
        """Return the configuration file, whether it exists or not.

        Raises:
            BadRequestError: a project is named, and the program has no configuration for one.
        """
        if project is not None:
            if not self.project_file:
                raise BadRequestError(
                    "{title} has no configuration for one project", "leave --project out", title=self.title
                )
            return project.expanduser().absolute() / self.project_file
        if self.application:
            mac = Path.home() / "Library" / "Application Support"
            folder = mac if platform == "darwin" else Path(Unix().user_config_dir)
            return folder / self.application / self.file
        moved = os.environ.get(self.moved_by)
        return Path(moved).expanduser() / Path(self.file).name if moved else Path.home() / self.file

    def entry(self, command: str, arguments: tuple[str, ...]) -> dict[str, Any]:
        """Return the entry of a server that is started by a command."""
        kind = {"type": "stdio"} if self.names_kind else {}
        return {**kind, "command": command, "args": list(arguments)}


CLIENTS: Mapping[str, Client] = {
    "claude-desktop": Client("Claude Desktop", "mcpServers", "Claude", "claude_desktop_config.json"),
    "claude-code": Client(
        "Claude Code", "mcpServers", "", ".claude.json", ".mcp.json", True, "CLAUDE_CONFIG_DIR"
    ),
    "codex": Client(
        "Codex", "mcp_servers", "", ".codex/config.toml", ".codex/config.toml", moved_by="CODEX_HOME"
    ),
    "cursor": Client("Cursor", "mcpServers", "", ".cursor/mcp.json", ".cursor/mcp.json"),
    "vscode": Client("VS Code", "servers", "Code", "User/mcp.json", ".vscode/mcp.json", names_kind=True),
}


def client_named(name: str) -> Client:
    """Return a client; raises BadRequestError where there is none of that name."""
    if name not in CLIENTS:
        raise BadRequestError(
            "unknown client '{name}'", "valid: {valid}", name=name, valid=", ".join(CLIENTS)
        )
    return CLIENTS[name]


def start_command(
    vault: str,
    *,
    config: Path | None = None,
    tools: Sequence[str] = (),
    folders: Sequence[str] = (),
    read_only: bool = False,
) -> tuple[str, tuple[str, ...]]:
    """Return the program and its arguments, all paths absolute.

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


def try_server(command: str, arguments: tuple[str, ...]) -> Sentence:
    """Start a server from the home folder with only the variables that clients pass on.

    Returns:
        What it offers, in one line.

    Raises:
        VaultError: it does not start, or does not answer; the message has what it said.
    """
    with TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        try:
            asked = _asked(command, arguments, cast(TextIO, said))
            return asyncio.run(asyncio.wait_for(asked, PATIENCE_SECONDS))
        except Exception as error:
            said.seek(0)
            tail = " ".join(said.read().split())[-SAID_CHARS:]
            raise VaultError(
                "the server does not answer, so nothing was written: {reason}",
                "start it by hand: {started}",
                reason=tail or f"{type(error).__name__}: {error}",
                started=" ".join([command, *arguments]),
            ) from error


async def _asked(command: str, arguments: tuple[str, ...], said: TextIO) -> Sentence:
    # Whoever only names a client needs none of the SDK.
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    how = StdioServerParameters(command=command, args=list(arguments), cwd=Path.home())
    async with Client(stdio_client(how, errlog=said)) as client:
        tools = tuple(tool.name for tool in (await client.list_tools()).tools)
    return Sentence("it offers {tools}", tools=tools)
