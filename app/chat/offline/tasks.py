"""Questions for tasks: those that are open, due in a time, or late, answered by their lines and nothing else.

Only a question that asks for nothing besides is taken; any other is left to the search.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np

from app.chat.ask.concat import Document, Source, concat
from app.chat.evidence.evidence import Claim
from app.chat.offline.phrases import PHRASES, quotation, words_of
from app.chat.save import is_saved_chat
from app.errors import VaultError
from app.notices import Language, Notice
from app.search.inventory import TaskLine, by_due, tasks_of, with_alias
from app.search.query.days import due_time
from app.search.searcher import searcher_for
from app.search.view import View
from app.showing import in_line
from app.vault.client import VaultClient
from app.vault.dates import local_today
from app.vault.paths import nfc, path_key

MOST_TASKS = 20
"""Tasks that one answer quotes."""
_NAMED = re.compile(r"[“«\"]\s*(?P<name>[^“”«»\"]+?)\s*[”»\"]")
_UNDONE = re.compile(
    r"\b(?:not|pas)(?: encore| yet)? (?:done|finished|complete|faites?|finies?|terminees?|achevees?)\b"
)
_TASK = frozenset(("tache", "taches", "task", "tasks", "todo", "todos"))
_DUE = frozenset(("due", "dues", "du", "dus", "echeance", "echeances", "deadline", "deadlines"))
_TO_DO = re.compile(
    r"\b(?:(?:dois|doit|devons) (?:(?:je|on|nous) )?faire|a faire"
    r"|(?:have|need|got) to do|(?:must|should) (?:i|we) do)\b"
)
"""Said of a time to come it asks for what is due."""
_LATE = frozenset(("overdue", "retard", "echues", "depassee", "depassees"))
_OPEN = frozenset(
    ("open", "left", "undone", "unfinished", "remaining", "remain", "reste", "restent", "ouverte", "ouvertes")
)
_LISTED = frozenset(("my", "mes", "all", "any", "toutes", "list", "liste", "show", "montre"))
"""Beside a word for tasks these ask for those that are open: "list my tasks"."""
_ASKING = """
what which whats s are is the my our your all any do does i we have there show list me give still to be on by
for in of from that and quel quelle quelles quels qu est ce qui que quoi sont les le la l mes nos vos de d j
ai a y t il elles on avons nous je dois dans pour en au liste montre moi donne encore toutes tout toujours et
faire rendre ne n doit devons need got must should
"""
_SMALL = frozenset(_ASKING.split())
"""Words that ask, and say nothing of what is asked for."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """Which tasks are asked for: due from a day to another, or all that are open; of some notes or of all."""

    days: tuple[date, date] | None
    names: tuple[str, ...]
    is_sure: bool
    """Whether the question speaks of tasks, and not only of what is due."""

    def wants(self, task: TaskLine) -> bool:
        if not task.is_open or self.days is None:
            return task.is_open
        first, last = self.days
        return (day := task.due) is not None and first <= day <= last


def tasks_answer(
    vault: VaultClient, question: str, language: Language, *, budget: int, remarks: Sequence[Notice] = ()
) -> Document | None:
    """Answer a question that asks for tasks and nothing else; None for any other.

    Arguments as of `offline_answer`.

    Raises:
        VaultError: the vault cannot be read.
    """
    asked = _read(question, local_today())
    if asked is None:
        return None
    found = searcher_for(vault).ask(lambda view: _found(view, asked))
    if found is None:
        return None
    said = PHRASES[language]
    if not found:
        return concat(said.no_tasks, (), budget=budget, remarks=remarks, language=language).unanswered()
    shown, left = found[:MOST_TASKS], len(found) - MOST_TASKS
    more = [said.more_tasks.format(count=left)] if left > 0 else []
    head = "\n".join([said.found, *(_line(path, task, language) for path, task in shown), *more])
    document = concat(head, _sources(vault, shown), budget=budget, remarks=remarks, language=language)
    return replace(document, claims=tuple(_claim(path, task) for path, task in shown))


def _read(question: str, today: date) -> _Asked | None:
    """Read a question of which every word is understood; None for any other."""
    names = tuple(_NAMED.findall(nfc(question)))
    text = _NAMED.sub(" ", nfc(question))
    time = due_time(text, today)
    if time is not None:
        text = f"{text[: time.start]} {text[time.end :]}"
    rest = _UNDONE.sub("open", " ".join(words_of(text)))
    words = set(rest.split())
    is_sure = bool(words & _TASK)
    is_late = bool(words & _LATE or (is_sure and "late" in words))
    is_due = bool(words & _DUE - {"du"} or re.search(r"\best du\b", rest))
    is_due = is_due or (time is not None and time.period.last >= today and _TO_DO.search(rest) is not None)
    if words - {"late"} - _TASK - _DUE - _LATE - _OPEN - _SMALL or not (is_sure or is_late or is_due):
        return None
    is_listed = words & _OPEN or (is_sure and words & _LISTED) or {"a", "faire"} <= words
    if not (is_late or is_due or is_listed or time or names):
        return None
    first, last = (time.period.first, time.period.last) if time else (date.min, date.max)
    last = min(last, today - timedelta(days=1)) if is_late else last
    days = (first, last) if is_late or is_due or time else None
    return _Asked(days, names, is_sure)


def _found(view: View, asked: _Asked) -> list[tuple[str, TaskLine]] | None:
    """Return the tasks that are asked for, None where the question may mean another thing."""
    snapshot = view.snapshot
    notes = snapshot.visible
    if asked.names:
        notes = np.zeros_like(notes)
        for named in (list(_named(view, name)) for name in asked.names):
            if len(named) != 1:
                return None
            notes[named] = True
    listed = list(tasks_of(snapshot, notes, asked.wants))
    found = [
        (view.lexical.path(doc), task)
        for doc, tasks in (by_due(listed) if asked.days else listed)
        if not is_saved_chat(view.lexical.path(doc), snapshot.note(doc).properties)
        for task in tasks
    ]
    # What is due may stand in a sentence too.
    return found if found or asked.is_sure else None


def _line(path: str, task: TaskLine, language: Language) -> str:
    place = f"`{in_line(path)}` {PHRASES[language].line.format(numbers=task.line)}"
    return quotation(task.text.strip(), place, language)


def _claim(path: str, task: TaskLine) -> Claim:
    text = task.text.strip()
    return Claim(text, "quoted", path, str(task.line), text, 1.0)


def _sources(vault: VaultClient, shown: list[tuple[str, TaskLine]]) -> list[Source]:
    ranges: dict[str, list[tuple[int, int]]] = {}
    for path, task in shown:
        ranges.setdefault(path, []).append((task.line, task.line))
    sources = []
    for path, lines in ranges.items():
        # What was taken away since is quoted and not shown.
        with suppress(VaultError):
            sources.append(Source(path, vault.read(path).text, tuple(lines)))
    return sources


def _named(view: View, name: str) -> Iterator[int]:
    """Yield the notes with tasks that are called so, by their file, title, only first heading or an alias."""
    wanted, snapshot = path_key(name), view.snapshot
    aliased = set(with_alias(snapshot, name))
    docs = snapshot.lexical.docs_with("tasks:task")
    for doc in docs[snapshot.visible[docs]].tolist():
        path = view.lexical.path(doc)
        tops = [text for level, text, *_ in snapshot.sections(doc).rows if level == 1]
        names = [
            path.rpartition("/")[2][:-3],
            path[:-3],
            snapshot.note(doc).title,
            *(tops if len(tops) == 1 else []),
        ]
        if path in aliased or any(path_key(each) == wanted for each in names):
            yield doc
