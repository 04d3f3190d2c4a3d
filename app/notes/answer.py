"""One call of the note operations, from loose arguments to words: the same for every surface."""

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from app.config.settings import Writes
from app.dependencies import Near, ProposedWrite, logger
from app.errors import BadRequestError, VaultError, WriteError, format_error
from app.journal.recover import recover
from app.notes.apply import carry_out
from app.notes.diff import format_diff, note_diffs, unified
from app.notes.gate import Gate, acts, must_ask
from app.notes.models import Answer, Done, NoteRequest, Plan, Touched, parse_note_request
from app.notes.operations import OPERATIONS
from app.notices import ChangeKind, Notice
from app.sentences import Sentence, Worded, worded
from app.showing import Told, in_line
from app.vault.atomic import content_hash
from app.vault.client import VaultClient
from app.vault.encoding import decode

CUT = "\n… (cut to fit max_chars)"
MOST_WARNINGS = 10
MOST_NEAR = 5
"""Notes that are created together of which it is said what is near them."""
FOR_PERSONS = (ChangeKind.EXCLUDED_CHANGED, ChangeKind.EXCLUDED_LINKS_UNSEEN)
"""What an agent is not told: it would learn from it that there are such notes."""


class NoteCall:
    """One call: `begin` does it, or gives the change that a person has to approve of, and `decide` ends it.

    What is said of it is for an agent, in English.

    Args:
        vault: The vault.
        parameters: `operation` and the other parameters of `note_operations`, by name.
        gate: Who asks, and what they may do.
        trace_id: Names the turn; writes that share it can be taken back together.
        near: Says what is near a note that is created.
    """

    def __init__(
        self,
        vault: VaultClient,
        parameters: Mapping[str, object],
        gate: Gate,
        *,
        trace_id: str = "",
        near: Near | None = None,
    ) -> None:
        self._vault, self._parameters, self._gate = vault, parameters, gate
        self._trace_id, self._near = trace_id, near
        self._request: NoteRequest | None = None
        self._began = time.perf_counter()
        self.plan: Plan | None = None
        """What is written, or waits for a person's word; None where nothing is to be written."""
        logger.info("note_operations_called", extra=self._fields())

    def begin(self) -> Told | ProposedWrite:
        """Answer or write; or give what is to be written, where a person has to approve of it first.

        Raises:
            VaultError: the call is wrong, the note is not there, or the write is not allowed or fails.
        """
        request = parsed(self._vault, self._parameters, allow_excluded=False, trace_id=self._trace_id)
        self._request = request
        recover(self._vault)
        found = OPERATIONS[request.operation](self._vault, request)
        if isinstance(found, Answer):
            return self._ended(found.text)
        if changes_nothing(found):
            return self._ended(
                f"Nothing to do: '{in_line(found.path)}' already holds that; hash {_hash(found)}."
            )
        self.plan = found = with_near(self._vault, found, self._near)
        if must_ask(self._gate, self._vault, found):
            return proposed(found)
        return self._write(found)

    def decide(self, *, approved: bool) -> Told:
        """End a call whose change was shown to a person; raises as `begin` does."""
        assert self.plan is not None, "only a change that waits is decided on"
        if not approved:
            declined = f"Not done: the person declined to {in_line(self.plan.summary)}. Nothing was written."
            return Told(declined, None)
        return self._write(self.plan)

    def failed(self, error: Exception) -> str:
        """Log what went wrong and put it into one line, an unexpected error with its traceback in the log."""
        expected = isinstance(error, VaultError)
        fields = {**self._fields(), "error": str(error)}
        level = logger.info if expected else logger.error
        level("note_operations_failed", extra=fields, exc_info=None if expected else error)
        if expected:
            return format_error(error)
        operation = in_line(str(self._parameters.get("operation", "")), 40)
        return format_error(WriteError("performing {operation}: {reason}", operation=operation, reason=error))

    def _write(self, plan: Plan) -> Told:
        """Do what a plan says, and say so."""
        written = carry_out(self._vault, plan, self._trace_id)
        return self._ended(said_of(plan, written, by_agent=self._gate.by_agent))

    def _ended(self, text: str) -> Told:
        """Keep an answer within the budget."""
        limit = self._request.max_chars if self._request else len(text)
        seconds = round(time.perf_counter() - self._began, 4)
        extra = {**self._fields(), "characters": len(text), "seconds": seconds}
        logger.info("note_operations_done", extra=extra)
        whole = text if len(text) <= limit else text[: limit - len(CUT)] + CUT
        return Told(whole, text.value if isinstance(text, Told) else None)

    def _fields(self) -> dict[str, object]:
        return {
            "operation": self._parameters.get("operation"),
            "path": self._parameters.get("path"),
            "trace_id": self._trace_id,
        }


def parsed(
    vault: VaultClient, parameters: Mapping[str, object], *, allow_excluded: bool, trace_id: str
) -> NoteRequest:
    """Check the arguments of a call, and read whole paths of this computer as paths in the vault.

    Raises:
        BadRequestError: an argument is wrong; see `parse_note_request`.
    """
    request = parse_note_request(parameters, allow_excluded=allow_excluded, trace_id=trace_id)
    written = {"path": request.path, "new_path": request.new_path}
    return request.model_copy(update={name: vault.from_root(path) for name, path in written.items() if path})


def planned(vault: VaultClient, parameters: Mapping[str, object], *, trace_id: str) -> Plan:
    """Work out a change that a person asks for at their own command line; nothing is written.

    Raises:
        VaultError: it is wrong, changes nothing, or what it is about is not there.
    """
    request = parsed(vault, parameters, allow_excluded=True, trace_id=trace_id)
    recover(vault)
    found = OPERATIONS[request.operation](vault, request)
    if isinstance(found, Answer):
        raise BadRequestError(
            "{operation} changes nothing", "name an operation that writes", operation=request.operation
        )
    return found


