"""Several vaults in one search: hits of all of them in one list, each with its vault's name."""

from collections.abc import Mapping
from heapq import merge
from itertools import islice

from app.notices import NoticeKind
from app.search.models import SearchRequest, SearchResult, SearchResults
from app.search.searcher import NEAREST, searcher_for
from app.vault.client import VaultClient
from app.vault.named import each_of, named


def search_several(vaults: Mapping[str, VaultClient], request: SearchRequest) -> SearchResults:
    """Search each of some vaults, and merge what is found by score.

    Paths are written ``name:path``. What is said of a vault that fails stands in the notices.

    Raises:
        VaultError: all of them fail.
    """
    # Each may have all of what is shown.
    most = None if request.limit is None else request.offset + request.limit
    whole = request.model_copy(update={"limit": most, "offset": 0})
    found, failed = each_of(vaults, lambda vault: searcher_for(vault, request.index).search(whole))
    lists = [_named(name, one.results) for name, one in found.items()]
    near = merge(
        *(_named(name, one.nearest) for name, one in found.items()), key=lambda result: -result.score
    )
    nearest = list(islice(near, NEAREST))
    # What one vault found stays in its order, so that pages neither repeat nor lose a hit. Equal scores are
    # mostly those of lists that are not ranked.
    results = merge(*lists, key=lambda result: (-result.score, -_newest(result)))
    said = [*failed, *(notice for one in found.values() for notice in one.notices)]
    if any(lists):
        # True of one vault, and not of what is shown.
        of_one = (NoticeKind.NOTHING_SAYS, NoticeKind.NOT_ALL_SEARCHED)
        said = [notice for notice in said if notice.kind not in of_one]
    return SearchResults(
        results=list(islice(results, request.offset, most)),
        total=sum(one.total for one in found.values()),
        query=next(iter(found.values())).query,
        operation=request.operation,
        nearest=[] if any(lists) else nearest,
        notices=list(dict.fromkeys(said)),
    )


def _named(name: str, results: list[SearchResult]) -> list[SearchResult]:
    return [result.model_copy(update={"path": named(name, result.path)}) for result in results]


def _newest(result: SearchResult) -> float:
    moment = result.created if result.date_field == "created" else result.modified
    return moment.timestamp() if moment else 0.0
