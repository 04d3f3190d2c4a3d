"""Forms of results that a person chooses: titles, paths, lines of JSON, a template of their own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from app.cli.options import option
from app.errors import BadRequestError
from app.limits import shown
from app.notices import Notice, TerminalKind
from app.search.lexical.analysis import in_order
from app.search.models import SearchRequest, SearchResult, SearchResults
from app.search.show.text import told_lines
from app.showing import Screen, in_line, json_text

CHUNK_FIELDS, OPTIONAL_FIELDS = ("heading", "date", "chunk_with_context"), ("lines", "relevance_reason")
NUL = "\0"
MOST_PASSAGES = 100
"""Passages that are asked for where each note is printed once."""
_FIELDS: Mapping[str, Callable[[SearchResult], object]] = {
    "path": lambda result: result.path,
    "title": lambda result: result.title,
    "line": lambda result: next((number for number, _ in told_lines(result) if number), ""),
    "lines": lambda result: result.lines or "",
    "text": lambda result: " ".join(text.strip() for _, text in told_lines(result)).strip(),
    "heading": lambda result: result.heading or "",
    "score": lambda result: f"{result.score:.2f}",
    "tags": lambda result: " ".join(f"#{tag}" for tag in result.tags),
    "created": lambda result: result.created.date() if result.created else "",
    "modified": lambda result: result.modified.date() if result.modified else "",
    "uri": lambda result: result.uri,
}
"""What a template can name."""


@dataclass(frozen=True, slots=True)
class Form:
    """How results are printed: options of `find`.

    A note is printed once by its title (``notes``) or by its path alone (``paths``), each ended by NUL
    instead of a newline (``null``). ``jsonl`` prints a line of JSON for each result, ``template`` what it
    says, and ``agent`` the text that models read. ``sort`` names what results are ordered by.
    """

    notes: Annotated[bool, typer.Option("--notes", help="Print titles: each note once.")] = False
    paths: Annotated[bool, typer.Option("--paths", "-l", help="Print paths: each note once.")] = False
    null: Annotated[bool, typer.Option("--null", "-0", help="End each path by NUL, for xargs -0.")] = False
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Print a line of JSON for each result.")] = False
    template: Annotated[
        str | None, option("--format", "TEXT", "Print each by a template: '{path}:{line} {title}'.")
    ] = None
    sort: Annotated[
        Literal["score", "path", "title", "created", "modified"] | None,
        typer.Option("--sort", help="What results are ordered by."),
    ] = None
    agent: Annotated[
        bool, typer.Option("--agent", help="Print as language models read it, on a terminal too.")
    ] = False

    @property
    def is_chosen(self) -> bool:
        """Whether a form for people was chosen other than the usual one."""
        return self.notes or self.is_plain

    @property
    def is_plain(self) -> bool:
        """Whether it is the same on a terminal and in a pipe."""
        return self.paths or self.null or self.jsonl or self.template is not None

    @property
    def is_by_note(self) -> bool:
        """Whether a note is printed once, however many of its passages were found."""
        return self.notes or self.paths or (self.null and self.template is None)


def printed(
    results: SearchResults,
    request: SearchRequest,
    form: Form,
    screen: Screen,
    *,
    as_json: bool = False,
    root: Path | None = None,
    place: Callable[[str], str] = str,
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
    """
    found = ordered(results.results, form, request.limit)
    results = results.model_copy(update={"results": found})
    if as_json:
        return screen.printed(json_text(_results_data(results), indent=2)), ""
    if form.agent and not form.is_chosen:
        from app.search.show.text import format_results

        return screen.printed(format_results(results, request)), ""
    from app.search.show.listing import counted, listed, notes_listed, remarks

    said = remarks(results, screen)
    if form.is_plain:
        text = formed(found, form, place=place, is_terminal=screen.is_terminal)
    elif form.notes:
        text = notes_listed([(result, _fact(result, form)) for result in found], screen, root)
    else:
        # What words found is told by the lines that hold them.
        chooses = root is not None and request.ranks_passages and not request.is_deep
        text = listed(results, screen, root, request.offset, chooses=chooses)
        if screen.is_terminal:
            return text, ""
    if request.ranks_passages and form.is_by_note:
        if len(found) == request.limit:
            said.append(Notice(TerminalKind.NOTES_OF_BEST, count=len(found)).said(screen.language))
    elif found and len(found) < results.total:
        said.append(counted(results, request.offset, screen))
    return text, "".join(f"{each}\n" for each in said)


def _fact(result: SearchResult, form: Form) -> str:
    """Return what is shown beside the title of a note: the day by which notes are ordered, else its tags."""
    day = {"created": result.created, "modified": result.modified}.get(form.sort or "")
    return day.date().isoformat() if day else "  ".join(f"#{tag}" for tag in result.tags[:5])


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


def ordered(results: Sequence[SearchResult], form: Form, limit: int | None) -> list[SearchResult]:
    """Return results in the order that was chosen.

    Where a note is printed once, it is the best result of each note, and the best ``limit`` notes.
    """
    kept = list(results)
    if form.is_by_note:
        best: dict[str, SearchResult] = {}
        for result in results:
            best.setdefault(result.path, result)
        kept = list(best.values())[:limit]
    match form.sort:
        case None:
            return kept
        case "path" | "title" as name:
            return sorted(kept, key=lambda result: in_order(getattr(result, name)))
        case "score":
            return sorted(kept, key=lambda result: -result.score)
        case day:
            return sorted(kept, key=lambda result: str(getattr(result, day) or ""), reverse=True)


def formed(
    results: Iterable[SearchResult],
    form: Form,
    *,
    place: Callable[[str], str] = str,
    is_terminal: bool = False,
) -> str:
    """Return results in a plain form.

    Args:
        results: The results.
        form: The form.
        place: Makes of a note's path in the vault what other programs open.
        is_terminal: Whether a terminal shows it, which would obey what stands in a name.

    Raises:
        BadRequestError: the template names what there is not.
    """
    end = NUL if form.null else "\n"
    if form.template is not None:
        return "".join(_filled(form.template, result, place) + end for result in results)
    if form.jsonl:
        return "".join(json_text(_result_data(result)) + "\n" for result in results)
    # In a file name a newline is no newline to whoever reads NUL.
    is_raw = form.null and not is_terminal
    paths = (place(result.path) for result in results)
    return "".join((path if is_raw else in_line(path)) + end for path in paths)


def _filled(template: str, result: SearchResult, place: Callable[[str], str]) -> str:
    fields = {name: in_line(str(read(result)), 10_000) for name, read in _FIELDS.items()}
    fields["path"] = in_line(place(result.path), 10_000)
    try:
        return template.replace("\\t", "\t").replace("\\n", "\n").format_map(fields)
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        raise BadRequestError(
            "the template {template} cannot be filled",
            "it can name {fields}; a brace is written twice",
            template=shown(template),
            fields=", ".join(f"{{{name}}}" for name in _FIELDS),
        ) from error
