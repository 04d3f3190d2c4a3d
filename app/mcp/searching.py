"""The tools that search: `vault_search`, and `search`, `keyword_search` and `wksm_search` as data."""

import asyncio
import json
from dataclasses import asdict
from typing import Any

from mcp.types import CallToolResult

from app.dependencies import VaultClient
from app.mcp.folders import FolderVault
from app.mcp.parameters import Parameter
from app.mcp.progress import reported
from app.mcp.results import data_result, text_result
from app.mcp.surface import Call

DATA_CHARS = 24_000
"""Most characters of the hits of one answer; those past it are counted."""

_FROM = 'First day: 2025-07-14, 2025-07, today or "7 days ago".'
_TO = "Last day, inclusive."
_SCOPES = "Globs, folders, notes, project:NAME, each optionally with #HEADING; default: the whole vault."

VAULT_SEARCH = (
    Parameter(
        "operation",
        required=True,
        choices=("fulltext", "by_tag", "by_link", "by_date", "combined", "fast", "deep", "scoped", "keyword"),
    ),
    Parameter("query", "Words of the notes; \"*\" is everything, newest first. Obsidian's operators filter: "
              '"exact phrase", -without, OR, /regex/, tag:#x, path:x, line:(a b), [property:value].'),
    Parameter("tags", "With or without #; a parent finds its children.", "strings"),
    Parameter("note_path", "For by_link, combined: a note's path or name."),
    Parameter("direction", "Links to the note, from it, or both.", default="backlinks",
              choices=("backlinks", "forward", "both")),
    Parameter("start_date", _FROM),
    Parameter("end_date", _TO),
    Parameter("date_field", "", default="created", choices=("created", "modified")),
    Parameter("folder", "Stay inside this folder."),
    Parameter("match_all", "All tags, not any.", "boolean", False),
    Parameter("limit", "1 to 100.", "integer", 10),
    Parameter("queries", "Several queries, merged.", "strings"),
    Parameter("scopes", _SCOPES, "strings"),
    Parameter("mode", "For scoped.", default="fast", choices=("fast", "deep")),
    Parameter("search_terms", "For keyword: regular expressions, most important first.", "strings"),
    Parameter("depth", "Links away, 1 to 3.", "integer", 1),
    Parameter("offset", "Results to skip.", "integer", 0),
    Parameter("max_chars", "Longest answer, from 500.", "integer", 6000),
    Parameter("min_score", "0 to 1.", "number"),
    Parameter("explain", "Say why each was found.", "boolean", False),
    Parameter("links", "Give obsidian:// addresses.", "boolean", False),
    Parameter("index", "A configured index."),
)  # fmt: skip

SEARCH = (
    Parameter("queries", "What to look for; several are merged.", "strings", required=True),
    Parameter("mode", '"fast": keywords. "deep": meaning too.', default="fast", choices=("fast", "deep")),
    Parameter("scopes", _SCOPES, "strings"),
    Parameter("date_from", _FROM),
    Parameter("date_to", _TO),
    Parameter("min_score", "0 to 1.", "number"),
    Parameter("explain", "Say why each was found.", "boolean", False),
    Parameter("limit", "1 to 100.", "integer", 10),
    Parameter("index", "A configured index."),
)

KEYWORD_SEARCH = (
    Parameter("query", "In full, what is looked for.", required=True),
    Parameter(
        "search_terms",
        "Regular expressions, most important first; case is ignored.",
        "strings",
        required=True,
    ),
    Parameter("folder", "Stay inside this folder."),
    Parameter("scopes", _SCOPES, "strings"),
    Parameter("index", "A configured index."),
)

WKSM_SEARCH = (
    Parameter("query", "What to look for."),
    Parameter("index", "A configured index; default: the vault's default one."),
    Parameter("k", "Most hits, from 1.", "integer", 5),
    Parameter("query_image", "Path of an image in the vault; only for an index whose model reads images."),
)

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_OPTIONAL = {"type": ["string", "null"]}
_NUMBER = {"type": "number"}
_COUNT = {"type": "integer"}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


HITS_SCHEMA = _object(
    hits={
        "type": "array",
        "items": _object(
            path=_TEXT,
            score=_NUMBER,
            lines=_TEXT,
            chunk_with_context=_TEXT,
            title=_TEXT,
            heading=_TEXT,
            tags=_TEXTS,
            date=_OPTIONAL,
            uri=_TEXT,
            relevance_reason=_OPTIONAL,
        ),
    },
    left_out=_COUNT,
)
KEYWORD_SCHEMA = _object(
    files={
        "type": "array",
        "items": _object(path=_TEXT, score=_NUMBER, reason=_TEXT, lines={"type": "array", "items": _COUNT}),
    },
    notices=_TEXTS,
    left_out=_COUNT,
)


async def vault_search(call: Call) -> CallToolResult:
    """Answer as the agents' tool does."""
    from app.search.answer import answer

    _check_folder(call)
    async with reported(call):
        text = await asyncio.to_thread(answer, call.vault, call.arguments, call.trace_id)
    return text_result(text)


async def search(call: Call) -> CallToolResult:
    """Give ranked passages as data."""
    async with reported(call):
        hits = await asyncio.to_thread(_hits, call.vault, dict(call.arguments))
    kept = _within(hits)
    return data_result({"hits": kept, "left_out": len(hits) - len(kept)})


def _hits(vault: VaultClient, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    from app.search.answer import search

    return [asdict(hit) for hit in search(vault, **arguments)]


async def keyword_search(call: Call) -> CallToolResult:
    """Give the files that terms find and the language model keeps."""
    _check_folder(call)
    async with reported(call):
        files, notices = await asyncio.to_thread(_files, call.vault, dict(call.arguments))
    kept = _within(files)
    return data_result({"files": kept, "notices": notices, "left_out": len(files) - len(kept)})


def _files(vault: VaultClient, arguments: dict[str, Any]) -> tuple[list[dict[str, Any]], list[str]]:
    from app.search.answer import keyword_search

    found = keyword_search(vault=vault, **arguments)
    return [asdict(file) for file in found.files], list(found.notices)


def _check_folder(call: Call) -> None:
    """Let a folder that is not shown be answered like one that does not exist."""
    if isinstance(call.vault, FolderVault) and (folder := call.arguments["folder"]):
        call.vault.check_folder(folder)


def _within(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep the first items that fit into the budget, one at least."""
    used = 0
    kept: list[dict[str, Any]] = []
    for item in items:
        used += len(json.dumps(item, ensure_ascii=False)) + 2
        if used > DATA_CHARS and kept:
            break
        kept.append(item)
    return kept
