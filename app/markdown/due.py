"""The day when a task is due, as the plugins Tasks and Dataview write it."""

import re
from datetime import date

from app.vault.dates import parse_day

_DUE = re.compile(
    r"[📅📆🗓]\N{VARIATION SELECTOR-16}?\s{0,4}(?P<sign>[0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])"
    r"|[\[(]due::\s{0,4}(?P<field>[0-9]{4}-[0-9]{2}-[0-9]{2})\s{0,4}[\])]",
    re.IGNORECASE,
)


def due_day(task: str) -> date | None:
    """Return the first day of ``📅 2026-11-24``, ``[due:: 2026-11-24]`` or ``(due:: 2026-11-24)``."""
    days = (parse_day(found["sign"] or found["field"]) for found in _DUE.finditer(task))
    return next((day for day in days if day is not None), None)
