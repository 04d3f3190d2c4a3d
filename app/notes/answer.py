"""One call of the note operations, from loose arguments to words; the tool and the command line share it."""

import time
from collections.abc import Callable, Mapping
from typing import get_args

from app.config import Writes
from app.dependencies import ProposedWrite, VaultClient, logger
from app.errors import ConfigError, VaultError, WriteError, format_error
from app.files import content_hash
from app.notes.apply import carry_out
from app.notes.diff import format_diff, one_line
from app.notes.models import Answer, NoteRequest, Plan
from app.notes.operations import OPERATIONS
from app.notes.request import parse_request

CUT = "\n… (cut to fit max_chars)"
DECLINED = "Not done: the person declined to {summary}. Nothing was written."


def operate(
    vault: VaultClient,
    parameters: Mapping[str, object],
    *,
    writes: Writes = "allow",
    trace_id: str = "",
    approve: Callable[[ProposedWrite], bool] | None = None,
    allow_excluded: bool = False,
) -> str:
    """Run one operation and put the outcome, good or bad, into words; never raises.

    Args:
        vault: The vault.
        parameters: `operation` and the other parameters of `note_operations`, by name.
        writes: What may be done to notes: `allow`, `ask` (through `approve`), or `refuse`.
        trace_id: Names the turn; writes that share it can be taken back together.
        approve: Asks a person about a change; without it, `ask` is answered with an error.
        allow_excluded: Whether a person asks, who may see excluded notes.
    """
    call = Call(vault, parameters, trace_id=trace_id, allow_excluded=allow_excluded)

    def outcome() -> str:
        found = call.prepare(writes, can_ask=approve is not None)
        if isinstance(found, Answer):
            return call.shown(found.text)
        if writes == "ask" and approve is not None and not approve(proposal(found)):
            return DECLINED.format(summary=found.summary)
        return call.write(found)

    return call.told(outcome)


def proposal(plan: Plan) -> ProposedWrite:
    """Put a plan into the form in which a person is asked about it."""
    return ProposedWrite(plan.operation, plan.path, "\n".join([*_facts(plan), format_diff(plan)]).strip())


class Call:
    """One call: what it is, and when it began."""

    def __init__(
        self,
        vault: VaultClient,
        parameters: Mapping[str, object],
        *,
        trace_id: str = "",
        allow_excluded: bool = False,
    ) -> None:
        self._vault = vault
        self._parameters = parameters
        self._trace_id = trace_id
        self._allow_excluded = allow_excluded
        self._request: NoteRequest | None = None
        self._began = time.perf_counter()
        logger.info("note_operations_called", extra=self._fields())

    def prepare(self, writes: str, *, can_ask: bool) -> Answer | Plan:
        """Answer, or work out what is to be written where writing is allowed at all.

        Raises:
            VaultError: the call is wrong, the note is not there, or writing is not allowed.
        """
        request = parse_request(
            self._parameters, allow_excluded=self._allow_excluded, trace_id=self._trace_id
        )
        self._request = request
        if writes not in get_args(Writes):
            raise ConfigError(f"'writes' is {writes!r}", f"it must be one of {', '.join(get_args(Writes))}")
        self._vault.recover()
        found = OPERATIONS[request.operation](self._vault, request)
        if isinstance(found, Answer):
            return found
        if not found.undoes and all(change.before == change.after for change in found.changes):
            return Answer(f"Nothing to do: '{found.path}' already holds that; hash {_hash(found)}.")
        if writes == "refuse":
            raise WriteError(
                f"{request.operation} was not done: the setting 'writes' is 'refuse'",
                "a person can change it",
            )
        if writes == "ask" and not can_ask:
            raise WriteError(
                f"{request.operation} was not done: the setting 'writes' is 'ask', and nobody can approve",
                "set it to 'allow', or ask where a person can answer",
            )
        return found

    def write(self, plan: Plan) -> str:
        """Do what a plan says, and say so."""
        outcome = carry_out(self._vault, plan, self._trace_id)
        done = [one_line(_done(plan, outcome.trashed))]
        if hash_ := _hash(plan):
            done.append(f"hash {hash_}")
        # Whoever created a note knows its text, and what is deleted is of no more use.
        known = plan.operation == "delete" or (plan.operation == "create" and plan.changes[0].before is None)
        late = [one_line(f"({notice})") for notice in outcome.notices]
        shown = [*done, *late, *_facts(plan)[1:], "" if known else format_diff(plan)]
        return self.shown("\n".join(shown).strip())

    def shown(self, text: str) -> str:
        """Keep an answer within the budget."""
        limit = self._request.max_chars if self._request else len(text)
        self._finish("note_operations_done", len(text))
        return text if len(text) <= limit else text[: limit - len(CUT)] + CUT

    def told(self, outcome: Callable[[], str]) -> str:
        """Run the call to its end; whatever goes wrong becomes one line."""
        try:
            return outcome()
        except Exception as error:  # noqa: BLE001
            return self.failed(error)

    def failed(self, error: Exception) -> str:
        """Log what went wrong and put it into one line, an unexpected error with its traceback in the log."""
        expected = isinstance(error, VaultError)
        fields = {**self._fields(), "error": str(error)}
        level = logger.info if expected else logger.error
        level("note_operations_failed", extra=fields, exc_info=None if expected else error)
        if expected:
            return format_error(error)
        operation = " ".join(str(self._parameters.get("operation", "")).split())[:40]
        return format_error(WriteError(f"performing {operation}: {error}"))

    def _fields(self) -> dict[str, object]:
        return {
            "operation": self._parameters.get("operation"),
            "path": self._parameters.get("path"),
            "trace_id": self._trace_id,
        }

    def _finish(self, event: str, size: int) -> None:
        seconds = round(time.perf_counter() - self._began, 4)
        logger.info(event, extra={**self._fields(), "characters": size, "seconds": seconds})


def _facts(plan: Plan) -> list[str]:
    summary = plan.summary[:1].upper() + plan.summary[1:] + "."
    return [one_line(summary), *(one_line(f"({notice})") for notice in plan.notices)]


def _done(plan: Plan, trashed: str | None) -> str:
    if plan.disposal == "system":
        if trashed is None:
            return f"Done: put '{plan.path}' into the system's trash."
        return f"Done: moved '{plan.path}' to '{trashed}', for the system has no usable trash."
    return f"Done: moved '{plan.path}' to '{trashed}'." if trashed else f"Done: {plan.summary}."


def _hash(plan: Plan) -> str:
    """Give the hash of what the one note that a plan is about holds afterwards."""
    path = plan.moved[1] if plan.moved else plan.path
    after = next((change.after for change in plan.changes if change.path == path), None)
    return "" if after is None else content_hash(after)
