"""One function for each operation; those that write only work out a plan."""

import re
from collections.abc import Callable, Mapping
from functools import partial

from app.errors import NoteExistsError, NoteNotFoundError
from app.journal.models import Disposal
from app.notes import edit, properties, reading
from app.notes.document import Document, open_document
from app.notes.find import existing, refuse_twin, target, unlinked
from app.notes.heading import rename_part
from app.notes.models import Answer, Change, NoteRequest, Operation, Plan, Touched
from app.notes.move import linking_notes, links_taken, move
from app.notes.tasks import tick
from app.notes.trash import TRASH_FOLDER
from app.notes.undo import undo
from app.notices import ChangeKind, Notice
from app.sentences import Sentence
from app.showing import Told
from app.vault.client import VaultClient
from app.vault.obsidian import property_types, tasks_plugin

# Formulas, code and paths of Windows hold a backslash before an n that is meant.
_WITH_BACKSLASHES = re.compile(r"\$[^$]*\$|`[^`]*`|(?<!\w)[A-Za-z]:\\\S*")
Operate = Callable[[VaultClient, NoteRequest], Answer | Plan]
Edit = Callable[[Document, NoteRequest], bytes]


def create_note(vault: VaultClient, request: NoteRequest) -> Plan:
    """Make a note; one that exists is replaced only with `overwrite`."""
    scan = vault.scan()
    path = target(vault, request, request.path, scan)
    content = request.content or ""
    if path not in scan.notes and not vault.exists(path):
        if request.expected_hash:
            raise NoteNotFoundError(
                "no note at '{path}'", "leave 'expected_hash' out to create it", path=path
            )
        refuse_twin(path, scan)
        return Plan(
            "create",
            path,
            (Change(path, None, content.encode()),),
            Sentence("create '{path}'", path=path),
            notices=(*_line_ends(request), *links_taken(vault, path, scan)),
        )
    if not request.overwrite:
        raise NoteExistsError(
            "there is a note at '{path}' already",
            "update, append to or overwrite that one, or choose another name",
            path=path,
        )
    path = unlinked(vault, request) if path not in scan.notes else path
    document = open_document(vault, path)
    document.check_hash(request.expected_hash)
    after = document.encode(document.own_newlines(content))
    changes, summary = (Change(path, document.data, after),), Sentence("overwrite '{path}'", path=path)
    return Plan("create", path, changes, summary, notices=tuple(_line_ends(request)))


def read_note(vault: VaultClient, request: NoteRequest) -> Answer:
    """Show a note with its content hash: whole, or a heading's section, a block, or lines."""
    return Answer(reading.show_part(open_document(vault, existing(vault, request)), request))


def update_note(vault: VaultClient, request: NoteRequest) -> Plan:
    """Replace a note's content, or a heading's section, a block, or lines of it."""
    return _edited(vault, request, edit.update)


def append_to_note(vault: VaultClient, request: NoteRequest) -> Plan:
    """Add to the end of a note, or of a heading's section."""
    return _edited(vault, request, edit.append)


def move_note(vault: VaultClient, request: NoteRequest) -> Plan:
    """Move or rename a note, or rename a heading or block of it, and rewrite the links."""
    return (rename_part if request.heading or request.block else move)(vault, request)


def set_properties(vault: VaultClient, request: NoteRequest) -> Plan:
    """Set properties, or add or take away one value of a list."""
    return _edited(vault, request, partial(properties.set_properties, types=property_types(vault.root)))


def tick_task(vault: VaultClient, request: NoteRequest) -> Plan:
    """Tick a task."""
    return _edited(vault, request, partial(tick, plugin=tasks_plugin(vault.root)))


def _edited(vault: VaultClient, request: NoteRequest, change: Edit) -> Plan:
    document = open_document(vault, existing(vault, request))
    document.check_hash(request.expected_hash)
    notices = _line_ends(request)
    if request.heading is not None:
        taken, content = edit.take_heading(document, request.heading, request.content or "")
        request = request.model_copy(update={"content": content})
        notices += [Notice(ChangeKind.HEADING_LEFT_OUT, heading=taken)] if taken else []
    after, path = change(document, request), document.path
    summary = {
        "update": Sentence("update '{path}'", path=path),
        "append": Sentence("append to '{path}'", path=path),
        "set": Sentence("set properties of '{path}'", path=path),
        "tick": Sentence("tick a task of '{path}'", path=path),
    }[request.operation]
    if request.operation == "update":
        notices += [Notice(ChangeKind.PROPERTIES_KEPT)] if edit.keeps_properties(document, request) else []
    changes = (Change(path, document.data, after),)
    return Plan(request.operation, path, changes, summary, notices=tuple(notices))


def _line_ends(request: NoteRequest) -> list[Notice]:
    """Tell a model that its text seems to have been escaped once too often."""
    text = (request.content or "").strip()
    is_escaped = "\\n" in _WITH_BACKSLASHES.sub("", text) and "\n" not in text
    return [Notice(ChangeKind.ESCAPED_LINE_ENDS)] if is_escaped and not request.allow_excluded else []


def delete_note(vault: VaultClient, request: NoteRequest) -> Plan:
    """Put a note into the trash that the vault's settings name; for good only with `permanent`."""
    document = open_document(vault, unlinked(vault, request))
    document.check_hash(request.expected_hash)
    # A vault that is set to delete for good still needs `permanent` to be said.
    kept: Disposal = "system" if vault.obsidian.trash_option == "system" else "local"
    disposal: Disposal = "permanent" if request.permanent else kept
    path = document.path
    where = {
        "system": Sentence(
            "put '{path}' into the system's trash, or {folder}/ without one", path=path, folder=TRASH_FOLDER
        ),
        "local": Sentence("put '{path}' into {folder}/", path=path, folder=TRASH_FOLDER),
        "permanent": Sentence("delete '{path}' for good", path=path),
    }[disposal]
    linking = linking_notes(vault, document.path, vault.scan())
    sources = [Sentence("'{path}'", path=each) for each in linking if not vault.is_excluded(each)]
    notices = []
    if sources:
        names = (*sources[:5], "…") if len(sources) > 5 else tuple(sources)
        notices.append(Notice(ChangeKind.LINKING_NOTES, count=len(sources), names=names))
    return Plan(
        "delete",
        document.path,
        (Change(document.path, document.data, None),),
        where,
        disposal=disposal,
        notices=tuple(notices),
    )


def summarize_note(vault: VaultClient, request: NoteRequest) -> Answer:
    """Say in short what a note says, by the language model, or show how it begins without one."""
    document = open_document(vault, existing(vault, request))
    return Answer(Told(reading.summarize(document, request, vault.settings), Touched((document.path,))))


def note_info(vault: VaultClient, request: NoteRequest) -> Answer:
    """Describe a note: titles, tags, dates, headings, tasks, links both ways."""
    document = open_document(vault, existing(vault, request))
    return Answer(Told(reading.info(vault, document), Touched((document.path,))))


OPERATIONS: Mapping[Operation, Operate] = {
    "create": create_note,
    "read": read_note,
    "update": update_note,
    "append": append_to_note,
    "move": move_note,
    "delete": delete_note,
    "set": set_properties,
    "tick": tick_task,
    "summarize": summarize_note,
    "info": note_info,
    "undo": undo,
}
