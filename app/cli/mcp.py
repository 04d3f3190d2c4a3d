"""``mcp``: the server for other programs' agents."""

import secrets
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import options, output
from app.cli.serve import AllowHostOption, HostOption, warn
from app.errors import BadRequestError
from app.sentences import Sentence

if TYPE_CHECKING:
    from app.config.settings import Settings
    from app.mcp.oauth import TokenChecker
    from app.mcp.permission import TokenFile
    from app.serving.address import Address

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
    by_token = http and (settings.oauth.issuer is not None or settings.token_file is not None)
    vaults = open_vaults(vault or (), settings)
    server, keepers = serve_vaults(
        vaults, tools=tools or (), folders=folder or (), read_only=read_only, by_token=by_token
    )
    address = Address(host, port, tuple(allow_host or ()))
    if not http:
        from app.mcp.stdio import serve_stdio

        for keeper in keepers:
            keeper.start()
        serve_stdio(server)
        return output.FOUND
    from app.mcp.http import check_token, serve_http

    if by_token and (token is not None or no_token):
        raise BadRequestError(
            "'{named}' is set, so tokens are its own",
            "leave --token, --no-token and {token_variable} out",
            named="oauth.issuer" if settings.oauth.issuer else "token_file",
            token_variable=TOKEN_VARIABLE,
        )
    checker, told, secret = None, Sentence(""), token
    if by_token:
        names = [opened.name if name == ALONE else name for name, opened in vaults.items()]
        checker, told = _checker(address, settings, names, read_only=read_only)
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
        serving = "Serving {url} {told}; Ctrl-C ends." if by_token else "Serving {url}; Ctrl-C ends."
        output.tell(Sentence(serving, url=url, told=told))

    serve_http(server, address, secret, listening, checker)
    return output.FOUND


def _checker(
    address: "Address", settings: "Settings", vaults: list[str], *, read_only: bool
) -> "tuple[TokenChecker | TokenFile, Sentence]":
    """Return what checks tokens, and whose they are."""
    from app.mcp.http import PATH
    from app.mcp.oauth import TokenChecker
    from app.mcp.permission import TokenFile

    oauth = settings.oauth
    if settings.token_file is not None and oauth.issuer is not None:
        raise BadRequestError("both 'oauth.issuer' and 'token_file' are set", "set one of them to null")
    if settings.token_file is not None:
        told = Sentence("with the tokens of '{file}'", file=settings.token_file)
        return TokenFile(settings.token_file, vaults), told
    if oauth.resource is None and not address.port:
        raise BadRequestError("with --port 0 clients cannot know the server", "set 'oauth.resource'")
    resource = oauth.resource or address.url(address.port) + PATH
    told = Sentence("as {resource}, with tokens of {issuer}", resource=resource, issuer=oauth.issuer)
    return TokenChecker(oauth, resource, vaults, read_only=read_only), told
