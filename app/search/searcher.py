"""Answer requests from one index of one vault."""

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from app.config.paths import is_remote
from app.config.settings import IndexDefinition
from app.errors import (
    BadRequestError,
    ConfigError,
    IndexCorruptError,
    ModelError,
    NoteNotFoundError,
    NoteUnreadableError,
    VaultError,
)
from app.llm.left_out import left_out
from app.notices import FailureKind, Notice, NoticeKind
from app.search.index.store import MADE_WITH, VECTORS, index_folder
from app.search.models import Ranked, Ranking, SearchRequest, SearchResult, SearchResults
from app.search.operations import OPERATIONS
from app.search.private import read_record
from app.search.show.results import Shower, StaleError
from app.search.upkeep import IndexStatus, Upkeep
from app.search.view import View
from app.stopping import go_on
from app.vault.client import VaultClient

if TYPE_CHECKING:
    from app.markdown.links import Graph, LinkGraph
    from app.markdown.models import Link
    from app.search.vectors.vectors import Semantic
    from app.search.why import Why

NEAREST = 3
"""Passages that are offered as the nearest in meaning where nothing says what was asked for."""
T = TypeVar("T")


class Searcher:
    """One index of one vault, kept up to date and asked.

    Safe to use from many threads. Get one by `searcher_for`.
    """

    def __init__(self, vault: VaultClient, name: str, definition: IndexDefinition) -> None:
        self.vault, self.name, self.definition = vault, name, definition
        self.engine = engine = engine_of(vault, name, definition)
        self.folder = engine.folder
        self.update, self.embed, self.watch = engine.update, engine.embed, engine.watch

    @property
    def vectors(self) -> "Semantic | None":
        """The vectors of its passages; None for an index of words alone."""
        return self.engine.vectors

    def search(self, request: SearchRequest) -> SearchResults:
        """Answer a request with results to read.

        Raises:
            VaultError: the request cannot be answered; the message says why.
        """
        return self.searched(request)[0]

    def searched(
        self, request: SearchRequest, *, far_too: bool = False, excerpts: bool = True
    ) -> tuple[SearchResults, View]:
        """Answer a request, and return what it was answered from, which may be a part of the index.

        Args:
            request: What is asked.
            far_too: Give as results too what has no word that was asked for and is unlikely to answer.
            excerpts: Choose the lines of each passage that show best why it was found.

        Raises:
            VaultError: the request cannot be answered; the message says why.
        """
        with left_out() as masked:
            view, ranking, results, notices = self.mended(lambda: self._ranked(request, excerpts=excerpts))
            nearest: list[SearchResult] = []
            if ranking.is_far and not far_too:
                nearest, results = results[: 0 if request.offset else NEAREST], []
                ranking = ranking._replace(total=0)
                notices.append(Notice(NoticeKind.NOTHING_SAYS))
            if request.explain and request.ranks_passages:
                from app.search.rank.by_model import reasons

                try:
                    said = reasons(self.vault, request.queries, results)
                    for result, reason in zip(results, said, strict=True):
                        result.relevance_reason = reason or result.relevance_reason
                except ModelError as error:
                    notices.append(Notice(NoticeKind.NO_REASONS, reason=str(error)))
        found = SearchResults(
            results=results,
            total=ranking.total,
            query=request.query,
            operation=request.operation,
            notices=[*notices, *ranking.notices, *masked.notices()],
            nearest=nearest,
        )
        return found, view

    def why(self, request: SearchRequest) -> tuple["Why", list[Notice]]:
        """Say what became of the note that a request names, and what must be said of the index.

        Raises:
            VaultError: the request cannot be answered; the message says why.
        """
        from app.search.why import why

        def ask() -> tuple["Why", list[Notice]]:
            notices = self.freshen()
            if request.is_deep:
                notices += self.engine.embed_for_search()
            return why(self.view(), request), notices

        return self.mended(ask)

    def view(self, request: SearchRequest | None = None) -> View:
        """Return the last committed state; the same object while nothing changes.

        Each search and reading begins with it, so whoever gave the work up ends it here. Where the whole is
        not at hand, a ``request`` asks for the part that may answer it.
        """
        go_on()
        return next(self.engine.views(None if self.definition.feeds else request))

    def ask(self, read: Callable[[View], T]) -> T:
        """Catch up with the vault, and return what a function reads of the index.

        It is called again where it meets a damaged index.
        """
        self.freshen()
        return self.mended(lambda: read(self.view()))

    def ask_links(self, ask: "Callable[[Graph], T]") -> T:
        """Return what a function finds among all links of the vault, those of notes not indexed too.

        It is called again where it meets a damaged index.
        """
        if self.definition.include or self.definition.exclude:
            return ask(graph_of_files(self.vault))
        self.engine.freshen()
        return self.mended(lambda: ask(self.view().snapshot.graph))

    def freshen(self, *, force: bool = False, request: SearchRequest | None = None) -> list[Notice]:
        """Catch up with the vault before a search, and say what is left undone; see `Upkeep.freshen`."""
        notices = self.engine.freshen(force=force, request=request)
        if reason := self.vault.obsidian.hides_all:
            notices.append(reason)
        return notices

    def status(self) -> IndexStatus:
        """Describe the index as it stands, without changing it."""
        return self.mended(self.engine.status)

    def mended(self, read: Callable[[], T]) -> T:
        """Read from the index; where that meets damage, have what is damaged made anew and read again.

        Raises:
            VaultError: it cannot be read, or not be made anew.
        """
        try:
            return read()
        except IndexCorruptError:
            self.engine.mend()
            return read()

    def close(self) -> None:
        """Stop watching and close the index; the next call of `searcher_for` opens it anew."""
        with _searchers_lock:
            for key in [key for key, searcher in _searchers.items() if searcher is self]:
                del _searchers[key]
        self.engine.close()

    def _ranked(
        self, request: SearchRequest, *, excerpts: bool
    ) -> tuple[View, Ranking, list[SearchResult], list[Notice]]:
        """Rank and show; when a file turns out to have changed meanwhile, catch up and do it once more."""
        notices = self.freshen(request=request)
        if request.is_deep:
            notices += self.engine.embed_for_search()
        view, ranking = self._rank(request)
        shown = _shown(view, ranking, request, excerpts=excerpts)
        if None in shown:
            notices += self.engine.freshen(force=True)
            view, ranking = self._rank(request)
            shown = _shown(view, ranking, request, excerpts=excerpts)
            notices += [Notice(NoticeKind.NOTE_CHANGED)] if None in shown else []
        said = list(ranking.notices)
        if request.asks_why:
            from app.search.why import why

            said = [*why(self.view() if view.stored else view, request).notices, *said]
        if not ranking.total or ranking.is_far:
            said += self._advice(view, request, ranking)
        ranking = ranking._replace(notices=tuple(said))
        return view, ranking, [result for result in shown if result is not None], list(dict.fromkeys(notices))

    def _rank(self, request: SearchRequest) -> tuple[View, Ranking]:
        """Rank among what may answer, in larger and larger parts until the answer is whole."""
        wanted = None if request.limit is None else request.offset + request.limit
        for view in self.engine.views(request):
            go_on()
            ranking = OPERATIONS[request.operation](view, request)
            # Where none has all words, those answer that have most: any note may.
            if wanted is not None and len(ranking.items) >= wanted and not ranking.lacks_words:
                break
        if view.part:
            notice = Notice(FailureKind.PART_OF_MATCHES, notes=len(view.lexical.paths()))
            ranking = ranking._replace(notices=(*ranking.notices, notice))
        return view, ranking

    def _advice(self, view: View, request: SearchRequest, ranking: Ranking) -> Iterator[Notice]:
        """Say what was searched, what is near, and what would be found without the filters."""
        from app.search.query.explain import not_searched, suggestions, without_filters

        if ranking.total:
            yield from filter(None, [not_searched(view)])
            return
        yield from suggestions(view, request)
        wider = without_filters(request)
        if wider and (total := self._rank(wider[0])[1].total):
            yield Notice(NoticeKind.WITHOUT_FILTERS, filters=wider[1], total=total)


