"""Several vaults in one question: which one a name means, and hits of all of them in one list."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.errors import BadRequestError
from app.limits import shown
from app.showing import Told

if TYPE_CHECKING:
    from app.library.vault import Vault
    from app.search.models import SearchResult

PLACES = ("new_path", "folder", "scopes")
"""Parameters that may name a vault too, besides the path of a call."""
BETWEEN = ":"
"""What stands between a vault's name and a path in it."""


def choose(
    vaults: "Mapping[str, Vault]", parameters: Mapping[str, Any], path: str
) -> "tuple[Vault | None, dict[str, Any]]":
    """Return the vault that a call is about, and its parameters without the vault's name.

    Args:
        vaults: By name.
        parameters: Of the call; ``vault`` names one of them, or the path does, as in ``name:path``.
        path: Which parameter is a path.

    Returns:
        The vault, None where none of several is named.

    Raises:
        BadRequestError: no vault has that name, or two are named.
    """
    found = dict(parameters)
    name = found.pop("vault", None)
    if name is not None and (not isinstance(name, str) or name not in vaults):
        raise BadRequestError(f"no vault {shown(name)}", "valid: " + ", ".join(vaults))
    if len(vaults) > 1:
        for place in (path, *PLACES):
            found_name, found[place] = _parted(vaults, found.get(place))
            if found_name is not None and name not in (None, found_name):
                raise BadRequestError(
                    f"'{place}' names '{found_name}', and the call '{name}'", "name one vault"
                )
            name = found_name or name
        found = {key: value for key, value in found.items() if value is not None}
    if name is None and len(vaults) > 1:
        return None, found
    return vaults[name] if name is not None else next(iter(vaults.values())), found


def _parted(vaults: "Mapping[str, Vault]", written: object) -> tuple[str | None, object]:
    """Take the vault's name off a place, or off each of several.

    Raises:
        BadRequestError: they name several vaults.
    """
    if isinstance(written, list | tuple):
        parts = [_parted(vaults, one) for one in written]
        names = {name for name, _ in parts if name is not None}
        if len(names) > 1:
            raise BadRequestError(
                "places are in several vaults: " + ", ".join(sorted(names)), "name one vault"
            )
        return (names.pop() if names else None), [place for _, place in parts]
    if not isinstance(written, str):
        return None, written
    before, between, after = written.partition(BETWEEN)
    return (before, after) if between and before in vaults else (None, written)


def _newest(result: "SearchResult") -> float:
    moment = result.created if result.date_field == "created" else result.modified
    return moment.timestamp() if moment else 0.0


def search_all(vaults: "Mapping[str, Vault]", parameters: Mapping[str, Any], trace_id: str) -> Told:
    """Search some vaults, and write the hits of all of them as one text; errors are one line.

    Args:
        vaults: By name; an empty name is that of a vault which is the only one.
        parameters: As of `vault_search`.
        trace_id: Identifies the caller's turn in the log.
    """
    from app.search.answer import answer
    from app.search.format import format_results
    from app.search.models import SearchResults
    from app.search.request import parse_request
    from app.search.searcher import searcher_for

    if "" in vaults:
        said = answer(vaults[""].client, parameters, trace_id)
        return said if isinstance(said, Told) else Told(said, None)
    request = parse_request(parameters)
    # Each may have all of what is shown.
    most = None if request.limit is None else request.offset + request.limit
    whole = request.model_copy(update={"limit": most, "offset": 0})
    found = {name: searcher_for(vault.client, request.index).search(whole) for name, vault in vaults.items()}
    results = [
        result.model_copy(update={"path": f"{name}{BETWEEN}{result.path}"})
        for name, one in found.items()
        for result in one.results
    ]
    # Equal scores are those of lists that are not ranked.
    results.sort(key=lambda result: (-result.score, -_newest(result)))
    merged = SearchResults(
        results=results[request.offset : most],
        total=sum(one.total for one in found.values()),
        query=next(iter(found.values())).query,
        operation=request.operation,
        notices=list(dict.fromkeys(notice for one in found.values() for notice in one.notices)),
    )
    return format_results(
        merged,
        max_chars=request.max_chars,
        max_tokens=request.max_tokens,
        offset=request.offset,
        links=request.links,
        dates=request.asks_dates,
    )
