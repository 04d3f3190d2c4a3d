"""New notes as Obsidian makes them: where the vault's settings put one, and what its template brings."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time

from app.errors import NoteNotFoundError, PathError
from app.notes.find import usable_name
from app.sentences import Language, Sentence
from app.vault.client import VaultClient
from app.vault.daily import DayReader
from app.vault.moment import written
from app.vault.obsidian import DAILY_FORM, DailyNotes, new_notes_folder, templates
from app.vault.paths import NOTE_SUFFIX, NotePath, clean_path, is_note_name

_VARIABLE = re.compile(r"\{\{\s*(title|date|time)\s*(?::([^{}]*))?\}\}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Daily:
    """The note of a day: its path, whether it is there, and the template that a new one is made of."""

    path: str
    is_there: bool
    template: str


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


def daily_of(vault: VaultClient, day: date, language: Language) -> Daily:
    """Find the note of a day by the vault's own form of names, or say where it would be made.

    It is found where it is excluded, too: who asks is the person whose vault it is.

    Args:
        vault: The vault.
        day: The day.
        language: In which a form writes the names of months and days.
    """
    days, notes = DayReader(vault.root), vault.scan().notes
    told = days.told[0] if days.told else DailyNotes("", DAILY_FORM, "")
    own = f"{told.folder}{written(told.form, datetime.combine(day, time()), language)}{NOTE_SUFFIX}"
    if own in notes:
        return Daily(own, True, told.template)
    # Its name may have the words of another language, or lie elsewhere.
    found = sorted((path for path in notes if days.daily(path) == day), key=lambda path: (len(path), path))
    return Daily(found[0] if found else own, bool(found), told.template)


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

    A date or time takes a form of its own, as in ``{{date:D MMMM}}``, else that of the vault's settings.
    """
    forms = templates(vault.root)

    def one(found: re.Match[str]) -> str:
        name = found[1].lower()
        if name == "title":
            return title
        form = (found[2] or "").strip() or (forms.date_form if name == "date" else forms.time_form)
        return written(form, moment, language)

    return _VARIABLE.sub(one, template)
