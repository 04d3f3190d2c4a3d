"""One note opened to read or change a part of it: a heading's section, a block, a range of lines."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from app.errors import (
    BadRequestError,
    ConflictError,
    LinesGoneError,
    NoteNotFoundError,
    NoteUnreadableError,
    WriteError,
)
from app.limits import VALUE_CHARS, check_text
from app.markdown.models import Heading, ParsedNote
from app.markdown.parse import parse_note
from app.markdown.tags import TAG
from app.sentences import ParameterName, Quoted, Sentence
from app.stopping import go_on
from app.vault.atomic import content_hash
from app.vault.attachments.kinds import is_attachment_name
from app.vault.client import VaultClient
from app.vault.encoding import decode, newline_of
from app.vault.paths import NotePath, nfc, normalized, plain_signs

SHOWN_HEADINGS = 12
LINES = ParameterName("lines")
_LINES = re.compile(r"\s*L?(\d+)(?::(\d+))?\s*(?:(-|–)\s*L?(\d+)?\s*)?\Z")
_ITEM = re.compile(r"(\s*)(?:[-*+]|\d{1,9}[.)])(?:\s|\Z)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*\Z")
_MARKS = re.compile(r"[\[\]*_`=~\\]")
# Digits alone are no tag: "Sprint #1" is not "Sprint #2".
_TAGS_BEHIND = re.compile(rf"(?<!\s)(?:\s++(?!#\d+(?:\s|\Z)){TAG.pattern})+\s*\Z")
Edit = tuple[int, int, str]
"""The place of some characters in a note, and what stands there afterwards."""


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

    @property
    def is_text(self) -> bool:
        """Whether all of its bytes are text."""
        return self._decoded.is_text(self.raw)

    @cached_property
    def hash(self) -> str:
        """Hash of the bytes."""
        return content_hash(self.data)

    def check_hash(self, expected: str | None) -> None:
        """Refuse to go on where the note is not in the state that the caller has read.

        Raises:
            ConflictError: its hash is not the expected one.
        """
        if expected and expected.strip() != self.hash:
            raise ConflictError(
                "'{path}' changed since it was read", "read it again; nothing was written", path=self.path
            )

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
        """Return the offset at which a 1-based line starts; past the last line, the end of the text."""
        return self._starts[line - 1] if line <= len(self._starts) else len(self.raw)

    def line(self, number: int) -> str:
        """Return the text of a 1-based line, without its end."""
        line = self.text[self.start_of(number) : self.start_of(number + 1)]
        return line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line

    def edited(self, edits: Iterable[Edit]) -> str:
        """Return `raw` with other text in some places, none of which lies in another."""
        parts: list[str] = []
        done = 0
        for start, end, text in sorted(edits):
            parts += self.raw[done:start], text
            done = end
        return "".join([*parts, self.raw[done:]])

    def encode(self, raw: str) -> bytes:
        """Make bytes of a changed `raw`, in the note's own encoding, byte order mark included.

        Raises:
            WriteError: bytes that are no text would stay, beside new ones that are.
        """
        if not self._decoded.is_text(raw):
            raise WriteError(
                "'{path}' is not valid {encoding}, and would be in two encodings",
                "save it as UTF-8 first, in your editor or with iconv; nothing was written",
                path=self.path,
                encoding="UTF-8" if self._decoded.encoding == "utf-8" else "UTF-16",
            )
        return self._decoded.encode(raw)

    def encode_links(self, raw: str) -> bytes:
        """Make bytes of a `raw` whose links alone changed; what is no text stays as it is."""
        return self._decoded.encode(raw)

    def encode_part(self, raw: str) -> bytes:
        """Make the bytes of a part of `raw`, as they stand in the note."""
        return self._decoded.encode_part(raw)

    def own_newlines(self, text: str) -> str:
        """Return `text` with the line ends of this note."""
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        return plain if self.newline == "\n" else plain.replace("\n", self.newline)


def open_document(vault: VaultClient, path: NotePath) -> Document:
    """Read a note, or to show it the text of another file; raises as `VaultClient.read` does."""
    if vault.is_attachment(path):
        return Document(path, vault.read(path).text.encode("utf-8", "replace"))
    return Document(path, vault.read_bytes(path))


def documents(
    vault: VaultClient, paths: Iterable[str], unseen: MutableMapping[str, str] | None = None
) -> Iterator[Document]:
    """Read files one after the other; one that cannot be read is left out, and told of in ``unseen``."""
    for path in paths:
        go_on()
        try:
            yield Document(NotePath(path), vault.read_bytes(path))
        except NoteNotFoundError:
            continue
        except NoteUnreadableError as error:
            if unseen is not None:
                unseen[path] = error.message


@dataclass(frozen=True, slots=True)
class Span:
    """Whole lines of a note, 1-based and inclusive; empty where `last` is before `first`."""

    first: int
    last: int
    skipped: int = 0
    """Characters of the first line that are left out."""


def section_of(document: Document, heading: str) -> Span:
    """Find a heading's section: its lines up to the next heading of its level or above.

    Args:
        document: The note.
        heading: Text of the heading, in any case, with or without its ``#`` signs, or a chain
            ``Upper#Lower``; without its accents where no other is called that.

    Raises:
        BadRequestError: there is no such heading, or several.
    """
    if is_attachment_name(document.path):
        # A link to a page says "page=3".
        heading = heading.replace("=", " ")
    found = _find_heading(document, heading)
    after = (
        other.line
        for other in document.parsed.headings
        if other.line > found.line and other.level <= found.level
    )
    return Span(found.line, next(after, document.line_count + 1) - 1)


def body_of(document: Document, section: Span) -> Span:
    """Leave out the heading's own line, or two where it is underlined."""
    first = section.first + 1
    if not document.line(section.first).lstrip().startswith("#"):
        while first <= section.last and not _UNDERLINE.match(document.line(first)):
            first += 1
        first += 1
    return Span(first, section.last)


