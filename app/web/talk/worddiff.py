"""A proposed change as rows to read: which lines go and come, and which words of them differ."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal

from app.dependencies import Hunk, NoteDiff, ProposedWrite
from app.notes.diff import EMPTY_NOTE
from app.sentences import Language, Worded
from app.showing import in_line
from app.web.languages import spoken

Kind = Literal["same", "gone", "new", "gap", "ends", "empty"]

MOST_WORDS = 2000
"""Most words and blanks of two lines that are compared with each other."""
LEAST_ALIKE = 0.3
"""How alike two lines must be, from 0 to 1, for their words to be marked."""

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


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

    facts: tuple[Worded, ...]
    files: tuple[FileChange, ...]

    def facts_in(self, language: Language) -> list[str]:
        """Return the sentences in a language, each on one line."""
        return [in_line(spoken(fact, language)) for fact in self.facts]


def show_change(write: ProposedWrite) -> ShownChange:
    """Prepare a change to be shown."""
    files = (
        FileChange(in_line(note.before), in_line(note.after), tuple(_file_rows(note))) for note in write.notes
    )
    return ShownChange(write.about, tuple(files))


def _file_rows(note: NoteDiff) -> Iterator[Row]:
    for at, hunk in enumerate(note.hunks):
        if at:
            yield Row("gap", None)
        yield from _rows(hunk)
    if note.remark:
        yield Row("empty" if note.remark == EMPTY_NOTE else "ends", None)


def _rows(hunk: Hunk) -> Iterator[Row]:
    old, new = hunk.old, hunk.new
    gone: list[Row] = []
    come: list[Row] = []
    for sign, line in hunk.lines:
        # Below a last line it may stand that nothing ends it.
        text = line.partition("\n")[0]
        if sign == "-":
            if come:
                yield from _marked(gone, come)
                gone, come = [], []
            gone.append(Row("gone", old, (Run(text),)))
            old += 1
        elif sign == "+":
            come.append(Row("new", new, (Run(text),)))
            new += 1
        else:
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
