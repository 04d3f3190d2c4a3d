"""What a note is once it is read."""

from typing import NamedTuple

from app.vault.atomic import content_hash
from app.vault.encoding import decode, newline_of
from app.vault.paths import NotePath


class NoteText(NamedTuple):
    """One note as it was read, or the text of a file that is none; hash, size and time are the file's."""

    path: NotePath
    text: str
    """Without byte order mark, newlines as in the file, invalid bytes replaced by U+FFFD."""
    hash: str
    """BLAKE2b of the file's bytes, 32 hexadecimal digits."""
    newline: str
    problems: tuple[str, ...]
    size: int
    mtime_ns: int


def note_text(path: NotePath, data: bytes, mtime_ns: int) -> NoteText:
    """Return a note of some bytes as it is read."""
    decoded, size = decode(data), len(data)
    newline = newline_of(decoded.raw)
    return NoteText(path, decoded.text, content_hash(data), newline, decoded.problems, size, mtime_ns)
