"""What `status` shows of an index: what it holds, what it leaves out and why, what is wrong."""

from dataclasses import dataclass

from app.config.settings import IndexDefinition
from app.dependencies import VaultClient
from app.errors import VaultError
from app.journal.recover import report
from app.search.snapshot import VaultSnapshot
from app.search.store import Store
from app.search.sync import changes_since, selected


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """An index as it stands.

    ``problems`` pairs paths with reasons; ``pending`` counts notes to be written or deleted; ``unindexed``
    are notes that the index's globs leave out; ``bytes`` is its size on disk. ``embedding_model`` is None for
    an index of words alone, ``embedded`` the share of its chunks that have vectors, 0 to 1, and ``deep`` says
    what stands in the way of searching by meaning, where anything does.
    ``recovered`` are writes that were cut short and then finished or taken back, of the last days.
    """

    name: str
    folder: str
    notes: int
    chunks: int
    excluded: tuple[str, ...]
    left_out: tuple[str, ...]
    unindexed: tuple[str, ...]
    problems: tuple[tuple[str, str], ...]
    pending: int
    bytes: int
    embedding_model: str | None
    embedded: float
    deep: str
    recovered: tuple[dict[str, str], ...] = ()


def describe(
    vault: VaultClient, store: Store, view: VaultSnapshot, definition: IndexDefinition
) -> IndexStatus:
    """Compare the vault with an index, changing neither."""
    cut_short = report(vault)
    scan = vault.scan()
    notes = selected(scan.notes, definition)
    changes = changes_since(view.lexical, notes)
    problems = {(problem.path, problem.reason) for problem in scan.problems}
    for path, doc in view.lexical.paths().items():
        problems |= {(path, reason) for reason in view.note(doc).problems}
    problems |= {(".obsidian", reason) for reason in vault.obsidian.problems}
    problems |= set(cut_short.problems)
    embedded, deep = _meaning(view)
    return IndexStatus(
        name=store.folder.name,
        folder=str(store.folder),
        notes=int(view.visible.sum()),
        chunks=int(view.lexical.chunks.sum()),
        excluded=tuple(sorted(path for path in notes if vault.is_excluded(path))),
        left_out=tuple(sorted(path for path in notes if vault.is_left_out(path))),
        unindexed=tuple(sorted(path for path in scan.notes if path not in notes)),
        problems=tuple(sorted(problems)),
        pending=len(changes.write) + len(changes.delete),
        bytes=store.size(),
        embedding_model=definition.embedding_model,
        embedded=embedded,
        deep=deep,
        recovered=cut_short.recovered,
    )


def _meaning(view: VaultSnapshot) -> tuple[float, str]:
    """Give the share of chunks that have vectors, and what stands in the way of searching by meaning."""
    if view.semantic is None:
        return 0.0, ""
    try:
        return view.semantic.share(view), view.semantic.hint(view)
    except VaultError as error:
        return 0.0, str(error)
