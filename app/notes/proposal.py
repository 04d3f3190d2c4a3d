"""A change that waits for a person's word: kept in the state folder, and made later by whoever has its token.

The token is the only key, so that another request or another process can make the change. What is kept is
the change itself, under a hash of the token: approving makes what was shown and nothing else, and only where
the notes are still as they were read. A file's name says whose it is and until when: no other one is read.
"""

import base64
import hashlib
import json
import math
import os
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from app.config.folders import replace_file
from app.dependencies import Near, ProposedWrite, logger
from app.errors import BadRequestError, ConflictError, NoteExistsError, WriteError
from app.journal.lines import journal_folder
from app.journal.recover import recover
from app.limits import shown
from app.notes.answer import changes_nothing, parsed, proposed, said_of, with_near
from app.notes.apply import carry_out, current
from app.notes.draft import Draft, joined
from app.notes.gate import Gate, must_ask
from app.notes.models import Answer, Change, Plan
from app.notes.operations import OPERATIONS
from app.notices import Notice
from app.sentences import reason_of
from app.showing import PATH, Told, in_line
from app.stopping import go_on
from app.vault.atomic import content_hash
from app.vault.attributes import Attributes
from app.vault.client import VaultClient
from app.vault.paths import NotePath, normalize_path

DAY = 86_400.0
MOST_SECONDS = 3_650 * DAY
"""How long a proposal can wait at most."""
MOST_CHANGES = 100
"""Most changes of one proposal."""
ALONE = ("delete", "undo")
"""Operations that are proposed by themselves: the trash takes one note, and undo chooses by itself."""
TAKEN = ".taken"
"""Ends the name of a proposal that is being carried out."""

_NONE = "none.json"
_NAME = re.compile(r"[0-9a-f]{32}-(?:[0-9a-f]{32})?-(?P<expires>[0-9]+)\.(?:json|taken)")

Changes = Mapping[str, object] | Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Proposal(ProposedWrite):
    """A change that waits, and the token that makes it."""

    token: str = ""
    expires: float = 0.0
    """When it can be approved no more, in seconds since 1970."""
    told: str = ""
    """The diff for a model: without a word of excluded notes that change too."""


class NotWaitingError(WriteError):
    """Nothing waits under a token: it was made or withdrawn, or expired."""


def propose(
    vault: VaultClient,
    changes: Changes,
    *,
    seconds: float = DAY,
    trace_id: str = "",
    call: str = "",
    near: Near | None = None,
) -> Proposal:
    """Work out one change, or several that are made as one, and keep it until a person decides.

    Args:
        vault: The vault; nothing in it is changed.
        changes: `operation` and the other parameters of `note_operations`; or several of these, of which
            each sees what those before it would do. ``delete`` and ``undo`` go by themselves, and one note
            at most is moved.
        seconds: How long it can be approved.
        trace_id: Names the turn; what is made later shares it in the journal.
        call: Names the call of a tool that asks, for `approve_call`.
        near: Says what is near a note that is created.

    Raises:
        VaultError: a change is wrong, changes nothing, or cannot be kept.
    """
    plan = with_near(vault, _planned(vault, changes, trace_id), near)
    return _kept(vault, plan, seconds, trace_id, call)


def write(
    vault: VaultClient,
    changes: Changes,
    gate: Gate,
    *,
    trace_id: str = "",
    call: str = "",
    near: Near | None = None,
) -> Told | Proposal:
    """Make a change, or several as one, and say what was done; or propose it, where a person must decide.

    Arguments as of `propose`; ``gate`` says who asks, and what they may do.

    Raises:
        VaultError: a change is wrong, changes nothing, is not allowed, or cannot be made.
    """
    plan = with_near(vault, _planned(vault, changes, trace_id), near)
    if must_ask(gate, vault, plan):
        return _kept(vault, plan, DAY, trace_id, call)
    go_on()
    written = carry_out(vault, plan, trace_id)
    return said_of(plan, written, by_agent=gate.by_agent)


