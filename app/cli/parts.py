"""Notes as a person names them at the terminal, with a heading or a block behind the name."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.cli import output
from app.errors import NoteNotFoundError, PathError
from app.notices import CommandKind, Notice
from app.search.inventory import with_alias
from app.sentences import Sentence
from app.showing import PATH, in_line

if TYPE_CHECKING:
    from app.notes.document import Document, Span
    from app.vault.client import VaultClient
    from app.vault.paths import NotePath


def find_parts(vault: "VaultClient", words: Sequence[str]) -> "list[tuple[NotePath, str]]":
    """Return what `find_part` does of each word, or of all of them together where a note is called that.

    Raises:
        NoteNotFoundError: a word names no note.
        PathError: see `find_part`.
    """
    try:
        return [find_part(vault, " ".join(words))]
    except (NoteNotFoundError, PathError) as error:
        # Many paths in a row are no name, and may be longer than one can be.
        whole = error
    if len(words) == 1:
        raise whole
    found, failed = list["tuple[NotePath, str]"](), list[NoteNotFoundError]()
    for word in words:
        try:
            found.append(find_part(vault, word))
        except NoteNotFoundError as error:
            failed.append(error)
    if found and not failed:
        return found
    raise failed[0] if found else whole


def find_part(vault: "VaultClient", written: str) -> "tuple[NotePath, str]":
    """Return the note that a text names, and the heading or ``^block`` behind it; empty for the whole note.

    Raises:
        NoteNotFoundError: no note has that name.
        PathError: the name is malformed, leads out of the vault, or several notes have it.
    """
    inner = bare_name(written)
    if inner in (".", "..") or inner.endswith("/"):
        raise PathError("'{name}' is a folder, not a note", "name a note in it", name=inner)
    ends = [len(inner), *(at for at in range(len(inner) - 1, 0, -1) if inner[at] == "#")]
    # A name may hold the sign itself: the longest one that a note has is meant.
    for end in ends:
        try:
            return vault.resolve(output.note_named(vault, inner[:end])), inner[end + 1 :].strip()
        except NoteNotFoundError as error:
            failed = error
    for end in ends:
        if path := by_other_name(vault, inner[:end]):
            return path, inner[end + 1 :].strip()
    raise failed


def bare_name(written: str) -> str:
    """Return a name without the brackets of a link, and without what the link shows instead."""
    return written.strip().removeprefix("[[").removesuffix("]]").partition("|")[0]


def by_other_name(vault: "VaultClient", written: str) -> "NotePath | None":
    """Return the one note that has an alias, or whose name differs in accents alone, and say which it is.

    Raises:
        PathError: several notes have the alias.
    """
    return _by_alias(vault, written) or _without_accents(vault, written)


def _without_accents(vault: "VaultClient", written: str) -> "NotePath | None":
    """Return the one note whose name, or end of a path, is what was written but for accents, and say so."""
    from app.search.lexical.analysis import fold
    from app.vault.names import is_from_root
    from app.vault.paths import NOTE_SUFFIX, clean_path, is_note_name

    name = vault.from_root(output.note_named(vault, written))
    wanted = clean_path(name).strip()
    if not wanted:
        return None
    key = fold(wanted if is_note_name(wanted) else wanted + NOTE_SUFFIX)
    folded = ((path, fold(path)) for path in vault.scan().notes if not vault.is_excluded(path))
    found = [path for path, each in folded if each == key or each.endswith("/" + key)]
    if is_from_root(name):
        found = [path for path in found if fold(path) == key]
    if len(found) != 1:
        return None
    (path,) = found
    output.tell_notice(
        Notice(CommandKind.NAMED_WITHOUT_ACCENTS, name=in_line(written), path=in_line(path, PATH))
    )
    return path


def _by_alias(vault: "VaultClient", written: str) -> "NotePath | None":
    """Return the one note that has an alias, as the index knows it, and say which it is.

    Raises:
        PathError: several notes have it.
    """
    from app.vault.paths import NotePath

    shown = _having(vault, written)
    if len(shown) > 1:
        raise PathError(
            "'{name}' is an alias of {count} notes: '{listed:', '}'",
            "name one of them",
            name=written,
            count=len(shown),
            listed=tuple(shown),
        )
    for path in shown:
        output.tell_notice(
            Notice(CommandKind.NAMED_BY_ALIAS, alias=in_line(written), path=in_line(path, PATH))
        )
        return NotePath(path)
    return None


def to_be_changed(vault: "VaultClient", written: str) -> str:
    """Return the name of a note that is to be moved or deleted; an alias is no name here, but a hint.

    Raises:
        NoteNotFoundError: only an alias is called so; the hint names its notes.
    """
    name = output.note_named(vault, written)
    try:
        vault.resolve(name)
    except NoteNotFoundError as error:
        if near := _having(vault, written):
            hint = Sentence("did you mean '{near:' or '}'?", near=tuple(near))
            raise NoteNotFoundError(error.message, hint) from error
    return name


def _having(vault: "VaultClient", alias: str) -> list[str]:
    """Return the notes with an alias that are not excluded; none where there is no index."""
    from app.search.searcher import searcher_for
    from app.vault.paths import NotePath

    searcher = searcher_for(vault)
    if vault.obsidian.hides_all or not searcher.view().lexical.notes.any():
        return []
    searcher.freshen()
    paths = searcher.mended(lambda: with_alias(searcher.view().snapshot, alias))
    return [path for path in paths if not vault.is_excluded(path) and vault.exists(NotePath(path))]


def span_of(document: "Document", part: str) -> "Span":
    """Return the lines under a heading, or of a block.

    Raises:
        BadRequestError: there is no such heading or block, or several.
    """
    from app.notes.models import NoteRequest
    from app.notes.reading import place_of

    is_block = part.startswith("^")
    heading, block = (None, part) if is_block else (part, None)
    return place_of(document, NoteRequest(operation="read", path=document.path, heading=heading, block=block))


def part_of(document: "Document", part: str) -> bytes:
    """Return the bytes under a heading, or of a block; raises as `span_of` does."""
    span = span_of(document, part)
    start, end = document.start_of(span.first) + span.skipped, document.start_of(span.last + 1)
    return document.encode_part(document.raw[start:end])
