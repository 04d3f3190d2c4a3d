"""Search answered in two ways: as text for a model or a person, and as data for programs."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import islice
from pathlib import Path

from app.config.settings import Settings, default_settings, logger
from app.errors import BadRequestError, VaultError, format_error
from app.limits import HITS
from app.llm.left_out import left_out
from app.notices import NoticeKind
from app.parameters import read_value
from app.search.keyword.judge import choose_filter
from app.search.keyword.keyword import KeywordAnswer, KeywordFile, search_corpus
from app.search.keyword.ripgrep import find_root, folder_corpus
from app.search.models import Hit, SearchRequest, SearchResult, SearchResults
from app.search.request import PARAMETERS, parse_request
from app.search.searcher import NEAREST, searcher_for
from app.search.show.text import format_results
from app.showing import Told, in_line
from app.vault.client import VaultClient
from app.vault.named import each_of, named


def answer(
    vault: VaultClient | Mapping[str, VaultClient],
    parameters: Mapping[str, object],
    trace_id: str = "",
    *,
    reader: str = "",
) -> str:
    """Answer one search as text; an error is one line that starts with ``Error:``.

    Args:
        vault: The vault to search; or several by name, which are searched as one.
        parameters: ``operation`` and the parameters of `vault_search`.
        trace_id: Identifies the caller's turn in the log.
        reader: The tool that reads a passage by its place, to be named at the end.
    """
    asked = {name: value for name, value in parameters.items() if value is not None}
    about = {
        "trace_id": trace_id,
        "operation": parameters.get("operation"),
        "query": asked.get("query", asked.get("queries")),
        "parameters": asked,
    }
    logger.info("vault_search_called", extra=about)
    begun = time.monotonic()
    try:
        request = parse_request(parameters)
        results = (
            search_several(vault, request)
            if isinstance(vault, Mapping)
            else searcher_for(vault, request.index).search(request)
        )
        text = format_results(results, request, reader=reader)
    except VaultError as error:
        logger.info("vault_search_failed", extra={**about, "error": str(error)})
        return format_error(error)
    except Exception as error:  # noqa: BLE001 - the last resort of this front door
        logger.error("vault_search_failed", extra={**about, "error": str(error)}, exc_info=True)
        said = " ".join(str(error).split())
        return Told(in_line(f"Error: performing {parameters.get('operation')} search: {said}"), error)
    logger.info(
        "vault_search_answered",
        extra={**about, "count": results.total, "seconds": round(time.monotonic() - begun, 4)},
    )
    return text


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
        said = [notice for notice in said if notice.template not in of_one]
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
    notices: list[str] | None = None,
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
        limit: The most hits, 1 to 1,000; None gives every matching chunk.
        index: Which configured index to search.
        notices: A list to which is added what is to be known of the answer, such as that a filter was not
            understood, or that a key was left out of what a model elsewhere was sent.

    Returns:
        Hits; an empty list when nothing matches, all scopes are void, or the vault is empty.

    Raises:
        BadRequestError: empty ``queries``, a malformed glob, a bad date, an unknown mode.
    """
    request = parse_request(
        {
            "operation": read_value(PARAMETERS["mode"], mode),
            "queries": queries if isinstance(queries, str) else list(queries),
            "scopes": scopes if scopes is None or isinstance(scopes, str) else list(scopes),
            "start_date": date_from,
            "end_date": date_to,
            "min_score": min_score,
            "explain": explain,
        },
        unlimited=True,
    )
    if limit is not None:
        most = read_value(PARAMETERS["limit"]._replace(most=HITS), limit)
        request = request.model_copy(update={"limit": most})
    found, _ = searcher_for(vault, index).searched(request, far_too=True, excerpts=False)
    if notices is not None:
        notices += found.notices
    return list(map(Hit.of, found.results))


def keyword_search(
    query: str,
    search_terms: Sequence[str] | str,
    *,
    vault: VaultClient | None = None,
    folder: str | None = None,
    scopes: Sequence[str] | str | None = None,
    index: str | None = None,
    start: Path | None = None,
    settings: Settings | None = None,
) -> KeywordAnswer:
    """Find files by regular expressions, and keep those that the language model finds relevant.

    Use it with only a conceptual understanding of what is looked for; many specific terms do better than
    few general ones. With exact words in hand, such as a name or a message, search for those directly.

    Args:
        query: In full, what is looked for.
        search_terms: Regular expressions, most important first; case does not count.
        vault: The vault whose visible notes are searched. Without it, the git repository around ``start``,
            else ``start`` itself, by ripgrep's own rules.
        folder: Stay inside this folder of the vault.
        scopes: Stay inside these scopes of the vault.
        index: Which configured index knows the vault's notes.
        start: Where to look for a repository; by default the working folder.
        settings: The program's settings where there is no vault; by default those of the environment.

    Raises:
        BadRequestError: no query or no terms, a term that is no regular expression, or all too broad.
        EngineMissingError: there is no ripgrep.
        SearchError: ripgrep took too long, or failed.
    """
    request = parse_request(
        {
            "operation": "keyword",
            "query": query,
            "search_terms": search_terms if isinstance(search_terms, str) else list(search_terms),
            "folder": folder,
            "scopes": scopes if scopes is None or isinstance(scopes, str) else list(scopes),
        },
        unlimited=True,
    )
    if vault is not None:
        found = searcher_for(vault, index).search(request)
        return KeywordAnswer(tuple(map(_as_file, found.results)), tuple(found.notices))
    if request.folder is not None or request.scopes is not None:
        raise BadRequestError("'folder' and 'scopes' need a vault", "name one, or give start=...")
    ask, why_not = choose_filter(settings or default_settings())
    root = find_root(start or Path.cwd())
    with left_out() as masked:
        answer = search_corpus(request.query, request.search_terms, folder_corpus(root), ask, why_not)
    return replace(answer, root=str(root), notices=(*answer.notices, *masked.notices()))


def _as_file(result: SearchResult) -> KeywordFile:
    return KeywordFile(result.path, result.score, result.relevance_reason or "", result.numbers)
