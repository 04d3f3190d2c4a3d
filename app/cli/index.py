"""``index``: bring the index up to date, once or for as long as it runs."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from app.cli import output
from app.cli.build import INDEXING, build_vectors, progress_bar
from app.errors import BadRequestError, IndexBusyError, VaultError

if TYPE_CHECKING:
    from app.search.index.sync import SyncReport
    from app.search.index.watch import Watcher
    from app.search.searcher import Searcher
    from app.search.vectors.build import EmbedReport
    from app.vault.client import VaultClient

EXAMPLES = (
    "Examples:\n\n\b\n"
    "  vault-assistant index --vault ~/Notes\n"
    "  vault-assistant index --rebuild\n"
    "  vault-assistant index --watch\n"
    "  vault-assistant index --engine milvus --uri http://localhost:19530"
)
WAKE_SECONDS = 1.0


def index(
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Start from nothing.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Keep it up to date until Ctrl-C.")] = False,
    engine: Annotated[
        Literal["local", "milvus"] | None, typer.Option("--engine", help="This time, what keeps the index.")
    ] = None,
    uri: Annotated[str | None, typer.Option("--uri", help="Where Milvus listens.")] = None,
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
    if engine or uri:
        opened = _in_engine(opened, index, engine or "milvus", uri)
    searcher = searcher_for(opened, index)
    # The watcher stands first, so that no change between the two is missed.
    watcher = Watcher(opened.root) if watch else None
    with progress_bar(INDEXING["en"]) as progress:
        report = searcher.update(progress=progress, rebuild=rebuild)
    if not (as_json or engine or uri) and offer_model(searcher, config):
        opened = open_vault(vault, config)
        searcher = searcher_for(opened, index)
    _show(report, build_vectors(searcher, compact=rebuild), as_json)
    if watcher is not None:
        with Resident(opened):
            # Told once it listens: whoever reads this may ask it at once.
            output.tell("Watching for changes; Ctrl-C ends.")
            _follow(searcher, watcher, as_json)
    return output.FOUND


def _in_engine(vault: "VaultClient", index: str | None, engine: str, uri: str | None) -> "VaultClient":
    """Return a vault with one of its indexes in another engine, for as long as this command lasts."""
    from app.config.settings import IndexDefinition
    from app.vault.client import VaultClient

    settings = vault.settings
    name = index or settings.index.default
    known = settings.index.indexes.get(name)
    if known is None:
        return vault
    try:
        changed = known.model_dump() | {"engine": engine} | ({"uri": uri} if uri else {})
        definition = IndexDefinition.model_validate(changed)
    except ValueError as error:
        example = "such as --uri http://localhost:19530"
        raise BadRequestError("engine 'milvus' needs '--uri'", example) from error
    indexes = settings.index.model_copy(update={"indexes": {**settings.index.indexes, name: definition}})
    return VaultClient(vault.root, settings.model_copy(update={"index": indexes}))


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
