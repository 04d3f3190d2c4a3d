"""Turn loose parameters into one valid request, or into one error that names what is wrong."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, get_args

from app.errors import BadRequestError
from app.limits import shown
from app.parameters import parameters_of, read_value
from app.search.models import Operation, SearchRequest
from app.sentences import ParameterName
from app.vault.dates import parse_bound
from app.vault.here import folder_from, note_from, scope_from

OPERATION_NAMES: tuple[str, ...] = get_args(Operation)
PARAMETERS = {name: row for name, row in parameters_of(SearchRequest).items() if name != "operation"}
"""Every parameter of the tool besides the operation, in its order."""
CRITERIA = ("queries", "tags", "note_path", "start_date", "end_date", "folder", "scopes")
"""What ``combined`` can filter by."""


def parse_request(parameters: Mapping[str, object], *, unlimited: bool = False) -> SearchRequest:
    """Check every parameter and return the request.

    Args:
        parameters: ``operation`` and any of `PARAMETERS`; None and defaults may be left out.
        unlimited: Return every result, whatever ``limit`` says.

    Raises:
        BadRequestError: an unknown operation or parameter, a missing one, or a value out of range.
    """
    operation = parameters.get("operation")
    if operation not in OPERATION_NAMES:
        named = shown(operation)[1:-1] if isinstance(operation, str) else shown(operation)
        raise BadRequestError(
            "Unknown operation: {named}",
            "Valid: {valid}",
            named=named,
            valid=", ".join(OPERATION_NAMES),
        )
    for name, value in parameters.items():
        if name != "operation":
            _check_use(str(operation), name, value)
    values = {name: read_value(row, parameters.get(name)) for name, row in PARAMETERS.items()}
    values["queries"] = _queries(values, parameters)
    values["query"] = " | ".join(values["queries"])
    if values["scopes"] == ():
        raise BadRequestError("'scopes' is empty", "use null to search the whole vault")
    values["start_date"], values["end_date"] = _range(values)
    _require(str(operation), values)
    if operation == "deep":
        values["mode"] = "deep"
    given = {name: value for name, value in values.items() if value is not None}
    request = SearchRequest.model_validate({"operation": operation, **given})
    if request.ranks_passages and request.note_path and not request.explain:
        raise BadRequestError(
            "operation '{operation}' cannot use 'note_path' (got {note_path})",
            "it takes one with explain=true, and then says why that note is not found",
            operation=operation,
            note_path=shown(request.note_path),
        )
    return request.model_copy(update={"limit": None}) if unlimited else request


def placed_from(request: SearchRequest, root: Path, folder: str) -> SearchRequest:
    """Return a request whose paths were typed in a folder so that they mean the same from the root.

    Args:
        request: The request.
        root: The vault's folder.
        folder: The working folder; see `app.vault.here.note_from`.
    """
    placed: dict[str, object] = {}
    if request.folder:
        placed["folder"] = folder_from(root, folder, request.folder)
    if request.note_path:
        placed["note_path"] = note_from(root, folder, request.note_path)
    if request.scopes:
        placed["scopes"] = tuple(scope_from(root, folder, scope) for scope in request.scopes)
    return request.model_copy(update=placed)


def _check_use(operation: str, name: str, value: object) -> None:
    """Refuse a parameter that there is not, or that the operation would ignore."""
    if name not in PARAMETERS:
        raise BadRequestError(
            "unknown parameter {name}",
            "valid: {valid}",
            name=shown(name),
            valid=", ".join(PARAMETERS),
        )
    row = PARAMETERS[name]
    agrees = name == "mode" and value == operation
    if operation not in row.used_by and value not in (None, row.default) and not agrees:
        usable = ", ".join(other for other, each in PARAMETERS.items() if operation in each.used_by)
        raise BadRequestError(
            "operation '{operation}' cannot use '{name}' (got {value})",
            "it takes {usable}",
            operation=operation,
            name=ParameterName(name),
            value=shown(value),
            usable=usable,
        )


def _require(operation: str, values: Mapping[str, Any]) -> None:
    """Name what an operation cannot do without; the wording of the first five is part of the interface."""
    if operation == "fulltext" and not values["queries"]:
        raise BadRequestError("'query' required for fulltext search", 'give words or a "phrase"')
    if operation == "by_tag" and not values["tags"]:
        raise BadRequestError("'tags' required for tag search", "give tags such as 'project/garden'")
    if operation == "by_link" and not values["note_path"]:
        raise BadRequestError("'note_path' required for link search", "give the path or name of a note")
    if operation == "by_date" and not (values["start_date"] or values["end_date"]):
        raise BadRequestError(
            "'start_date' or 'end_date' required", "give a day such as 2025-07-14 or '7 days ago'"
        )
    if operation == "combined" and not any(map(values.get, CRITERIA)):
        raise BadRequestError(
            "at least one search criteria required",
            "give words, tags, days, a folder, scopes or a note",
        )
    if operation == "scoped" and not values["scopes"]:
        raise BadRequestError(
            "'scopes' required for scoped search", "give scopes such as 'projects/*/state.md', or use fast"
        )
    if operation == "keyword" and not values["queries"]:
        raise BadRequestError("'query' required for keyword search", "say in full what is looked for")
    if operation == "keyword" and not values["search_terms"]:
        raise BadRequestError(
            "'search_terms' required for keyword search",
            "give regular expressions, the most important first, such as 'larch' and 'kiln.*broke'",
        )
    if operation in ("fast", "deep", "scoped") and not values["queries"]:
        raise BadRequestError(
            "'query' or 'queries' required for {operation} search",
            "give words, or '*' for everything",
            operation=operation,
        )


def _queries(values: Mapping[str, Any], given: Mapping[str, object]) -> tuple[str, ...]:
    query, queries = values["query"], values["queries"] or ()
    if given.get("queries") is not None and not queries and not given.get("query"):
        raise BadRequestError("'queries' is empty", "give at least one query, or '*' for everything")
    merged = tuple(dict.fromkeys([query, *queries] if query else queries))
    return tuple(text for text in merged if text != "*") or merged


def _range(values: Mapping[str, Any]) -> tuple[date | None, date | None]:
    first, last = values["start_date"], values["end_date"]
    start = parse_bound(first) if first else None
    end = parse_bound(last, end=True) if last else None
    if start and end and start > end:
        raise BadRequestError(
            "start date {start} lies after end date {end}", "swap them", start=start, end=end
        )
    return start, end
