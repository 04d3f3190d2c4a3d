"""Turn loose parameters into one valid request, or into one error that names what is wrong."""

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any, get_args

from app.errors import BadRequestError
from app.limits import PATH_BYTES, QUERY_CHARS, VALUE_CHARS, check_list, check_text, shown
from app.search.models import DateField, Direction, Mode, Operation, SearchRequest
from app.vault.dates import parse_bound

OPERATION_NAMES: tuple[str, ...] = get_args(Operation)
DEFAULTS: dict[str, Any] = {
    "query": None,
    "tags": None,
    "note_path": None,
    "direction": "backlinks",
    "start_date": None,
    "end_date": None,
    "date_field": "created",
    "folder": None,
    "match_all": False,
    "limit": 10,
    "queries": None,
    "scopes": None,
    "mode": "fast",
    "search_terms": None,
    "depth": 1,
    "offset": 0,
    "max_chars": 6000,
    "min_score": None,
    "explain": False,
    "links": False,
    "index": None,
}
"""Every parameter of the tool besides the operation, in its order, with its default."""
_ALWAYS = {"limit", "offset", "max_chars", "links", "index"}
_FILTERS = {"folder", "scopes", "tags", "match_all", "start_date", "end_date"}
_RANKED = {"query", "min_score", "explain"}
_CHUNKS = _ALWAYS | _FILTERS | _RANKED | {"queries"}
USES: dict[str, set[str]] = {
    "fulltext": _ALWAYS | _FILTERS | _RANKED | {"date_field"},
    "by_tag": _ALWAYS | _FILTERS | {"date_field"},
    "by_link": _ALWAYS | _FILTERS | {"note_path", "direction", "depth", "date_field"},
    "by_date": _ALWAYS | _FILTERS | {"date_field"},
    "combined": _ALWAYS | _FILTERS | _RANKED | {"note_path", "direction", "depth", "date_field"},
    "fast": _CHUNKS,
    "deep": _CHUNKS,
    "scoped": _CHUNKS | {"mode"},
    "keyword": _ALWAYS | {"query", "search_terms", "folder", "scopes"},
}
"""Which parameters an operation can use."""


def read_texts(value: object, name: str, most: int = VALUE_CHARS) -> tuple[str, ...]:
    """Read a list of texts, each of ``most`` characters; a single one is a list of one, and blank ones go."""
    if value is None:
        return ()
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise BadRequestError(
            f"'{name}' must be a list of texts (got {shown(value)})", f"for example {name}=['...']"
        )
    check_list(items, name, most)
    return tuple(dict.fromkeys(item.strip() for item in items if item.strip()))


def read_text(value: object, name: str, most: int = VALUE_CHARS) -> str | None:
    """Read a text of at most ``most`` characters; a blank one is none."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise BadRequestError(f"'{name}' must be text (got {shown(value)})")
    check_text(value, name, most)
    return value.strip() or None


def read_one_of(value: object, name: str, kind: Any) -> Any:  # noqa: ANN401 - a Literal and one of its values
    """Read one of the values of a Literal."""
    valid = get_args(kind)
    if value not in valid:
        raise BadRequestError(f"unknown {name} {shown(value)}", "valid: " + ", ".join(valid))
    return value


def read_flag(value: object, name: str) -> bool:
    """Read a truth value, or its English name."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    raise BadRequestError(f"'{name}' must be true or false (got {shown(value)})")


def read_whole(value: object, name: str, least: int, most: int | None) -> int:
    """Read a whole number within bounds, both inclusive."""
    bounds = f"from {least} to {most}" if most is not None else f"from {least}"
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError(value)
        number = int(value)
        if isinstance(value, float) and number != value:
            raise ValueError(value)
    except (ValueError, OverflowError) as error:
        raise BadRequestError(f"'{name}' must be a whole number {bounds} (got {shown(value)})") from error
    if number < least or (most is not None and number > most):
        raise BadRequestError(f"'{name}' must be {bounds} (got {shown(number)})", f"choose a number {bounds}")
    return number


def read_fraction(value: object, name: str) -> float | None:
    """Read a number from 0 to 1; none stays none."""
    if value is None:
        return None
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError(value)
        number = float(value)
    except ValueError as error:
        raise BadRequestError(f"'{name}' must be a number from 0 to 1 (got {shown(value)})") from error
    if math.isnan(number) or not 0 <= number <= 1:
        raise BadRequestError(f"'{name}' must be from 0 to 1 (got {shown(value)})")
    return number


def parse_request(parameters: Mapping[str, object], *, unlimited: bool = False) -> SearchRequest:
    """Check every parameter and give the request.

    Args:
        parameters: ``operation`` and any of `DEFAULTS`; None and defaults may be left out.
        unlimited: Give every result, whatever ``limit`` says.

    Raises:
        BadRequestError: an unknown operation or parameter, a missing one, or a value out of range.
    """
    operation = parameters.get("operation")
    if operation not in OPERATION_NAMES:
        named = shown(operation)[1:-1] if isinstance(operation, str) else shown(operation)
        raise BadRequestError(f"Unknown operation: {named}", "Valid: " + ", ".join(OPERATION_NAMES))
    given = {name: value for name, value in parameters.items() if name != "operation"}
    for name, value in given.items():
        if name not in DEFAULTS:
            raise BadRequestError(f"unknown parameter {shown(name)}", "valid: " + ", ".join(DEFAULTS))
        if (
            name not in USES[str(operation)]
            and value not in (None, DEFAULTS[name])
            and not _agrees(operation, name, value)
        ):
            usable = ", ".join(name for name in DEFAULTS if name in USES[str(operation)])
            raise BadRequestError(
                f"operation '{operation}' cannot use '{name}' (got {shown(value)})", f"it takes {usable}"
            )
    values = {name: default if given.get(name) is None else given[name] for name, default in DEFAULTS.items()}
    request = _build(str(operation), values)
    return replace(request, limit=None) if unlimited else request


