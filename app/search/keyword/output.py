"""Lines that ripgrep found, by file, and how many bytes ripgrep prints for them."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

SEPARATOR_BYTES = 3
"""``--`` and a line end, between lines that do not follow one another."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: a match, or context of one.

    ``size`` counts the bytes of the line as ripgrep prints it, its line end included.
    """

    text: str
    size: int
    matched: bool


Lines = dict[int, Line]


@dataclass(slots=True)
class Output:
    """Lines by path and number, and the size in bytes of ``rg -n --with-filename`` printing them."""

    files: dict[str, Lines] = field(default_factory=dict)
    _bytes: int = 0
    _groups: int = 0

    @property
    def size(self) -> int:
        """Bytes printed: path, number and two signs before each line, a separator between groups."""
        return self._bytes + max(self._groups - 1, 0) * SEPARATOR_BYTES

    def add(self, path: str, number: int, line: Line) -> None:
        """Take in a line; one that is there already becomes a match where either of the two is."""
        lines = self.files.setdefault(path, {})
        if number in lines:
            lines[number] = replace(lines[number], matched=lines[number].matched or line.matched)
            return
        # A line alone is a group; one that touches a group joins it, and between two it makes them one.
        self._groups += 1 - (number - 1 in lines) - (number + 1 in lines)
        self._bytes += _printed(path, number, line)
        lines[number] = line

    def drop(self, path: str) -> None:
        """Forget a file."""
        lines = self.files.pop(path, {})
        self._groups -= sum(number - 1 not in lines for number in lines)
        self._bytes -= sum(_printed(path, number, line) for number, line in lines.items())

    def joined(self, others: Iterable["Output"]) -> "Output":
        """Give what one search for all the terms together prints: each line once."""
        joint = Output()
        for output in (self, *others):
            for path, lines in output.files.items():
                for number, line in lines.items():
                    joint.add(path, number, line)
        return joint


def _printed(path: str, number: int, line: Line) -> int:
    return len(os.fsencode(path)) + len(str(number)) + 2 + line.size
