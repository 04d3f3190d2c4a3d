"""Vault Assistant: find things in a vault of Markdown notes.

What other programs build on is offered here, and loaded when it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.chat.agent import ask_vault as ask_vault
    from app.chat.ask.concat import Block as Block
    from app.chat.ask.concat import Document as Document
    from app.chat.ask.events import AskEvent as AskEvent
    from app.chat.ask.events import Done as Done
    from app.chat.ask.events import EvidenceFound as EvidenceFound
    from app.chat.ask.events import Searching as Searching
    from app.chat.ask.events import Verdicts as Verdicts
    from app.chat.ask.events import Words as Words
    from app.chat.evidence.evidence import Claim as Claim
    from app.config.settings import Settings as Settings
    from app.config.settings import load_settings as load_settings
    from app.dependencies import ChatDependencies as ChatDependencies
    from app.dependencies import ProposedWrite as ProposedWrite
    from app.errors import BadRequestError as BadRequestError
    from app.errors import ConflictError as ConflictError
    from app.errors import EngineMissingError as EngineMissingError
    from app.errors import IndexBusyError as IndexBusyError
    from app.errors import ModelError as ModelError
    from app.errors import NoteNotFoundError as NoteNotFoundError
    from app.errors import QueryError as QueryError
    from app.errors import VaultError as VaultError
    from app.errors import VaultNotFoundError as VaultNotFoundError
    from app.library.tools import Failed as Failed
    from app.library.tools import VaultTools as VaultTools
    from app.library.toolset import VaultToolset as VaultToolset
    from app.library.vault import Vault as Vault
    from app.llm.models import resolve_model as resolve_model
    from app.notes.models import Reading as Reading
    from app.notes.models import Touched as Touched
    from app.notes.proposal import NotWaitingError as NotWaitingError
    from app.notes.proposal import Proposal as Proposal
    from app.notes.tools import note_operations as note_operations
    from app.search.models import Hit as Hit
    from app.search.models import ShownResults as ShownResults
    from app.search.tools import vault_search as vault_search
    from app.vault.client import VaultClient as VaultClient

NAME = "vault-assistant"
__version__ = "0.1.0"

_NAMES = {
    "chat.agent": "ask_vault",
    "chat.ask.concat": "Block Document",
    "chat.ask.events": "AskEvent Done EvidenceFound Searching Verdicts Words",
    "chat.evidence.evidence": "Claim",
    "config.settings": "Settings load_settings",
    "dependencies": "ChatDependencies ProposedWrite",
    "errors": (
        "BadRequestError ConflictError EngineMissingError IndexBusyError ModelError "
        "NoteNotFoundError QueryError VaultError VaultNotFoundError"
    ),
    "library.tools": "Failed VaultTools",
    "library.toolset": "VaultToolset",
    "library.vault": "Vault",
    "llm.models": "resolve_model",
    "notes.models": "Reading Touched",
    "notes.proposal": "NotWaitingError Proposal",
    "notes.tools": "note_operations",
    "search.models": "Hit ShownResults",
    "search.tools": "vault_search",
    "vault.client": "VaultClient",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
"""The module of each name that is offered here."""

__all__ = ["__version__", *sorted(_HOMES)]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:  # noqa: ANN401 - one of the names above
        if name not in _HOMES:
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
        found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *_HOMES})
