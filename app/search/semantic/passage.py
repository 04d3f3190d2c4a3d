"""What an embedding model is given of a chunk: its lines, under the names of its note and its headings."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from app.limits import HEADING_CHARS

MOST_ALIASES = 100


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
