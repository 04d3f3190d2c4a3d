"""The bytes of a note and its text, there and back without losing one."""

import codecs
import re
from typing import NamedTuple

from app.sentences import Sentence

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LONE = re.compile("[\ud800-\udfff]")


class Decoded(NamedTuple):
    """The text of a note, and what is needed to make its bytes again."""

    raw: str
    """Without the byte order mark; bytes that are no text stand as lone surrogates."""
    encoding: str
    bom: bytes
    problems: tuple[str, ...]

    @property
    def text(self) -> str:
        """The text to read: as `raw`, character for character, with U+FFFD for what is no text."""
        return _LONE.sub("\N{REPLACEMENT CHARACTER}", self.raw) if self.problems else self.raw

    def is_text(self, raw: str) -> bool:
        """Return whether a text of this kind is without bytes that are no text."""
        return not self.problems or _LONE.search(raw) is None

    def encode(self, raw: str) -> bytes:
        """Make the bytes of a text of this kind: `encode(raw)` gives the bytes it was decoded from."""
        return self.bom + self.encode_part(raw)

    def encode_part(self, raw: str) -> bytes:
        """Make the bytes of a part of the text, as they stand in the whole."""
        return raw.encode(self.encoding, _errors(self.encoding))


def decode(data: bytes) -> Decoded:
    """Read bytes as UTF-8, or as UTF-16 where they begin with its mark; never fails."""
    bom, encoding = next(((bom, name) for bom, name in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    body = data[len(bom) :]
    if encoding != "utf-8" and len(body) % 2:
        # An odd byte has no place in UTF-16; what is left is kept as it stands.
        bom, encoding, body = b"", "utf-8", data
    problems: list[str] = []
    try:
        raw = body.decode(encoding)
    except UnicodeDecodeError as error:
        raw = body.decode(encoding, _errors(encoding))
        name = "UTF-8" if encoding == "utf-8" else "UTF-16"
        said = "not valid {name}, first at byte {byte}; replaced"
        problems.append(Sentence(said, name=name, byte=len(bom) + error.start))
    if "\0" in raw:
        problems.append(Sentence("holds NUL characters"))
    return Decoded(raw, encoding, bom, tuple(problems))


def newline_of(text: str) -> str:
    r"""Name the line end that most lines have: ``\n``, ``\r\n``, or ``\r`` where there is no other."""
    if "\r" not in text:
        return "\n"
    lines = text.count("\n")
    if not lines:
        return "\r"
    return "\r\n" if 2 * text.count("\r\n") > lines else "\n"


def _errors(encoding: str) -> str:
    return "surrogateescape" if encoding == "utf-8" else "surrogatepass"
