"""What every handler of the page is given."""

from dataclasses import dataclass

from starlette.requests import Request

from app.dependencies import VaultClient
from app.serving.keeper import Keeper
from app.web.door import Door


@dataclass(frozen=True, slots=True)
class WebContext:
    """The vault that is shown, what keeps its index, and who may look."""

    vault: VaultClient
    keeper: Keeper
    door: Door


def context_of(request: Request) -> WebContext:
    """Give what the application was built with."""
    context: WebContext = request.app.state.context
    return context
