"""The day that the name of a note says, as the vault's own settings write it."""

from datetime import date
from pathlib import Path

from app.vault.dates import dated_heading
from app.vault.moment import day_read
from app.vault.obsidian import DAILY_FORM, daily_notes


class DayReader:
    """Reads the day of a note from its path, by what a vault's settings say at this moment of daily notes."""

    def __init__(self, root: Path) -> None:
        self.told = daily_notes(root)

    def daily(self, path: str) -> date | None:
        """Return the day of a daily note, and None of any other note.

        Where the vault sets nothing, a note is one whose whole file name is a day.
        """
        if not self.told:
            return day_read(DAILY_FORM, _name(path))
        inside = (one for one in self.told if path.startswith(one.folder))
        found = (day_read(one.form, path[len(one.folder) : -3]) for one in inside)
        return next((day for day in found if day is not None), None)

    def named(self, path: str) -> date | None:
        """Return the day of a daily note, or the one that a note's name begins with."""
        name = _name(path)
        if day := self.daily(path) or dated_heading(name):
            return day
        found = (day_read(one.form.rpartition("/")[2], name, begins=True) for one in self.told)
        return next((day for day in found if day is not None), None)


def _name(path: str) -> str:
    return path.rpartition("/")[2][:-3]
