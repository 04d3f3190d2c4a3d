"""A task ticked as Obsidian does it, with the day when the vault's plugin Tasks would write that."""

import re
from datetime import date

from app.errors import BadRequestError, WriteError
from app.markdown.models import Task
from app.notes.document import Document, read_range
from app.notes.models import NoteRequest
from app.sentences import Sentence
from app.vault.obsidian import TasksPlugin
from app.vault.paths import plain_signs

_END = re.compile(r"(?:\s+\^[\w-]+)?\s*\Z")
_REPEATS = ("🔁", "[repeat::", "🏁", "[onCompletion::")
"""What has the plugin do more than tick."""
SHOWN_TASKS = 5


def tick(document: Document, request: NoteRequest, plugin: TasksPlugin | None) -> bytes:
    """Return a note's bytes with the one task ticked that stands in a request's lines, or holds its content.

    Raises:
        BadRequestError: no task does, or several do.
        WriteError: the plugin would add another task, or remove this one.
    """
    found = [task for task in document.parsed.tasks if _is_meant(document, request, task)]
    found = [task for task in found if task.status not in "xX"] or found[:1]
    if len(found) != 1:
        listed = [task for task in found or document.parsed.tasks if task.status not in "xX"][:SHOWN_TASKS]
        raise BadRequestError(
            "{count} tasks of '{path}' are meant",
            "name one by its line: {listed:; }" if listed else "it has no open task",
            count=len(found),
            path=document.path,
            listed=tuple(Sentence("{line}: {text}", line=task.line, text=task.text) for task in listed),
        )
    [task], line, start = found, document.line(found[0].line), document.start_of(found[0].line)
    if task.status in "xX":
        return document.data
    box, ends, dated = start + line.index("[") + 1, _END.search(line), ""
    if plugin is not None and plugin.filter in line:
        if any(sign in line for sign in _REPEATS):
            raise WriteError(
                "the plugin Tasks would do more than tick '{text}'", "tick it in Obsidian", text=task.text
            )
        dated = plugin.done.format(day=date.today().isoformat())
    at = start + (ends.start() if ends else len(line))
    return document.encode(document.edited([(box, box + len(task.status), "x"), (at, at, dated)]))


def _is_meant(document: Document, request: NoteRequest, task: Task) -> bool:
    if request.lines is not None:
        span = read_range(document, request.lines)
        return span.first <= task.line <= span.last
    wanted, line = (
        " ".join(plain_signs(text).casefold().split())
        for text in (request.content or "", document.line(task.line))
    )
    return bool(wanted) and wanted in line
