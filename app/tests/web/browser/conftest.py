"""A browser for these tests alone, the example vault behind it, and what each test must leave unsaid."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from app.tests.web.browser.serving import Served, Watched, chromium, copied_vault, opened, serving

OpenPage = Callable[..., Page]

# Where all cores are taken, a browser may not be given a turn for some seconds.
expect.set_options(timeout=60_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where there is no browser, say so; what a browser failed at is tried once more, and the summary counts it."""
    here = Path(__file__).parent
    for item in items:
        if here not in item.path.parents:
            continue
        if chromium() is None:
            item.add_marker(pytest.mark.skip(reason="no chromium on this machine; apt-get install chromium"))
        item.add_marker(pytest.mark.flaky(reruns=1))


# Of the package, not of the session: while it lives, no other test of this thread can run an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Containers mostly lack what the sandbox needs; every page here is our own.
        launched = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The example vault, served to all tests that change nothing."""
    with serving(copied_vault(tmp_path_factory.mktemp("example"))) as served:
        yield served


@pytest.fixture
def own_example(tmp_path: Path) -> Iterator[Served]:
    """A copy of the example vault for a test that changes something."""
    with serving(copied_vault(tmp_path)) as served:
        yield served


@pytest.fixture
def watched() -> Iterator[Watched]:
    """What the pages of a test did; after it nothing may have left the machine, and no error been logged."""
    seen = Watched()
    yield seen
    seen.check()


@pytest.fixture
def open_page(browser: Browser, watched: Watched) -> Iterator[OpenPage]:
    """Open a page of a served vault, come in already."""
    contexts: list[Any] = []

    def open_one(served: Served, address: str = "/", **options: Any) -> Page:
        context = opened(browser, served, watched, **options)
        page = context.__enter__()
        contexts.append(context)
        page.goto(address)
        return page

    yield open_one
    for context in reversed(contexts):
        context.__exit__(None, None, None)
