"""Ripgrep over some files: one run a term, what is too broad left out, and files ranked by their terms."""

import os
import re
import shutil
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from threading import Timer
from typing import IO

from app.errors import BadRequestError, EngineMissingError, SearchError, VaultError
from app.notices import Notice, NoticeKind
from app.sentences import Sentence
from app.showing import in_line
from app.vault.files import real_path

TERM_BYTES = 64 * 1024
"""Most bytes that ripgrep prints for one term; a broader one is dropped."""
JOINT_BYTES = 128 * 1024
"""What is printed for all terms together stays below this many bytes."""
ARGUMENT_BYTES = 25_000 if os.name == "nt" else 100_000
"""Room for file names on one command line, well below any system's own limit."""
SECONDS = 60.0
"""Longest search over all terms together."""
CONTEXT = 10
"""Lines of context around a match."""
OPTIONS = (
    "--no-config",
    "--no-messages",
    "--ignore-case",
    "--line-number",
    "--with-filename",
    # A NUL ends each file name, whatever characters that has.
    "--null",
    f"--context={CONTEXT}",
    # One thread writes as it reads; several keep the output of whole files in memory.
    "--threads=1",
)
GIVEN_FILES = ("--text", "--crlf")
"""For files given by name: a NUL makes no note binary, and ``$`` stands before any line end."""

ALL_TOO_BROAD = "each of those search terms yielded too many results"

_PRINTED = re.compile(rb"(?P<path>[^\0]+)\0(?P<number>[0-9]+)(?P<sign>[:-])(?P<text>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FoundLine:
    """One line of a file: a match, or context of one."""

    text: str
    matched: bool


Lines = dict[int, FoundLine]
Output = dict[str, Lines]
"""Lines by path and number."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Files below one folder.

    Args:
        root: The folder, free of links.
        show: Gives the lines of a file as they may be shown, from those that ripgrep found; None where
            the file is not, or is no longer, one to show.
        files: The files, by their names on disk, with the paths they are shown by; None leaves it to
            ripgrep, which obeys ``.gitignore`` and skips hidden and binary files.
        ranges: The lines of each path that are searched; None where whole files are.
    """

    root: Path
    show: Callable[[str, Lines], Lines | None]
    files: Mapping[str, str] | None = None
    ranges: Mapping[str, Sequence[tuple[int, int]]] | None = None

    def shown_path(self, name: str, number: int) -> str | None:
        """Return the path by which a line that ripgrep found is shown; None where it was not asked for."""
        name = name.removeprefix("./")
        path = name if self.files is None else self.files.get(name)
        if path is None or self.ranges is None:
            return path
        return path if any(first <= number <= last for first, last in self.ranges.get(path, ())) else None

    def batches(self) -> Iterator[list[str]]:
        """Yield the names for one run of ripgrep after the other, each list short enough for any system."""
        # With the dot in front no name looks like an option.
        names = ["./"] if self.files is None else [f"./{name}" for name in self.files]
        ends = accumulate(len(os.fsencode(name)) + 1 for name in names)
        for _, batch in groupby(zip(ends, names, strict=True), lambda one: one[0] // ARGUMENT_BYTES):
            yield [name for _, name in batch]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file with the lines found in it and the terms that found it, most important first.

    ``score`` is the share, by importance, of the terms that match, in 0..1.
    """

    path: str
    lines: Lines
    terms: tuple[str, ...]
    score: float

    @property
    def matches(self) -> tuple[int, ...]:
        """The numbers of the lines that match, in order."""
        return tuple(sorted(number for number, line in self.lines.items() if line.matched))


def folder_corpus(folder: Path) -> Corpus:
    """Search a folder outside any vault, by ripgrep's own rules."""
    root = folder.resolve()

    def show(path: str, lines: Lines) -> Lines | None:
        try:
            # Ripgrep follows no link; this sees to one that was put there meanwhile.
            real_path(root, path)
        except VaultError:
            return None
        return lines

    return Corpus(root, show)


def find_root(start: Path) -> Path:
    """Return the root of the git repository around ``start``, else ``start`` itself."""
    folder = start.resolve()
    return next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), folder)


def gather(terms: Sequence[str], corpus: Corpus) -> tuple[list[FoundFile], tuple[Notice, ...]]:
    """Search for every term, most important first, and keep what is small enough to be judged.

    Returns:
        The files, best first by their terms, and what had to be left out.

    Raises:
        BadRequestError: a term is no regular expression, or all are too broad.
        EngineMissingError: there is no ripgrep.
        SearchError: the search took longer than `SECONDS`, or ripgrep failed.
    """
    deadline = time.monotonic() + SECONDS
    found = {term: search_term(term, corpus, deadline) for term in terms}
    outputs = {term: output for term, (output, _) in found.items() if output is not None}
    if not outputs:
        raise BadRequestError(ALL_TOO_BROAD, "give longer, more specific terms")
    joint: Output = {}
    usable: dict[str, Output] = {}
    # Each term adds to what is printed, so the longest run from the front that fits is what peeling leaves.
    for term, output in outputs.items():
        more = _joined(joint, output)
        if usable and len(printed(more).encode()) >= JOINT_BYTES:
            break
        joint, usable[term] = more, output
    shown = {path: corpus.show(path, lines) for path, lines in joint.items()}
    files = [
        _ranked(path, lines, usable, terms)
        for path, lines in shown.items()
        if lines and any(line.matched for line in lines.values())
    ]
    files.sort(key=lambda file: (-file.score, -len(file.terms), -len(file.matches), file.path))
    notices = []
    if broad := [term for term in found if term not in usable]:
        notices.append(Notice(NoticeKind.TERMS_TOO_BROAD, terms=quoted(broad)))
    if None in shown.values() or not all(complete for _, complete in found.values()):
        notices.append(Notice(NoticeKind.FILES_LOST))
    return files, tuple(notices)


