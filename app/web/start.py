"""From a vault and a person's choices to the page, listening."""

from collections.abc import Callable

from app.errors import EngineMissingError, missing_extra
from app.serving.address import Address, bind
from app.serving.keeper import Keeper
from app.vault.client import VaultClient

NEEDED = (
    "starlette",
    "uvicorn",
    "h11",
    "jinja2",
    "markupsafe",
    "nh3",
    "python_multipart",
    "mdit_py_plugins",
    "linkify_it",
    "pygments",
    "latex2mathml",
)


def serve_page(
    vault: VaultClient, address: Address, *, token: str | None = None, opened: Callable[[str], None]
) -> None:
    """Serve the page until interrupted, and keep the index meanwhile.

    Args:
        vault: The vault.
        address: Where; port 0 takes any that is free.
        token: What lets a browser in, any number of times; without it one is made up for each browser.
        opened: Is given each address that lets a browser in: the first once connections are taken, another
            whenever one was used.

    Raises:
        EngineMissingError: the extra ``web`` is not installed.
        BadRequestError: the token can be guessed.
        VaultError: the address cannot be listened on.
    """
    try:
        from app.serving.http import serve
        from app.web.app import build_app
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in NEEDED:
            raise
        raise EngineMissingError(
            "the web page needs the package {name}",
            missing_extra("web"),
            name=error.name,
        ) from error
    with bind(address) as listener:
        url = address.url(listener.getsockname()[1])

        def announce(token: str) -> None:
            opened(f"{url}/enter?token={token}")

        keeper = Keeper(vault)
        app = build_app(vault, token=token, address=address, keeper=keeper, announce=announce)
        keeper.start()
        announce(app.state.context.door.token)
        # Its own log would hold the token, in the address that was asked for.
        serve(app, listener, access_log=False)
