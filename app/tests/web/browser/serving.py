"""The page as a person meets it: served on a free port of this machine, and looked at in a real browser."""

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request
from starlette.applications import Starlette

from app.config.settings import IndexDefinition, IndexSettings, Settings
from app.search.searcher import searcher_for
from app.serving.address import Address, bind
from app.vault.client import VaultClient
from app.web.app import build_app

EXAMPLE = Path(__file__).parents[4] / "examples" / "vault"
TOKEN = "a-token-for-the-tests"
LEXICAL = IndexSettings(indexes={"notes": IndexDefinition(embedding_model=None)})
"""An index of words alone, so that no model is loaded."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WAIT_MS = 60_000
"""Where all cores are taken, a browser or a page may not be given a turn for a long while."""


def chromium() -> str | None:
    """Give the browser of the system, if there is one; none is downloaded."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def copied_vault(folder: Path, source: Path = EXAMPLE, **settings: Any) -> VaultClient:
    """Copy a vault and bring its index up to date, all below ``folder``."""
    shutil.copytree(source, folder / source.name)
    return indexed(VaultClient(folder / source.name, own_settings(folder, **settings)))


def own_settings(folder: Path, **settings: Any) -> Settings:
    """Settings that keep every store below a folder."""
    return Settings(cache_dir=folder / "cache", state_dir=folder / "state", index=LEXICAL, **settings)


def indexed(vault: VaultClient) -> VaultClient:
    searcher_for(vault).update()
    return vault


@dataclass
class Served:
    """A vault that is served, and where."""

    vault: VaultClient
    app: Starlette
    url: str
    stop: Callable[[], None]
    """Ends the server before its block does."""


@contextmanager
def serving(vault: VaultClient, app: Starlette | None = None, port: int = 0) -> Iterator[Served]:
    """Serve a vault on a free port, from a thread of its own, until the block ends.

    An application and a port are those of a server that was stopped and comes back.
    """
    app = app or build_app(vault, token=TOKEN)
    with bind(Address(port=port)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="served")
        thread.start()

        def stop() -> None:
            server.should_exit = True
            thread.join(300)

        try:
            yield Served(vault, app, f"http://127.0.0.1:{listener.getsockname()[1]}", stop)
        finally:
            stop()
    assert not thread.is_alive()


@dataclass
class Watched:
    """What a page did that a person does not see: requests, complaints, dialogs."""

    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def attach(self, context: BrowserContext) -> None:
        context.on("request", self._request)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("dialog", self._dialog)

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _console(self, message: ConsoleMessage) -> None:
        # Without a graphics card chromium tells of its own software that draws in its place.
        if message.type in ("error", "warning") and "GL Driver Message" not in message.text:
            self.complaints.append(message.text)

    def _dialog(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    @property
    def hosts(self) -> set[str | None]:
        """The machines that were asked for anything."""
        return {urlsplit(url).hostname for url in self.requests if not url.startswith(("data:", "blob:"))}

    def check(self) -> None:
        """Hold the page to its promises: nothing leaves this machine, nothing is complained of."""
        assert self.hosts <= {"127.0.0.1"}
        assert self.complaints == []
        assert self.dialogs == []


@contextmanager
def opened(browser: Browser, served: Served, watched: Watched, **options: Any) -> Iterator[Page]:
    """Give a page of a browser that has come in; ``options`` are those of a context."""
    options = {"viewport": {"width": 1200, "height": 800}, "reduced_motion": "reduce", **options}
    context = browser.new_context(base_url=served.url, **options)
    context.set_default_timeout(WAIT_MS)
    context.request.get(f"/enter?token={TOKEN}").dispose()
    watched.attach(context)
    try:
        yield context.new_page()
    finally:
        context.close()
