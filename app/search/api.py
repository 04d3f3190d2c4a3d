"""Search as data: the same answers as the tool's, for programs."""

from collections.abc import Sequence

from app.dependencies import VaultClient
from app.errors import BadRequestError
from app.search.models import Hit
from app.search.request import parse_request
from app.search.searcher import searcher_for


def search(
    vault: VaultClient,
    queries: Sequence[str] | str,
    mode: str,
    scopes: Sequence[str] | str | None = None,
    *,
    date_from: str | None = None,
    date_to: str | None = None,
    min_score: float | None = None,
    explain: bool = False,
    limit: int | None = None,
    index: str | None = None,
) -> list[Hit]:
    """Rank the vault's chunks for one or several queries, best first.

    Args:
        vault: The vault to search.
        queries: What to look for; several rank each on its own and are merged, each chunk once with
            its best score.
        mode: ``fast`` or ``deep``.
        scopes: Where to stay; None for the whole vault.
        date_from: First day, such as ``2025-07-14`` or ``7 days ago``.
        date_to: Last day, inclusive.
        min_score: Keep hits with at least this score, 0 to 1.
        explain: Fill ``relevance_reason``.
        limit: The most hits; None gives every matching chunk.
        index: Which configured index to search.

    Returns:
        Hits; an empty list when nothing matches, all scopes are void, or the vault is empty.

    Raises:
        BadRequestError: empty ``queries``, a malformed glob, a bad date, an unknown mode.
    """
    if mode not in ("fast", "deep"):
        raise BadRequestError(f"unknown mode {mode!r}", "valid: fast, deep")
    request = parse_request(
        {
            "operation": mode,
            "queries": queries if isinstance(queries, str) else list(queries),
            "scopes": scopes if scopes is None or isinstance(scopes, str) else list(scopes),
            "start_date": date_from,
            "end_date": date_to,
            "min_score": min_score,
            "explain": explain,
            "limit": limit,
        },
        unlimited=limit is None,
    )
    return searcher_for(vault, index).hits(request)