def _kept(vault: VaultClient, plan: Plan, seconds: float, trace_id: str, call: str) -> Proposal:
    asked, told = proposed(plan), proposed(plan, for_person=False).diff
    if not 0 < seconds <= MOST_SECONDS:
        raise BadRequestError(
            "'seconds' is {seconds:g}",
            "give a number from 1 to {most_seconds:g}",
            seconds=seconds,
            most_seconds=MOST_SECONDS,
        )
    token, expires = secrets.token_urlsafe(24), time.time() + seconds
    kept = json.dumps({"expires": expires, "trace_id": trace_id, "plan": _written(plan)}).encode()
    folder = _folder(vault)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _swept(folder)
        replace_file(folder / _name(token, call, expires), kept)
    except OSError as error:
        raise WriteError(
            "the proposal cannot be kept in '{folder}': {reason}",
            "see 'state_dir'",
            folder=folder,
            reason=reason_of(error),
        ) from error
    logger.info(
        "write_proposed", extra={"operation": plan.operation, "path": plan.path, "trace_id": trace_id}
    )
    shown = {each.name: getattr(asked, each.name) for each in fields(asked)}
    return Proposal(**shown, token=token, expires=expires, told=told)


def approve(vault: VaultClient, token: str) -> Told:
    """Make the change that a token stands for, once; return what was done, in words.

    Raises:
        ConflictError: a note changed since the change was worked out; nothing was written.
        NotWaitingError: no change waits under this token.
        WriteError: it cannot be written.
    """
    folder = _folder(vault)
    _swept(folder)
    return _made(vault, _file(folder, token))


def approve_call(vault: VaultClient, call: str) -> Told:
    """Make the change that the call of a tool proposed; raises as `approve` does.

    Args:
        vault: The vault.
        call: Names the call by its number and its arguments: numbers are not unique, and what a person
            alters nobody was shown.
    """
    folder = _folder(vault)
    owner = f"-{_sign(call)}-"
    waiting = [(found.st_mtime_ns, file) for file, found in _swept(folder) if owner in file.name]
    return _made(vault, max(waiting)[1] if waiting else folder / _NONE)


def withdraw(vault: VaultClient, token: str) -> bool:
    """Forget a change that waits; return whether there was one."""
    try:
        _file(_folder(vault), token).unlink()
    except FileNotFoundError:
        return False
    return True


def _planned(vault: VaultClient, given: Changes, trace_id: str) -> Plan:
    changes = [given] if isinstance(given, Mapping) else given
    is_list = isinstance(changes, Sequence) and not isinstance(changes, str | bytes)
    if not is_list or not all(isinstance(one, Mapping) for one in changes):
        raise BadRequestError(
            "changes are {changes}", "give one object, or a list of objects", changes=shown(changes)
        )
    if not 1 <= len(changes) <= MOST_CHANGES:
        raise BadRequestError(
            "{count} changes are proposed",
            "give 1 to {most_changes}",
            count=len(changes),
            most_changes=MOST_CHANGES,
        )
    recover(vault)
    draft, plans = Draft(vault), list[Plan]()
    for parameters in changes:
        go_on()
        request = parsed(vault, parameters, allow_excluded=False, trace_id=trace_id)
        if len(changes) > 1 and request.operation in ALONE:
            raise BadRequestError(
                "{operation} cannot be one of several changes",
                "propose it by itself",
                operation=request.operation,
            )
        found = OPERATIONS[request.operation](draft, request)
        if isinstance(found, Answer):
            raise BadRequestError(
                "{operation} changes nothing", "propose what is to be written", operation=request.operation
            )
        draft.add(found)
        plans.append(found)
    plan = joined(plans)
    if changes_nothing(plan):
        raise BadRequestError("nothing would change", "the notes hold that already")
    return plan


def _made(vault: VaultClient, file: Path) -> Told:
    """Carry out a proposal by its file, which nobody else can take meanwhile."""
    taken = file.with_suffix(TAKEN)
    gone = NotWaitingError(
        "no change waits under this token",
        "it was made, withdrawn or altered, or waited too long; propose it again",
    )
    try:
        file.rename(taken)
    except FileNotFoundError:
        raise gone from None
    try:
        kept = _read(taken)
        if kept is None or kept["expires"] < time.time():
            raise gone
        recover(vault)
        try:
            plan = _plan(vault, kept["plan"])
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            # The file is damaged.
            raise gone from error
        go_on()
        written = carry_out(vault, plan, str(kept["trace_id"]))
    except (ConflictError, NoteExistsError, NotWaitingError):
        taken.unlink(missing_ok=True)
        raise
    except BaseException:
        # What is in the way may pass, such as a full disk, or nobody waits; nothing was written.
        taken.rename(file)
        raise
    taken.unlink(missing_ok=True)
    return said_of(plan, written, by_agent=True)


