"""The one search tool for agents: a request in, text out, never an exception.

What searches is imported by the first call, in a thread: an app that has the tool starts without it.
"""

import asyncio
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pydantic_ai import RunContext

from app.dependencies import HasVault, VaultClient, vault_of
from app.errors import ConfigError, format_error
from app.parameters import described, parameters_of, rightly_named
from app.search.models import SearchRequest
from app.showing import with_line

if TYPE_CHECKING:
    from app.markdown.parse import extract_title, extract_wikilinks
    from app.search.answer import answer
    from app.search.excerpt import calculate_relevance, generate_excerpt
    from app.search.show.text import format_results

_ROOT = __name__.rpartition(".search.")[0]
_HOMES = {
    "answer": "search.answer",
    "calculate_relevance": "search.excerpt",
    "extract_title": "markdown.parse",
    "extract_wikilinks": "markdown.parse",
    "format_results": "search.show.text",
    "generate_excerpt": "search.excerpt",
}
"""Names that are offered here too, and loaded when they are used."""

__all__ = [
    "HasVault",
    "answer",
    "calculate_relevance",
    "extract_title",
    "extract_wikilinks",
    "format_results",
    "generate_excerpt",
    "vault_search",
]


@described(SearchRequest)
async def vault_search(
    ctx: RunContext[HasVault],
    operation: str,
    query: str | None = None,
    tags: list[str] | str | None = None,
    note_path: str | None = None,
    direction: str = "backlinks",
    start_date: str | None = None,
    end_date: str | None = None,
    date_field: str = "created",
    folder: str | None = None,
    match_all: bool = False,
    limit: int = 10,
    queries: list[str] | str | None = None,
    scopes: list[str] | str | None = None,
    mode: str = "fast",
    search_terms: list[str] | str | None = None,
    depth: int = 1,
    offset: int = 0,
    max_chars: int = 6000,
    max_tokens: int | None = None,
    min_score: float | None = None,
    explain: bool = False,
    links: bool = False,
    index: str | None = None,
    **guessed: Any,  # noqa: ANN401 - arguments by other names
) -> str:
    """Find notes in the vault, and the places in them that answer.

    Operations: "fast" ranks passages by keywords, in milliseconds: names, tags, statuses such as
    "status: en-cours", dates, identifiers. "deep" ranks by keywords and meaning together, slower: questions
    in words that the notes may not use. "scoped" does either (mode) inside the scopes only.
    "fulltext" lists notes that hold all the words, an "exact phrase", and no -excluded word. "by_tag"
    lists notes by tags, "by_link" by the links to or from a note, "by_date" by when they were created or
    modified, and "combined" those that satisfy all criteria given.
    Folder, scopes, tags and dates narrow every operation but "keyword", which takes folder and scopes.

    "keyword" locates notes with a search-and-filter approach: ripgrep over search_terms, then a language
    model that keeps what is relevant to query. Use when navigating an unfamiliar vault with only conceptual
    understanding or vague user questions. Provide a detailed query for accurate relevance ranking; prefer
    MANY SPECIFIC terms over FEW GENERAL ones (high precision beats high recall); order them by importance,
    most important first; they are regular expressions. Do NOT use it with precise information like a phrase,
    a name, a date, a tag or a file name: use "fast" or "fulltext" instead.
    """
    given = {**locals(), **guessed}
    del given["ctx"], given["guessed"]
    try:
        vault = vault_of(ctx.deps)
    except ConfigError as error:
        return format_error(error)
    return await asyncio.to_thread(_answered, vault, given, str(getattr(ctx.deps, "trace_id", "")))


def _answered(vault: VaultClient, given: Mapping[str, object], trace_id: str) -> str:
    from app.search.answer import answer

    given, names = rightly_named(tuple(parameters_of(SearchRequest).values()), given)
    return with_line(answer(vault, given, trace_id), names)


def __getattr__(name: str) -> Any:  # noqa: ANN401 - one of several functions
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{_ROOT}.{_HOMES[name]}"), name)
