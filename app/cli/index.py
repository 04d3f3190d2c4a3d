"""``index``: bring the index up to date, once or for as long as it runs."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from itertools import filterfalse
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from app.cli import options, output
from app.cli.build import build_vectors, index_words, indexed_notice, refuse_unknown
from app.errors import IndexBusyError, VaultError
from app.sentences import Sentence

if TYPE_CHECKING:
    from app.search.index.sync import SyncReport, Watcher
    from app.search.searcher import Searcher
    from app.search.vectors.build import EmbedReport

EXAMPLES = (
    "Examples:\n\n\b\n"
    "  vault-assistant index --vault ~/Notes\n"
    "  vault-assistant index --rebuild\n"
    "  vault-assistant index --watch"
)
WAKE_SECONDS = 1.0
T = TypeVar("T")


def index(
    call: options.Call,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Start from nothing.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Keep it up to date until Ctrl-C.")] = False,
    index: options.IndexOption = None,
) -> int:
    """Bring the index up to date."""
    from app.search.index.sync import Watcher
    from app.search.searcher import searcher_for

    opened = call.open()
    refuse_unknown(opened)
    searcher = searcher_for(opened, index)
    # The watcher stands first, so that no change between the two is missed.
    watcher = Watcher(searcher.vault.root) if watch else None
    report = _once_free(lambda: index_words(searcher, rebuild=rebuild), patient=watch)
    if not call.as_json:
        _show_words(report)
        _tell_unread(searcher, report)
    embedded = _once_free(lambda: build_vectors(searcher, compact=rebuild), patient=watch)
    _show_vectors(report, embedded, call.as_json)
    if watcher is not None:
        output.tell_notice(Sentence("Watching for changes; Ctrl-C ends"))
        _follow(searcher, watcher, call.as_json)
    return output.FOUND


def _follow(searcher: "Searcher", watcher: "Watcher", as_json: bool) -> None:
    """Update the index at every change, for as long as the vault can be watched."""
    shown = searcher.view()
    while watcher.is_alive():
        if not (watcher.changed.wait(WAKE_SECONDS) and watcher.take()):
            continue
        report = _once_free(searcher.update)
        # A search may have updated the index first, which builds no vectors.
        if report.written or report.deleted or searcher.view() is not shown:
            if not as_json:
                _show_words(report)
            embedded = _once_free(lambda: build_vectors(searcher))
            _show_vectors(report, embedded, as_json)
            shown = searcher.view()
    raise VaultError(
        "'{root}' can no longer be watched", "start again, or run index by hand", root=searcher.vault.root
    )


def _once_free(work: Callable[[], T], *, patient: bool = True) -> T:
    """Do what writes the index. Where somebody else is writing it, say so once and wait, if ``patient``."""
    told = False
    while True:
        try:
            return work()
        except IndexBusyError as error:
            if not patient:
                raise
            if not told:
                output.tell(str(error))
            told = True
            # Another machine that brings the vault to a database refuses at once.
            time.sleep(WAKE_SECONDS)


def _show_words(report: "SyncReport") -> None:
    """Say what became of the words at once: they can be searched while vectors are built."""
    output.show(indexed_notice(report))
    if report.files:
        said = Sentence(
            "{count} other {count:file|files} read: their text is searched too", count=report.files
        )
        output.show(said)
    output.flush()


def _tell_unread(searcher: "Searcher", report: "SyncReport") -> None:
    """Say which notes and other files were not read whole, and what would read those that were not."""
    from app.vault.attachments.kinds import ending_of, lacking
    from app.vault.paths import is_note_name

    vault, snapshot = searcher.vault, searcher.view().snapshot
    docs, limit = snapshot.lexical.paths(), vault.settings.max_note_bytes
    sizes = snapshot.lexical.column("size")
    paths = filter(is_note_name, snapshot.visible_paths)
    large = {path: size for path in paths if (size := int(sizes[docs[path]])) > limit}
    if large:
        needed = max(large.values())
        said = Sentence(
            "{count} {count:note is|notes are} larger than the setting 'max_note_bytes' "
            "({limit}) and found by name only, the first '{path}'; set it to {needed} to "
            "have {count:it|all} read",
            count=len(large),
            path=min(large),
            limit=limit,
            needed=needed,
        )
        output.tell_notice(said)
    # To read what is kept of each note takes a third of a run that changes nothing.
    seen = snapshot.visible_paths if report.written or report.files else ()
    problems = [path for path in seen if snapshot.note(docs[path]).problems]
    if told := [path for path in problems if (report.written if is_note_name(path) else report.files)]:
        output.tell_notice(
            Sentence(
                "{count} {count:file|files} could not be read whole, the first '{path}'; "
                "'vault-assistant status' says why",
                count=len(told),
                path=min(told),
            )
        )
    unread = Counter(map(ending_of, filterfalse(vault.is_excluded, snapshot.vault.files)))
    for ending, count in sorted(unread.items()):
        if extra := lacking(ending):
            output.tell_notice(
                Sentence(
                    "{count} {kind} {count:file is|files are} not searched: the extra '{extra}' reads them. "
                    "Install it by pip install 'vault-assistant[{extra}]', or '.[{extra}]' in a clone",
                    count=count,
                    kind=ending.upper(),
                    extra=extra,
                )
            )


def _show_vectors(report: "SyncReport", embedded: "EmbedReport", as_json: bool) -> None:
    if as_json:
        output.show_json(report._asdict() | {"vectors": asdict(embedded)})
    elif embedded.embedded:
        rate, count = embedded.embedded / embedded.seconds, embedded.embedded
        said = Sentence(
            "{count} {count:passage|passages} embedded, {seconds:.1f} s ({rate:.0f}/s)",
            count=count,
            seconds=embedded.seconds,
            rate=rate,
        )
        output.show(said)
    if embedded.busy and not as_json:
        output.show(Sentence("another process is embedding"))
    output.flush()
