"""A copy of a note in which a person writes with their own editor, and the change that comes of it."""

import os
import re
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from app.errors import WriteError
from app.journal.lines import journal_folder
from app.notes.document import Document
from app.notes.models import Change, Plan
from app.sentences import Sentence, reason_of
from app.system import flags
from app.vault.client import VaultClient

KEPT_SECONDS = 90 * 86_400.0
"""How long a text is kept that could not be written."""
_PLAIN = re.compile(r"[^\w .()-]+")


class WorkingCopy:
    """A private copy, outside the vault; it stays where its text could be of use to somebody.

    Args:
        vault: The vault.
        document: The note as it is now.
    """

    def __init__(self, vault: VaultClient, document: Document) -> None:
        self.document = document
        folder = journal_folder(vault.root, vault.settings.state_folder.resolve()) / "copies"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _sweep(folder)
            # The note's own name comes last, so that an editor shows it and knows what kind of file it is.
            place = Path(tempfile.mkdtemp(dir=folder))
            self.file = place / (_PLAIN.sub("_", document.path.rpartition("/")[2])[-100:] or "note.md")
            descriptor = os.open(self.file, flags("WRONLY", "CREAT", "EXCL"), 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(document.data)
        except OSError as error:
            raise WriteError(
                "no copy can be made in '{folder}': {reason}",
                "see the setting 'state_dir'",
                folder=folder,
                reason=reason_of(error),
            ) from error

    def plan(self) -> Plan:
        """Return the change that makes the note what the copy says now.

        Raises:
            WriteError: the copy cannot be read.
        """
        try:
            after = self.file.read_bytes()
        except OSError as error:
            raise WriteError(
                "'{file}' cannot be read: {reason}",
                "nothing was written",
                file=self.file,
                reason=reason_of(error),
            ) from error
        path = self.document.path
        return Plan(
            "update", path, (Change(path, self.document.data, after),), Sentence("update '{path}'", path=path)
        )

    def drop(self) -> None:
        """Remove the copy, and what an editor has left beside it."""
        shutil.rmtree(self.file.parent, ignore_errors=True)


def _sweep(folder: Path) -> None:
    """Remove the copies that nobody has come back to."""
    for place in folder.iterdir():
        # Whoever edits at the same time may just have removed their own.
        with suppress(FileNotFoundError):
            if place.stat().st_mtime < time.time() - KEPT_SECONDS:
                shutil.rmtree(place, ignore_errors=True)
