"""The files of one write: on which side of it each of them is, and how to bring it to the other."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from app.errors import NoteNotFoundError
from app.journal.excluded import unnamed
from app.journal.models import Entry, FileState
from app.vault.atomic import content_hash
from app.vault.attributes import Attributes
from app.vault.files import remove_aside, rename_file
from app.vault.hidden import has_name, hidden_by
from app.vault.paths import NotePath, path_key
from app.vault.work import Work

if TYPE_CHECKING:
    from app.vault.client import VaultClient

Side = Literal["before", "after", "other"]


@dataclass(slots=True)
class Look:
    """One path of a write, and what is there now."""

    state: FileState
    now: str | None
    """Hash of the content; None where there is no note."""
    aside: str | None = None
    """Where the note was set aside to be removed, if it is still there."""
    moved: str | None = None
    """For the new path of a move: hash of the content that came along."""

    @property
    def path(self) -> NotePath:
        """The path."""
        return NotePath(self.state.path)

    @property
    def side(self) -> Side:
        """The side that the note is on; `other` where somebody else has changed it."""
        if self.aside is not None and self.now is None:
            return "before"
        if self.now == self.state.after or (self.moved is not None and self.now == self.moved):
            return "after"
        return "before" if self.now == self.state.before else "other"

    @property
    def is_halfway(self) -> bool:
        """Whether a note was moved, and its own links are as they were."""
        return self.now is not None and self.now == self.moved != self.state.after


class Steps:
    """What one write does, forward and back.

    Args:
        vault: The vault.
        entry: The write as the journal has it.
        content: Gives a content by its hash.
        work: Marks hidden names, and gathers what failed when the write could not fail any more.
    """

    def __init__(
        self, vault: "VaultClient", entry: Entry, content: Callable[[str], bytes], work: Work
    ) -> None:
        self._vault, self._entry, self._content, self._work = vault, entry, content, work

    def untouched(self) -> dict[str, Look]:
        """Return how the files are before the write, without looking."""
        return {state.path: self._look(state, state.before) for state in self._entry.files}

    def look(self) -> dict[str, Look]:
        """Look at every file.

        Raises:
            NoteUnreadableError: a note cannot be read.
        """
        looks = {state.path: self._look(state, self._now(state)) for state in self._entry.files}
        for folder in folders_of(self._entry):
            for hidden in hidden_by(self._vault.root, folder, self._entry.id):
                for name in hidden.held or ():
                    if (look := looks.get(f"{folder}/{name}".lstrip("/"))) is not None:
                        look.aside = f"{hidden.path}/{name}"
        return looks

    def forward(self, looks: dict[str, Look]) -> None:
        """Do what is not done yet.

        Raises:
            VaultError: a step failed; those before it are done.
        """
        rest = dict(looks)
        if self._entry.moved is not None:
            old, new = (rest.pop(path) for path in self._entry.moved)
            if old.now is not None and old.side == "before":
                if new.now is None:
                    self._rename(old.path, new.path)
                    new.now = old.now
                elif new.side == "after":
                    self._put(old, None, None)
            if new.is_halfway:
                self._put(new, new.state.after, new.state.given)
        for look in rest.values():
            if look.side == "before" and look.now != look.state.after:
                self._put(look, look.state.after, look.state.given)

    def back(self, looks: dict[str, Look]) -> None:
        """Take back what is done; raises as `forward` does."""
        rest = dict(looks)
        moved = [rest.pop(path) for path in self._entry.moved or ()]
        for look in reversed(rest.values()):
            if look.aside is not None and look.now is None:
                self._put_back(look, look.aside)
            elif look.side == "after":
                self._put(look, look.state.before, look.state.attributes)
        if moved:
            self._move_back(*moved)

    def _move_back(self, old: Look, new: Look) -> None:
        if new.side != "after" or new.now is None:
            return
        if new.now != old.state.before:
            self._put(new, old.state.before, old.state.attributes)
        if old.now is None:
            self._rename(new.path, old.path)
        elif old.side == "before":
            self._put(new, None, None)

    def _look(self, state: FileState, now: str | None) -> Look:
        return Look(state, now, moved=self._entry.brought(state.path))

    def _now(self, state: FileState) -> str | None:
        path = NotePath(state.path)
        with unnamed(self._vault, path):
            try:
                data = self._vault.read_bytes(path)
            except NoteNotFoundError:
                return None
            if self._only_case_changes() and not has_name(self._vault.root, path):
                return None
        return content_hash(data)

    def _only_case_changes(self) -> bool:
        moved = self._entry.moved
        return moved is not None and path_key(moved[0]) == path_key(moved[1])

    def _put(self, look: Look, wanted: str | None, attributes: Attributes | None) -> None:
        with unnamed(self._vault, look.path):
            if wanted is None:
                self._vault.remove(look.path, expected_hash=look.now, work=self._work)
            else:
                self._vault.write(
                    look.path,
                    self._content(wanted),
                    expected_hash=look.now,
                    create=look.now is None,
                    attributes=attributes,
                    work=self._work,
                )
        look.now = wanted

    def _put_back(self, look: Look, aside: str) -> None:
        with unnamed(self._vault, look.path):
            rename_file(self._vault.root, aside, look.path, work=self._work)
        remove_aside(self._vault.root, aside, self._work)
        look.aside, look.now = None, look.state.before

    def _rename(self, old: NotePath, new: NotePath) -> None:
        with unnamed(self._vault, old, new):
            self._vault.rename(old, new, work=self._work)


def folders_of(entry: Entry) -> Iterable[str]:
    """List the folders that a write may have left hidden names in."""
    return dict.fromkeys(state.path.rpartition("/")[0] for state in entry.files)
