"""Forms of results that a person chooses: titles, paths, JSON, or the text that models read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from app.search.models import SearchRequest, SearchResult, SearchResults
from app.sentences import Sentence
from app.showing import Screen, in_line, json_text

CHUNK_FIELDS, OPTIONAL_FIELDS = ("heading", "date", "chunk_with_context"), ("lines", "relevance_reason")
NUL = "\0"
MOST_PASSAGES = 100
"""Passages that are asked for where each note is printed once."""


@dataclass(frozen=True, slots=True)
class Form:
    """How results are printed: options of `find`.

    A note is printed once by its title (``notes``) or by its path alone (``paths``), each ended by NUL
    instead of a newline (``null``); ``agent`` prints the text that models read.
    """

    notes: Annotated[bool, typer.Option("--notes", help="Print titles: each note once.")] = False
    paths: Annotated[bool, typer.Option("--paths", "-l", help="Print paths: each note once.")] = False
    null: Annotated[bool, typer.Option("--null", "-0", help="End each path by NUL, for xargs -0.")] = False
    agent: Annotated[
        bool, typer.Option("--agent", help="Print as language models read it, on a terminal too.")
    ] = False

    @property
    def is_by_note(self) -> bool:
        """Whether a form other than the usual one was chosen, in which a note is printed once."""
        return self.notes or self.is_plain

    @property
    def is_plain(self) -> bool:
        """Whether paths alone are printed, the same on a terminal and in a pipe."""
        return self.paths or self.null


def printed(
    results: SearchResults,
    request: SearchRequest,
    form: Form,
    screen: Screen,
    *,
    as_json: bool = False,
    root: Path | None = None,
    place: Callable[[str], str] = str,
    shows_day: bool = False,
) -> tuple[str, str]:
    """Return what `find` prints, and what it says on standard error.

    Args:
        results: What was found.
        request: What was asked.
        form: The form that was chosen.
        screen: Where it is printed.
        as_json: Print data.
        root: The folder of the vault that was searched; None where several were.
        place: Makes of a path what other programs open.
        shows_day: Show beside the title of a note when it was modified.
    """
    found = by_note(results.results, request.limit) if form.is_by_note else results.results
    results = results.model_copy(update={"results": found})
    if as_json:
        return screen.printed(json_text(_results_data(results), indent=2)), ""
    if form.agent and not form.is_by_note:
        from app.search.show.text import format_results

        return screen.printed(format_results(results, request)), ""
    from app.search.show.listing import counted, listed, notes_listed, remarks

    said = remarks(results, screen)
    if form.is_plain:
        # In a file name a newline is no newline to whoever reads NUL; a terminal would obey it.
        is_raw, end = form.null and not screen.is_terminal, NUL if form.null else "\n"
        paths = (place(result.path) for result in found)
        text = "".join((path if is_raw else in_line(path)) + end for path in paths)
    elif form.notes:
        text = notes_listed([(result, _fact(result, shows_day=shows_day)) for result in found], screen, root)
    else:
        # What words found is told by the lines that hold them.
        chooses = root is not None and request.ranks_passages and not request.is_deep
        text = listed(results, screen, root, request.offset, chooses=chooses)
        if screen.is_terminal:
            return text, ""
    if request.ranks_passages and form.is_by_note:
        if len(found) == request.limit:
            said.append(
                Sentence("{count} {count:note|notes}, the best; more with --limit", count=len(found)).said(
                    screen.language
                )
            )
    elif found and len(found) < results.total:
        said.append(counted(results, request.offset, screen))
    return text, "".join(f"{each}\n" for each in said)


def _fact(result: SearchResult, *, shows_day: bool) -> str:
    """Return what is shown beside the title of a note: the day when it was modified, or else its tags."""
    if shows_day and result.modified:
        return result.modified.date().isoformat()
    return "  ".join(f"#{tag}" for tag in result.tags[:5])


def _results_data(results: SearchResults) -> dict[str, object]:
    data: dict[str, object] = {name: getattr(results, name) for name in ("operation", "query", "total")}
    data |= {"results": list(map(_result_data, results.results)), "notices": results.notices}
    return data | ({"nearest": list(map(_result_data, results.nearest))} if results.nearest else {})


def _result_data(result: SearchResult) -> dict[str, object]:
    absent = {name for name in OPTIONAL_FIELDS if getattr(result, name) is None}
    if result.chunk_with_context is None:
        absent |= {name for name in CHUNK_FIELDS if getattr(result, name) is None}
    return result.model_dump(mode="json", exclude=absent)


def widened(request: SearchRequest, form: Form) -> SearchRequest:
    """Return what is asked so that enough notes come, where each is printed once and passages are ranked."""
    if not (form.is_by_note and request.ranks_passages and request.limit):
        return request
    return request.model_copy(update={"limit": max(request.limit, MOST_PASSAGES)})


def by_note(results: Sequence[SearchResult], limit: int | None) -> list[SearchResult]:
    """Return the best result of each note, and of these the first ``limit``."""
    best: dict[str, SearchResult] = {}
    for result in results:
        best.setdefault(result.path, result)
    return list(best.values())[:limit]
