"""The line on which a person writes in a chat: its commands completed, earlier lines brought back."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

if TYPE_CHECKING:
    from app.vault.client import VaultClient

HISTORY = "chat_lines"
"""In the state folder of the vault: what was written, where the setting ``keep_talks`` lets it be kept."""


class Line:
    """Reads what a person writes, line by line.

    Args:
        vault: Whose state folder keeps what was written.
        commands: Are completed where a line begins with a slash.
    """

    def __init__(self, vault: "VaultClient", commands: Sequence[str]) -> None:
        self._session: PromptSession[str] = PromptSession(
            history=_history(vault),
            completer=WordCompleter(list(commands), sentence=True),
            complete_while_typing=False,
        )

    def read(self) -> str | None:
        """Return the next line; None at the end. Ctrl-C gives up what stands on it, and begins it anew."""
        while True:
            try:
                return self._session.prompt("> ").strip()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return None


def _history(vault: "VaultClient") -> History:
    """Return what was written in earlier chats, kept for its owner alone; in memory where nothing is kept."""
    from app.journal.lines import journal_folder

    folder = journal_folder(vault.root, vault.settings.state_folder.resolve())
    if not vault.settings.keep_talks or folder.is_relative_to(vault.root):
        return InMemoryHistory()
    file = folder / HISTORY
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Made here, so that nobody else can read it; the library would leave that to the umask.
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600))
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(file))
