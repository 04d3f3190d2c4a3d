"""The time that a note takes grows with its length, whatever it holds, and not with the square of it.

Two things are compared between a note and one twice as long: the number of calls, which is the same each time,
and the time of the processor, which also sees what a call does inside, such as copying or matching a pattern.
"""

from collections.abc import Callable
from itertools import pairwise

import pytest

from app.markdown.parse import parse_note
from app.search.index.chunk import split_lines
from app.search.index.documents import chunk_documents
from app.tests.measuring import (
    LEAST_SECONDS,
    LEAST_TURNS,
    MOST_CALLS,
    MOST_TURNS,
    Work,
    calls_of,
    seconds_of,
)
from app.vault.dates import note_dates

Make = Callable[[int], str]

MOST_TIME = 3.2
"""The same for the time of the processor, which others on the machine disturb; the square would be 4."""
SIZES = (100_000, 200_000, 400_000, 800_000)


def repeated(piece: str) -> Make:
    """A text of a size, made of one piece; ``%d`` in it is the number of the piece."""

    def make(size: int) -> str:
        if "%d" not in piece:
            return piece * (size // len(piece))
        parts: list[str] = []
        length = 0
        while length < size:
            parts.append(piece % ((len(parts),) * piece.count("%d")))
            length += len(parts[-1])
        return "".join(parts)

    return make


def properties(piece: str, before: str = "", after: str = "") -> Make:
    return lambda size: f"---\n{before}{repeated(piece)(size)}{after}\n---\ntext\n"


def stairs(line: Callable[[int], str]) -> Make:
    """Lines that each nest one deeper than the one before."""
    return lambda size: "".join(line(depth) for depth in range(int((2 * size / len(line(1))) ** 0.5)))


SHAPES: dict[str, Make] = {
    "headings": repeated("## t%d\n"),
    "a long heading over many": lambda size: "# " + "a " * (size // 4) + "\n" + "## b\n\nword\n\n" * (size // 24),
    "tables": repeated("|a%d|b|\n|-|-|\n|1|2|\n\n"),
    "rows": lambda size: "|a|b|\n|-|-|\n" + repeated("|%d|x|\n")(size),
    "a wide table": lambda size: "|a" * (size // 4) + "|\n" + "|-" * (size // 4) + "|\n",
    "links": repeated("[[n%d]] "),
    "Markdown links": repeated("[t](n%d.md) "),
    "tags": repeated("#t%d/x "),
    "a tag with a long tail": lambda size: "#a" + "_" * size,
    "nested lists": stairs(lambda depth: "  " * depth + "- x [[n]]\n"),
    "nested quotes": stairs(lambda depth: ">" * depth + " x\n"),
    "a list in one line": lambda size: "- " * (size // 2) + "x\n",
    "a quote that goes on": lambda size: "> x\n" + "y\n" * (size // 2),
    "items": repeated("- i%d\n"),
    "references": repeated("[r%d]: http://x\n"),
    "callouts": repeated("> [!note]- t%d\n> x\n\n"),
    "one long line": repeated("mot "),
    "one long word": repeated("a"),
    "combining marks": lambda size: "e" + "\u0301\u0323" * (size // 4),
    "a fence that nothing closes": lambda size: "```\n" + "x\n" * (size // 2),
    "fences": repeated("```a`\n"),
    "comments that nothing closes": repeated("<!-- x\n\n"),
    "math that nothing closes": repeated("$$ a\n\n"),
    "HTML that nothing closes": repeated('x <a b="'),
    "footnotes": repeated("x[^%d]\n\n[^%d]: y\n\n"),
    "emphasis": repeated("*a **b _c ~~d ==e "),
    "a run of stars": repeated("*"),
    "emphasis that nests": lambda size: "*a " * (size // 6) + "b* " * (size // 6),
    "backticks": lambda size: " ".join("`" * (number % 300 + 1) for number in range(size // 150)),
    "brackets": repeated("["),
    "nested brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "nested links": repeated("[a](<b"),
    "backslashes": repeated("\\["),
    "blanks": lambda size: "x" + " " * size + "x",
    "empty lines": repeated("\n"),
    "paragraphs": repeated("x\n\n"),
    "rules": repeated("- - -\n"),
    "a list of properties": properties("  - t%d\n", "tags:\n"),
    "names of properties": properties("k%d: v\n"),
    "links in properties": properties('  - "[[n%d]]"\n', "up:\n"),
    "anchors": properties("k%d: &a%d [x]\nj%d: *a%d\n"),
    "one anchor many times": properties("*a, ", "a: &a [x, x, x, x, x]\nb: [", "]"),
    "properties that nest": properties("[", "x: "),
    "properties that never end": lambda size: "---\n" + "a: b\n" * (size // 5),
    "other names": lambda size: (
        properties("  - name %d\n", "aliases:\n")(size // 2) + "# h\n\nword\n\n" * (size // 24)
    ),
}  # fmt: skip


def indexed(text: str) -> Work:
    """What indexing does of a note: it is read, cut, and turned into documents."""

    def work() -> None:
        note = parse_note(text, "Note.md")
        split_lines(text)
        note_dates(note.properties, None, mtime=0.0, birth=None)
        chunk_documents("Note.md", note, text, None, 1500)

    return work


@pytest.mark.parametrize("name", SHAPES)
def test_reading_and_cutting_a_note_takes_as_many_calls_as_it_is_long(name: str) -> None:
    make = SHAPES[name]
    small, large = calls_of(indexed(make(25_000))), calls_of(indexed(make(50_000)))
    assert large < MOST_CALLS * small + 2_000


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_reading_and_cutting_a_note_takes_time_as_it_is_long(name: str) -> None:
    works = [indexed(SHAPES[name](size)) for size in SIZES]
    least = [float("inf")] * len(works)

    def grows_as_it_is_long() -> bool:
        return all(
            large < LEAST_SECONDS or large < MOST_TIME * max(small, LEAST_SECONDS / 2)
            for small, large in pairwise(least)
        )

    for turn in range(MOST_TURNS):
        least = [min(seconds, seconds_of(work, turns=1)) for seconds, work in zip(least, works, strict=True)]
        if turn + 1 >= LEAST_TURNS and grows_as_it_is_long():
            break
    assert grows_as_it_is_long(), least
