"""``serve``: the page for one's own browser."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import options, output
from app.sentences import Sentence

if TYPE_CHECKING:
    from app.serving.address import Address

EXAMPLES = (
    "The page is for this machine alone, and for whoever holds its address: that carries a token, which opens"
    " one browser. A token of your own choice (--token) opens any number.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant serve --vault ~/Notes\n"
    "  vault-assistant serve --vault ~/Notes --port 0 --no-browser"
)
HostOption = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")]
AllowHostOption = Annotated[
    list[str] | None, options.option("--allow-host", "NAME", "A name this server is called by; repeat.")
]
TOKEN_VARIABLE = "VAULT_ASSISTANT_WEB_TOKEN"


def serve(
    place: options.Place,
    host: HostOption = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port; 0 for any.")
    ] = 8766,
    token: Annotated[
        str | None,
        typer.Option("--token", metavar="TEXT", envvar=TOKEN_VARIABLE, help="Else one is made up."),
    ] = None,
    allow_host: AllowHostOption = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
) -> int:
    """Serve the web page: search, ask, read, look."""
    import webbrowser

    from app.serving.address import Address
    from app.web.start import serve_page

    address = Address(host, port, tuple(allow_host or ()))
    warn(address)
    told = list[str]()

    def tell(url: str) -> None:
        output.tell(Sentence("For another browser: {url}" if told else "Open {url} – Ctrl-C ends.", url=url))
        if not no_browser and not told and sys.stderr.isatty():
            webbrowser.open(url)
        told.append(url)

    serve_page(place.open(), address, token=token, opened=tell)
    return output.FOUND


def warn(address: "Address") -> None:
    """Say what others can do where they can reach a server."""
    if not address.is_loopback:
        output.tell(
            Sentence(
                "WARNING: other machines can reach {host}, and nothing is encrypted: whoever reads the token "
                "or the cookie along the way can read your notes, and change them as 'writes' allows.",
                host=address.host,
            )
        )
