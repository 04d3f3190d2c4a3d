"""``install``: write the MCP server into another program's configuration."""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from app import NAME
from app.cli import output
from app.cli.mcp import FolderOption, ReadOnlyOption, ToolsOption
from app.errors import ConfigError

EXAMPLES = (
    "What the file held is kept beside it, and only the one entry is touched. The server is started once, as "
    "the client would, before anything is written.\n\n"
    "Clients: claude-desktop, claude-code, cursor, vscode.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant install claude-desktop --vault ~/Notes --dry-run\n"
    "  vault-assistant install claude-code --vault ~/Notes --read-only\n"
    "  vault-assistant install vscode --vault ~/Notes --project ~/code/garden"
)


def install(
    client: Annotated[
        str, typer.Argument(metavar="CLIENT", help="claude-desktop, claude-code, cursor or vscode.")
    ],
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What the client calls the server.")
    ] = "vault-assistant",
    project: Annotated[
        Path | None,
        typer.Option("--project", metavar="FOLDER", help="Only for the project in this folder."),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Another configuration file.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the change and do not make it.")] = False,
    test: Annotated[bool, typer.Option(help="Start the server and ask it something first.")] = True,
    tools: ToolsOption = None,
    folder: FolderOption = None,
    read_only: ReadOnlyOption = False,
    vault: output.VaultOption = None,
    config: output.ConfigOption = None,
    debug: output.DebugOption = False,
) -> int:
    """Add the MCP server to a client's configuration."""
    from app.bootstrap import configured, open_configured
    from app.mcp.install.change import make_change, plan_change
    from app.mcp.install.clients import client_named, start_command
    from app.mcp.start import make_server

    chosen = client_named(client)
    found = configured(config, of_folder=False)
    opened = open_configured(vault, found.settings)
    # Says now what the server would say when the client starts it.
    make_server(opened, tools=tools or (), folders=folder or (), read_only=read_only)
    # As they can be named from any folder, by any program.
    named = vault if vault is not None and vault in found.settings.vaults else str(opened.root)
    file_named = found.file.path if found.file is not None else None
    command, arguments = start_command(
        named, config=file_named, tools=tools or (), folders=folder or (), read_only=read_only
    )
    entry = chosen.entry(command, arguments)
    try:
        change = plan_change(file or chosen.path(project), chosen.block, name, entry)
    except ConfigError:
        output.show(_to_paste(chosen.block, name, entry))
        raise
    if change.before == change.after:
        output.tell(f"'{change.path}' has this entry already.")
        return output.FOUND
    output.show(change.diff)
    if dry_run:
        output.tell("Not written: this is a dry run.")
        return output.FOUND
    if test:
        from app.mcp.install.trial import try_server

        output.tell(f"Started the server: {try_server(command, arguments)}")
    backup = make_change(change)
    output.tell(f"Wrote '{change.path}'." + (f" What it held: '{backup}'." if backup else ""))
    output.tell(f"Restart {chosen.title}, or have it load its servers anew.")
    if client == "claude-code":
        output.tell(f"It can be told what the vault holds: {shlex.join([NAME, 'skill', '--vault', named])}")
    return output.FOUND


def _to_paste(block: str, name: str, entry: Mapping[str, Any]) -> str:
    return json.dumps({block: {name: entry}}, ensure_ascii=False, indent=2)
