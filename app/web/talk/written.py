"""The writes that came of a turn, and taking one of them back."""

from collections.abc import Collection
from dataclasses import dataclass

from app.dependencies import VaultClient
from app.errors import BadRequestError
from app.journal.journal import Journal
from app.notes.answer import Call
from app.notes.gate import Gate


@dataclass(frozen=True, slots=True)
class Written:
    """One write that was done, and whether it was taken back since."""

    id: str
    operation: str
    path: str
    undone: bool


def writes_of(vault: VaultClient, trace_ids: Collection[str]) -> dict[str, list[Written]]:
    """Give the writes of some turns, by their trace ids, oldest first; excluded notes are not named."""
    found: dict[str, list[Written]] = {name: [] for name in trace_ids}
    if not found:
        return found
    for entry in Journal(vault).entries():
        if entry.trace_id in found and entry.operation != "undo" and not vault.is_excluded(entry.path):
            written = Written(entry.id, entry.operation, entry.path, entry.undone)
            found[entry.trace_id].append(written)
    return found


def take_back(vault: VaultClient, name: str, trace_id: str) -> str:
    """Take one write back, if nothing was written to its note since; the person's click is the approval.

    Args:
        vault: The vault.
        name: The write, as its journal entry is called.
        trace_id: Names the turn that takes it back, in the journal.

    Returns:
        What was done, as a sentence.

    Raises:
        BadRequestError: there is no such write, or a later one has to be taken back first.
        VaultError: the note changed since, or writing is not allowed.
    """
    entry = next((each for each in Journal(vault).entries() if each.id == name), None)
    if entry is None or entry.undone:
        raise BadRequestError("there is no such write to take back", "load the page again")
    refused = vault.settings.writes == "refuse"
    gate = Gate("refuse" if refused else "ask", by_agent=False, can_ask=True)
    call = Call(vault, {"operation": "undo", "path": f"/{entry.path}"}, gate, trace_id=trace_id)
    call.begin()
    if call.plan is None or call.plan.undoes != (name,):
        raise BadRequestError(f"'{entry.path}' was written to since", "take the later write back first")
    return call.decide(approved=True).text.partition("\n")[0]