def block_of(document: Document, block: str) -> Span:
    """Find the lines of a block that has a name.

    Args:
        document: The note.
        block: Its name, with or without the caret, in any case.

    Raises:
        BadRequestError: no block has that name.
    """
    wanted = block.strip().lstrip("#").removeprefix("^").casefold()
    blocks = document.parsed.blocks
    line = next((found.line for found in blocks if found.id.casefold() == wanted), None)
    if line is None:
        names = ", ".join(f"^{found.id}" for found in blocks[:SHOWN_HEADINGS])
        raise BadRequestError(
            "no block '^{wanted}' in '{path}'",
            "its blocks are {names}" if names else "no block in it has a name",
            wanted=wanted,
            path=document.path,
            names=names,
        )
    if document.line(line).strip().casefold() == "^" + wanted and line in document.parsed.block_starts:
        return _block_before(document, line)
    return _block_at(document, line)


def read_range(document: Document, lines: str) -> Span:
    """Read a range such as ``9-14``, ``9``, ``9-`` or ``9:3000-``, which starts inside line 9.

    Raises:
        BadRequestError: it is not understood.
        LinesGoneError: it starts after the last line.
    """
    check_text(lines, "lines", VALUE_CHARS)
    match = _LINES.match(lines)
    if match is None or int(match.group(1)) < 1:
        raise BadRequestError(
            "'{name}' is {value}",
            "write a range such as '9-14', '9' or '9-'",
            name=LINES,
            value=Quoted(lines[:60]),
        )
    first = int(match.group(1))
    last = first if match.group(3) is None else int(match.group(4) or document.line_count)
    if last < first and match.group(4):
        raise BadRequestError("'{name}' is '{lines}', whose end is before its start", name=LINES, lines=lines)
    if first > max(document.line_count, 1):
        raise LinesGoneError(
            "'{name}' is '{lines}', but '{path}' has {line_count} lines",
            name=LINES,
            lines=lines,
            path=document.path,
            line_count=document.line_count,
        )
    return Span(first, min(last, document.line_count), int(match.group(2) or 0))


def trimmed(document: Document, span: Span) -> Span:
    """Leave out blank lines at both ends."""
    first, last = span.first, span.last
    while last >= first and not document.line(last).strip():
        last -= 1
    while first <= last and not document.line(first).strip():
        first += 1
    return Span(first, last) if first <= last else Span(span.first, span.first - 1)


