"""``find``: every operation of ``vault_search``, for people and scripts; with ``--why``, of one note."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli import options, output
from app.cli.forms import Form, printed, widened
from app.cli.help import SpokenCommand
from app.errors import BadRequestError, NoteNotFoundError, VaultNotFoundError
from app.parameters import NONE
from app.sentences import Sentence, typed
from app.showing import in_line

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

    from app.search.models import SearchRequest, SearchResults
    from app.search.searcher import Searcher
    from app.vault.client import VaultClient

EXAMPLES = (
    "Examples:\n\n\b\n"
    "  vault-assistant find heating the greenhouse\n"
    "  vault-assistant find 'tag:#boat larch -oak' --in projects --since 2025-06\n"
    "  vault-assistant find tag:#boat -l -0 --limit 0 | xargs -0 wc -w\n"
    "  vault-assistant find by_link Home --direction both --json\n"
    "  vault-assistant find larch --vault work --vault home=~/Notes\n"
    "  vault-assistant find 'When was the boat launched?' --max-tokens 400\n"
    "  vault-assistant find --why Greenhouse heating in winter\n\n"
    "To look for 'fast', 'deep' or another operation, put the query into quotes: find 'deep breath'. Write "
    "-- before a query that starts with a dash. With --why the exit code is 0 where the note is found."
)
OF_AGENTS = ("max_chars", "max_tokens", "links")
"""What lines in a pipe do not show or keep to, and text for agents does."""
DAYS = ("start_date", "end_date")
HELPS = {
    "query": "The same as QUERY.",
    "limit": "The most results, 1 to 100; 0 for all.",
    "max_tokens": "Longest answer in tokens; of words alone, the lines that answer best.",
}


class Menu(SpokenCommand):
    """Writes the first sentence of each search operation at the end of its help."""

    def format_epilog(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write the operations, then the examples."""
        from app.search.operations import OPERATIONS

        told = [(name, (each.__doc__ or "").partition("\n")[0]) for name, each in OPERATIONS.items()]
        with formatter.section("Operations"):
            formatter.write_dl(told)
        super().format_epilog(ctx, formatter)


def find(
    form: Form,
    call: options.Calls,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUERY",
            help="What to look for, with operators such as tag:. Begun by an operation, it is that one.",
        ),
    ] = None,
    is_deep: Annotated[bool, typer.Option("--deep", help="By meaning too, not by words alone.")] = False,
    why: Annotated[
        str | None, options.option("--why", "NOTE", "Say why a note is not found, and what would help.")
    ] = None,
    asked: Annotated[Mapping[str, Any], options.FromTable(helps=HELPS)] = NONE,
) -> int:
    """Find notes and passages."""
    from app.search.request import PARAMETERS

    # An option that may be repeated is an empty list where it is left out.
    parameters = {name: None if value in ((), []) else value for name, value in asked.items()}
    has_query = bool(asked["query"] or parameters["queries"])
    operation, asked_for, is_named = read_words(words or (), is_deep=is_deep, has_query=has_query)
    if not (asked_for or has_query or is_named):
        if not any(parameters[name] for name in ("tags", "folder", "scopes", *DAYS)):
            raise BadRequestError("nothing to look for is given", "give words, as in 'find larch'")
        # What is left is to narrow everything.
        parameters["query"] = "*"
    given = {name for name, value in parameters.items() if value != PARAMETERS[name].default}
    if asked_for and given == {"max_tokens"} and not (is_named or is_deep or form.is_by_note or why):
        return _packed(" ".join(asked_for), int(asked["max_tokens"]), call)
    parameters["operation"] = operation
    days = {name: day for name in DAYS if (day := parameters[name])}
    if days or (operation == "by_date" and asked_for):
        # What reads days is loaded only for them.
        from app.search.query.times import named_days

        parameters |= {name: str(named_days(day)[name == "end_date"]) for name, day in days.items()}
    if operation == "by_date" and asked_for and not days:
        parameters |= zip(DAYS, map(str, named_days(" ".join(asked_for))), strict=True)
        asked_for = ()
    if operation == "by_tag":
        parameters["tags"], asked_for = [*asked_for, *(parameters["tags"] or ())] or None, ()
    if operation == "by_link" and asked_for and not parameters["note_path"]:
        parameters["note_path"], asked_for = " ".join(asked_for), ()
    parameters["query"] = " ".join(part for part in (*asked_for, parameters["query"]) if part) or None
    if why is not None:
        return _told_why({**parameters, "note_path": why, "explain": True}, call)
    # In a pipe, what only text for agents keeps to or shows asks for that.
    if given & {*OF_AGENTS} and not form.is_by_note and not sys.stdout.isatty():
        form = replace(form, agent=True)
    return _found(parameters, form, call)


def read_words(words: Sequence[str], *, is_deep: bool, has_query: bool) -> tuple[str, Sequence[str], bool]:
    """Return the operation, what it looks for, and whether the first word named the operation.

    ``fast`` or ``deep`` alone, with nothing to look for given elsewhere, is itself what is looked for.
    """
    from app.search.request import OPERATION_NAMES

    is_word = len(words) == 1 and words[0] in ("fast", "deep") and not has_query
    if words and words[0] in OPERATION_NAMES and not is_deep and not is_word:
        return words[0], words[1:], True
    return "deep" if is_deep else "fast", words, False


