"""Commands that a resident answers, without importing the program.

`find`, `ask` and ``--version`` are read from the arguments here where these are plain; whatever is not
understood, mistaken or no resident's business is left to the program, which then does all of it. A search
that no resident answers need not be read again: `plain_search` gives it as it was read.
"""

import os
import sys
from collections.abc import Collection, Sequence
from typing import Any

from app import NAME, __version__
from app.serving.display import COMPLETE, write
from app.serving.known import known_way, surroundings, terminal
from app.serving.wire import Frame, GoneError, asked

INTERRUPTED = 130

OPERATIONS = (
    "fulltext", "by_tag", "by_link", "by_date", "combined", "fast", "deep", "scoped", "keyword",
)  # fmt: skip
"""The operations of `find`, which its first word may name; a test holds them against the menu."""
NO_WORDS = ("fulltext", "by_tag", "by_link", "by_date")
"""Those whose names are no words of a text, so that what looks like one in their place is a slip."""
NEAR = 0.82
"""Least share of letters in common; "fullest" has 0.8 of "fulltext"."""
TEXTS = {
    "--query": "query", "--note-path": "note_path", "--direction": "direction", "--start-date": "start_date",
    "--end-date": "end_date", "--date-field": "date_field", "--folder": "folder", "--mode": "mode",
    "--index": "index", "--in": "folder", "--since": "start_date", "--until": "end_date",
    "--sort": "sort", "--format": "template",
}  # fmt: skip
LISTS = {
    "--queries": "queries", "--tags": "tags", "--tag": "tags", "--scopes": "scopes", "--scope": "scopes",
    "--search-terms": "search_terms", "--search-term": "search_terms",
}  # fmt: skip
NUMBERS = {
    "--depth": "depth", "--limit": "limit", "--offset": "offset", "--max-chars": "max_chars",
    "--max-tokens": "max_tokens",
}  # fmt: skip
FLAGS = {
    "--match-all": "match_all", "--explain": "explain", "--links": "links", "--deep": "is_deep",
    "--agent": "is_for_agent", "--notes": "notes", "-l": "paths", "--paths": "paths", "-0": "null",
    "--null": "null", "--jsonl": "jsonl",
}  # fmt: skip
"""Options of `find` by what they take; a test holds them against the command's own."""
OF_AGENTS = frozenset({"max_chars", "max_tokens", "links"})
"""What lines in a pipe do not show or keep to, and text for agents does."""
FORM = ("notes", "paths", "null", "jsonl", "template", "sort")
"""Options of `find` that choose a form of the results; see `app.search.forms.Form`."""
COMMON = {"--vault": "vault", "--config": "config"}


def answered(arguments: list[str]) -> int | None:
    """Print what a resident answers and return the exit code; None where the program has to do it."""
    if arguments == ["--version"]:
        return _print(f"{NAME} {__version__}\n", "", 0)
    if not hasattr(os, "getuid") or None in (sys.stdin, sys.stdout, sys.stderr):
        return None
    if arguments[:1] == [COMPLETE]:
        from app.serving.completion import completed

        return completed(arguments[1:])
    try:
        request = _request(arguments)
        if request is None:
            return None
        options = request.pop("options")
        path = known_way(options.get("vault"), options.get("config"))
        if path is None:
            return None
        answer = asked(path, request | about(), _tell)
        return None if answer is None else _print(answer["out"], answer["err"], answer["code"])
    except (GoneError, OSError):
        return None
    except KeyboardInterrupt:
        return INTERRUPTED


def plain_search(arguments: list[str]) -> Frame | None:
    """Return what `find` is asked, with the ``options`` that name a vault; None where it is not plain.

    Days are left to the program too, which reads more ways of naming one than are sent to a resident.
    """
    if None in (sys.stdin, sys.stdout, sys.stderr):
        return None
    request = _request(arguments)
    if request is None or request["call"] != "find":
        return None
    return None if {"start_date", "end_date"} & set(request["parameters"]) else request


def about() -> Frame:
    """Return what a resident must know of whoever asks."""
    is_interactive = sys.stdin.isatty() and sys.stderr.isatty()
    return {"screen": terminal(), "is_interactive": is_interactive, "surroundings": surroundings()}