def _find_heading(document: Document, heading: str) -> Heading:
    headings = document.parsed.headings
    marks = re.match(r"\s*(#{1,6})\s+", heading)
    level, text = (len(marks[1]), heading[marks.end() :]) if marks else (0, heading.strip().lstrip("#"))
    chain = [part for part in text.split("#") if part.strip()]
    for read, wanted in product((_plain, _bare), ([text], chain)):
        called = (chain[-1] for chain in chains(headings, list(map(read, wanted)), read))
        found = [each for each in called if not level or each.level == level]
        if len(found) == 1:
            return found[0]
        if found:
            places = ", ".join(str(each.line) for each in found[:SHOWN_HEADINGS])
            if len(found) > SHOWN_HEADINGS:
                places = Sentence("{places} and {more} more", places=places, more=len(found) - SHOWN_HEADINGS)
            raise BadRequestError(
                "heading '{heading}' stands {count} times in '{path}', at lines {places}",
                "name the headings above it too, as in 'Upper#Lower'",
                heading=heading,
                count=len(found),
                path=document.path,
                places=places,
            )
    listed = tuple(
        Sentence("'{name}'", name=f"{'#' * each.level} {each.text}") for each in headings[:SHOWN_HEADINGS]
    )
    more = len(headings) - SHOWN_HEADINGS
    raise BadRequestError(
        "no heading '{heading}' in '{path}'",
        ("its headings are {listed} and {more} more" if more > 0 else "its headings are {listed}")
        if listed
        else "it has no headings",
        heading=heading,
        path=document.path,
        listed=listed,
        more=more,
    )


def chains(
    headings: Sequence[Heading], wanted: Sequence[str], read: Callable[[str], str]
) -> Iterator[list[Heading]]:
    """Yield the headings of some names, as ``read`` has these, each the nearest above the one after it."""
    trail: list[Heading] = []
    for heading in headings:
        while trail and trail[-1].level >= heading.level:
            trail.pop()
        trail.append(heading)
        chain: list[Heading] = []
        for each in reversed(trail) if wanted and read(heading.text) == wanted[-1] else ():
            if len(chain) < len(wanted) and read(each.text) == wanted[-1 - len(chain)]:
                chain.append(each)
        if chain and len(chain) == len(wanted):
            yield chain[::-1]


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub("", nfc(text)).casefold().split())


def _bare(text: str) -> str:
    """Write a heading's text as `_plain` does, without accents and with one kind of apostrophe and hyphen."""
    plain = plain_signs(_plain(text))
    if plain.isascii():
        return plain
    return "".join(sign for sign in normalized("NFKD", plain) if not unicodedata.combining(sign))


def is_called_like(heading: Heading, other: Heading) -> bool:
    """Return whether two headings have one name, in any case, with other emphasis or tags behind it."""
    one, two = (_plain(_TAGS_BEHIND.sub("", each.text)) for each in (heading, other))
    return one == two


def _block_at(document: Document, line: int) -> Span:
    starts = document.parsed.block_starts
    top = max((start for start in starts if start <= line), default=1)
    below = min((start for start in starts if start > line), default=document.line_count + 1)
    for number in range(line, top - 1, -1):
        if item := _ITEM.match(document.line(number)):
            return _item_at(document, number, below, len(item.group(1).expandtabs(4)))
    return trimmed(document, Span(top, below - 1))


def _item_at(document: Document, first: int, below: int, indent: int) -> Span:
    last = first
    while last + 1 < below:
        following = document.line(last + 1)
        if (
            following.strip()
            and len(following) - len(following.lstrip()) <= indent
            and _ITEM.match(following)
        ):
            break
        last += 1
    return trimmed(document, Span(first, last))


def _block_before(document: Document, line: int) -> Span:
    last = line - 1
    while last > 1 and not document.line(last).strip():
        last -= 1
    first = max((start for start in document.parsed.block_starts if start <= last), default=last)
    while first > 1 and _ITEM.match(document.line(first)):
        above = document.line(first - 1)
        if not above.strip() or not (_ITEM.match(above) or above[0].isspace()):
            break
        first -= 1
    return Span(first, last)
