"""The tool `wksm_search`: the same document that the command `wksc search` prints."""

import asyncio
from functools import cache
from typing import Any

from mcp.types import CallToolResult

from app.mcp.progress import reported
from app.mcp.results import data_result
from app.mcp.surface import Call


async def wksm_search(call: Call) -> CallToolResult:
    """Search one named index; what goes wrong stands in the document's ``errors``."""
    async with reported(call):
        data = await asyncio.to_thread(_document, call)
    return data_result(data, failed=bool(data["errors"]))


def _document(call: Call) -> dict[str, Any]:
    from app.search.named.search import wksm_search

    # An image must lie in the vault: only a person's own command line may name any other.
    return wksm_search(call.vault, **call.arguments).data()


@cache
def wksm_schema() -> dict[str, Any]:
    """Give the document's published schema, without the prose."""
    from app.search.named.models import SearchOutput

    found: dict[str, Any] = without_prose(SearchOutput.model_json_schema(mode="serialization"))
    return found


def without_prose(schema: Any) -> Any:  # noqa: ANN401 - JSON
    """Leave titles and descriptions out of a JSON Schema; what is named so stays."""
    if isinstance(schema, list):
        return [without_prose(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            kept[key] = {name: without_prose(inner) for name, inner in value.items()}
        elif key not in ("title", "description"):
            kept[key] = without_prose(value)
    return kept
