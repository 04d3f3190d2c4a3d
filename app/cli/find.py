"""``find``: every operation of ``vault_search``, for people and scripts."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from app.cli import options
from app.cli.options import MenuCommand

EXAMPLES = (
    "Examples:\n\n\b\n"
    "  vault-assistant find heating the greenhouse\n"
    "  vault-assistant find 'tag:#boat larch -oak' --in projects --since 2025-06\n"
    "  vault-assistant find --deep what did the neighbours complain about\n"
    "  vault-assistant find fast heating the greenhouse\n"
    "  vault-assistant find larch --notes --sort modified\n"
    "  vault-assistant find tag:#boat -l -0 --limit 0 | xargs -0 wc -w\n"
    "  vault-assistant find larch --format '{path}:{line} {title}'\n"
    "  vault-assistant find by_tag project/garden idea --match-all\n"
    "  vault-assistant find by_link Home --direction both --json\n"
    "  vault-assistant find by_date last week --date-field modified\n"
    "  vault-assistant find scoped budget --scopes project:garden\n"
    "  vault-assistant find fast larch --vault work --vault home=~/Notes\n\n"
    "A first word such as 'fast' or 'deep' names an operation; to look for it, put the query into quotes: "
    "find 'deep breath'. Write -- before a query that starts with a dash."
)


class FindCommand(MenuCommand):
    """Lists the search operations in its help."""

    def operations(self) -> Mapping[Any, object]:
        """Return the search operations."""
        from app.search.operations import OPERATIONS

        return OPERATIONS


def _option(names: str, metavar: str, text: str) -> Any:  # noqa: ANN401 - as typer.Option returns it
    return typer.Option(*names.split(","), metavar=metavar, help=text)


def find(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUERY",
            help="What to look for, with operators such as tag:. Begun by an operation, it is that one.",
        ),
    ] = None,
    is_deep: Annotated[bool, typer.Option("--deep", help="By meaning too, not by words alone.")] = False,
    query: Annotated[str | None, _option("--query", "TEXT", "The same as QUERY.")] = None,
    queries: Annotated[list[str] | None, _option("--queries", "TEXT", "A further query; repeat.")] = None,
    tags: Annotated[list[str] | None, _option("--tags,--tag", "TAG", "A tag; repeat.")] = None,
    match_all: Annotated[bool, typer.Option("--match-all", help="All tags, not any of them.")] = False,
    note_path: Annotated[
        str | None,
        _option("--note-path", "NOTE", "Where by_link starts; or with --explain, what is missing."),
    ] = None,
    direction: Annotated[str, _option("--direction", "WAY", "backlinks, forward or both.")] = "backlinks",
    depth: Annotated[int, _option("--depth", "N", "How many links away, 1 to 3.")] = 1,
    start_date: Annotated[str | None, _option("--start-date,--since", "DAY", "First: 2025-07-14.")] = None,
    end_date: Annotated[str | None, _option("--end-date,--until", "DAY", "Last: 2025-07, today.")] = None,
    date_field: Annotated[str, _option("--date-field", "FIELD", "created or modified.")] = "created",
    folder: Annotated[str | None, _option("--folder,--in", "FOLDER", "Only below this folder.")] = None,
    scopes: Annotated[
        list[str] | None, _option("--scopes,--scope", "SCOPE", "Glob, folder, note or project:NAME; repeat.")
    ] = None,
    mode: Annotated[str, _option("--mode", "MODE", "fast or deep, for scoped.")] = "fast",
    search_terms: Annotated[
        list[str] | None, _option("--search-terms,--search-term", "REGEX", "A term for keyword; repeat.")
    ] = None,
    limit: Annotated[int, _option("--limit", "N", "The most results, 1 to 100; 0 for all.")] = 10,
    offset: Annotated[int, _option("--offset", "N", "How many results to skip.")] = 0,
    max_chars: Annotated[int, _option("--max-chars", "N", "Longest answer, from 500.")] = 6000,
    max_tokens: Annotated[int | None, _option("--max-tokens", "N", "The same in tokens, from 100.")] = None,
    min_score: Annotated[float | None, _option("--min-score", "X", "Lowest score, 0 to 1.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say how the query was understood.")] = False,
    links: Annotated[bool, typer.Option("--links", help="Show obsidian:// addresses.")] = False,
    notes: Annotated[bool, typer.Option("--notes", help="Print titles: each note once.")] = False,
    paths: Annotated[bool, typer.Option("--paths", "-l", help="Print paths: each note once.")] = False,
    null: Annotated[bool, typer.Option("--null", "-0", help="End each path by NUL, for xargs -0.")] = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Print a line of JSON for each result.")] = False,
    template: Annotated[
        str | None, _option("--format", "TEXT", "Print each by a template: '{path}:{line} {title}'.")
    ] = None,
    sort: Annotated[
        str | None, _option("--sort", "ORDER", "score, path, title, created or modified.")
    ] = None,
    is_for_agent: Annotated[
        bool, typer.Option("--agent", help="Print as language models read it, on a terminal too.")
    ] = False,
    index: options.IndexOption = None,
    vault: options.VaultsOption = None,
    config: options.ConfigOption = None,
    as_json: options.JsonOption = False,
    debug: options.DebugOption = False,
) -> int:
    """Find notes and passages."""
    from app.cli.found import found
    from app.errors import BadRequestError
    from app.parameters import parameters_of
    from app.search.models import SearchRequest
    from app.serving.front import FORM, OF_AGENTS, as_asked, mistyped, placed, read_words, speaks_to_agents

    if (near := mistyped(words or (), is_deep=is_deep)) is not None:
        raise BadRequestError(
            "unknown operation '{written}'",
            "did you mean '{near}'? To look for the word, put the query into quotes",
            written=(words or [""])[0],
            near=near,
        )
    # An option that may be repeated is an empty list where it is left out.
    rows = {name: row for name, row in parameters_of(SearchRequest).items() if name in context.params}
    parameters = {name: None if context.params[name] in ((), []) else context.params[name] for name in rows}
    operation, asked_for, is_named = read_words(
        words or (), is_deep=is_deep, has_query=bool(query or queries)
    )
    if not (asked_for or query or queries or is_named):
        if not (tags or folder or scopes or start_date or end_date):
            raise BadRequestError("nothing to look for is given", "give words, as in 'find larch'")
        # What is left is to narrow everything.
        query = "*"
    parameters["operation"] = operation
    if operation == "by_date" and asked_for and not (start_date or end_date):
        from app.search.query.days import named_days

        parameters["start_date"], parameters["end_date"] = map(str, named_days(" ".join(asked_for)))
        asked_for = ()
    if start_date or end_date:
        from app.search.query.days import named_bound

        parameters["start_date"] = named_bound(start_date) if start_date else None
        parameters["end_date"] = named_bound(end_date, end=True) if end_date else None
    asked_for = placed(operation, asked_for, parameters)
    parameters["query"] = " ".join(part for part in (*asked_for, query) if part) or None
    chosen = {name: context.params[name] for name in FORM if context.params[name]}
    asked = as_asked(parameters, chosen)
    has_budget = any(context.params[name] != rows[name].default for name in OF_AGENTS)
    is_for_agent = is_for_agent or speaks_to_agents(has_budget, chosen)
    form: dict[str, Any] = {"is_json": as_json, "is_for_agent": is_for_agent}
    return found({"call": "find", **asked, **form}, vault or (), config, debug=debug)