def graph_of_files(vault: VaultClient) -> "LinkGraph":
    """Return all links of a vault by reading every note."""
    from app.markdown.links import LinkGraph
    from app.markdown.parse import parse_note

    scan = vault.scan()
    links: dict[str, Sequence[Link]] = {}
    for path in scan.notes:
        try:
            links[path] = parse_note(vault.read(path).text, path).links
        except (NoteUnreadableError, NoteNotFoundError):
            # Without a text it has no links; `status` says why it cannot be read.
            continue
    return LinkGraph.build(links, [*scan.notes, *scan.others], all_types=vault.obsidian.all_file_types)


def _shown(
    view: View, ranking: Ranking, request: SearchRequest, *, excerpts: bool
) -> list[SearchResult | None]:
    """Show the part of a ranking that a request asks for; None for a note that changed meanwhile."""
    shower, shown = Shower(view, request, excerpts), list[SearchResult | None]()
    for item in _page(ranking, request):
        # Somebody may no longer wait for it.
        go_on()
        try:
            shown.append(shower.result(item))
        except StaleError:
            shown.append(None)
    return shown


def _page(ranking: Ranking, request: SearchRequest) -> Sequence[Ranked]:
    """Return the part of a ranking that a request asks for."""
    end = None if request.limit is None else request.offset + request.limit
    return ranking.items[request.offset : end]


