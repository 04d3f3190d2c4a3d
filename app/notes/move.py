"""Moving a note without changing what any link means."""

from collections.abc import Mapping

from app.dependencies import VaultClient, VaultScan
from app.errors import BadRequestError, ConflictError, NoteNotFoundError, NoteUnreadableError
from app.markdown import parse_note
from app.markdown.links import LinkResolver
from app.notes.document import Document
from app.notes.find import refuse_twin, target, unlinked
from app.notes.models import Change, NoteRequest, Plan
from app.notes.relink import Relocation, names_one, relink
from app.vault.atomic import content_hash
from app.vault.paths import NotePath


def move(vault: VaultClient, request: NoteRequest) -> Plan:
    """Move or rename a note, and rewrite every link whose meaning would change."""
    scan = vault.scan()
    old = unlinked(vault, request)
    new = _new_path(vault, request, old, scan)
    relocation = _relocation(vault, scan, old, new)
    moving = Document(old, vault.read_bytes(old))
    check_hash(moving, request)
    changes = [
        Change(old, moving.data, None),
        Change(new, None, relink(moving, relocation) or moving.data),
    ]
    unseen = {problem.path: problem.reason for problem in scan.problems if problem.hides}
    if "" in unseen or (unseen and old not in scan.notes):
        raise NoteUnreadableError(
            "the links to it cannot be found: " + "; ".join(unseen.values()), "try again; nothing was written"
        )
    for path in scan.notes:
        if path == old:
            continue
        try:
            document = Document(path, vault.read_bytes(path))
        except NoteNotFoundError:
            continue
        except NoteUnreadableError as error:
            unseen[path] = error.message
            continue
        if not relocation.may_concern(document.text):
            continue
        if (data := relink(document, relocation)) is not None:
            changes.append(Change(path, document.data, data))
    notices = _not_looked_at(vault, unseen)
    hidden = frozenset(change.path for change in changes if vault.is_excluded(change.path))
    if others := len(changes) - 2 - len(hidden):
        notices.append(f"links rewritten in {count(others, 'other note')}")
    return Plan(
        "move",
        old,
        tuple(changes),
        f"move '{old}' to '{new}'",
        moved=(old, new),
        notices=tuple(notices),
        hidden=hidden,
    )


def _not_looked_at(vault: VaultClient, unseen: Mapping[str, str]) -> list[str]:
    """Say where links to the note may be left as they were; excluded notes and folders are counted only."""
    known = {path: reason for path, reason in unseen.items() if not _is_private(vault, path)}
    notices = [f"links in '{path}' were not all looked at: {reason}" for path, reason in known.items()]
    if private := len(unseen) - len(known):
        notices.append(f"links in {count(private, 'excluded place')} were not all looked at")
    return notices


def _is_private(vault: VaultClient, path: str) -> bool:
    # A folder is excluded by what is said of the notes in it.
    return vault.is_excluded(path) or vault.is_excluded(f"{path}/note.md")


def linking_notes(vault: VaultClient, path: NotePath, scan: VaultScan) -> tuple[str, ...]:
    """List the other notes that link to a note, found by reading the files."""
    resolver = LinkResolver([*scan.notes, *scan.others], all_types=vault.obsidian.all_file_types)
    found: list[str] = []
    for source in scan.notes:
        if source == path:
            continue
        try:
            text = vault.read(source).text
        except (NoteUnreadableError, NoteNotFoundError):
            continue
        if not names_one(text, path):
            continue
        if any(resolver.resolve(link.target, source) == path for link in parse_note(text, source).links):
            found.append(source)
    return tuple(found)


def check_hash(document: Document, request: NoteRequest) -> None:
    """Refuse to go on where the note is not in the state the caller has read.

    Raises:
        ConflictError: its hash is not the expected one.
    """
    if request.expected_hash and request.expected_hash.strip() != content_hash(document.data):
        raise ConflictError(
            f"'{document.path}' changed since it was read: its hash is {document.hash}",
            "read it again; nothing was written",
        )


def count(number: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _new_path(vault: VaultClient, request: NoteRequest, old: NotePath, scan: VaultScan) -> NotePath:
    written = request.new_path or ""
    if written.endswith("/"):
        # A folder: the note keeps its name.
        written += old.rpartition("/")[2]
    new = target(vault, request, written, scan)
    if new == old:
        raise BadRequestError(f"'{old}' is there already", "give another 'new_path'")
    refuse_twin(new, scan, besides=old)
    return new


def _relocation(vault: VaultClient, scan: VaultScan, old: NotePath, new: NotePath) -> Relocation:
    files = [*scan.notes, *scan.others]
    all_types = vault.obsidian.all_file_types
    return Relocation(
        old=old,
        new=new,
        before=LinkResolver(files, all_types=all_types),
        after=LinkResolver([new if path == old else path for path in files], all_types=all_types),
        link_format=vault.obsidian.new_link_format,
        is_excluded=vault.is_excluded,
    )
