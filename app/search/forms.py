"""Forms of results that a person chooses: titles, paths, lines of JSON, a template of their own."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from app.errors import BadRequestError
from app.limits import shown
from app.search.lexical.analysis import in_order
from app.search.models import SearchRequest, SearchResult
from app.search.show.text import told_lines
from app.showing import in_line, json_text

NUL = "\0"
MOST_PASSAGES = 100
"""Passages that are asked for where each note is printed once."""
_FIELD = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "0": NUL, "\\": "\\", "r": "\r"}

_FIELDS: Mapping[str, Callable[[SearchResult], object]] = {
    "path": lambda result: result.path,
    "title": lambda result: result.title,
    "line": lambda result: next((number for number, _ in told_lines(result) if number), ""),
    "lines": lambda result: result.lines or "",
    "text": lambda result: " ".join(text.strip() for _, text in told_lines(result)).strip(),
    "heading": lambda result: result.heading or "",
    "score": lambda result: f"{result.score:.2f}",
    "tags": lambda result: " ".join(f"#{tag}" for tag in result.tags),
    "created": lambda result: "" if result.created is None else result.created.date().isoformat(),
    "modified": lambda result: "" if result.modified is None else result.modified.date().isoformat(),
    "uri": lambda result: result.uri,
}
"""What a template can name."""

SORTS: Mapping[str, tuple[Callable[[SearchResult], Any], bool]] = {
    "score": (lambda result: result.score, True),
    "path": (lambda result: in_order(result.path), False),
    "title": (lambda result: in_order(result.title), False),
    "created": (lambda result: "" if result.created is None else result.created.isoformat(), True),
    "modified": (lambda result: "" if result.modified is None else result.modified.isoformat(), True),
}
"""What results are ordered by, and whether the highest comes first."""


class Form(NamedTuple):
    """How results are printed, besides the forms for people, for agents and JSON.

    ``notes`` prints each note once by its title, ``paths`` by its path alone; ``null`` ends each by NUL
    instead of a newline; ``jsonl`` prints a line of JSON for each result, and ``template`` what it says.
    ``sort`` names what they are ordered by.
    """

    notes: bool = False
    paths: bool = False
    null: bool = False
    jsonl: bool = False
    template: str | None = None
    sort: str | None = None

    @property
    def is_chosen(self) -> bool:
        """Whether another form was chosen than the usual ones."""
        return self.notes or self.is_plain

    @property
    def is_plain(self) -> bool:
        """Whether it is the same on a terminal and in a pipe."""
        return self.paths or self.null or self.jsonl or self.template is not None

    @property
    def is_by_note(self) -> bool:
        """Whether a note is printed once, however many of its passages were found."""
        return self.notes or self.paths or (self.null and self.template is None)


def widened(request: SearchRequest, form: Form) -> SearchRequest:
    """Return what is asked so that enough notes come, where each is printed once and passages are ranked."""
    if not (form.is_by_note and request.ranks_passages and request.limit):
        return request
    return request.model_copy(update={"limit": max(request.limit, MOST_PASSAGES)})


def ordered(results: Sequence[SearchResult], form: Form, limit: int | None) -> list[SearchResult]:
    """Return results in the order that was chosen.

    Where a note is printed once, it is the best result of each note, and the best ``limit`` notes.

    Raises:
        BadRequestError: there is no such order.
    """
    kept = list(results)
    if form.is_by_note:
        best: dict[str, SearchResult] = {}
        for result in results:
            best.setdefault(result.path, result)
        kept = list(best.values())[:limit]
    if form.sort is None:
        return kept
    if form.sort not in SORTS:
        raise BadRequestError(
            "unknown order {sort}", "valid: {valid}", sort=shown(form.sort), valid=", ".join(SORTS)
        )
    key, is_falling = SORTS[form.sort]
    return sorted(kept, key=key, reverse=is_falling)


def formed(
    results: Iterable[SearchResult],
    form: Form,
    data: Callable[[SearchResult], object],
    *,
    place: Callable[[str], str] = str,
    is_terminal: bool = False,
) -> str:
    """Return results in a plain form.

    Args:
        results: The results.
        form: The form.
        data: Makes what JSON has of one; there a path is one in the vault.
        place: Makes of a note's path in the vault what other programs open.
        is_terminal: Whether a terminal shows it, which would obey what stands in a name.

    Raises:
        BadRequestError: the template names what there is not.
    """
    end = NUL if form.null else "\n"
    if form.template is not None:
        return "".join(f"{_filled(form.template, result, place)}{end}" for result in results)
    if form.jsonl:
        return "".join(json_text(data(result)) + "\n" for result in results)
    # In a file name a newline is no newline to whoever reads NUL.
    is_raw = form.null and not is_terminal
    paths = (place(result.path) for result in results)
    return "".join((path if is_raw else in_line(path)) + end for path in paths)


def _filled(template: str, result: SearchResult, place: Callable[[str], str]) -> str:
    def one(found: re.Match[str]) -> str:
        if found[0] in ("{{", "}}"):
            return found[0][0]
        if found[2] is not None:
            return _ESCAPES.get(found[2], found[0])
        if found[1] not in _FIELDS:
            raise BadRequestError(
                "the template names {found}",
                "it can name {fields}",
                found=shown(found[0]),
                fields=", ".join(f"{{{name}}}" for name in _FIELDS),
            )
        value = str(_FIELDS[found[1]](result))
        return in_line(place(value) if found[1] == "path" else value, 10_000)

    return _FIELD.sub(one, template)
