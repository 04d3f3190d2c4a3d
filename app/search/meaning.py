"""What `deep` needs besides the index: the vectors, other wordings, a cross-encoder; and doing without."""

from collections.abc import Callable
from functools import lru_cache

from app.dependencies import VaultClient, logger
from app.errors import EngineMissingError, ModelError, VaultError
from app.search.chunks import ChunkRanking, rank_chunks
from app.search.deep import rank_deep
from app.search.expand import rewrites
from app.search.query.filters import ChunkFilter
from app.search.query.tree import Query
from app.search.rerank import Reranker
from app.search.semantic.engine import Semantic
from app.search.snapshot import VaultSnapshot

Rank = Callable[[Query, ChunkFilter], ChunkRanking]

reranker_for = lru_cache(maxsize=2)(Reranker)


def by_meaning(view: VaultSnapshot, vault: VaultClient, semantic: Semantic) -> tuple[Rank, list[str]]:
    """Give the function that ranks chunks, and the list to which it adds what must be said.

    What cannot be used is done without, and said: the vectors, the language model, the cross-encoder.

    Raises:
        EngineMissingError: the extra is not installed.
    """
    notices: list[str] = []
    try:
        kept = semantic.answering(view)
        kept.joined(view)
    except EngineMissingError:
        raise
    except VaultError as error:
        _without(notices, "found by words only", error)
        return lambda query, chunks: rank_chunks(view, vault, query, chunks, None), notices

    if not len(kept.index()):
        # Nothing can be said of meaning yet, which the caller has been told: words have scores of their own.
        return lambda query, chunks: rank_chunks(view, vault, query, chunks, None), notices

    def rank(query: Query, chunks: ChunkFilter) -> ChunkRanking:
        others: tuple[str, ...] = ()
        name = vault.settings.deep.reranker
        reranker = reranker_for(name) if name else None
        try:
            # What is asked for word by word is not asked for in other words.
            others = rewrites(vault.settings, query.positive) if query.has_bare_words else ()
        except ModelError as error:
            _without(notices, "no other wordings were tried", error)
        try:
            return rank_deep(view, vault, query, chunks, kept, others=others, reranker=reranker)
        except ModelError as error:
            if reranker is None:
                raise
            _without(notices, "the reranker was not used", error)
            return rank_deep(view, vault, query, chunks, kept, others=others)

    return rank, notices


def _without(notices: list[str], what: str, error: VaultError) -> None:
    logger.warning("deep_degraded", extra={"what": what, "error": str(error)})
    notices.append(f"{what}: {error}")
