"""Cut a note into chunks: runs of whole lines, cut at headings where the note allows it."""

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from datetime import date
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from app.limits import HEADING_CHARS
from app.search.models import Chunk
from app.vault.dates import dated_heading
from app.vault.paths import nfc

if TYPE_CHECKING:
    from app.markdown.models import Heading, ParsedNote

Range = tuple[int, int]
"""First line and the line after the last, counted from 1."""

LEAST_LINE = 5
"""Shorter lines, such as rules and fences, say nothing by standing in many notes."""

HARD_CAP = 4
"""A single block may pass the limit this many times before it is cut at a line."""


class Section(NamedTuple):
    """A heading with the lines below it, from its own to ``last``."""

    level: int
    text: str
    line: int
    last: int


def split_lines(text: str) -> list[str]:
    """Split text into lines at LF, without their line ends; no line follows a final LF."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def hash_lines(lines: Sequence[str]) -> int:
    """Name what lines say by 64 bits: blank lines around them and blanks at their ends aside; 0 for none."""
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    if not text:
        return 0
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True) or 1


def line_hashes(text: str) -> set[int]:
    """Name what each line says by 32 bits, case and blanks around it aside; lines of few characters not."""
    return {name for name in hashes_of(list(set(text.split("\n")))) if name is not None}


def hashes_of(lines: Sequence[str]) -> list[int | None]:
    """Name each of some lines as `line_hashes` does; None where one has too few characters."""
    said = map(str.strip, nfc("\n".join(lines)).casefold().split("\n"))
    return [
        crc32(line.encode("utf-8", "surrogatepass")) if len(line) >= LEAST_LINE else None for line in said
    ]


def chunk_note(note: "ParsedNote", lines: Sequence[str], limit: int = 1500) -> list[Chunk]:
    """Cut a parsed note into chunks of at most ``limit`` characters where its structure allows.

    An H1 always starts a chunk, unless the whole note fits and has at most one; below it,
    neighbouring sections share a chunk while they fit together, a section that fits stays
    whole, and one that does not is cut at its highest sub-headings, and so on down to blocks.
    """
    if not lines:
        return [Chunk(1, 1, (), None)]
    return described(note.headings, _Cutter(note, lines, limit).ranges())


class _Cutter:
    """The cutting of one note; ``limit`` in characters."""

    def __init__(self, note: "ParsedNote", lines: Sequence[str], limit: int) -> None:
        self.lines, self.limit, self.body_line = lines, limit, note.body_line
        self.sizes = [0, *accumulate(len(line) + 1 for line in lines)]
        self.blocks = sorted({line for line in note.block_starts if line <= len(lines)})
        top_level = set(self.blocks)
        # A heading in a quote or a list item is no place to cut.
        self.headings = [heading for heading in note.headings if heading.line in top_level]
        self.heading_lines = [heading.line for heading in self.headings]
        self.heading_set = set(self.heading_lines)

    def ranges(self) -> list[Range]:
        end = len(self.lines) + 1
        tops = [heading.line for heading in self.headings if heading.level == 1]
        if len(tops) <= 1 and self.fits(1, end):
            return [(1, end)]
        if not tops:
            return self.cut(1, end)
        following = [*tops[1:], end]
        # What stands before the first H1 belongs to its chunk where there is room.
        before = any(line.strip() for line in self.lines[self.body_line - 1 : tops[0] - 1])
        borders = [1, tops[0]] if before and not self.fits(1, following[0]) else [1]
        return [piece for pair in pairwise([*borders, *following]) for piece in self.cut(*pair)]

    def fits(self, start: int, end: int) -> bool:
        return self.sizes[end - 1] - self.sizes[start - 1] <= self.limit

    def cut(self, start: int, end: int) -> list[Range]:
        """Cut one section at its highest sub-headings, or at its blocks where it has none."""
        if self.fits(start, end):
            return [(start, end)]
        # Headings that open the section, with no text between them, stay with what follows.
        first = bisect_left(self.heading_lines, self.first_text(start, end))
        inner = self.headings[first : bisect_left(self.heading_lines, end)]
        if not inner:
            text = self.first_text(start, end)
            inside = self.blocks[bisect_left(self.blocks, text + 1) : bisect_left(self.blocks, end)]
            return self.share([start, *inside, end], self.cap)
        level = min(heading.level for heading in inner)
        return self.share([start, *(one.line for one in inner if one.level == level), end], self.cut)

    def first_text(self, start: int, end: int) -> int:
        """Return the first line that is neither blank, heading nor property."""
        lines = range(max(start, self.body_line), end)
        return next((n for n in lines if n not in self.heading_set and self.lines[n - 1].strip()), end)

    def share(self, borders: Sequence[int], cut: Callable[[int, int], list[Range]]) -> list[Range]:
        """Join the neighbouring parts between borders while they fit together; cut those that do not fit."""
        shared: list[Range] = []
        first, last = borders[:2]
        for border in borders[2:]:
            if not self.fits(first, border):
                shared += cut(first, last)
                first = last
            last = border
        return shared + cut(first, last)

    def cap(self, start: int, end: int) -> list[Range]:
        """Cut blocks at a line only beyond the hard cap."""
        capped: list[Range] = []
        most = self.limit * HARD_CAP
        while self.sizes[end - 1] - self.sizes[start - 1] > most:
            # sizes[n] counts what ends with line n, so this is the first line that passes the cap.
            beyond = bisect_left(self.sizes, self.sizes[start - 1] + most + 1)
            border = max(beyond, start + 1)
            if border >= end:
                break
            capped.append((start, border))
            start = border
        return [*capped, (start, end)]


def described(headings: "Sequence[Heading | Section]", pieces: Sequence[Range]) -> list[Chunk]:
    """Return the chunks of a note: each piece with the heading paths it covers and the dated H1 above it."""
    chunks: list[Chunk] = []
    trail: list[Heading | Section] = []
    day: date | None = None
    at = 0
    for start, end in pieces:
        paths = [] if at < len(headings) and headings[at].line == start else [_path(trail)]
        while at < len(headings) and headings[at].line < end:
            heading = headings[at]
            trail = [*(h for h in trail if h.level < heading.level), heading]
            if heading.level == 1:
                day = dated_heading(heading.text)
            paths.append(_path(trail))
            at += 1
        chunks.append(Chunk(start, end - 1, tuple(path for path in paths if path), day))
    return chunks


def _path(trail: "Sequence[Heading | Section]") -> tuple[str, ...]:
    # Every chunk of a section bears its headings, so that a long one would be kept over and over.
    return tuple(heading.text[:HEADING_CHARS] for heading in trail)