def quoted(terms: Iterable[str]) -> str:
    """Return terms as they are named to a person."""
    return ", ".join(f"'{in_line(term)}'" for term in terms)


def printed(files: Mapping[str, Lines]) -> str:
    """Return lines as ripgrep prints them, each on one line whatever characters it has."""
    rows: list[str] = []
    for path, lines in files.items():
        before, name = None, in_line(path)
        for number, line in sorted(lines.items()):
            if rows and before != number - 1:
                rows.append("--")
            sign = ":" if line.matched else "-"
            rows.append(f"{name}{sign}{number}{sign}{in_line(line.text)}")
            before = number
    return "\n".join(rows)


def find_ripgrep() -> str:
    """Return the path of ``rg``: on PATH, else beside the Python that runs.

    Raises:
        EngineMissingError: it is in neither place.
    """
    found = shutil.which("rg") or shutil.which("rg", path=sysconfig.get_path("scripts"))
    if found is None:
        raise EngineMissingError(
            "keyword search needs ripgrep, and there is no 'rg'",
            "install it: pip install ripgrep==14.1.0, or the package 'ripgrep' of your system",
        )
    return found


def search_term(term: str, corpus: Corpus, deadline: float) -> tuple[Output | None, bool]:
    """Search the corpus for one regular expression, without regard to case.

    Args:
        term: The expression.
        corpus: Where to look.
        deadline: Time, as `time.monotonic` tells it, at which the search is given up.

    Returns:
        The lines found, or None where they would pass `TERM_BYTES`; and whether every file could be read.

    Raises:
        BadRequestError: the term is no regular expression that ripgrep takes.
        EngineMissingError: there is no ripgrep.
        SearchError: the deadline has passed, or ripgrep failed.
    """
    options = OPTIONS if corpus.files is None else (*OPTIONS, *GIVEN_FILES)
    command = [find_ripgrep(), *options, f"--regexp={term}", "--"]
    output: Output = {}
    room, complete = TERM_BYTES, True
    for names in corpus.batches():
        try:
            process = Popen([*command, *names], cwd=corpus.root, stdin=DEVNULL, stdout=PIPE, stderr=PIPE)
        except (OSError, ValueError) as error:
            raise SearchError("ripgrep cannot be run: {reason}", reason=error) from error
        with process:
            timer = Timer(max(deadline - time.monotonic(), 0), process.kill)
            timer.start()
            try:
                assert process.stdout is not None
                assert process.stderr is not None
                room = _read(process.stdout, corpus, output, room)
                if room < 0:
                    return None, complete
                said = process.stderr.read(10_000).decode("utf-8", "replace")
                code = process.wait()
            finally:
                timer.cancel()
                process.kill()
        # At the end of a search that was carried out, 2 says that a file could not be opened or read.
        if said or code not in (0, 1, 2):
            raise _failure(term, code, said, late=time.monotonic() >= deadline)
        complete = complete and code != 2
    return output, complete


def _read(stream: IO[bytes], corpus: Corpus, output: Output, room: int) -> int:
    """Take in what ripgrep prints, until it passes the room in bytes; return what is left of that."""
    while room >= 0 and (line := stream.readline(TERM_BYTES + 1)):
        if len(line) > TERM_BYTES:
            return -1
        if match := _PRINTED.match(line):
            number = int(match["number"])
            path = corpus.shown_path(os.fsdecode(match["path"]), number)
            if path is None:
                continue
            text = match["text"].decode("utf-8", "replace").removesuffix("\n").removesuffix("\r")
            output.setdefault(path, {})[number] = FoundLine(text, match["sign"] == b":")
        room -= len(line)
    return room


def _failure(term: str, code: int, said: str, *, late: bool) -> SearchError:
    if late:
        return SearchError(
            "ripgrep took too long over the search term '{term}'", "narrow by folder or scopes", term=term
        )
    lines = [line.removeprefix("rg: ").strip() for line in said.splitlines()]
    lines.sort(key=lambda line: not line.startswith("error: "))
    reason = next(filter(None, lines), "").removeprefix("error: ")
    if code == 2:
        return BadRequestError(
            "search term '{term}' is no regular expression: {reason}",
            "put a backslash before its signs",
            term=term,
            reason=reason,
        )
    return SearchError(
        Sentence("ripgrep ended with code {code} over the search term '{term}'", code=code, term=term), reason
    )


def _joined(one: Output, other: Output) -> Output:
    """Return what one search for both prints: each line once, a match where either has one."""
    joint = {path: dict(lines) for path, lines in one.items()}
    for path, lines in other.items():
        known = joint.setdefault(path, {})
        for number, line in lines.items():
            known[number] = replace(line, matched=line.matched or (number in known and known[number].matched))
    return joint


def _ranked(path: str, lines: Lines, outputs: Mapping[str, Output], terms: Sequence[str]) -> FoundFile:
    """Weigh a file: the first of n terms counts n, the last 1."""
    weight = {term: len(terms) - place for place, term in enumerate(terms)}
    found = tuple(
        term
        for term, output in outputs.items()
        if any(line.matched and number in lines for number, line in output.get(path, {}).items())
    )
    score = sum(weight[term] for term in found) / sum(weight[term] for term in outputs)
    return FoundFile(path, lines, found, score)
