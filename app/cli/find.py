"""``find``: every operation of ``vault_search``, for people and scripts."""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli import options, output
from app.cli.options import MenuCommand, option
from app.parameters import NONE

if TYPE_CHECKING:
    from app.search.forms import Form
    from app.search.models import SearchRequest, SearchResults
    from app.search.view import View
    from app.vault.client import VaultClient

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
    "An option that takes several values, such as --tag, may be repeated. "
    "A first word such as 'fast' or 'deep' names an operation; to look for it, put the query into quotes: "
    "find 'deep breath'. Write -- before a query that starts with a dash."
)

NO_WORDS = ("fulltext", "by_tag", "by_link", "by_date")
"""Operations whose names are no words of a text: what looks like one in their place was mistyped."""
NEAR = 0.82
"""Least share of letters in common; "fullest" has 0.8 of "fulltext"."""
OF_AGENTS = ("max_chars", "max_tokens", "links")
"""What lines in a pipe do not show or keep to, and text for agents does."""
DAYS = ("start_date", "end_date")
HELPS = {"query": "The same as QUERY.", "limit": "The most results, 1 to 100; 0 for all."}
FORM = ("notes", "paths", "null", "jsonl", "template", "sort")
"""Options that choose a form of the results; see `app.search.forms.Form`."""


class Menu(MenuCommand):
    """Lists the search operations in its help."""

    def operations(self) -> Mapping[Any, object]:
        """Return the search operations."""
        from app.search.operations import OPERATIONS

        return OPERATIONS


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
    asked: Annotated[Mapping[str, Any], options.FromTable(helps=HELPS)] = NONE,
    notes: Annotated[bool, typer.Option("--notes", help="Print titles: each note once.")] = False,
    paths: Annotated[bool, typer.Option("--paths", "-l", help="Print paths: each note once.")] = False,
    null: Annotated[bool, typer.Option("--null", "-0", help="End each path by NUL, for xargs -0.")] = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Print a line of JSON for each result.")] = False,
    template: Annotated[
        str | None, option("--format", "TEXT", "Print each by a template: '{path}:{line} {title}'.")
    ] = None,
    sort: Annotated[str | None, option("--sort", "ORDER", "score, path, title, created or modified.")] = None,
    is_for_agent: Annotated[
        bool, typer.Option("--agent", help="Print as language models read it, on a terminal too.")
    ] = False,
    vault: options.VaultsOption = None,
    config: options.ConfigOption = None,
    as_json: options.JsonOption = False,
    debug: options.DebugOption = False,
) -> int:
    """Find notes and passages."""
    from app.errors import BadRequestError
    from app.search.forms import Form
    from app.search.request import PARAMETERS

    if (near := mistyped(words or (), is_deep=is_deep)) is not None:
        raise BadRequestError(
            "unknown operation '{written}'",
            "did you mean '{near}'? To look for the word, put the query into quotes",
            written=(words or [""])[0],
            near=near,
        )
    # An option that may be repeated is an empty list where it is left out.
    parameters = {name: None if value in ((), []) else value for name, value in asked.items()}
    has_query = bool(asked["query"] or parameters["queries"])
    operation, asked_for, is_named = read_words(words or (), is_deep=is_deep, has_query=has_query)
    if not (asked_for or has_query or is_named):
        if not any(parameters[name] for name in ("tags", "folder", "scopes", *DAYS)):
            raise BadRequestError("nothing to look for is given", "give words, as in 'find larch'")
        # What is left is to narrow everything.
        parameters["query"] = "*"
    parameters["operation"] = operation
    days = {name: day for name in DAYS if (day := parameters[name])}
    if days or (operation == "by_date" and asked_for):
        # What reads days is loaded only for them.
        from app.search.query.days import named_bound, named_days

        parameters |= {name: named_bound(day, end=name == "end_date") for name, day in days.items()}
    if operation == "by_date" and asked_for and not days:
        parameters |= zip(DAYS, map(str, named_days(" ".join(asked_for))), strict=True)
        asked_for = ()
    asked_for = _placed(operation, asked_for, parameters)
    parameters["query"] = " ".join(part for part in (*asked_for, parameters["query"]) if part) or None
    chosen = {name: context.params[name] for name in FORM if context.params[name]}
    has_budget = any(asked[name] != PARAMETERS[name].default for name in OF_AGENTS)
    is_for_agent = is_for_agent or _speaks_to_agents(has_budget, chosen)
    return _found(parameters, Form(**chosen), vault or (), config, as_json=as_json, is_for_agent=is_for_agent)


def read_words(words: Sequence[str], *, is_deep: bool, has_query: bool) -> tuple[str, Sequence[str], bool]:
    """Return the operation, what it looks for, and whether the first word named the operation.

    ``fast`` or ``deep`` alone, with nothing to look for given elsewhere, is itself what is looked for.
    """
    from app.search.request import OPERATION_NAMES

    is_word = len(words) == 1 and words[0] in ("fast", "deep") and not has_query
    if words and words[0] in OPERATION_NAMES and not is_deep and not is_word:
        return words[0], words[1:], True
    return "deep" if is_deep else "fast", words, False