_searchers: dict[tuple[str, str, str], Searcher] = {}
_searchers_lock = threading.Lock()


def searcher_for(vault: VaultClient, index: str | None = None) -> Searcher:
    """Return the searcher of a vault, an index and settings; opened once, then kept.

    Raises:
        BadRequestError: no index of that name is configured.
    """
    indexes = vault.settings.index
    name = index or indexes.default
    if name not in indexes.indexes:
        raise BadRequestError(
            "unknown index '{name}'",
            "valid: {valid}",
            name=name,
            valid=", ".join(sorted(indexes.indexes)),
        )
    key = (str(vault.root), name, vault.settings.model_dump_json())
    with _searchers_lock:
        if key not in _searchers:
            _searchers[key] = Searcher(vault, name, definition_of(vault, name))
        return _searchers[key]


def engine_of(vault: VaultClient, name: str, definition: IndexDefinition) -> Upkeep:
    """Open the engine of an index: Whoosh and FAISS on this machine, or a database elsewhere.

    Raises:
        VaultError: it cannot be opened.
    """
    if definition.engine == "local":
        return Upkeep(vault, name, definition)
    if not definition.uri:
        raise ConfigError(
            "index '{name}' has engine 'milvus' and no 'uri'", "for example http://localhost:19530", name=name
        )
    from app.search.milvus.engine import MilvusEngine

    return MilvusEngine(vault, name, definition)


def definition_of(vault: VaultClient, name: str) -> IndexDefinition:
    """Return what an index is to hold; where its model is left open, with the one its vectors were made with.

    A model behind a server is not chosen so: it is sent the notes, which only the settings can allow.
    """
    definition = vault.settings.index.indexes[name]
    if "embedding_model" in definition.model_fields_set:
        return definition
    try:
        made = read_record(index_folder(vault, name) / VECTORS / MADE_WITH)
    except VaultError:
        # Whoever opens the index says what is wrong with its folder.
        return definition
    model = made.get("name") if isinstance(made, dict) else None
    if not isinstance(model, str) or is_remote(model):
        return definition
    return definition.model_copy(update={"embedding_model": model})