def operate(
    vault: VaultClient,
    parameters: Mapping[str, object],
    *,
    writes: Writes = "allow",
    trace_id: str = "",
    approve: Callable[[ProposedWrite], bool] | None = None,
) -> str:
    """Run one operation and put the outcome, good or bad, into words; never raises.

    Args:
        vault: The vault.
        parameters: `operation` and the other parameters of `note_operations`, by name.
        writes: What may be done to notes: `allow`, `ask` (through `approve`), or `refuse`.
        trace_id: Names the turn; writes that share it can be taken back together.
        approve: Asks a person about a change; without it, a change to be asked about is an error.
    """
    call = NoteCall(vault, parameters, Gate(writes, can_ask=approve is not None), trace_id=trace_id)
    try:
        step = call.begin()
        if isinstance(step, ProposedWrite):
            step = call.decide(approved=approve is not None and approve(step))
        return step
    except Exception as error:  # noqa: BLE001 - the last resort of this front door
        return call.failed(error)


def said_of(plan: Plan, written: Done, *, by_agent: bool) -> Told:
    """Put into words what was written, with the notes that it touched as its value."""
    done = [in_line(done_of(plan, written.trashed))]
    if hash_ := _hash(plan):
        done.append(f"hash {hash_}")
    notices = (*written.notices, *notices_of(plan, for_person=not by_agent))
    done += [in_line(f"({notice.said('en')})") for notice in notices]
    # Whoever created a note knows its text, and what is deleted is of no more use.
    if plan.operation != "delete" and (plan.operation != "create" or plan.changes[0].before is not None):
        done.append(format_diff(plan))
    changed = (change.path for change in plan.changes if change.path not in plan.hidden)
    touched = Touched(tuple(dict.fromkeys((plan.path, *(plan.moved or ()), *changed))))
    return Told("\n".join(done).strip(), touched)


def with_near(vault: VaultClient, plan: Plan, near: Near | None) -> Plan:
    """Return a plan with what is near the notes that it creates, so that nothing is written twice."""
    if near is None or plan.operation not in ("create", "batch"):
        return plan
    moved = plan.moved or ()
    made = [change for change in plan.changes if change.before is None and change.path not in moved]
    found = [
        notice
        for change in made[:MOST_NEAR]
        for notice in near(vault, change.path, decode(change.after or b"").text)
    ]
    return replace(plan, notices=tuple(dict.fromkeys((*plan.notices, *found))))


def changes_nothing(plan: Plan) -> bool:
    """Return whether every note holds already what a plan would put there."""
    return not plan.undoes and all(change.before == change.after for change in plan.changes)


def proposed(plan: Plan, *, for_person: bool = True) -> ProposedWrite:
    """Put a plan into the form in which a person is asked about it, with warnings of what it does by itself.

    Not ``for_person``, it tells nothing of excluded notes that change too.
    """
    summary = Sentence("{summary:capital}.", summary=worded(plan.summary, {}))
    told = [Sentence("({notice})", notice=each) for each in notices_of(plan, for_person=for_person)]
    about = (summary, *_warnings(plan), *told)
    diffs = tuple(note_diffs(plan))
    text = "\n".join([*(in_line(each.said("en")) for each in about), unified(diffs)])
    return ProposedWrite(plan.operation, plan.path, text.strip(), _mark(plan), about=about, notes=diffs)


def _warnings(plan: Plan) -> list[Worded]:
    """Say what notes would do by themselves that none of them did before."""
    before, after = (
        [
            act
            for change in plan.changes
            if change.path not in plan.hidden and (data := getattr(change, side)) is not None
            for act in acts(decode(data).text)
        ]
        for side in ("before", "after")
    )
    new = [act for act in dict.fromkeys(after) if act not in set(before)]
    more = len(new) - MOST_WARNINGS
    return [
        *(Sentence("Warning: {act}", act=act) for act in new[:MOST_WARNINGS]),
        *([Sentence("Warning: {more} more of this kind", more=more)] if more > 0 else ()),
    ]


def notices_of(plan: Plan, *, for_person: bool) -> list[Notice]:
    """Return what must be said of a plan before it is made, and after."""
    notices = list(plan.notices)
    if private := len(plan.hidden - set(plan.moved or ())):
        notices.append(Notice(ChangeKind.EXCLUDED_CHANGED, count=private))
    return [notice for notice in notices if for_person or notice.template not in FOR_PERSONS]


def done_of(plan: Plan, trashed: str | None) -> Sentence:
    """Say what was done; ``trashed`` is where a deleted note lies now, in the vault."""
    if plan.disposal == "system" and trashed is None:
        return Sentence("Done: put '{path}' into the system's trash.", path=plan.path)
    if trashed:
        told = (
            "Done: moved '{path}' to '{trashed}', for the system has no usable trash."
            if plan.disposal == "system"
            else "Done: moved '{path}' to '{trashed}'."
        )
        return Sentence(told, path=plan.path, trashed=trashed)
    return Sentence("Done: {summary}.", summary=worded(plan.summary, {}))


def _hash(plan: Plan) -> str:
    """Return the hash of what the one note that a plan is about holds afterwards."""
    path = plan.moved[1] if plan.moved else plan.path
    after = next((change.after for change in plan.changes if change.path == path), None)
    return "" if after is None else content_hash(after)


def _mark(plan: Plan) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in (plan.operation, plan.path, plan.disposal, plan.moved, plan.undoes, *plan.changes):
        digest.update(repr(part).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
