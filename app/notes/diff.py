"""What a plan changes, as a unified diff for a person to read."""

import difflib

from app.notes.models import Change, Plan
from app.sentences import Sentence
from app.showing import in_line, showing
from app.vault.encoding import decode

CONTEXT = 3
ENDS_ALONE = Sentence("(only line ends or encoding differ)")
NO_END = Sentence("\\ No newline at end of file")
EMPTY_NOTE = Sentence("(the note is empty)")
MAX_COMPARED = 2000
"""Lines between the first and last difference; more are shown as all removed, then all added."""


def format_diff(plan: Plan) -> str:
    """Show the changes of a plan, excluded notes left out; empty where no text changes.

    What the program says in it stands in brackets, see `app.dependencies.diff_said`.
    """
    parts: list[str] = []
    changes = {change.path: change for change in plan.changes}
    if plan.moved is not None:
        old, new = plan.moved
        gone, made = changes.pop(old), changes.pop(new)
        if not {old, new} & plan.hidden:
            parts.append(f"rename from {in_line(old)}\nrename to {in_line(new)}")
            parts.append(_one(Change(new, gone.before, made.after), old))
    parts += [_one(change, change.path) for change in changes.values() if change.path not in plan.hidden]
    return "\n".join(part for part in parts if part)


def _one(change: Change, old_path: str) -> str:
    if change.before == change.after:
        return ""
    before, after = _lines(change.before), _lines(change.after)
    names = (
        "--- /dev/null" if change.before is None else f"--- a/{in_line(old_path)}",
        "+++ /dev/null" if change.after is None else f"+++ b/{in_line(change.path)}",
    )
    hunks = _hunks(before, after)
    remark = ENDS_ALONE if before or after else EMPTY_NOTE
    return "\n".join([*names, *(hunks or [remark])])


def _lines(data: bytes | None) -> list[str]:
    text = decode(data).text if data else ""
    # Shown line by line: a line end of another kind is a difference, and says so elsewhere.
    lines = [showing(line.removesuffix("\r")) for line in text.split("\n")]
    if lines[-1] == "":
        lines.pop()
    elif text:
        lines[-1] += f"\n{NO_END}"
    return lines


def _hunks(before: list[str], after: list[str]) -> list[str]:
    # Comparing costs the square of the length, so the equal start and end of long notes are set aside.
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if not old and not new:
        return []
    lead = before[max(start - CONTEXT, 0) : start]
    tail = before[len(before) - end : len(before) - end + CONTEXT]
    if max(len(old), len(new)) > MAX_COMPARED:
        body = ["-" + line for line in old] + ["+" + line for line in new]
        first = start - len(lead) + 1
        sizes = f"-{first},{len(lead) + len(old) + len(tail)} +{first},{len(lead) + len(new) + len(tail)}"
        return [f"@@ {sizes} @@", *(" " + line for line in lead), *body, *(" " + line for line in tail)]
    offset = start - len(lead)
    compared = difflib.unified_diff([*lead, *old, *tail], [*lead, *new, *tail], n=CONTEXT, lineterm="")
    return [_shifted(line, offset) for line in list(compared)[2:]]


def _shifted(line: str, offset: int) -> str:
    """Return a hunk's head the line numbers of the whole note."""
    if not line.startswith("@@") or not offset:
        return line
    _, old, new, _ = line.split(" ", 3)
    return f"@@ {_moved(old, offset)} {_moved(new, offset)} @@"


def _moved(part: str, offset: int) -> str:
    first, comma, size = part[1:].partition(",")
    return f"{part[0]}{int(first) + offset}{comma}{size}"
