"""Which note a request means, and whether it may be touched."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from app.errors import NoteExistsError, NoteNotFoundError, PathError, WriteError
from app.notes.models import NoteRequest
from app.sentences import Sentence
from app.showing import PATH, in_line
from app.system import forbidden_on_windows
from app.vault.client import VaultClient
from app.vault.files import future_path
from app.vault.names import drop_vault_prefix, resolve_name
from app.vault.obsidian import SETTINGS_FILE
from app.vault.paths import NOTE_SUFFIX, NotePath, clean_path, normalize_path, path_key
from app.vault.scan import VaultScan

CONTROL = frozenset({"Cc", "Zl", "Zp"})
"""Unicode's categories of control characters, line and paragraph separators."""
CONTROL_NAMES = {"\n": "a newline", "\r": "a carriage return", "\t": "a tab"}
READING = ("read", "info", "summarize")
"""The operations of notes that other files have as well."""
_UNUSABLE = re.compile(r"[\[\]#^|:\\]")
_SPACED_SLASH = re.compile(r"\s+/\s*|\s*/\s+")


def existing(vault: VaultClient, request: NoteRequest) -> NotePath:
    """Find the note that a request is about, where it really is; to read, any file read for its text.

    To a model an excluded note does not exist: whatever is asked of one is answered, word for word, like
    what is asked of a name that no note has.

    Raises:
        NoteNotFoundError: there is none, or none that whoever asks may know of.
        PathError: the name is malformed or ambiguous; or a person asks to change an excluded note.
    """
    try:
        return vault.real_path(_named(vault, request))
    except NoteNotFoundError:
        file = attachment_named(vault, request.path) if request.operation in READING else None
        if file is None:
            raise
        return file


def attachment_named(vault: VaultClient, name: str, scan: VaultScan | None = None) -> NotePath | None:
    """Return the file that is no note, but read for its text, which a path or the end of one means.

    None where there is none that is shown; of several the one with the shortest path. It is never written to.
    """
    scan = scan or vault.scan()
    wanted = path_key(drop_vault_prefix(clean_path(vault.from_root(name)), scan))
    found = [
        path
        for path in scan.others
        if f"/{path_key(path)}".endswith(f"/{wanted}") and vault.is_attachment(path)
    ]
    found.sort(key=lambda path: (path_key(path) != wanted, len(path), path))
    return NotePath(found[0]) if found and wanted else None


def unlinked(vault: VaultClient, request: NoteRequest) -> NotePath:
    """Find the note as `existing` does, but refuse one that is reached through a symbolic link."""
    path = _named(vault, request)
    if (real := vault.real_path(path)) != path:
        raise WriteError(
            "'{path}' is reached through a symbolic link", "name '{real}' itself", path=path, real=real
        )
    return path


def shown_scan(vault: VaultClient) -> VaultScan:
    """List the vault as those may know it from whom excluded notes are hidden, and folders of these alone."""
    scan = vault.scan()
    notes = {path: found for path, found in scan.notes.items() if not vault.is_excluded(path)}
    if len(notes) == len(scan.notes):
        return scan
    shown, holding = _folders_above(notes), _folders_above(scan.notes)
    return scan._replace(
        notes=notes,
        others=tuple(path for path in scan.others if not vault.is_excluded(path)),
        files={path: found for path, found in scan.files.items() if not vault.is_excluded(path)},
        folders=tuple(
            folder
            for folder in scan.folders
            if folder in shown or (folder not in holding and not vault.is_excluded(folder + "/"))
        ),
        problems=tuple(problem for problem in scan.problems if not vault.is_excluded(problem.path)),
    )


def _folders_above(paths: Iterable[str]) -> set[str]:
    return {path[:at] for path in paths for at, sign in enumerate(path) if sign == "/"}


def _named(vault: VaultClient, request: NoteRequest) -> NotePath:
    """Find the note that a request names, reached through a symbolic link or not."""
    if request.allow_excluded:
        path = vault.resolve(request.path)
        for each in (path, vault.real_path(path)):
            _refuse_excluded(vault, request, each, request.path)
        return path
    refuse_unknown(vault)
    return _shown_name(vault, request.path, shown_scan(vault))


def find_shown(vault: VaultClient, name: str, scan: VaultScan) -> NotePath:
    """Find the note, or file read for its text, that a name means among those shown, where it really is.

    Args:
        vault: The vault.
        name: A path or name, forgivingly written.
        scan: What `shown_scan` gives.

    Raises:
        NoteNotFoundError: there is none.
        PathError: the name is malformed, leads out of the vault, or several notes have it.
    """
    try:
        return vault.real_path(_shown_name(vault, name, scan))
    except NoteNotFoundError:
        if (file := attachment_named(vault, name, scan)) is None:
            raise
        return file


def _shown_name(vault: VaultClient, name: str, scan: VaultScan) -> NotePath:
    try:
        return resolve_name(name, scan, vault.is_excluded)
    except NoteNotFoundError:
        # A symbolic link is not listed, but read where its target is inside.
        path = normalize_path(name)
        if vault.is_excluded(path) or not vault.exists(path) or vault.is_excluded(vault.real_path(path)):
            raise
        return path


