"""From search terms to files: broad terms dropped, the last ones peeled off, the rest ranked."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from app.errors import BadRequestError
from app.search.keyword.ripgrep import Corpus, Lines, Output, search_term
from app.sentences import Quoted

JOINT_BYTES = 128 * 1024
"""The output of all terms together stays below this many bytes."""
SECONDS = 60.0
"""Longest search over all terms together."""
MOST_TERMS = 50
TERM_CHARS = 1000

ALL_TOO_BROAD = "each of those search terms yielded too many results"

_NOT_TEXT = re.compile("[\0\ud800-\udfff]")


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


@dataclass(frozen=True, slots=True)
class Gathered:
    """Files, best first by their terms, and what had to be left out.

    ``broad`` terms alone find too much, ``peeled`` ones too much together with more important ones;
    ``lost`` counts files that changed while they were searched, ``complete`` says that all could be read.
    """

    files: tuple[FoundFile, ...]
    broad: tuple[str, ...]
    peeled: tuple[str, ...]
    lost: int
    complete: bool


def gather(terms: Sequence[str], corpus: Corpus) -> Gathered:
    """Search for every term, most important first, and keep what is small enough to be judged.

    Raises:
        BadRequestError: there are too many terms, one is no regular expression, or all are too broad.
        EngineMissingError: there is no ripgrep.
        SearchError: the search took longer than `SECONDS`, or ripgrep failed.
    """
    _check(terms)
    deadline = time.monotonic() + SECONDS
    outputs: dict[str, Output] = {}
    complete = True
    for term in terms:
        output, read_all = search_term(term, corpus, deadline)
        complete = complete and read_all
        if output is not None:
            outputs[term] = output
    if not outputs:
        raise BadRequestError(ALL_TOO_BROAD, "give longer, more specific terms")
    joint, peeled = _fitting(outputs)
    usable = {term: output for term, output in outputs.items() if term not in peeled}
    shown = {path: corpus.show(path, lines) for path, lines in joint.files.items()}
    files = [_ranked(path, lines, usable, terms) for path, lines in shown.items() if lines]
    files.sort(key=lambda file: (-file.score, -len(file.terms), -len(file.matches), file.path))
    return Gathered(
        files=tuple(files),
        broad=tuple(term for term in terms if term not in outputs),
        peeled=peeled,
        lost=sum(lines is None for lines in shown.values()),
        complete=complete,
    )


def _check(terms: Sequence[str]) -> None:
    if len(terms) > MOST_TERMS:
        raise BadRequestError(
            "'search_terms' holds {count} terms",
            "give at most {most_terms}, most important first",
            count=len(terms),
            most_terms=MOST_TERMS,
        )
    for term in terms:
        if len(term) > TERM_CHARS:
            raise BadRequestError(
                "search term '{term}…' has {count} characters",
                "at most {term_chars} are taken",
                term=term[:40],
                count=len(term),
                term_chars=TERM_CHARS,
            )
        if _NOT_TEXT.search(term):
            raise BadRequestError(
                "search term {term} is not text", "leave out NUL and lone surrogates", term=Quoted(term)
            )


def _fitting(outputs: dict[str, Output]) -> tuple[Output, tuple[str, ...]]:
    """Join the outputs; while that is too much, peel off the last term. Gives also the peeled ones."""
    kept, joint = 1, next(iter(outputs.values()))
    # Each term adds to the size, so the longest run from the front that fits is what peeling leaves.
    for output in list(outputs.values())[1:]:
        more = joint.joined([output])
        if more.size >= JOINT_BYTES:
            break
        kept, joint = kept + 1, more
    return joint, tuple(outputs)[kept:]


def _ranked(path: str, lines: Lines, outputs: dict[str, Output], terms: Sequence[str]) -> FoundFile:
    """Weigh a file: the first of n terms counts n, the last 1."""
    weight = {term: len(terms) - place for place, term in enumerate(terms)}
    found = tuple(
        term
        for term, output in outputs.items()
        if any(line.matched and number in lines for number, line in output.files.get(path, {}).items())
    )
    score = sum(weight[term] for term in found) / sum(weight[term] for term in outputs)
    return FoundFile(path, lines, found, score)
