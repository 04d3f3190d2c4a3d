"""What a client has received of notes, and whether the answer to a question stands in it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from app.tokens import count_tokens
from bench.answers.cases import Case, Place, folded

Lines = Mapping[int, str]
Count = Callable[[str], int]
ENCODING = "o200k_base"
_HEAD = re.compile(r"\d+\. (?P<path>.+?\.md)(?=[: ]|$)")
_READ = re.compile(r"'(?P<path>.+\.md)', lines? \d+(?:-\d+)? of \d+[;.]")
_NUMBERED = re.compile(r"(?P<number>\d+) *\| ?(?P<text>.*)")
_QUOTED = re.compile(r"(?:.*, )?`(?P<path>.+\.md)` li(?:gn|n)es? (?P<first>\d+)(?:-(?P<last>\d+))? ?:")
_BLOCK = re.compile(r"## (?P<path>.+\.md)(?: \((?:lines?|lignes?) (?P<first>\d+)(?:-(?P<last>\d+))?\))?")
_END = 10**6
"""Past the end of any note."""
_SAYS = re.compile(r"\w|[^\x00-\x7f]")


def numbered(text: str) -> Iterator[tuple[str, int, str]]:
    """Read path, number and text of each line out of what `search`, `pack` and `read` answer."""
    path = ""
    for line in text.split("\n"):
        if head := _HEAD.match(line) or _READ.match(line):
            path = head["path"]
        elif path and (found := _NUMBERED.match(line)):
            yield path, int(found["number"]), found["text"]


def quoted(text: str) -> Iterator[tuple[str, int, str]]:
    """Read path, number and text of each line out of what `ask` answers: quotations, then parts of notes."""
    path, first, last, mark = "", 1, 0, ""
    lines: list[str] = []

    def read() -> Iterator[tuple[str, int, str]]:
        count = last - first + 1
        # The header of a table stands above a quoted row, whose lines are counted without it.
        own = lines[-count:] if mark else lines[1 : count + 1]
        yield from ((path, number, line) for number, line in enumerate(own, first))

    for line in text.split("\n"):
        head = _QUOTED.fullmatch(line) or _BLOCK.fullmatch(line)
        if head or not line.startswith(mark):
            yield from read()
            path, lines, last = "", [], 0
        if head:
            path, mark = head["path"], ">" if head.re is _QUOTED else ""
            first = int(head["first"] or 1)
            last = int(head["last"] or head["first"] or _END)
        elif path:
            lines.append(line.removeprefix(mark).removeprefix(" " if mark else ""))
    yield from read()


class Received:
    """The lines of notes that a client has received so far, and what it received and called in all."""

    def __init__(self) -> None:
        self.lines: dict[str, dict[int, str]] = {}
        self.texts: list[str] = []
        """What each call gave, whole."""

    def take(self, text: str, lines: Iterator[tuple[str, int, str]]) -> None:
        """Add the answer to one call, and the lines in it; of a line seen twice the longer text counts."""
        self.texts.append(text)
        for path, number, line in lines:
            of = self.lines.setdefault(path, {})
            of[number] = max(of.get(number, ""), line, key=len)


def holds(case: Case, received: Received, vault: Path) -> bool:
    """Tell whether what answers a question was received.

    Each place of the evidence must have a line there, and these lines must hold the words of the key; or
    one other place that answers by itself does.
    """

    def shown(place: Place) -> str:
        there = received.lines.get(place.path, {})
        wanted = _telling(vault / place.path, place)
        return "\n".join(there[number] for number in wanted if number in there)

    def answers(places: Sequence[Place]) -> bool:
        texts = [shown(place) for place in places]
        said = folded("\n".join(texts))
        is_said = all(folded(each) in said for each in case.must) and (
            not case.answers or any(folded(each) in said for each in case.answers)
        )
        return bool(texts) and all(texts) and is_said

    return answers(case.evidence) or any(answers([place]) for place in case.also)


@cache
def _note(file: Path) -> Sequence[str]:
    return file.read_text(encoding="utf-8").split("\n")


def _telling(file: Path, place: Place) -> list[int]:
    """Return the lines of a place that say anything: not those of signs alone."""
    return [number for number in range(place.first, place.last + 1) if _SAYS.search(_note(file)[number - 1])]


def counters() -> dict[str, Count]:
    """Return what counts tokens: the program's own count, and a tokenizer where one is installed."""
    counts: dict[str, Count] = {"counted": count_tokens}
    if find_spec("bpe_openai"):
        encoding = import_module("bpe_openai").get_encoding(ENCODING)
        counts[ENCODING] = lambda text: len(encoding.encode(text))
    return counts