def _folder(vault: VaultClient) -> Path:
    return journal_folder(vault.root, vault.settings.state_folder.resolve()) / "proposals"


def _sign(secret: str) -> str:
    # The token itself is nowhere on the disk.
    return hashlib.blake2b(secret.encode(errors="replace"), digest_size=16).hexdigest()


def _name(token: str, call: str, expires: float) -> str:
    return f"{_sign(token)}-{_sign(call) if call else ''}-{math.ceil(expires)}.json"


def _file(folder: Path, token: str) -> Path:
    """Return the file of a token; one that is not there where no change waits under it."""
    return next(folder.glob(f"{_sign(token)}-*.json"), folder / _NONE)


def _read(file: Path) -> dict[str, Any] | None:
    """Return what a file keeps; None where it went away meanwhile, or is damaged.

    Raises:
        WriteError: the system does not let it be read.
    """
    try:
        with suppress(FileNotFoundError, ValueError):
            found = json.loads(file.read_bytes())
            if isinstance(found, dict) and isinstance(found.get("expires"), float) and "plan" in found:
                return found
    except OSError as error:
        raise WriteError(
            "the proposal in '{folder}' cannot be read: {reason}",
            "see 'state_dir'",
            folder=file.parent,
            reason=reason_of(error),
        ) from error
    return None


def _swept(folder: Path) -> list[tuple[Path, os.stat_result]]:
    """List the proposals that wait, and remove those that waited too long, and what killed processes left."""
    waiting, now = [], time.time()
    for file in folder.glob("*"):
        with suppress(FileNotFoundError):
            found, name = file.stat(), _NAME.fullmatch(file.name)
            ends = int(name["expires"]) if name else found.st_mtime + DAY
            if ends < now:
                file.unlink()
            elif name and file.suffix == ".json":
                waiting.append((file, found))
    return waiting


def _written(plan: Plan) -> dict[str, Any]:
    """Return a plan as JSON has it; of what stands there now, only the hash."""
    return {
        **{name: getattr(plan, name) for name in ("operation", "path", "summary", "moved", "disposal")},
        "changes": [
            {
                "path": change.path,
                "before": None if change.before is None else content_hash(change.before),
                "after": None if change.after is None else base64.b64encode(change.after).decode(),
            }
            for change in plan.changes
        ],
        "notices": [notice.as_data() for notice in plan.notices],
        "hidden": sorted(plan.hidden),
        "undoes": plan.undoes,
        "attributes": {path: asdict(found) for path, found in plan.attributes.items()},
    }


def _plan(vault: VaultClient, kept: Mapping[str, Any]) -> Plan:
    """Return a plan as it was proposed, if the notes are still as they were then."""
    hidden, moved = frozenset(kept["hidden"]), kept["moved"]
    return Plan(
        kept["operation"],
        kept["path"],
        tuple(_change(vault, change, hidden) for change in kept["changes"]),
        kept["summary"],
        moved=None if moved is None else (NotePath(moved[0]), NotePath(moved[1])),
        disposal=kept["disposal"],
        notices=tuple(map(Notice.from_data, kept["notices"])),
        hidden=hidden,
        undoes=tuple(kept["undoes"]),
        attributes={path: Attributes(**found) for path, found in kept["attributes"].items()},
    )


def _change(vault: VaultClient, kept: Mapping[str, Any], hidden: frozenset[str]) -> Change:
    path = normalize_path(kept["path"], canvas=True)
    if path not in hidden and vault.is_excluded(path):
        raise ConflictError(
            "'{path}' is no longer to be written",
            "propose it again; nothing was written",
            path=in_line(path, PATH),
        )
    before = current(vault, path)
    if (None if before is None else content_hash(before)) != kept["before"]:
        shown = "a note" if path in hidden else f"'{in_line(path, PATH)}'"
        if kept["before"] is None:
            raise NoteExistsError("there is a note at {shown} already", "nothing was written", shown=shown)
        raise ConflictError("{shown} changed meanwhile", "propose it again; nothing was written", shown=shown)
    return Change(path, before, None if kept["after"] is None else base64.b64decode(kept["after"]))
