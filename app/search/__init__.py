"""Search a vault: the tool for agents, and the same as data.

Its names are loaded when first used: the agent library takes longer to import than a search takes.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.search.answer import keyword_search, search
    from app.search.tools import vault_search

__all__ = ["keyword_search", "search", "vault_search"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - one of three functions
    if name not in __all__:
        raise AttributeError(f"module 'app.search' has no attribute '{name}'")
    return getattr(import_module(".tools" if name == "vault_search" else ".answer", __name__), name)
