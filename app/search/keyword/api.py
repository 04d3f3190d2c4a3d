"""Keyword search as one function: in a vault its notes, outside of one the files around."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.config.settings import Settings, default_settings
from app.dependencies import VaultClient
from app.errors import BadRequestError
from app.llm.masks import left_out
from app.search.keyword.answer import KeywordAnswer, KeywordFile, search_corpus
from app.search.keyword.corpus import find_root, folder_corpus
from app.search.keyword.models import choose_filter
from app.search.models import SearchResult
from app.search.request import parse_request
from app.search.searcher import searcher_for


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
    lines = tuple(map(int, result.lines.split(", "))) if result.lines else ()
    return KeywordFile(result.path, result.score, result.relevance_reason or "", lines)
