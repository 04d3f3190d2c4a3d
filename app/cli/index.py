"""``index``: bring the index up to date, once or for as long as it runs, or while another command waits."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import output
from app.errors import EngineMissingError, IndexBusyError, ModelError, SearchError, VaultError
from app.vault.obsidian import SETTINGS_FILE

if TYPE_CHECKING:
    from app.notices import Language
    from app.search.index.sync import SyncReport
    from app.search.index.watch import Watcher
    from app.search.searcher import Searcher
    from app.search.vectors.build import EmbedReport
    from app.vault.client import VaultClient

EXAMPLES = (
    "Examples:\n\n\b\n"
    "  vault-assistant index --vault ~/Notes\n"
    "  vault-assistant index --rebuild\n"
    "  vault-assistant index --watch"
)
INDEXING: "dict[Language, str]" = {"en": "Indexing", "fr": "Indexation"}
WAKE_SECONDS = 1.0

PATIENCE_SECONDS = 0.4
"""How long nothing is shown; most updates are done by then."""


def index(
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Start from nothing.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Keep it up to date until Ctrl-C.")] = False,
    index: output.IndexOption = None,
    vault: output.VaultOption = None,
    config: output.ConfigOption = None,
    as_json: output.JsonOption = False,
    debug: output.DebugOption = False,
) -> int:
    """Bring the index up to date."""
    from app.bootstrap import open_vault
    from app.search.index.watch import Watcher
    from app.search.searcher import searcher_for
    from app.serving.resident import Resident

    opened = open_vault(vault, config)
    searcher = searcher_for(opened, index)
    # The watcher stands first, so that no change between the two is missed.
    watcher = Watcher(opened.root) if watch else None
    with progress_bar(INDEXING["en"]) as progress:
        report = searcher.update(progress=progress, rebuild=rebuild)
    _show(report, build_vectors(searcher, compact=rebuild), as_json)
    if watcher is not None:
        output.tell("Watching for changes; Ctrl-C ends.")
        with Resident(opened):
            _follow(searcher, watcher, as_json)
    return output.FOUND


def _follow(searcher: "Searcher", watcher: "Watcher", as_json: bool) -> None:
    """Update the index at every change, for as long as the vault can be watched."""
    shown = searcher.view()
    while watcher.is_alive:
        if not (watcher.wait(WAKE_SECONDS) and watcher.take()):
            continue
        try:
            report = searcher.update()
        except IndexBusyError as error:
            watcher.changed()
            output.tell(f"{error}")
            continue
        # A search may have updated the index first, which builds no vectors.
        if report.written or report.deleted or searcher.view() is not shown:
            _show(report, build_vectors(searcher), as_json)
            shown = searcher.view()
    raise VaultError(f"'{searcher.vault.root}' can no longer be watched", "start again, or run index by hand")


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


def _show(report: "SyncReport", embedded: "EmbedReport", as_json: bool) -> None:
    if as_json:
        from dataclasses import asdict

        output.show_json(asdict(report) | {"vectors": asdict(embedded)})
    else:
        done = f"{report.written} written, {report.deleted} deleted"
        output.show(f"{report.total} notes in the index: {done}, {report.seconds:.2f} s")
        if embedded.embedded:
            rate = embedded.embedded / embedded.seconds
            output.show(f"{embedded.embedded} passages embedded, {embedded.seconds:.1f} s ({rate:.0f}/s)")
        if embedded.cut:
            output.tell(f"Of {embedded.cut} very long passages the end is found by its words only.")
        if embedded.busy:
            output.show("another process is embedding")
    output.flush()


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