def _request(arguments: list[str]) -> Frame | None:
    """Read a command as the resident is asked it; None where it is not plain."""
    takes = COMMON | {"--json": ""}
    options: dict[str, Any] = {}
    words: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if len(words) == 1:
            if words[0] not in _OF:
                return None
            takes = COMMON | {"--json": ""} | _OF[words[0]]
        if argument == "--" and words:
            words += rest
        elif not argument.startswith("-"):
            words.append(argument)
        else:
            name, equals, value = argument.partition("=")
            if name not in takes or (equals and name in _ALONE):
                return None
            if name in _ALONE:
                options[takes[name] or "json"] = True
                continue
            value = value if equals else next(rest, "")
            if not value or value.startswith("-"):
                return None
            _take(options, name, takes[name], value)
            if options.get(takes[name]) is None:
                return None
    if len(words) < 2 or not all(words[:2]):
        return None
    # Two ways of writing one file's path are one, but for a way that leads up and through a link.
    if ".." in options.get("config", "").split(os.sep):
        return None
    common = {name: options.pop(name) for name in ("vault", "config") if name in options}
    as_json = bool(options.pop("json", False))
    if words[0] == "ask":
        question = " ".join(words[1:]).strip()
        asks = {"question": question, "model": options.get("model")}
        asks |= {f"is_{form}": bool(options.get(form)) for form in ("full", "short")}
        if asks["is_full"] and asks["is_short"]:
            return None
        return {"call": "ask", **asks, "is_json": as_json, "options": common} if question else None
    is_deep = bool(options.pop("is_deep", False))
    if mistyped(words[1:], is_deep=is_deep):
        return None
    operation, rest_of, _ = read_words(
        words[1:],
        is_deep=is_deep,
        has_query=not {"query", "queries"}.isdisjoint(options),
    )
    form = {name: options.pop(name) for name in FORM if name in options}
    has_budget = not OF_AGENTS.isdisjoint(options)
    is_for_agent = options.pop("is_for_agent", False) or speaks_to_agents(has_budget, form)
    if operation == "by_date" and rest_of:
        # What days are meant is not read here.
        return None
    query = " ".join(
        part for part in (*placed(operation, rest_of, options), options.pop("query", "")) if part
    )
    parameters = {"operation": operation, "query": query or None, **options}
    asked = as_asked(parameters, form)
    return {"call": "find", **asked, "is_json": as_json, "is_for_agent": is_for_agent, "options": common}


def read_words(words: Sequence[str], *, is_deep: bool, has_query: bool) -> tuple[str, Sequence[str], bool]:
    """Return the operation of `find`, what it looks for, and whether the first word named the operation.

    ``fast`` or ``deep`` alone, with nothing to look for given elsewhere, is itself what is looked for.
    """
    is_word = len(words) == 1 and words[0] in ("fast", "deep") and not has_query
    if words and words[0] in OPERATIONS and not is_deep and not is_word:
        return words[0], words[1:], True
    return "deep" if is_deep else "fast", words, False


def mistyped(words: Sequence[str], *, is_deep: bool) -> str | None:
    """Return the operation that the first of several words is a slip of; None where it is a word to look for.

    A word that is most likely a text's own, such as "full-text" or "keywords", is looked for.
    """
    first = words[0].lower() if len(words) > 1 and not is_deep else ""
    if first in OPERATIONS or not (first.startswith("by") or (first[:1] == "f" and first.isalpha())):
        return None
    from difflib import get_close_matches  # only a mistake needs it

    return next(iter(get_close_matches(first, NO_WORDS, n=1, cutoff=NEAR)), None)


def placed(operation: str, words: Sequence[str], options: dict[str, Any]) -> Sequence[str]:
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


def as_asked(parameters: dict[str, Any], form: dict[str, Any]) -> Frame:
    """Return what a search is asked: its parameters, whether all results are wanted, and their form."""
    is_unlimited = parameters.get("limit") == 0
    if is_unlimited:
        parameters = {name: value for name, value in parameters.items() if name != "limit"}
    return {"parameters": parameters, "is_unlimited": is_unlimited, "form": form}


def speaks_to_agents(has_budget: bool, form: Collection[str]) -> bool:
    """Return whether `find` prints for agents where ``--agent`` is not given.

    Args:
        has_budget: Whether something was asked for that only text for agents keeps to or shows.
        form: The options that choose a form of the results; any but an order is a form for people.
    """
    return has_budget and not set(form) - {"sort"} and not sys.stdout.isatty()


def _take(options: dict[str, Any], name: str, key: str, value: str) -> None:
    """Add the value of an option; a number that is none becomes None."""
    if name in LISTS:
        options.setdefault(key, []).append(value)
    elif name in NUMBERS:
        options[key] = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else None
    elif name == "--min-score":
        whole, _, part = value.partition(".")
        plain = value.isascii() and whole.isdigit() and (part.isdigit() or value == whole)
        options[key] = float(value) if plain else None
    else:
        # Several vaults are asked by the program.
        options[key] = None if key == "vault" and key in options else value


def _tell(call: str) -> None:
    """Show a person which tool is called."""
    if sys.stdin.isatty() and sys.stderr.isatty():
        sys.stderr.write(f"· {call}\n")
        sys.stderr.flush()


def _print(out: str, err: str, code: int) -> int:
    """Print an answer, as far as its reader stays."""
    try:
        for stream, text in ((sys.stdout, out), (sys.stderr, err)):
            if hasattr(stream, "reconfigure"):
                # A terminal that cannot show a character gets a question mark, not a failure.
                stream.reconfigure(errors="replace")
            if stream is sys.stdout:
                write(text)
            else:
                stream.write(text)
            stream.flush()
    except BrokenPipeError:
        # Keep the interpreter from complaining about a reader that went away.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


_ALONE = ("--json", "--full", "--short", *FLAGS)
"""Options that take no value."""
_OF: dict[str, dict[str, str]] = {
    "find": TEXTS | LISTS | NUMBERS | FLAGS | {"--min-score": "min_score"},
    "ask": {"--model": "model", "--full": "full", "--short": "short"},
}