def target(
    vault: VaultClient, request: NoteRequest, written: str, scan: VaultScan, keeps: str = ""
) -> NotePath:
    """Return the path of a note to be made, its folders spelled as those that are there.

    Where the vault's settings exclude what would stand there, nothing is made, and the answer is the same
    whether a note stands there already or not. A note that moves may keep its name, ``keeps``, whatever that
    holds.

    Raises:
        PathError: the path is malformed or excluded, or holds in a name that is not there yet a control
            character, or what a name in Obsidian may not; or it starts with a slash and with a folder that
            the vault does not have.
    """
    known = scan if request.allow_excluded else shown_scan(vault)
    path = drop_vault_prefix(normalize_path(written), known)
    _refuse_excluded(vault, request, path, written)
    folders = {path_key(folder): folder for folder in known.folders}
    folder, _, name = path.rpartition("/")
    rest: list[str] = [name]
    while folder and path_key(folder) not in folders:
        folder, _, last = folder.rpartition("/")
        rest.insert(0, last)
    spelled = NotePath("/".join([*([folders[path_key(folder)]] if folder else []), *rest]))
    # A symbolic link on the way may lead to a folder that is excluded, or hidden.
    for each in (spelled, normalize_path(future_path(vault.root, spelled))):
        _refuse_excluded(vault, request, each, written)
    if spelled not in scan.notes:
        _refuse_control("/".join(rest))
        for part in rest:
            if path_key(part) != path_key(keeps):
                usable_name(part.removesuffix(NOTE_SUFFIX))
                if vault.settings.portable_names and forbidden_on_windows(part):
                    raise PathError(
                        "nothing can be called '{name}' on Windows",
                        "no < > : | ? * or quotes, no dot at the end, no device as CON: see 'portable_names'",
                        name=part,
                    )
                if (plain := unquote(part)) != part:
                    raise PathError(
                        "the name '{name}' is percent-encoded", "write '{plain}'", name=part, plain=plain
                    )
        if len(rest) > 1 and not folder and written.lstrip("[! ").startswith("/"):
            raise PathError(
                "the vault has no folder '{rest}', and '{written}' may lie outside of it",
                "leave the slash at its beginning out to make '{rest}' in the vault",
                rest=rest[0],
                written=in_line(written, PATH),
            )
        if any(vault.is_excluded(other) for other in _twins(spelled, scan)):
            raise _unusable(written)
    return spelled


def usable_name(written: str) -> str:
    """Return the name or path of a note to be made, without blanks around its parts.

    Raises:
        PathError: it holds what a name in Obsidian may not; the hint has a name of one note instead.
    """
    if (found := _UNUSABLE.search(written)) is not None:
        # A slash between blanks is punctuation, and would make a folder.
        near = _SPACED_SLASH.sub(" - ", _UNUSABLE.sub(" ", written))
        raise PathError(
            "the title '{name}' holds '{found}'",
            "write '{near}': no link leads to a name with [ ] # ^ |, and Obsidian makes none with : or \\",
            name=written,
            found=found[0],
            near=" ".join(near.split()).strip("/") or "Untitled",
        )
    return "/".join(part.strip() for part in written.split("/"))


def refuse_twin(path: NotePath, scan: VaultScan, besides: str = "") -> None:
    """Refuse a path that differs only in case from a note's, `besides` one that moves away.

    Raises:
        NoteExistsError: there is such a note.
    """
    for other in _twins(path, scan):
        if other != besides:
            raise NoteExistsError("there is a note at '{path}' already", "choose another path", path=other)


def _twins(path: NotePath, scan: VaultScan) -> Iterator[NotePath]:
    key = path_key(path)
    return (other for other in scan.notes if path_key(other) == key)


def _refuse_control(name: str) -> None:
    """Refuse a new name that breaks lines wherever it is shown, and that nobody could type again."""
    for sign in name:
        if unicodedata.category(sign) in CONTROL:
            called = Sentence(CONTROL_NAMES.get(sign, "a control character"))
            raise PathError(
                "the name '{name}' holds {called} (U+{code:04X})",
                "leave it out",
                name=in_line(name, PATH),
                called=called,
                code=ord(sign),
            )


def _refuse_excluded(vault: VaultClient, request: NoteRequest, path: str, written: str) -> None:
    """Refuse what the vault's settings hide, with a reason only to a person."""
    if not vault.is_excluded(path):
        return
    refuse_unknown(vault)
    if request.allow_excluded:
        raise PathError(
            "the vault's settings exclude '{written}'", "it can be read, not changed", written=written
        )
    raise _unusable(written)


def _unusable(written: str) -> PathError:
    return PathError("no note can be made at '{written}'", "choose another path", written=written)


def refuse_unknown(vault: VaultClient) -> None:
    """Refuse every note alike while it is not known which ones are excluded.

    Raises:
        PathError: the vault's settings cannot be read.
    """
    if vault.obsidian.hides_all:
        raise PathError(
            "no note can be used, for what the vault's settings exclude is not known",
            "a person can mend '{settings_file}'; 'status' says what is wrong with it",
            settings_file=SETTINGS_FILE,
        )
