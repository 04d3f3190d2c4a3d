"""New notes as Obsidian makes them: where the vault's settings put one, and what its template brings."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import get_args

from app.errors import NoteNotFoundError, PathError
from app.notes.find import usable_name
from app.sentences import Language, Sentence
from app.vault.client import VaultClient
from app.vault.daily import DayReader
from app.vault.moment import DAYS, written
from app.vault.obsidian import Unit, daily_notes, new_notes_folder, own_form, templates
from app.vault.paths import NOTE_SUFFIX, NotePath, clean_path, is_note_name

_LITERAL = re.compile(r"\[[^\]]*\]")
_WEEKDAYS = tuple(map(str.lower, DAYS))
_VARIABLE = re.compile(
    rf"\{{\{{\s*(title|date|time|{'|'.join(_WEEKDAYS)})\s*(?::([^{{}}]*))?\}}\}}", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Daily:
    """The note of a day or longer: its path, whether it is there, its template, and its first day."""

    path: str
    is_there: bool
    template: str
    first: date


def first_day(day: date, unit: Unit, language: Language, *, is_iso: bool = False) -> date:
    """Return the first day of the week, month, quarter or year of a day, as Obsidian counts in a language."""
    match unit:
        case "week":
            # In English a week begins on a Sunday, but for the weeks of ISO 8601.
            return day - timedelta(days=(day.weekday() + (language == "en" and not is_iso)) % 7)
        case "month":
            return day.replace(day=1)
        case "quarter":
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case "year":
            return day.replace(month=1, day=1)
    return day


def place_for(vault: VaultClient, title: str, folder: str | None, current: str) -> str:
    """Return the path of a new note.

    Args:
        vault: The vault, whose settings say where new notes go.
        title: What it is called; one with a slash is a path, from the folder or else from the vault's root.
        folder: The folder, where one is named.
        current: The folder in the vault where whoever asks is; empty for its root.

    Raises:
        PathError: the title is empty, or holds what a name in Obsidian may not.
    """
    name = usable_name(title.strip().strip("/"))
    if not name:
        raise PathError("no title is given", "name the note, as in 'new Larch for the keel'")
    name = name if is_note_name(name) else name + NOTE_SUFFIX
    if folder is None:
        folder = "" if "/" in name else new_notes_folder(vault.root, current)
    inside = clean_path(folder).strip("/")
    return f"{inside}/{name}" if inside else name


def daily_of(vault: VaultClient, day: date, language: Language, unit: Unit = "day") -> Daily:
    """Find the note of a day, or of its week, month, quarter or year, or say where it would be made.

    It is found where it is excluded, too: who asks is the person whose vault it is.

    Args:
        vault: The vault.
        day: The day, or one of the week, month, quarter or year.
        language: In which a form writes the names of months and days, and counts weeks.
        unit: Whose note it is.
    """
    days, notes = DayReader(vault.root), vault.scan().notes
    told = next(iter(daily_notes(vault.root, unit)), own_form(unit))
    first = first_day(day, unit, language, is_iso="W" in _LITERAL.sub("", told.form))
    own, *others = (
        f"{told.folder}{written(told.form, datetime.combine(first, time()), each)}{NOTE_SUFFIX}"
        for each in (language, *get_args(Language))
    )
    if own in notes or unit != "day":
        path = next((each for each in (own, *others) if each in notes), own)
        return Daily(path, path in notes, told.template, first)
    # Its name may have the words of another language, or lie elsewhere.
    found = sorted((path for path in notes if days.daily(path) == day), key=lambda path: (len(path), path))
    return Daily(found[0] if found else own, bool(found), told.template, day)


def find_template(vault: VaultClient, name: str) -> NotePath:
    """Find a template by its name, first in the vault's folder of templates, then anywhere.

    Raises:
        NoteNotFoundError: there is none; the hint names those that there are.
    """
    folder = templates(vault.root).folder
    if folder:
        try:
            return vault.resolve(f"/{folder}/{name.strip().lstrip('/')}")
        except NoteNotFoundError:
            pass
    try:
        return vault.resolve(name)
    except NoteNotFoundError as error:
        inside = f"{folder}/"
        known = [path[len(inside) : -3] for path in vault.scan().notes if folder and path.startswith(inside)]
        hint = error.hint or "the vault's settings name no folder of templates; name a note by its path"
        if known:
            hint = Sentence("there are: {names}", names=", ".join(sorted(known)[:10]))
        elif folder:
            hint = error.hint or Sentence("there are none in '{folder}'", folder=folder)
        raise NoteNotFoundError(Sentence("no template '{name}'", name=name), hint) from error


def filled(vault: VaultClient, template: str, title: str, moment: datetime, language: Language) -> str:
    """Return what a template says once ``{{title}}``, ``{{date}}`` and ``{{time}}`` in it are filled in.

    ``{{monday}}`` is the day of the week that begins. A date or time takes a form of its own, as in
    ``{{date:D MMMM}}``, else that of the vault's settings.
    """
    forms = templates(vault.root)

    def one(found: re.Match[str]) -> str:
        name = found[1].lower()
        if name == "title":
            return title
        form = (found[2] or "").strip() or (forms.time_form if name == "time" else forms.date_form)
        ahead = (_WEEKDAYS.index(name) - moment.weekday()) % 7 if name in _WEEKDAYS else 0
        return written(form, moment + timedelta(days=ahead), language)

    return _VARIABLE.sub(one, template)
