"""Search a vault: the tool for agents, and the same as data.

Its names are loaded when first used: the agent library takes longer to import than a search takes.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.search.answer import keyword_search, search
    from app.search.tools import vault_search

__all__ = ["keyword_search", "search", "vault_search"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - one of three functions
    if name == "vault_search":
        from app.search.tools import vault_search

        return vault_search
    if name == "search":
        from app.search.answer import search

        return search
    if name == "keyword_search":
        from app.search.answer import keyword_search

        return keyword_search
    raise AttributeError(f"module 'app.search' has no attribute '{name}'")
