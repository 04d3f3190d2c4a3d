"""One function for each operation; those that write only work out a plan."""

from collections.abc import Callable, Mapping

from app.errors import BadRequestError, NoteExistsError, NoteNotFoundError
from app.notes import edit, reading
from app.notes.document import open_document
from app.notes.find import existing, refuse_twin, target, unlinked
from app.notes.models import Answer, Change, NoteRequest, Operation, Plan, Touched
from app.notes.move import linking_notes, links_taken
from app.notes.move import move as plan_move
from app.notes.reading import info as describe
from app.notes.trash import TRASH_FOLDER, disposal_of
from app.notes.undo import undo as plan_undo
from app.notices import ChangeKind, Notice
from app.sentences import Sentence
from app.showing import Told
from app.vault.client import VaultClient

Operate = Callable[[VaultClient, NoteRequest], Answer | Plan]


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
            notices=tuple(links_taken(vault, path, scan)),
        )
    if not request.overwrite:
        raise NoteExistsError(
            "there is a note at '{path}' already",
            "use update or append, or 'overwrite' to replace it",
            path=path,
        )
    path = unlinked(vault, request) if path not in scan.notes else path
    document = open_document(vault, path)
    document.check_hash(request.expected_hash)
    after = document.encode(document.own_newlines(content))
    return Plan(
        "create", path, (Change(path, document.data, after),), Sentence("overwrite '{path}'", path=path)
    )


def read_note(vault: VaultClient, request: NoteRequest) -> Answer:
    """Show a note with its content hash: whole, or a heading's section, a block, or lines."""
    return Answer(reading.show_part(open_document(vault, existing(vault, request)), request))


def update_note(vault: VaultClient, request: NoteRequest) -> Plan:
    """Replace a note's content, or a heading's section, a block, or lines of it."""
    document = open_document(vault, existing(vault, request))
    document.check_hash(request.expected_hash)
    after = edit.update(document, request)
    whole = request.heading is None and request.block is None and request.lines is None
    kept = whole and edit.keeps_properties(document, request.content or "")
    notices = (Notice(ChangeKind.PROPERTIES_KEPT),) if kept else ()
    change = Change(document.path, document.data, after)
    summary = Sentence("update '{path}'", path=document.path)
    return Plan("update", document.path, (change,), summary, notices=notices)


def append_to_note(vault: VaultClient, request: NoteRequest) -> Plan:
    """Add to the end of a note, or of a heading's section."""
    document = open_document(vault, existing(vault, request))
    document.check_hash(request.expected_hash)
    change = Change(document.path, document.data, edit.append(document, request))
    summary = Sentence("append to '{path}'", path=document.path)
    return Plan("append", document.path, (change,), summary)


def move_note(vault: VaultClient, request: NoteRequest) -> Plan:
    """Move or rename a note and rewrite the links to it, and in it."""
    return plan_move(vault, request)


def delete_note(vault: VaultClient, request: NoteRequest) -> Plan:
    """Put a note into the trash that the vault's settings name; for good only with `permanent`."""
    document = open_document(vault, unlinked(vault, request))
    document.check_hash(request.expected_hash)
    disposal = disposal_of(vault.obsidian.trash_option, request.permanent)
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
    return Answer(
        Told(
            describe(vault, document, by_person=request.allow_excluded, language=request.language),
            Touched((document.path,)),
        )
    )


def undo_write(vault: VaultClient, request: NoteRequest) -> Plan:
    """Take back the last write, or the last one to `path`, or with content "turn" the last whole turn."""
    plan = plan_undo(vault, request)
    if not plan.changes and not plan.undoes:
        raise BadRequestError("there is nothing to take back")
    return plan


OPERATIONS: Mapping[Operation, Operate] = {
    "create": create_note,
    "read": read_note,
    "update": update_note,
    "append": append_to_note,
    "move": move_note,
    "delete": delete_note,
    "summarize": summarize_note,
    "info": note_info,
    "undo": undo_write,
}
