"""Notes as a person names them at the terminal, with a heading or a block behind the name."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from app.cli import output
from app.errors import NoteNotFoundError, PathError
from app.search.inventory import with_alias
from app.sentences import Sentence
from app.showing import PATH, in_line

if TYPE_CHECKING:
    from app.notes.document import Document, Span
    from app.vault.client import VaultClient
    from app.vault.paths import NotePath


def find_parts(vault: "VaultClient", words: Sequence[str]) -> "list[tuple[NotePath, str]]":
    """Return what `find_part` does of each word, or of all of them together where a note is called that.

    Where a heading is named, words that are notes each are taken so.

    Raises:
        NoteNotFoundError: a word names no note.
        PathError: see `find_part`.
    """
    with suppress(NoteNotFoundError, PathError):
        if any("#" in word for word in words[:-1]):
            return [find_part(vault, word, files=True) for word in words]
    try:
        return [find_part(vault, " ".join(words), files=True)]
    except (NoteNotFoundError, PathError) as error:
        # Many paths in a row are no name, and may be longer than one can be.
        whole = error
    if len(words) == 1:
        raise whole
    found = list["tuple[NotePath, str]"]()
    for word in words:
        try:
            found.append(find_part(vault, word, files=True))
        except NoteNotFoundError as error:
            raise (error if found else whole) from None
    return found


def find_part(vault: "VaultClient", written: str, *, files: bool = False) -> "tuple[NotePath, str]":
    """Return the note that a text names, and the heading or ``^block`` behind it; empty for the whole note.

    With ``files``, another file that is read for its text may be meant.

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
    for end in ends if files else ():
        from app.notes.find import attachment_named

        if path := attachment_named(vault, output.note_named(vault, inner[:end])):
            return path, inner[end + 1 :].strip()
    for end in ends:
        if path := by_alias(vault, inner[:end]):
            return path, inner[end + 1 :].strip()
    raise failed


def bare_name(written: str) -> str:
    """Return a name without the brackets of a link, and without what the link shows instead."""
    return written.strip().removeprefix("[[").removesuffix("]]").partition("|")[0]


def by_alias(vault: "VaultClient", alias: str) -> "NotePath | None":
    """Return the one note that has an alias and is not excluded, as the index knows it, and say which it is.

    Raises:
        PathError: several notes have it.
    """
    from app.cli.build import from_index
    from app.vault.paths import NotePath

    paths = from_index(vault, lambda snapshot: with_alias(snapshot, alias))
    found = [path for path in paths if not vault.is_excluded(path) and vault.exists(NotePath(path))]
    if len(found) > 1:
        raise PathError(
            "'{name}' is an alias of {count} notes: '{listed:', '}'",
            "name one of them",
            name=alias,
            count=len(found),
            listed=tuple(found),
        )
    for path in found:
        named = Sentence("'{alias}' is an alias of '{path}'", alias=in_line(alias), path=in_line(path, PATH))
        output.tell_notice(named)
        return NotePath(path)
    return None


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
