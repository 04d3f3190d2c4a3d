"""Bring an index and its vectors up to date while somebody watches."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from app.cli import output
from app.cli.progress import progress_bar, stoppable
from app.errors import EngineMissingError, ModelError, SearchError, VaultError
from app.notices import Notice
from app.sentences import Sentence
from app.vault.obsidian import SETTINGS_FILE

if TYPE_CHECKING:
    from app.search.index.snapshot import VaultSnapshot
    from app.search.index.sync import SyncReport
    from app.search.searcher import Searcher
    from app.search.vectors.build import EmbedReport
    from app.vault.client import VaultClient

T = TypeVar("T")


def indexed_notice(report: "SyncReport") -> Notice:
    """Return what became of the words of an index."""
    return Sentence(
        "{total} {total:note|notes} in the index: {written} written, {deleted} deleted, {seconds:.2f} s",
        total=report.total,
        written=report.written,
        deleted=report.deleted,
        seconds=report.seconds,
    )


def index_words(searcher: "Searcher", *, rebuild: bool = False) -> "SyncReport":
    """Bring the words of an index up to date, or build them from nothing, with a bar.

    Raises:
        KeyboardInterrupt: it was stopped by Ctrl-C; what is kept was said.
    """
    language = output.screen().language
    note = (
        Sentence(
            "Meanwhile, 'find' in another terminal searches what is indexed. Ctrl-C stops and keeps that"
        ).said(language)
        + "."
    )
    with (
        stoppable() as stopped,
        progress_bar(Sentence("Indexing").said(language), note) as progress,
    ):
        report = searcher.update(progress=progress, rebuild=rebuild, stopped=stopped)
    if report.remaining:
        from app.search.index.sync import hidden_as, let_in

        notes = let_in(searcher.vault.scan().notes, searcher.definition)
        total = sum(not hidden_as(searcher.vault, path) for path in notes)
        output.tell_notice(
            Sentence(
                "Stopped. {done} of {total} {total:note is|notes are} in the index and can be "
                "found; 'vault-assistant index' goes on from there",
                done=searcher.status().notes,
                total=total,
            )
        )
        raise KeyboardInterrupt
    return report


def build_vectors(searcher: "Searcher", *, compact: bool = False) -> "EmbedReport":
    """Build the vectors that are missing; without the extra there are none, and words alone are indexed.

    Args:
        searcher: The index.
        compact: Drop the vectors of texts that are gone, however few.

    Raises:
        KeyboardInterrupt: it was stopped by Ctrl-C; what is kept was said.
    """
    from app.search.vectors.build import EmbedReport

    language = output.screen().language
    note = (
        Sentence(
            "Words can be searched already; meaning follows, newest notes first. Ctrl-C stops and keeps it"
        ).said(language)
        + "."
    )
    label = Sentence("Embedding").said(language)
    try:
        vectors = searcher.vectors
        if vectors and vectors.must_be_made:
            output.tell_notice(
                Sentence("The model is made ready first, once on this machine: that takes a minute or two")
            )
        before = "" if vectors and vectors.is_open else Sentence("Loading the model").said(language)
        with progress_bar(label, note, before=before) as progress:
            report = searcher.embed(progress=progress, compact=compact)
        if report.embedded and (hint := searcher.status().deep):
            output.tell(Sentence("Note: {hint}", hint=hint))
        return report
    except KeyboardInterrupt:
        output.tell_notice(
            Sentence(
                "Stopped. All notes can be found by their words, and {share:.0%} of their "
                "passages by meaning; 'vault-assistant index' goes on from there",
                share=searcher.status().embedded,
            )
        )
        raise
    except EngineMissingError as error:
        output.tell(Sentence("Words only: {reason}", reason=str(error)))
    except (ModelError, SearchError) as error:
        output.tell(Sentence("The words are indexed; vectors are not: {reason}", reason=str(error)))
    return EmbedReport()


def refuse_unknown(vault: "VaultClient") -> None:
    """Refuse to go on where it is not known which notes are excluded.

    Raises:
        VaultError: so it is.
    """
    if reason := vault.obsidian.hides_all:
        raise VaultError(reason, Sentence("mend '{settings_file}' in the vault", settings_file=SETTINGS_FILE))


def from_index(vault: "VaultClient", read: "Callable[[VaultSnapshot], list[T]]") -> list[T]:
    """Return what a function reads of the index, brought up to date; nothing where there is none yet."""
    from app.search.searcher import searcher_for

    searcher = searcher_for(vault)
    if vault.obsidian.hides_all or not searcher.view().lexical.notes.any():
        return []
    return searcher.ask(lambda view: read(view.snapshot))


def ready_searcher(
    vault: "VaultClient", index: str | None = None, begun: "list[Searcher] | None" = None
) -> "Searcher":
    """Open the searcher of a vault.

    An index that holds nothing yet is built first, with a bar; or its searcher is added to those ``begun``,
    for `finish_indexes` after the answer.

    Raises:
        BadRequestError: no index of that name is configured.
        VaultError: nothing can be found, for it is not known which notes are excluded.
    """
    from app.search.searcher import searcher_for

    refuse_unknown(vault)
    searcher = searcher_for(vault, index)
    if searcher.definition.feeds and not searcher.view().lexical.notes.any():
        if begun is None:
            index_words(searcher)
        else:
            begun.append(searcher)
    return searcher


def finish_indexes(begun: "list[Searcher]") -> None:
    """Index the rest of what was searched before it was indexed, with a bar; say what stands in the way."""
    from app.search.searcher import searcher_for

    output.flush()
    for searcher in begun:
        # What goes on behind has no bar.
        searcher.close()
        try:
            index_words(searcher_for(searcher.vault, searcher.name))
        except VaultError as error:
            output.tell(Sentence("The index is not finished: {reason}", reason=str(error)))


def ready_vaults(
    vaults: "Mapping[str, VaultClient]", index: str | None = None, begun: "list[Searcher] | None" = None
) -> "dict[str, VaultClient]":
    """Open the searchers of several vaults, as `ready_searcher` does; one that fails is told and left out.

    Raises:
        VaultError: all of them fail.
    """
    from app.vault.named import each_of

    ready, failed = each_of(vaults, lambda vault: ready_searcher(vault, index, begun))
    for notice in failed:
        output.tell(notice.remark(output.screen().language))
    return {name: vaults[name] for name in ready}