def _agrees(operation: object, name: str, value: object) -> bool:
    return name == "mode" and value == operation


def _build(operation: str, values: Mapping[str, Any]) -> SearchRequest:
    tags = read_texts(values["tags"], "tags")
    queries = _queries(values)
    scopes = _scopes(values["scopes"])
    start, end = _range(values)
    note_path = read_text(values["note_path"], "note_path", PATH_BYTES)
    folder = read_text(values["folder"], "folder", PATH_BYTES)
    search_terms = read_texts(values["search_terms"], "search_terms", QUERY_CHARS)
    _require(
        operation,
        queries=queries,
        tags=tags,
        note_path=note_path,
        dates=start or end,
        folder=folder,
        scopes=scopes,
        search_terms=search_terms,
    )
    return SearchRequest(
        operation=read_one_of(operation, "operation", Operation),
        queries=queries,
        tags=tags,
        match_all=read_flag(values["match_all"], "match_all"),
        note_path=note_path,
        direction=read_one_of(values["direction"], "direction", Direction),
        depth=read_whole(values["depth"], "depth", 1, 3),
        start=start,
        end=end,
        date_field=read_one_of(values["date_field"], "date_field", DateField),
        folder=folder,
        scopes=scopes,
        mode="deep" if operation == "deep" else read_one_of(values["mode"], "mode", Mode),
        search_terms=search_terms,
        limit=read_whole(values["limit"], "limit", 1, 100),
        offset=read_whole(values["offset"], "offset", 0, None),
        min_score=read_fraction(values["min_score"], "min_score"),
        max_chars=read_whole(values["max_chars"], "max_chars", 500, None),
        explain=read_flag(values["explain"], "explain"),
        links=read_flag(values["links"], "links"),
    )


def _require(
    operation: str,
    *,
    queries: object,
    tags: object,
    note_path: object,
    dates: object,
    folder: object,
    scopes: object,
    search_terms: object,
) -> None:
    """Name what an operation cannot do without; the wording of the first five is part of the interface."""
    if operation == "fulltext" and not queries:
        raise BadRequestError("'query' required for fulltext search", 'give words or a "phrase"')
    if operation == "by_tag" and not tags:
        raise BadRequestError("'tags' required for tag search", "give tags such as ['project/garden']")
    if operation == "by_link" and not note_path:
        raise BadRequestError("'note_path' required for link search", "give the path or name of a note")
    if operation == "by_date" and not dates:
        raise BadRequestError(
            "'start_date' or 'end_date' required", "give a day such as 2025-07-14 or '7 days ago'"
        )
    if operation == "combined" and not any((queries, tags, note_path, dates, folder, scopes)):
        raise BadRequestError(
            "at least one search criteria required",
            "give query, tags, start_date, end_date, folder, scopes or note_path",
        )
    if operation == "scoped" and not scopes:
        raise BadRequestError(
            "'scopes' required for scoped search", "give scopes such as ['projects/*/state.md'], or use fast"
        )
    if operation == "keyword" and not queries:
        raise BadRequestError("'query' required for keyword search", "say in full what is looked for")
    if operation == "keyword" and not search_terms:
        raise BadRequestError(
            "'search_terms' required for keyword search",
            "give regular expressions, the most important first, such as ['larch', 'kiln.*broke']",
        )
    if operation in ("fast", "deep", "scoped") and not queries:
        raise BadRequestError(
            f"'query' or 'queries' required for {operation} search", "give words, or '*' for everything"
        )


def _queries(values: Mapping[str, Any]) -> tuple[str, ...]:
    given = values["queries"]
    queries = read_texts(given, "queries", QUERY_CHARS)
    if given is not None and not queries and not values["query"]:
        raise BadRequestError("'queries' is empty", "give at least one query, or '*' for everything")
    query = read_text(values["query"], "query", QUERY_CHARS)
    merged = tuple(dict.fromkeys([query, *queries] if query else queries))
    return tuple(text for text in merged if text != "*") or merged


def _scopes(given: object) -> tuple[str, ...] | None:
    if given is None:
        return None
    scopes = read_texts(given, "scopes")
    if not scopes:
        raise BadRequestError("'scopes' is empty", "use null to search the whole vault")
    return scopes


def _range(values: Mapping[str, Any]) -> tuple[date | None, date | None]:
    start_text, end_text = (
        read_text(values["start_date"], "start_date"),
        read_text(values["end_date"], "end_date"),
    )
    start = parse_bound(start_text) if start_text else None
    end = parse_bound(end_text, end=True) if end_text else None
    if start and end and start > end:
        raise BadRequestError(f"start date {start} lies after end date {end}", "swap them")
    return start, end
