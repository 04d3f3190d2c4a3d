"""The tool `wksm_search`: the same document that the command `wksc search` prints."""

import asyncio
from functools import cache
from pathlib import Path
from typing import Any

from mcp.types import CallToolResult

from app.dependencies import VaultClient
from app.errors import NoteNotFoundError
from app.files import real_path
from app.mcp.progress import reported
from app.mcp.results import data_result
from app.mcp.surface import Call
from app.paths import clean_path


async def wksm_search(call: Call) -> CallToolResult:
    """Search one named index; what goes wrong stands in the document's ``errors``."""
    async with reported(call):
        data = await asyncio.to_thread(_document, call)
    return data_result(data, failed=bool(data["errors"]))


def _document(call: Call) -> dict[str, Any]:
    from app.search.wksc.search import wksm_search

    arguments = dict(call.arguments)
    if arguments["query_image"] and _reads_images(call.vault, arguments["index"]):
        arguments["query_image"] = str(image_in(call.vault, arguments["query_image"]))
    return wksm_search(call.vault, **arguments).data()


def _reads_images(vault: VaultClient, index: str | None) -> bool:
    """Tell whether an index has a model; one of words refuses an image without looking at it."""
    from app.search.wksc.mode import model_of

    definition = vault.settings.index.indexes.get(index or vault.settings.index.default)
    return definition is not None and model_of(definition) is not None


def image_in(vault: VaultClient, written: str) -> Path:
    """Find an image in the vault, where a client may name one; never one outside, or excluded.

    Raises:
        PathError: the path leads out of the vault, or what is there is excluded.
        NoteNotFoundError: there is nothing.
    """
    path = clean_path(written)
    try:
        real = real_path(vault.root, path)
    except NoteNotFoundError as error:
        raise NoteNotFoundError(f"no image at '{written}'", "name one in the vault") from error
    if vault.is_excluded(path) or vault.is_excluded(real):
        raise NoteNotFoundError(f"no image at '{written}'", "name one in the vault")
    return vault.root / real


@cache
def wksm_schema() -> dict[str, Any]:
    """Give the document's published schema, without the prose."""
    from app.search.wksc.models import SearchOutput

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
