"""One note opened for reading a part of it, or for changing a part and nothing else."""

from functools import cached_property

from app.dependencies import VaultClient
from app.markdown import ParsedNote, parse_note
from app.vault.atomic import content_hash
from app.vault.encoding import decode, newline_of
from app.vault.paths import NotePath


class Document:
    """A note as text with line numbers, which count LF only, and as the bytes it came from.

    Args:
        path: Where the note is.
        data: Its bytes.
    """

    def __init__(self, path: NotePath, data: bytes) -> None:
        self.path = path
        self.data = data
        self._decoded = decode(data)
        self.raw = self._decoded.raw
        self.text = self._decoded.text
        self.problems = self._decoded.problems

    @cached_property
    def hash(self) -> str:
        """Hash of the bytes."""
        return content_hash(self.data)

    @cached_property
    def newline(self) -> str:
        """The line end of most lines."""
        return newline_of(self.raw)

    @cached_property
    def parsed(self) -> ParsedNote:
        """What the note holds; its places are places in `text` and in `raw` alike."""
        return parse_note(self.text, self.path)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        while found := self.raw.find("\n", starts[-1]) + 1:
            starts.append(found)
        if starts[-1] == len(self.raw):
            starts.pop()
        return starts

    @property
    def line_count(self) -> int:
        """How many lines there are; 0 for an empty note."""
        return len(self._starts)

    def start_of(self, line: int) -> int:
        """Give the offset at which a 1-based line starts; past the last line, the end of the text."""
        return self._starts[line - 1] if line <= len(self._starts) else len(self.raw)

    def line(self, number: int) -> str:
        """Give the text of a 1-based line, without its end."""
        line = self.text[self.start_of(number) : self.start_of(number + 1)]
        return line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line

    def encode(self, raw: str) -> bytes:
        """Make bytes of a changed `raw`, in the note's own encoding, byte order mark included."""
        return self._decoded.encode(raw)

    def own_newlines(self, text: str) -> str:
        """Give `text` the line ends of this note."""
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        return plain if self.newline == "\n" else plain.replace("\n", self.newline)


def open_document(vault: VaultClient, path: NotePath) -> Document:
    """Read a note; raises as `VaultClient.read` does."""
    return Document(path, vault.read_bytes(path))