def mistyped(words: Sequence[str], *, is_deep: bool) -> str | None:
    """Return the operation that the first of several words is meant to be; None where it is to be looked for.

    A word that is most likely a text's own, such as "full-text" or "keywords", is looked for.
    """
    first = words[0].lower() if len(words) > 1 and not is_deep else ""
    if first in NO_WORDS or not (first.startswith("by") or (first[:1] == "f" and first.isalpha())):
        return None
    from difflib import get_close_matches  # only a mistake needs it

    return next(iter(get_close_matches(first, NO_WORDS, n=1, cutoff=NEAR)), None)


def _placed(operation: str, words: Sequence[str], options: dict[str, Any]) -> Sequence[str]:
    """Give words behind an operation to the option that they are for, and return those that are a query.

    Args:
        operation: The operation: tags stand behind ``by_tag``, and the name of a note behind ``by_link``.
        words: The words.
        options: The options that were given, which gain one; one that was given stays.
    """
    if operation == "by_tag" and words:
        options["tags"] = [*words, *(options.get("tags") or ())]
        return ()
    if operation == "by_link" and words and not options.get("note_path"):
        options["note_path"] = " ".join(words)
        return ()
    return words


def _speaks_to_agents(has_budget: bool, form: Collection[str]) -> bool:
    """Return whether text for agents is printed where ``--agent`` is not given.

    Args:
        has_budget: Whether something was asked for that only text for agents keeps to or shows.
        form: The options that choose a form of the results; any but an order is a form for people.
    """
    return has_budget and not set(form) - {"sort"} and not sys.stdout.isatty()


def _found(
    parameters: dict[str, Any],
    form: "Form",
    named: Sequence[str],
    config: Path | None,
    *,
    as_json: bool,
    is_for_agent: bool,
) -> int:
    """Search, print what is found, and return the exit code.

    Args:
        parameters: What is asked.
        form: How results are printed.
        named: The vaults that were named.
        config: A configuration file that was named.
        as_json: Print data.
        is_for_agent: Print text as language models read it.
    """
    from app.bootstrap import configured, open_vaults
    from app.cli.secrets import person_asked
    from app.errors import VaultNotFoundError
    from app.search.forms import widened
    from app.search.request import parse_request, placed_from
    from app.vault.named import ALONE

    if is_unlimited := parameters["limit"] == 0:
        del parameters["limit"]
    request = parse_request(parameters, unlimited=is_unlimited)
    settings = configured(config).settings
    try:
        vaults = open_vaults(named, settings)
    except VaultNotFoundError:
        if request.operation != "keyword" or named or settings.vault is not None:
            raise
        return _around_here(request, config, as_json)
    view: View | None = None
    place: Callable[[str], str] = str
    if (opened := vaults.get(ALONE)) is None:
        request, results, place = _in_several(vaults, parameters, form, is_unlimited=is_unlimited)
    else:
        from app.cli.build import ready_searcher

        request = placed_from(request, opened.root, output.screen().folder)
        with person_asked(request.query):
            searcher = ready_searcher(opened, request.index)
            results, view = searcher.searched(widened(request, form))
    from app.cli.printed import printed_results

    screen, kinds = output.screen(), {"is_json": as_json, "is_for_agent": is_for_agent}
    out, err = printed_results(results, request, form, screen, **kinds, view=view, place=place)
    output.show_printed(out, err)
    return output.FOUND if results.results else output.NOTHING


def _in_several(
    vaults: "Mapping[str, VaultClient]", parameters: dict[str, Any], form: "Form", *, is_unlimited: bool
) -> "tuple[SearchRequest, SearchResults, Callable[[str], str]]":
    """Search several vaults as one: what was asked, what is found, and how its paths are opened from here."""
    from app.cli.build import ready_vaults
    from app.cli.secrets import person_asked
    from app.search.forms import widened
    from app.search.request import parse_request
    from app.search.several import search_several
    from app.vault.here import path_from
    from app.vault.named import choose, parted

    name, parameters = choose(vaults, parameters, "note_path")
    request = parse_request(parameters, unlimited=is_unlimited)
    with person_asked(request.query):
        searched = vaults if name is None else {name: vaults[name]}
        results = search_several(ready_vaults(searched, request.index), widened(request, form))
    here = output.screen().folder

    def place(path: str) -> str:
        # Programs that are handed paths know nothing of names of vaults.
        vault, inside = parted(vaults, path)
        return path if vault is None else path_from(vaults[vault].root, here, inside)

    return request, results, place


def _around_here(request: "SearchRequest", config: Path | None, as_json: bool) -> int:
    """Search the files around the working folder by keyword, where there is no vault."""
    from app.cli.secrets import person_asked
    from app.config.settings import load_settings
    from app.search.answer import keyword_search

    with person_asked(request.query):
        found = keyword_search(
            request.query,
            request.search_terms,
            folder=request.folder,
            scopes=request.scopes,
            settings=load_settings(config),
        )
    if as_json:
        from dataclasses import asdict

        output.show_json(asdict(found))
    else:
        output.show(found.text)
    return output.FOUND if found.files else output.NOTHING
