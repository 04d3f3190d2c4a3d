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
_READ = re.compile(r"'(?P<path>.+\.md)', lines \d+-\d+ of \d+; hash ")
_NUMBERED = re.compile(r"(?P<number>\d+) *\| ?(?P<text>.*)")
_QUOTED = re.compile(r"(?:.*, )?`(?P<path>.+\.md)` lines? (?P<first>\d+)(?:-\d+)?:")
_BLOCK = re.compile(r"## (?P<path>.+\.md)(?: \(lines (?P<first>\d+)-\d+\))?")
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
    path, number, is_block = "", 0, False
    for line in text.split("\n"):
        if head := _QUOTED.fullmatch(line):
            path, number, is_block = head["path"], int(head["first"]), False
        elif head := _BLOCK.fullmatch(line):
            # A blank line stands between the head of a block and its text.
            path, number, is_block = head["path"], int(head["first"] or 1) - 1, True
        elif path and (is_block or line.startswith("> ")):
            if is_block and number:
                yield path, number, line
            elif not is_block:
                yield path, number, line.removeprefix("> ")
            number += 1
        else:
            path = ""


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
