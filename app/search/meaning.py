"""What `deep` needs besides the index: the vectors, other wordings, a cross-encoder; and doing without."""

from collections.abc import Callable

from app.dependencies import VaultClient, logger
from app.errors import EngineMissingError, VaultError
from app.search.chunks import ChunkRanking, rank_chunks
from app.search.deep import rank_deep
from app.search.filters import ChunkFilter
from app.search.query.tree import Query
from app.search.semantic.engine import Semantic
from app.search.snapshot import VaultSnapshot

Rank = Callable[[Query, ChunkFilter], ChunkRanking]


def by_meaning(view: VaultSnapshot, vault: VaultClient, semantic: Semantic) -> tuple[Rank, list[str]]:
    """Give the function that ranks chunks, and what must be said about it.

    Where the vectors cannot be used, words alone rank, and the second value says so.

    Raises:
        EngineMissingError: the extra is not installed.
    """
    try:
        kept = semantic.answering(view)
        kept.joined(view)
    except EngineMissingError:
        raise
    except VaultError as error:
        logger.warning("deep_without_vectors", extra={"error": str(error)})
        return lambda query, chunks: rank_chunks(view, vault, query, chunks, None), [
            f"found by words only: {error}"
        ]
    return lambda query, chunks: rank_deep(view, vault, query, chunks, kept), []
