"""``index``: bring the index up to date, once or for as long as it runs."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import output
from app.cli.build import INDEXING, build_vectors, progress_bar
from app.errors import IndexBusyError, VaultError

if TYPE_CHECKING:
    from app.search.index.sync import SyncReport
    from app.search.index.watch import Watcher
    from app.search.searcher import Searcher
    from app.search.vectors.build import EmbedReport

EXAMPLES = (
    "Examples:\n\n\b\n"
    "  vault-assistant index --vault ~/Notes\n"
    "  vault-assistant index --rebuild\n"
    "  vault-assistant index --watch"
)
WAKE_SECONDS = 1.0


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
    from app.cli.model import offer_model
    from app.search.index.watch import Watcher
    from app.search.searcher import searcher_for
    from app.serving.resident import Resident

    opened = open_vault(vault, config)
    searcher = searcher_for(opened, index)
    # The watcher stands first, so that no change between the two is missed.
    watcher = Watcher(opened.root) if watch else None
    with progress_bar(INDEXING["en"]) as progress:
        report = searcher.update(progress=progress, rebuild=rebuild)
    if not as_json and offer_model(searcher, config):
        opened = open_vault(vault, config)
        searcher = searcher_for(opened, index)
    _show(report, build_vectors(searcher, compact=rebuild), as_json)
    if watcher is not None:
        with Resident(opened):
            # Told once it listens: whoever reads this may ask it at once.
            output.tell("Watching for changes; Ctrl-C ends.")
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
