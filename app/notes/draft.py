"""Several changes made as one: each is worked out on what those before it would leave."""

from collections.abc import Sequence

from app.errors import BadRequestError, NoteNotFoundError
from app.notes.models import Change, Plan
from app.sentences import Sentence
from app.vault.client import VaultClient
from app.vault.paths import NotePath, is_note_name, normalize_path
from app.vault.scan import FileStat, Listing, VaultScan
from app.vault.text import NoteText, note_text


class Draft(VaultClient):
    """A vault as it would be after some plans, to work out the next one; nothing is written.

    Args:
        vault: The vault as it is.
    """

    def __init__(self, vault: VaultClient) -> None:
        # It is the same vault, opened already. It is asked itself what it shows: its class may hide more.
        self.__dict__.update(vars(vault))
        self._vault = vault
        self._after: dict[NotePath, bytes | None] = {}

    def add(self, plan: Plan) -> None:
        """Show the vault as it would be after this plan too."""
        self._after.update({change.path: change.after for change in plan.changes})

    def scan(self, listing: Listing | None = None) -> VaultScan:
        """List the vault, with the notes that would be made and without those that would go."""
        found = self._vault.scan(listing)
        if not self._after:
            return found
        notes = {path: stat for path, stat in found.notes.items() if path not in self._after}
        for path, data in self._after.items():
            if data is not None and is_note_name(path):
                known = found.notes.get(path)
                mtime_ns, birth_ns = (known.mtime_ns, known.birth_ns) if known else (0, None)
                notes[path] = FileStat(path, len(data), mtime_ns, birth_ns)
        above = {path[:at] for path in notes for at, sign in enumerate(path) if sign == "/"}
        return found._replace(
            notes=dict(sorted(notes.items())),
            folders=tuple(dict.fromkeys((*found.folders, *sorted(above)))),
        )

    def read(self, path: str) -> NoteText:
        """Read one note as `VaultClient.read` does."""
        note = normalize_path(path)
        if note not in self._after:
            return self._vault.read(path)
        return note_text(note, self.read_bytes(note), 0)

    def read_bytes(self, path: str) -> bytes:
        """Read the bytes of one note as `VaultClient.read_bytes` does."""
        note = normalize_path(path, canvas=True)
        if note not in self._after:
            return self._vault.read_bytes(path)
        data = self._after[note]
        if data is None:
            raise NoteNotFoundError("no note at '{path}'", path=note)
        return data

    def exists(self, path: str) -> bool:
        """Return whether a note would be at a path."""
        note = normalize_path(path)
        return self._after[note] is not None if note in self._after else self._vault.exists(path)

    def real_path(self, path: str) -> NotePath:
        """Return where a note would really be."""
        note = normalize_path(path)
        if note in self._after:
            self.read_bytes(note)
            return note
        return self._vault.real_path(path)

    def is_excluded(self, path: str) -> bool:
        """Return whether the vault hides a path."""
        return self._vault.is_excluded(path)


def joined(plans: Sequence[Plan]) -> Plan:
    """Make one plan of several, each worked out on a `Draft` of those before it; none deletes or undoes.

    Raises:
        BadRequestError: they cannot be made as one.
    """
    if len(plans) == 1:
        return plans[0]
    moves = [plan.moved for plan in plans if plan.moved is not None]
    if len(moves) > 1:
        raise BadRequestError("a batch moves one note at most", "{count} are to be moved", count=len(moves))
    changes: dict[NotePath, Change] = {}
    for change in (change for plan in plans for change in plan.changes):
        first = changes.get(change.path, change)
        changes[change.path] = Change(change.path, first.before, change.after)
    moved = moves[0] if moves else None
    if moved is not None and (changes[moved[0]].after is not None or changes[moved[1]].before is not None):
        raise BadRequestError(
            "'{note}' is moved to '{place}', and a batch makes one of them anew",
            "make it two",
            note=moved[0],
            place=moved[1],
        )
    if moved is not None and changes[moved[0]].before is None:
        # What a batch makes and moves is made where it ends.
        moved = None
    return Plan(
        "batch",
        plans[0].path,
        tuple(change for change in changes.values() if change.before != change.after),
        Sentence("{steps:; }", steps=tuple(plan.summary for plan in plans)),
        moved=moved,
        notices=tuple(dict.fromkeys(notice for plan in plans for notice in plan.notices)),
        hidden=frozenset().union(*(plan.hidden for plan in plans)),
    )
