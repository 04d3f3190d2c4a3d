"""``setup install``: write the MCP server into another program's configuration."""

from pathlib import Path
from typing import Annotated

import typer

from app import NAME
from app.cli import options, output
from app.cli.mcp import FolderOption, ReadOnlyOption, ToolsOption
from app.errors import ConfigError, WriteError
from app.sentences import Sentence

EXAMPLES = (
    "The change is shown and asked about. What the file held is kept beside it, and only the one entry is "
    "touched. The server is started once, as the client would, before anything is written.\n\n"
    "Clients: claude-desktop, claude-code, codex, cursor, vscode.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant setup install claude-desktop --vault ~/Notes\n"
    "  vault-assistant setup install claude-code --vault ~/Notes --read-only\n"
    "  vault-assistant setup install vscode --vault ~/Notes --project ~/code/garden"
)


def install(
    place: options.Place,
    client: Annotated[
        str, typer.Argument(metavar="CLIENT", help="claude-desktop, claude-code, codex, cursor or vscode.")
    ],
    project: Annotated[
        Path | None, options.option("--project", "FOLDER", "Only for the project in this folder.")
    ] = None,
    tools: ToolsOption = None,
    folder: FolderOption = None,
    read_only: ReadOnlyOption = False,
    yes: options.YesOption = False,
) -> int:
    """Add the MCP server to a client's configuration."""
    from app.bootstrap import configured, open_configured
    from app.mcp.install.change import entry_in, make_change, plan_change
    from app.mcp.install.clients import client_named, start_command, try_server
    from app.mcp.start import serve_vaults
    from app.vault.named import ALONE

    chosen = client_named(client)
    found = configured(place.config, of_folder=False)
    opened = open_configured(place.vault, found.settings)
    # Says now what the server would say when the client starts it.
    serve_vaults({ALONE: opened}, tools=tools or (), folders=folder or (), read_only=read_only)
    # As they can be named from any folder, by any program.
    named = str(place.vault if place.vault in found.settings.vaults else opened.root)
    file_named = found.file.path if found.file is not None else None
    command, arguments = start_command(
        named, config=file_named, tools=tools or (), folders=folder or (), read_only=read_only
    )
    entry = chosen.entry(command, arguments)
    try:
        change = plan_change(chosen.path(project), chosen.block, NAME, entry, is_toml=chosen.is_toml)
    except ConfigError:
        output.show(entry_in("", chosen.block, NAME, entry, is_toml=chosen.is_toml))
        raise
    if change.before == change.after:
        output.tell(Sentence("'{path}' has this entry already.", path=change.path))
        return output.FOUND
    output.show(change.diff)
    output.flush()
    if not (yes or output.is_interactive()):
        raise WriteError("nothing was written: nobody is here to approve it", "add --yes")
    if not yes and not output.agrees(Sentence("Write it? [y/N]")):
        output.tell(Sentence("Nothing was written."))
        return output.NOTHING
    output.tell(Sentence("Started the server: {heard}", heard=try_server(command, arguments)))
    backup = make_change(change)
    output.tell(
        Sentence(
            "Wrote '{path}'. What it held: '{backup}'." if backup else "Wrote '{path}'.",
            path=change.path,
            backup=backup,
        )
    )
    output.tell(Sentence("Restart {client}, or have it load its servers anew.", client=chosen.title))
    return output.FOUND
