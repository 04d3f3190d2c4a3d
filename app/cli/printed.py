"""What `find` prints."""

from typing import TYPE_CHECKING

from app.showing import Screen, json_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.search.forms import Form
    from app.search.models import SearchRequest, SearchResult, SearchResults
    from app.search.view import View


CHUNK_FIELDS = ("heading", "date", "chunk_with_context")
OPTIONAL_FIELDS = ("lines", "relevance_reason")


def printed_results(
    results: "SearchResults",
    request: "SearchRequest",
    form: "Form",
    screen: Screen,
    *,
    is_json: bool,
    is_for_agent: bool,
    view: "View | None" = None,
    place: "Callable[[str], str]" = str,
) -> tuple[str, str]:
    """Return what `find` prints, and what it says on standard error.

    Args:
        results: What was found.
        request: What was asked.
        form: What the person chose besides.
        screen: Where it is printed.
        is_json: Print data.
        is_for_agent: Print text as language models read it, and not as people do.
        view: What was searched; None where several vaults were.
        place: Makes of a path what other programs open, where several vaults were searched.
    """
    from app.search.forms import ordered

    kept = ordered(results.results, form, request.limit)
    results = results.model_copy(update={"results": kept})
    if form.is_chosen and not is_json:
        return _chosen(results, request, form, screen, view, place)
    if is_json:
        text = json_text(_results_data(results), indent=2)
    elif not is_for_agent:
        from app.search.listing import counted, listed, remarks

        root = None if view is None else view.vault.root
        chooses = view is not None and request.ranks_passages and not request.is_deep
        text = listed(results, screen, root, request.offset, chooses=chooses)
        said = [] if screen.is_terminal else remarks(results, screen)
        if not screen.is_terminal and results.results and len(results.results) < results.total:
            said.append(counted(results, request.offset, screen))
        return text, "".join(f"{each}\n" for each in said)
    else:
        from app.search.show.text import format_results

        text = format_results(results, request)
    return screen.printed(text), ""


def _chosen(
    results: "SearchResults",
    request: "SearchRequest",
    form: "Form",
    screen: Screen,
    view: "View | None",
    place: "Callable[[str], str]",
) -> tuple[str, str]:
    """Return results in a form that was chosen; what must be said besides goes to standard error."""
    from functools import partial

    from app.notices import Notice, TerminalKind
    from app.search.forms import formed
    from app.search.listing import counted, notes_listed, remarks
    from app.vault.here import path_from

    found = results.results
    said = remarks(results, screen)
    if form.is_plain:
        if view is not None:
            place = partial(path_from, view.vault.root, screen.folder)
        text = formed(found, form, _result_data, place=place, is_terminal=screen.is_terminal)
    else:
        rows = [(result, _fact(result, form)) for result in found]
        text = notes_listed(rows, screen, None if view is None else view.vault.root)
    if request.ranks_passages and form.is_by_note:
        if len(found) == request.limit:
            said.append(Notice(TerminalKind.NOTES_OF_BEST, count=len(found)).said(screen.language))
    elif found and len(found) < results.total:
        said.append(counted(results, request.offset, screen))
    return text, "".join(f"{each}\n" for each in said)


def _fact(result: "SearchResult", form: "Form") -> str:
    """Return what is shown beside the title of a note: the day by which notes are ordered, else its tags."""
    day = {"created": result.created, "modified": result.modified}.get(form.sort or "")
    return day.date().isoformat() if day else "  ".join(f"#{tag}" for tag in result.tags[:5])


def _results_data(results: "SearchResults") -> dict[str, object]:
    return {
        "operation": results.operation,
        "query": results.query,
        "total": results.total,
        "results": [_result_data(result) for result in results.results],
        "notices": results.notices,
        **({"nearest": [_result_data(result) for result in results.nearest]} if results.nearest else {}),
    }


def _result_data(result: "SearchResult") -> dict[str, object]:
    data: dict[str, object] = result.model_dump(mode="json")
    absent = CHUNK_FIELDS if result.chunk_with_context is None else ()
    return {
        name: value
        for name, value in data.items()
        if name not in absent and not (name in OPTIONAL_FIELDS and value is None)
    }
