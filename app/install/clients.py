"""The programs that can start the server: where each keeps its configuration, and in what form."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs.unix import Unix

from app.errors import BadRequestError


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

    def path(self, project: Path | None = None, platform: str = sys.platform) -> Path:
        """Give the configuration file, whether it exists or not.

        Raises:
            BadRequestError: a project is named, and the program has no configuration for one.
        """
        if project is not None:
            if not self.project_file:
                raise BadRequestError(
                    f"{self.title} has no configuration for one project", "leave --project out"
                )
            return project.expanduser().absolute() / self.project_file
        if self.application:
            return _applications(platform) / self.application / self.file
        return _home_of(self) / self.file

    def entry(self, command: str, arguments: tuple[str, ...]) -> dict[str, Any]:
        """Give the entry of a server that is started by a command."""
        kind = {"type": "stdio"} if self.names_kind else {}
        return {**kind, "command": command, "args": list(arguments)}


CLIENTS: Mapping[str, Client] = {
    "claude-desktop": Client("Claude Desktop", "mcpServers", "Claude", "claude_desktop_config.json"),
    "claude-code": Client("Claude Code", "mcpServers", "", ".claude.json", ".mcp.json", names_kind=True),
    "cursor": Client("Cursor", "mcpServers", "", ".cursor/mcp.json", ".cursor/mcp.json"),
    "vscode": Client("VS Code", "servers", "Code", "User/mcp.json", ".vscode/mcp.json", names_kind=True),
}


def client_named(name: str) -> Client:
    """Give a client; raises BadRequestError where there is none of that name."""
    if name not in CLIENTS:
        raise BadRequestError(f"unknown client '{name}'", "valid: " + ", ".join(CLIENTS))
    return CLIENTS[name]


def _applications(platform: str) -> Path:
    """Give the folder in which desktop programs keep their settings."""
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(Unix().user_config_dir)


def _home_of(client: Client) -> Path:
    # Claude Code's own variable for where it keeps everything.
    moved = os.environ.get("CLAUDE_CONFIG_DIR") if client.file == ".claude.json" else None
    return Path(moved).expanduser() if moved else Path.home()
