"""Several vaults in one question: which one a name means, and hits of all of them in one list."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.errors import BadRequestError
from app.showing import Told, in_line

if TYPE_CHECKING:
    from app.library.vault import Vault

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
    name, written = found.pop("vault", None), found.get(path)
    if name is not None and name not in vaults:
        raise BadRequestError(f"no vault '{in_line(str(name), 60)}'", "valid: " + ", ".join(vaults))
    if len(vaults) > 1 and isinstance(written, str):
        before, between, after = written.partition(BETWEEN)
        if between and before in vaults:
            if name not in (None, before):
                raise BadRequestError(f"'vault' is '{name}', and the path names '{before}'", "name one")
            name, found[path] = before, after
    if name is None and len(vaults) > 1:
        return None, found
    return vaults[name] if name is not None else next(iter(vaults.values())), found


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
    # Equal scores, as of lists that are not ranked, stay in the order of the vaults.
    results.sort(key=lambda result: -result.score)
    merged = SearchResults(
        results=results[request.offset : most],
        total=sum(one.total for one in found.values()),
        query=next(iter(found.values())).query,
        operation=request.operation,
        notices=list(dict.fromkeys(notice for one in found.values() for notice in one.notices)),
    )
    return format_results(merged, max_chars=request.max_chars, offset=request.offset, links=request.links)
