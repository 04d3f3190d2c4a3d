"""A proposed change as rows to read: which lines go and come, and which words of them differ."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal

from app.notes.diff import EMPTY_NOTE, ENDS_ALONE
from app.sentences import Language
from app.showing import in_line
from app.web.languages import spoken

Kind = Literal["same", "gone", "new", "gap", "ends", "empty"]

MOST_WORDS = 2000
"""Most words and blanks of two lines that are compared with each other."""
LEAST_ALIKE = 0.3
"""How alike two lines must be, from 0 to 1, for their words to be marked."""

_HEAD = re.compile(r"@@ -(?P<old>\d+)(?:,(?P<gone>\d+))? \+(?P<new>\d+)(?:,(?P<come>\d+))? @@")
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_STARTS = ("--- ", "rename from ")


@dataclass(frozen=True, slots=True)
class Run:
    """Some words of a line; ``differs`` where the other line has not these."""

    text: str
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a change; ``number`` is its number afterwards, or for a line that goes before.

    A ``gap`` stands for lines left out, ``ends`` for line ends or an encoding that change, and no text,
    ``empty`` for a note that comes or goes without any.
    """

    kind: Kind
    number: int | None
    runs: tuple[Run, ...] = ()


@dataclass(frozen=True, slots=True)
class FileChange:
    """What becomes of one note: "" where there was, or will be, none."""

    before: str
    after: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A proposed change: sentences about it, then the notes it changes."""

    facts: tuple[str, ...]
    files: tuple[FileChange, ...]

    def facts_in(self, language: Language) -> list[str]:
        """Return the sentences in a language, each on one line."""
        return [in_line(spoken(fact, language)) for fact in self.facts]


def read_change(text: str, about: Sequence[str] = ()) -> ShownChange:
    """Read a `ProposedWrite.diff`: sentences, then a unified diff, perhaps of several notes.

    ``about`` are the sentences of the first lines, which know their French.
    """
    lines = text.split("\n")
    start = next((at for at, line in enumerate(lines) if line.startswith(_STARTS)), len(lines))
    files, names, rows = list[FileChange](), ["", ""], list[Row]()
    at = start
    while at < len(lines):
        line = lines[at]
        if (head := _HEAD.fullmatch(line)) is not None:
            if rows:
                rows.append(Row("gap", None))
            size = _hunk_size(lines, at + 1, int(head["gone"] or 1), int(head["come"] or 1))
            rows += _rows(lines[at + 1 : at + 1 + size], int(head["old"]), int(head["new"]))
            at += size
        elif line.startswith(("--- ", "rename from ")):
            if any(names):
                files.append(FileChange(names[0], names[1], tuple(rows)))
            names, rows = [_name(line), ""], []
        elif line.startswith(("+++ ", "rename to ")):
            names[1] = _name(line)
        elif line in (ENDS_ALONE, EMPTY_NOTE):
            rows.append(Row("ends" if line == ENDS_ALONE else "empty", None))
        at += 1
    if any(names):
        files.append(FileChange(names[0], names[1], tuple(rows)))
    rest = (line for line in lines[len(about) : start] if line)
    return ShownChange((*about, *rest), _joined(files))


def _joined(files: Sequence[FileChange]) -> tuple[FileChange, ...]:
    """Drop a move's line of its own where the text of the note changes as well."""
    return tuple(
        file
        for file, following in zip_longest(files, files[1:])
        if file.rows or following is None or (file.before, file.after) != (following.before, following.after)
    )


def _name(line: str) -> str:
    name = re.sub(r"^(?:---|\+\+\+|rename from|rename to) ", "", line)
    return "" if name == "/dev/null" else re.sub(r"^[ab]/", "", name) if line[0] in "-+" else name


def _hunk_size(lines: Sequence[str], start: int, gone: int, come: int) -> int:
    """Count the lines of a hunk: a line that begins with two more signs is no head of a file."""
    at = start
    while at < len(lines) and (gone > 0 or come > 0 or lines[at].startswith("\\")):
        sign = lines[at][:1]
        gone -= sign in ("-", " ", "")
        come -= sign in ("+", " ", "")
        at += 1
    return at - start


def _rows(lines: Sequence[str], old: int, new: int) -> Iterator[Row]:
    gone: list[Row] = []
    come: list[Row] = []
    for line in lines:
        sign, text = line[:1], line[1:]
        if sign == "-":
            if come:
                yield from _marked(gone, come)
                gone, come = [], []
            gone.append(Row("gone", old, (Run(text),)))
            old += 1
        elif sign == "+":
            come.append(Row("new", new, (Run(text),)))
            new += 1
        elif sign != "\\":
            yield from _marked(gone, come)
            gone, come = [], []
            yield Row("same", new, (Run(text),))
            old, new = old + 1, new + 1
    yield from _marked(gone, come)


def _marked(gone: Sequence[Row], come: Sequence[Row]) -> Iterator[Row]:
    """Mark the words that differ between the lines that go and those that come in their place."""
    pairs = [_compared(one.runs[0].text, other.runs[0].text) for one, other in zip(gone, come, strict=False)]
    for rows, side in ((gone, 0), (come, 1)):
        for row, pair in zip_longest(rows, pairs[: len(rows)]):
            yield row if pair is None else Row(row.kind, row.number, pair[side])


def _compared(before: str, after: str) -> tuple[tuple[Run, ...], tuple[Run, ...]] | None:
    one, other = _WORDS.findall(before), _WORDS.findall(after)
    if len(one) + len(other) > MOST_WORDS:
        return None
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    shared = sum(_letters(one[block.a : block.a + block.size]) for block in matcher.get_matching_blocks())
    if 2 * shared < LEAST_ALIKE * (_letters(one) + _letters(other)):
        return None
    left, right = list[Run](), list[Run]()
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if i1 < i2:
            left.append(Run("".join(one[i1:i2]), tag != "equal"))
        if j1 < j2:
            right.append(Run("".join(other[j1:j2]), tag != "equal"))
    return tuple(left), tuple(right)


def _letters(words: Sequence[str]) -> int:
    """Count the characters of words: blanks make no two lines alike."""
    return sum(len(word) for word in words if not word.isspace())
