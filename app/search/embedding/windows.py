"""What an embedding model is given of a chunk, cut into windows that it reads whole."""

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from app.limits import HEADING_CHARS
from app.search.embedding.embedder import Embedder

MOST_ALIASES = 100

WINDOWS = "1"
"""Counted up when passages are cut in another way, so that windows of both are not mixed."""
PIECES = 160
"""Word pieces of a window, header included: fewer lose what they stand in, more blur what they say."""
HEADER_SHARE = 3
"""A header may take this part of a window."""
LEAN = 4
"""A border may lie this part of a window away from where equal windows would end."""
BORDERS = (
    re.compile(r"\n(?:[^\S\n]*\n)+"),
    re.compile(r"\n"),
    re.compile(r"[.!?…][\"'»”’)\]]*\s+|[。！？][」』）]*"),
    re.compile(r"\s+"),
)
"""Where a window may end, from the best place to the worst: after a paragraph, a line, a sentence, a word."""
WORD = len(BORDERS) - 1


@dataclass(frozen=True, slots=True)
class Passage:
    """The text of one chunk for a model: ``header`` says where it stands, ``lines`` are the chunk's own."""

    header: str
    lines: tuple[str, ...]

    @property
    def hash(self) -> int:
        """Name the text by 64 bits, never 0: equal texts have equal vectors, wherever they stand."""
        text = "\n".join((self.header, *self.lines)).encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(text, digest_size=8).digest()
        return int.from_bytes(digest, "little", signed=True) or 1


def kept_aliases(aliases: Sequence[str]) -> list[str]:
    """Return of a note's other names those that each of its passages bears: they stand in all of them."""
    return [alias[:HEADING_CHARS] for alias in aliases[:MOST_ALIASES]]


def make_passage(
    names: Sequence[str],
    aliases: Sequence[str],
    trail: Sequence[str],
    lines: Sequence[str],
    properties: int = 0,
) -> Passage:
    """Make the passage of a chunk.

    Args:
        names: What the note is called: its title, its `title` property; blanks are dropped.
        aliases: Its other names.
        trail: The headings over the chunk's first line, outermost first.
        lines: The chunk's lines.
        properties: How many of them, from the first on, are the note's property block, which is left blank.
    """
    titles = " · ".join(dict.fromkeys(name[:HEADING_CHARS] for name in names if name))
    header = " > ".join([titles, *(heading for heading in trail if heading not in names)])
    if aliases:
        header += f" ({', '.join(kept_aliases(aliases))})"
    return Passage(header, ("",) * min(properties, len(lines)) + tuple(lines[properties:]))


@dataclass(frozen=True, slots=True)
class Window:
    """Part of a passage under its header; ``first`` and ``last`` count the passage's lines from 0."""

    text: str
    first: int
    last: int


def cut_windows(passage: Passage, embedder: Embedder, pieces: int = PIECES) -> list[Window]:
    """Cut a passage into windows of about equal size, at paragraphs, lines or sentences where there are any.

    All of the body is in one window or another. A header that would take more than a third of a window is
    cut; a passage without words has one window, its header.
    """
    limit = min(pieces, embedder.max_pieces)
    header, body = passage.header, "\n".join(passage.lines)
    whole = _joined(header, body)
    spans = embedder.spans([whole])[0]
    last = max(0, len(passage.lines) - 1)
    if len(spans) <= limit:
        return [Window(whole, 0, last)]
    if not body.strip():
        return [Window(header[: spans[limit - 1][1]], 0, last)]
    start = len(whole) - len(body)
    inside = bisect_left(spans, (start, 0))
    most = limit // HEADER_SHARE
    if inside > most:
        header, inside = header[: spans[most - 1][1]] if most else "", most
    starts = [begin - start for begin, _ in spans if begin >= start]
    lines = [0, *(match.end() for match in re.finditer("\n", body))]
    room = limit - inside
    while True:
        windows = [
            Window(
                _joined(header, body[begin:end].rstrip()),
                bisect_right(lines, begin) - 1,
                bisect_right(lines, end - 1) - 1,
            )
            for begin, end in pairwise([0, *_cuts(body, starts, room), len(body) + 1])
        ]
        # A word that was cut can have more pieces than before; then a window has less room.
        longest = max(map(len, embedder.spans([window.text for window in windows])))
        if longest <= embedder.max_pieces or room == 1:
            return windows
        room = max(1, room - (longest - embedder.max_pieces))


def _joined(header: str, body: str) -> str:
    body = body if body.strip() else ""
    return f"{header}\n{body}" if header and body else header or body


def _cuts(body: str, starts: Sequence[int], room: int) -> list[int]:
    """Choose the characters at which windows after the first begin; none has more than ``room`` pieces.

    ``starts`` has the first character of each piece of the text.
    """
    borders = sorted(
        (bisect_left(starts, match.end()), match.end(), kind)
        for kind, pattern in enumerate(BORDERS)
        for match in pattern.finditer(body)
    )
    cuts: list[int] = []
    begin = 0
    while (rest := len(starts) - begin) > room:
        count = ceil(rest / room)
        size = rest / count
        wanted, least, most = begin + size, begin + size - size / LEAN, begin + min(room, size + size / LEAN)
        # A window that ends before it leaves one more to be made: better than to end within a sentence.
        early = begin + rest - (count - 1) * room

        first, last = (
            bisect_left(borders, (ceil(max(least, begin + 1)),)),
            bisect_left(borders, (most + 0.5,)),
        )
        within = [
            (kind == WORD, at < early, kind, abs(at - wanted), at, end)
            for at, end, kind in borders[first:last]
        ]
        if within:
            *_, begin, character = min(within)
        else:
            begin = _between_characters(starts, begin, begin + int(size))
            character = starts[begin] if begin < len(starts) else -1
        if begin == len(starts):
            break
        cuts.append(character)
    return cuts


def _between_characters(starts: Sequence[int], begin: int, at: int) -> int:
    """Find the last border up to ``at`` that splits no character: some have several pieces."""
    at = max(at, begin + 1)
    while at > begin + 1 and starts[at] == starts[at - 1]:
        at -= 1
    while at < len(starts) and starts[at] == starts[begin]:
        at += 1
    return at
