"""``mcp``: the server for other programs' agents."""

import secrets
from typing import Annotated

import typer

from app.cli import options, output
from app.cli.serve import AllowHostOption, HostOption, warn
from app.errors import BadRequestError
from app.sentences import Sentence

EXAMPLES = (
    "Without --http it talks over standard input and output, as the client that starts it expects; 'install' "
    "writes that into a client's configuration. Changes to notes follow the setting 'writes'.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant mcp --vault ~/Notes\n"
    "  vault-assistant mcp --vault ~/Notes --read-only --folder Work --folder Journal\n"
    "  vault-assistant mcp --vault ~/Notes --tools pack,search,read\n"
    "  vault-assistant mcp --vault work=~/Work --vault home=~/Notes --folder work:Projects\n"
    "  vault-assistant mcp --vault ~/Notes --http --port 8765"
)
TOKEN_VARIABLE = "VAULT_ASSISTANT_MCP_TOKEN"

ToolsOption = Annotated[
    list[str] | None, options.option("--tools", "NAMES", "Tools to offer, by commas; 'all' for all; repeat.")
]
FolderOption = Annotated[
    list[str] | None, options.option("--folder", "FOLDER", "Show nothing outside this folder; repeat.")
]
ReadOnlyOption = Annotated[bool, typer.Option("--read-only", help="Offer nothing that changes a note.")]


def mcp(
    tools: ToolsOption = None,
    folder: FolderOption = None,
    read_only: ReadOnlyOption = False,
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP.")] = False,
    host: HostOption = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="With --http; 0 for any.")
    ] = 8765,
    token: Annotated[
        str | None,
        typer.Option(
            "--token", metavar="TEXT", envvar=TOKEN_VARIABLE, help="With --http; else one is made up."
        ),
    ] = None,
    no_token: Annotated[bool, typer.Option("--no-token", help="With --http, on this machine only.")] = False,
    allow_host: AllowHostOption = None,
    vault: options.VaultsOption = None,
    config: options.ConfigOption = None,
    debug: options.DebugOption = False,
) -> int:
    """Serve the vault to other agents (MCP)."""
    from app.bootstrap import configured, open_vaults
    from app.mcp.start import serve_vaults
    from app.serving.address import Address
    from app.vault.named import ALONE

    # The folder is the client's choice, not the person's: its file is not taken even where it is trusted.
    settings = configured(config, of_folder=False).settings
    file = settings.token_file if http else None
    vaults = open_vaults(vault or (), settings)
    server, keepers = serve_vaults(
        vaults, tools=tools or (), folders=folder or (), read_only=read_only, by_token=file is not None
    )
    address = Address(host, port, tuple(allow_host or ()))
    if not http:
        from app.mcp.stdio import serve_stdio

        for keeper in keepers:
            keeper.start()
        serve_stdio(server)
        return output.FOUND
    from app.mcp.http import check_token, serve_http
    from app.mcp.permission import TokenFile

    tokens, secret = None, token
    if file is not None:
        if token is not None or no_token:
            raise BadRequestError(
                "'token_file' is set, so tokens are its own",
                "leave --token, --no-token and {token_variable} out",
                token_variable=TOKEN_VARIABLE,
            )
        tokens = TokenFile(file, [opened.name if name == ALONE else name for name, opened in vaults.items()])
    else:
        secret = token or (None if no_token else secrets.token_urlsafe(32))
        check_token(address, secret)
    warn(address)
    if no_token and secret is None:
        output.tell(Sentence("No token: every program on this machine can ask."))
    elif secret != token:
        output.tell(
            Sentence(
                "Token, made up for this run ({variable} sets one): {token}",
                variable=TOKEN_VARIABLE,
                token=secret,
            )
        )
    for keeper in keepers:
        keeper.start()

    def listening(url: str) -> None:
        serving = (
            "Serving {url} with the tokens of '{file}'; Ctrl-C ends."
            if file
            else "Serving {url}; Ctrl-C ends."
        )
        output.tell(Sentence(serving, url=url, file=file))

    serve_http(server, address, secret, listening, tokens)
    return output.FOUND
