"""Bring an index and its vectors up to date while somebody watches."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from app.cli import output
from app.errors import EngineMissingError, ModelError, SearchError, VaultError
from app.vault.obsidian import SETTINGS_FILE

if TYPE_CHECKING:
    from app.notices import Language
    from app.search.searcher import Searcher
    from app.search.vectors.build import EmbedReport
    from app.vault.client import VaultClient

INDEXING: "dict[Language, str]" = {"en": "Indexing", "fr": "Indexation"}
PATIENCE_SECONDS = 0.4
"""How long nothing is shown; most updates are done by then."""


def build_vectors(searcher: "Searcher", *, compact: bool = False) -> "EmbedReport":
    """Build the vectors that are missing; without the extra there are none, and words alone are indexed."""
    from app.search.vectors.build import EmbedReport

    try:
        with progress_bar("Embedding") as progress:
            report = searcher.embed(progress=progress, compact=compact)
        if report.embedded and (hint := searcher.status().deep):
            output.tell(f"Note: {hint}")
        return report
    except EngineMissingError as error:
        output.tell(f"Words only: {error}")
    except (ModelError, SearchError) as error:
        output.tell(f"The words are indexed; vectors are not: {error}")
    return EmbedReport()


def ready_searcher(
    vault: "VaultClient", index: str | None = None, *, language: "Language" = "en"
) -> "Searcher":
    """Open the searcher of a vault; an index that holds nothing yet is built first, with a bar.

    Raises:
        BadRequestError: no index of that name is configured.
        VaultError: nothing can be found, for it is not known which notes are excluded.
    """
    from app.search.searcher import searcher_for

    if reason := vault.obsidian.hides_all:
        raise VaultError(reason, f"mend '{SETTINGS_FILE}' in the vault")
    searcher = searcher_for(vault, index)
    if not searcher.view().lexical.notes.any():
        with progress_bar(INDEXING[language]) as progress:
            searcher.update(progress=progress)
    return searcher


def ready_vaults(
    vaults: "Mapping[str, VaultClient]", index: str | None = None, *, language: "Language" = "en"
) -> "dict[str, VaultClient]":
    """Open the searchers of several vaults, as `ready_searcher` does; one that fails is told and left out.

    Raises:
        VaultError: all of them fail.
    """
    from app.vault.named import each_of

    ready, failed = each_of(vaults, lambda vault: ready_searcher(vault, index, language=language))
    for notice in failed:
        output.tell(notice.remark(language))
    return {name: vaults[name] for name in ready}


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a callback that moves a bar on stderr, or ``None`` where nobody looks.

    The bar appears once the work has taken a moment, and only shows that it goes on while nothing is counted.
    """
    if not output.sees_progress():
        yield None
        return
    lock = threading.Lock()
    show: Callable[[int, int], None] | None = None
    last: tuple[int, int] | None = None
    ended = False
    with ExitStack() as stack:

        def draw() -> None:
            nonlocal show
            with lock:
                if not ended:
                    show = _draw_bar(stack, label)
                    if last is not None:
                        show(*last)

        def progress(done: int, total: int) -> None:
            nonlocal last
            with lock:
                last = (done, total)
                if show is not None:
                    show(done, total)

        timer = threading.Timer(PATIENCE_SECONDS, draw)
        timer.daemon = True
        timer.start()
        try:
            yield progress
        finally:
            timer.cancel()
            with lock:
                ended = True


def _draw_bar(stack: ExitStack, label: str) -> Callable[[int, int], None]:
    from rich import progress as parts
    from rich.console import Console

    bar = stack.enter_context(
        parts.Progress(
            parts.TextColumn("{task.description}"),
            parts.BarColumn(),
            parts.MofNCompleteColumn(),
            parts.TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
    )
    task = bar.add_task(label, total=None)
    return lambda done, total: bar.update(task, completed=done, total=total)
