"""The time that a note takes grows with its length, whatever it holds, and not with the square of it.

Two things are compared between a note and one twice as long: the number of calls, which is the same each time,
and the time of the processor, which also sees what a call does inside, such as copying or matching a pattern.
"""

import gc
import os
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from app.config.settings import Settings
from app.markdown.parse import parse_note
from app.notes.answer import operate
from app.search.answer import answer
from app.search.index.chunk import split_lines
from app.search.index.documents import chunk_documents
from app.search.searcher import searcher_for
from app.tests.measuring import (
    LEAST_SECONDS,
    LEAST_TURNS,
    MOST_CALLS,
    MOST_TURNS,
    Work,
    calls_of,
    seconds_of,
)
from app.tests.web.conftest import LEXICAL, visit
from app.vault.client import VaultClient
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
    "first headings": repeated("# t%d\n\nword %d\n\n"),
    "one heading many times": repeated("# a\n## b\n"),
    "underlined": lambda size: "x\n" * (size // 2) + "===\n\n" + "# b\n\nword\n\n" * (size // 40),
    "a long heading over many": lambda size: "# " + "a " * (size // 4) + "\n" + "## b\n\nword\n\n" * (size // 24),
    "tables": repeated("|a%d|b|\n|-|-|\n|1|2|\n\n"),
    "rows": lambda size: "|a|b|\n|-|-|\n" + repeated("|%d|x|\n")(size),
    "a wide table": lambda size: "|a" * (size // 4) + "|\n" + "|-" * (size // 4) + "|\n",
    "a wide row": lambda size: "|a|b|\n|-|-|\n" + "|x" * (size // 2) + "|\n",
    "heads of tables": repeated("|a|\n"),
    "links": repeated("[[n%d]] "),
    "embeds": repeated("![[n%d]]\n\n"),
    "Markdown links": repeated("[t](n%d.md) "),
    "tags": repeated("#t%d/x "),
    "a deep tag": lambda size: "#" + "n/" * (size // 2) + "n\n",
    "a tag with a long tail": lambda size: "#a" + "_" * size,
    "nested lists": stairs(lambda depth: "  " * depth + "- x [[n]]\n"),
    "nested quotes": stairs(lambda depth: ">" * depth + " x\n"),
    "a list in one line": lambda size: "- " * (size // 2) + "x\n",
    "a quote in one line": lambda size: "> " * (size // 2) + "x\n",
    "a quote that goes on": lambda size: "> x\n" + "y\n" * (size // 2),
    "items": repeated("- i%d\n"),
    "tasks": repeated("- [ ] t%d\n"),
    "references": repeated("[r%d]: http://x\n"),
    "uses of references": lambda size: repeated("[r%d]: x\n")(size // 2) + repeated("[r%d] ")(size // 2),
    "callouts": repeated("> [!note]- t%d\n> x\n\n"),
    "one long line": repeated("mot "),
    "one long word": repeated("a"),
    "a joined word": repeated("a-b_c."),
    "combining marks": lambda size: "e" + "\u0301\u0323" * (size // 4),
    "Chinese": lambda size: "\u6f22" * (size // 3),
    "a fence that nothing closes": lambda size: "```\n" + "x\n" * (size // 2),
    "fences": repeated("```a`\n"),
    "comments that nothing closes": repeated("<!-- x\n\n"),
    "percents": lambda size: "%% x\n\n" * (size // 6),
    "math that nothing closes": repeated("$$ a\n\n"),
    "dollars": repeated("$a "),
    "HTML that nothing closes": repeated('x <a b="'),
    "blocks of HTML": repeated("<div>\n"),
    "footnotes": repeated("x[^%d]\n\n[^%d]: y\n\n"),
    "names of blocks": repeated("p ^b%d\n\n"),
    "emphasis": repeated("*a **b _c ~~d ==e "),
    "a run of stars": repeated("*"),
    "emphasis that nests": lambda size: "*a " * (size // 6) + "b* " * (size // 6),
    "backticks": lambda size: " ".join("`" * (number % 300 + 1) for number in range(size // 150)),
    "brackets": repeated("["),
    "double brackets": repeated("[["),
    "nested brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "links that nothing closes": repeated('[a](b "c'),
    "nested links": repeated("[a](<b"),
    "backslashes": repeated("\\["),
    "blanks": lambda size: "x" + " " * size + "x",
    "empty lines": repeated("\n"),
    "carriage returns": repeated("x\r"),
    "paragraphs": repeated("x\n\n"),
    "rules": repeated("- - -\n"),
    "a list of properties": properties("  - t%d\n", "tags:\n"),
    "names of properties": properties("k%d: v\n"),
    "one property many times": properties("k: v\n"),
    "links in properties": properties('  - "[[n%d]]"\n', "up:\n"),
    "a long property": properties("a", "k: "),
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


class Opened:
    """A vault with a large note and a small one that links to it, indexed, and every way to ask for them."""

    def __init__(self, root: Path, text: str) -> None:
        root.mkdir()
        (root / "vault").mkdir()
        (root / "vault/Big.md").write_text(text, encoding="utf-8", newline="")
        (root / "vault/n1.md").write_text("# N\n\n[[Big]] mot\n")
        for file in (root / "vault").iterdir():
            os.utime(file, (1.7e9, 1.7e9))
        settings = Settings(cache_dir=root / "cache", state_dir=root / "state", index=LEXICAL, writes="allow")
        self.vault = VaultClient(root / "vault", settings)
        self.page = visit(self.vault)

    def index(self) -> None:
        searcher_for(self.vault).update()

    def find(self) -> None:
        for operation, query in (("fast", "mot word x"), ("fulltext", "x -/q+z/ -section:(zz yy)")):
            found = answer(self.vault, {"operation": operation, "query": query, "scopes": ["Big.md"]})
            assert not found.startswith("Error"), found

    def find_all(self) -> None:
        assert "Big.md" in answer(self.vault, {"operation": "fast", "query": "*", "limit": 100})

    def note(self, operation: str, **more: str) -> None:
        said = operate(self.vault, {"operation": operation, "path": "Big", **more})
        assert "performing" not in said.split("\n")[0], said

    def shown(self) -> None:
        assert self.page.get("/note/Big.md").status_code == 200

    def searched(self) -> None:
        assert self.page.get("/", params={"q": "mot word x"}).status_code == 200

    def steps(self) -> dict[str, Work]:
        """What is measured, in this order; moving comes last."""
        return {
            "index": self.index,
            "find": self.find,
            "find all": self.find_all,
            "info": lambda: self.note("info"),
            "a heading": lambda: self.note("read", heading="zz#a#b"),
            "a block": lambda: self.note("read", block="b9"),
            "summarize": lambda: self.note("summarize"),
            "page": self.shown,
            "search page": self.searched,
            "move": lambda: self.note("move", new_path="Below/Larger"),
            "move what it links to": lambda: self.note("move", path="n1", new_path="Below/n1"),
        }


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_every_step_with_a_note_takes_as_many_calls_as_it_is_long(name: str, tmp_path: Path) -> None:
    make = SHAPES[name]
    # What is loaded or compiled once is loaded and compiled before.
    warm, small, large = (Opened(tmp_path / str(size), make(size)) for size in (1_000, 30_000, 60_000))
    for work in warm.steps().values():
        work()
    lesser = {step: calls_of(work) for step, work in small.steps().items()}
    more = {step: calls_of(work) for step, work in large.steps().items()}
    assert not {
        # The smaller note may be spared a part of the work that begins at a length.
        step: (lesser[step], more[step])
        for step in more
        if more[step] > MOST_CALLS * lesser[step] + 25_000
    }


WHOLE = ("headings", "first headings", "links", "Markdown links", "tags", "nested links", "fences", "other names",
         "links that nothing closes", "one long line", "underlined", "links in properties")  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", WHOLE)
def test_every_step_with_a_note_takes_time_as_it_is_long(name: str, tmp_path: Path) -> None:
    small: dict[str, float] = {}
    large: dict[str, float] = {}

    def too_long() -> dict[str, tuple[float, float]]:
        return {
            step: (small[step], large[step])
            for step in large
            if large[step] > 4 * LEAST_SECONDS and large[step] > MOST_TIME * small[step]
        }

    for turn in range(MOST_TURNS):
        for size, found in ((75_000, small), (150_000, large)):
            opened = Opened(tmp_path / f"{size} {turn}", SHAPES[name](size))
            for step, work in opened.steps().items():
                gc.collect()
                begun = time.process_time()
                work()
                found[step] = min(time.process_time() - begun, found.get(step, float("inf")))
        if turn + 1 >= LEAST_TURNS and not too_long():
            break
    assert not too_long()
