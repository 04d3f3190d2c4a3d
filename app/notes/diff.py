"""What a plan changes, for a person to read: as values, and as a unified diff."""

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import takewhile

from app.dependencies import RENAMED, Hunk, NoteDiff
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


def note_diffs(plan: Plan) -> Iterator[NoteDiff]:
    """Yield what a plan changes, excluded notes left out."""
    changes = {change.path: change for change in plan.changes}
    if plan.moved is not None:
        old, new = plan.moved
        gone, made = changes.pop(old), changes.pop(new)
        if not {old, new} & plan.hidden:
            yield _one(Change(new, gone.before, made.after), old)
    for change in changes.values():
        if change.path not in plan.hidden and change.before != change.after:
            yield _one(change, change.path)


def format_diff(plan: Plan) -> str:
    """Return what a plan changes as a unified diff, excluded notes left out; empty where no text changes."""
    return unified(note_diffs(plan))


def unified(diffs: Iterable[NoteDiff]) -> str:
    """Return changes as a unified diff.

    What the program says in it stands in brackets, see `app.dependencies.diff_said`.
    """
    return "\n".join(line for diff in diffs for line in _unified(diff))


def _unified(diff: NoteDiff) -> Iterator[str]:
    old, new = in_line(diff.before), in_line(diff.after)
    if old and new and old != new:
        yield "\n".join(sign + name for sign, name in zip(RENAMED, (old, new), strict=True))
    if diff.hunks or diff.remark:
        yield f"--- a/{old}" if old else "--- /dev/null"
        yield f"+++ b/{new}" if new else "+++ /dev/null"
    for hunk in diff.hunks:
        gone, come = (sum(sign != other for sign, _ in hunk.lines) for other in "+-")
        yield f"@@ -{_range(hunk.old, gone)} +{_range(hunk.new, come)} @@"
        yield from (sign + line for sign, line in hunk.lines)
    if diff.remark:
        yield diff.remark


def _range(first: int, size: int) -> str:
    # Of no lines, the one before is named.
    return str(first) if size == 1 else f"{first if size else first - 1},{size}"


def _one(change: Change, old_path: str) -> NoteDiff:
    before, after = _lines(change.before), _lines(change.after)
    hunks = tuple(_hunks(before, after))
    remark = "" if hunks or change.before == change.after else ENDS_ALONE if before or after else EMPTY_NOTE
    return NoteDiff(
        "" if change.before is None else old_path, "" if change.after is None else change.path, hunks, remark
    )


def _lines(data: bytes | None) -> list[str]:
    text = decode(data).text if data else ""
    # Shown line by line: a line end of another kind is a difference, and says so elsewhere.
    lines = [showing(line.removesuffix("\r")) for line in text.split("\n")]
    if lines[-1] == "":
        lines.pop()
    elif text:
        lines[-1] += f"\n{NO_END}"
    return lines


def _hunks(before: list[str], after: list[str]) -> Iterator[Hunk]:
    # Comparing costs the square of the length, so the equal start and end of long notes are set aside.
    start = _alike(before, after)
    end = _alike(before[start:][::-1], after[start:][::-1])
    if before == after:
        return
    # But for what stands beside the difference.
    first, last = max(start - CONTEXT, 0), max(end - CONTEXT, 0)
    one, other = before[first : len(before) - last], after[first : len(after) - last]
    lead, tail = start - first, end - last
    if max(len(one), len(other)) - lead - tail > MAX_COMPARED:
        ends = len(one) - tail, len(other) - tail
        groups = [
            [
                ("equal", 0, lead, 0, lead),
                ("replace", lead, ends[0], lead, ends[1]),
                ("equal", ends[0], len(one), ends[1], len(other)),
            ]
        ]
    else:
        groups = list(SequenceMatcher(None, one, other).get_grouped_opcodes(CONTEXT))
    for group in groups:
        lines = list[tuple[str, str]]()
        for kind, i1, i2, j1, j2 in group:
            if kind == "equal":
                lines += [(" ", line) for line in one[i1:i2]]
            else:
                lines += [*(("-", line) for line in one[i1:i2]), *(("+", line) for line in other[j1:j2])]
        yield Hunk(group[0][1] + first + 1, group[0][3] + first + 1, tuple(lines))


def _alike(one: list[str], other: list[str]) -> int:
    """Return how many lines two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
