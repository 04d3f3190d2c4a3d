"""Say how queries were read."""

from collections.abc import Sequence

from app.dependencies import VaultClient
from app.search.filters import note_filter
from app.search.models import SearchRequest
from app.search.query.explain import explain_query, unknown_properties
from app.search.query.tree import Query
from app.search.snapshot import VaultSnapshot


def readings(
    view: VaultSnapshot,
    vault: VaultClient,
    request: SearchRequest,
    queries: Sequence[Query],
    total: int,
    *,
    ranked: bool,
) -> tuple[str, ...]:
    """Say how the queries were read, where it is asked for, or nothing was found for it."""
    notices: list[str] = []
    for query in queries:
        notices += unknown_properties(view, query)
        if request.explain:
            mask = note_filter(view, vault, request, dates=not ranked)
            notices += explain_query(view, vault, query, mask, ranked=ranked)
        elif not total:
            notices += query.hints
    return tuple(dict.fromkeys(notices))