def _found(parameters: dict[str, Any], form: Form, call: options.Calls) -> int:
    """Search, print what is found, and return the exit code."""
    from app.cli.build import finish_indexes, ready_searcher
    from app.cli.secrets import person_asked
    from app.search.request import parse_request, placed_from
    from app.vault.here import path_from
    from app.vault.named import ALONE

    if is_unlimited := parameters["limit"] == 0:
        del parameters["limit"]
    request = parse_request(parameters, unlimited=is_unlimited)
    try:
        vaults = call.open()
    except VaultNotFoundError:
        if request.operation != "keyword" or call.vault or call.settings().vault is not None:
            raise
        return _around_here(request, call)
    root, here = None, output.screen().folder
    begun: list[Searcher] = []
    if (opened := vaults.get(ALONE)) is None:
        request, results, place = _in_several(vaults, parameters, form, begun, is_unlimited=is_unlimited)
    else:
        root = opened.root
        request, place = placed_from(request, root, here), partial(path_from, root, here)
        with person_asked(request.query):
            results = ready_searcher(opened, request.index, begun).search(widened(request, form))
    out, err = printed(results, request, form, output.screen(), as_json=call.as_json, root=root, place=place)
    output.show_printed(out, err)
    finish_indexes(begun)
    return output.FOUND if results.results else output.NOTHING


def _in_several(
    vaults: "Mapping[str, VaultClient]",
    parameters: dict[str, Any],
    form: Form,
    begun: "list[Searcher]",
    *,
    is_unlimited: bool,
) -> "tuple[SearchRequest, SearchResults, Callable[[str], str]]":
    """Search several vaults as one: what was asked, what is found, and how its paths are opened from here."""
    from app.cli.build import ready_vaults
    from app.cli.secrets import person_asked
    from app.search.answer import search_several
    from app.search.request import parse_request
    from app.vault.here import path_from
    from app.vault.named import choose, parted

    name, parameters = choose(vaults, parameters, "note_path")
    request = parse_request(parameters, unlimited=is_unlimited)
    with person_asked(request.query):
        searched = vaults if name is None else {name: vaults[name]}
        results = search_several(ready_vaults(searched, request.index, begun), widened(request, form))
    here = output.screen().folder

    def place(path: str) -> str:
        # Programs that are handed paths know nothing of names of vaults.
        vault, inside = parted(vaults, path)
        return path if vault is None else path_from(vaults[vault].root, here, inside)

    return request, results, place


def _around_here(request: "SearchRequest", call: options.Calls) -> int:
    """Search the files around the working folder by keyword, where there is no vault."""
    from app.cli.secrets import person_asked
    from app.search.answer import keyword_search

    terms, folder, scopes = request.search_terms, request.folder, request.scopes
    with person_asked(request.query):
        found = keyword_search(request.query, terms, folder=folder, scopes=scopes, settings=call.settings())
    return _shown(found.text, asdict(found), call, is_found=bool(found.files))


def _packed(question: str, tokens: int, call: options.Calls) -> int:
    """Print the lines that answer a question best, within a budget of tokens."""
    from app.chat.pack import pack
    from app.cli.build import finish_indexes, ready_vaults

    begun: list[Searcher] = []
    found = pack(ready_vaults(call.open(), begun=begun), question, tokens)
    code = _shown(found.text, found.data(), call, is_found=bool(found.passages))
    finish_indexes(begun)
    return code


def _shown(text: str, data: Mapping[str, object], call: options.Calls, *, is_found: bool) -> int:
    """Print a text, or its data where that is asked for, and return the exit code."""
    if call.as_json:
        output.show_json(data)
    else:
        output.show(text)
    return output.FOUND if is_found else output.NOTHING


def _told_why(parameters: dict[str, Any], call: options.Calls) -> int:
    """Say what became of a note in a search."""
    from app.cli.build import ready_searcher
    from app.cli.parts import by_alias
    from app.cli.secrets import person_asked
    from app.search.request import parse_request, placed_from
    from app.vault.named import ALONE

    if (opened := call.open().get(ALONE)) is None:
        raise BadRequestError("--why asks one vault", "name it by --vault")
    request = placed_from(parse_request(parameters), opened.root, output.screen().folder)
    try:
        opened.resolve(str(request.note_path))
    except NoteNotFoundError:
        named = by_alias(opened, parameters["note_path"])
        request = request.model_copy(update={"note_path": named or request.note_path})
    with person_asked(request.query):
        found, notices = ready_searcher(opened, request.index).why(request)
    language, is_found = output.screen().language, found.step == "found"
    said = [Sentence("{reason:capital}.", reason=typed(one)).said(language) for one in found.reasons]
    said += [Sentence("Try: {advice}.", advice=typed(one)).said(language) for one in found.advice]
    said += [notice.remark(language) for notice in notices]
    is_ranked = found.place > 0
    data = {
        **asdict(found),
        "query": request.query,
        "operation": request.operation,
        "found": is_found,
        "place": found.place if is_ranked else None,
        "score": found.score if is_ranked else None,
        "notices": notices,
    }
    return _shown("\n".join(output.wrapped(in_line(each)) for each in said), data, call, is_found=is_found)
