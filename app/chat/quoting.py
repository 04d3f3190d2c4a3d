"""Read what the tools answer, and quote from it the lines that matter."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.search.text import fold

MOST_BLOCKS = 2
MOST_LINES = 6
SHORTEST_STEM = 4

Lines = tuple[tuple[int, str], ...]

_ENTRY = re.compile(r"[0-9]+\. (?P<path>.+?\.md)(?::(?P<lines>[0-9]+(?:-[0-9]+)?))? · ", re.IGNORECASE)
_READ = re.compile(r"'(?P<path>.+)', lines (?P<first>[0-9]+)-[0-9]+ of [0-9]+; .*")
_MARK = re.compile(r"<(note(?:-[0-9]+)?)>")
_HEADING = re.compile(r"#{1,6}\s")
_ITEM = re.compile(r"\s*(?:[-*+]|[0-9]+[.)])\s")


@dataclass(frozen=True, slots=True)
class Passage:
    """Where an entry of a search's answer stands; ``lines`` is such as ``9-14``."""

    path: str
    lines: str | None


def find_passages(answer: str) -> list[Passage]:
    """Take the entries out of a search's answer, best first; none when nothing was found."""
    entries = (_ENTRY.match(line) for line in answer.split("\n"))
    return [Passage(entry["path"], entry["lines"]) for entry in entries if entry]


def read_lines(answer: str) -> Lines:
    """Take the numbered lines out of what reading a note answered."""
    head, _, rest = answer.partition("\n")
    opening, _, body = rest.partition("\n")
    start, mark = _READ.fullmatch(head), _MARK.fullmatch(opening)
    if start is None or mark is None:
        return ()
    text = body.partition(f"\n</{mark[1]}>")[0]
    return tuple(enumerate(text.split("\n"), start=int(start["first"])))


def choose_lines(lines: Lines, words: Sequence[str]) -> Lines:
    """Choose the paragraphs, list items and headings that hold most of the words, else the first ones.

    Args:
        lines: Lines of a note with their numbers; its properties are never quoted.
        words: Folded words; their beginnings count, so that a plural meets its singular.
    """
    stems = {word[: max(SHORTEST_STEM, len(word) - 2)] for word in words}
    blocks = list(_blocks(_without_properties(lines)))
    ranked = sorted(blocks, key=lambda block: -_count(block, stems))
    best = [block for block in ranked if _count(block, stems)] or [
        block for block in blocks if not _is_heading(block)
    ]
    chosen: dict[int, str] = {}
    for block in best[:MOST_BLOCKS]:
        at = blocks.index(block)
        if _is_heading(block) and at + 1 < len(blocks):
            block = (*block, *blocks[at + 1])
        elif at and _is_heading(blocks[at - 1]):
            block = (*blocks[at - 1], *block)
        for number, text in block:
            if len(chosen) < MOST_LINES:
                chosen[number] = text
    return tuple(sorted(chosen.items()))


def _without_properties(lines: Lines) -> Lines:
    if lines and lines[0] == (1, "---"):
        closing = next((at for at, (_, text) in enumerate(lines[1:], 1) if text in ("---", "...")), 0)
        return lines[closing + 1 :] if closing else lines
    return lines


def _blocks(lines: Lines) -> Iterator[Lines]:
    """Cut lines into headings, list items and paragraphs."""
    block: list[tuple[int, str]] = []
    for number, text in lines:
        if block and (not text.strip() or _HEADING.match(text) or _ITEM.match(text) or _is_heading(block)):
            yield tuple(block)
            block = []
        if text.strip():
            block.append((number, text))
    if block:
        yield tuple(block)


def _is_heading(block: Sequence[tuple[int, str]]) -> bool:
    return _HEADING.match(block[0][1]) is not None


def _count(block: Lines, stems: set[str]) -> int:
    found = {word for _, text in block for word in re.findall(r"\w+", fold(text))}
    return sum(any(word.startswith(stem) for word in found) for stem in stems)


def format_lines(lines: Lines) -> str:
    """Write lines with their numbers, as the search's answers do."""
    width = max(len(str(number)) for number, _ in lines)
    return "\n".join(f"  {number:<{width}} | {text}".rstrip() for number, text in lines)


def format_numbers(numbers: Sequence[int]) -> str:
    """Write line numbers with runs joined: ``9-11, 14``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
