"""``why``: what became of one note in a search."""

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import options, output
from app.sentences import Sentence, typed

if TYPE_CHECKING:
    from app.vault.client import VaultClient

EXAMPLES = (
    "Examples:\n\n\b\n"
    "  vault-assistant why Greenhouse 'heating in winter'\n"
    "  vault-assistant why 'people/Callum Reid' 'who pays?' --mode deep --scope project:petrel\n\n"
    "Write -- before a question that starts with a dash. Exit code 0 says that the search finds the note, "
    "1 that it does not."
)


NARROWING = (
    "tags",
    "match_all",
    "folder",
    "scopes",
    "start_date",
    "end_date",
    "date_field",
    "limit",
    "min_score",
)
"""Options that narrow the search, by the names of its parameters."""


def why(
    context: typer.Context,
    call: options.Call,
    note: Annotated[str, typer.Argument(metavar="NOTE", help="The note's path or name.")],
    words: Annotated[list[str], typer.Argument(metavar="QUESTION", help="What was looked for.")],
    mode: Annotated[str, typer.Option("--mode", metavar="MODE", help="fast or deep.")] = "fast",
    tags: Annotated[
        list[str] | None, options.option("--tags,--tag", "TAG", "A tag, or several: a,b.")
    ] = None,
    match_all: Annotated[bool, typer.Option("--match-all", help="All tags, not any of them.")] = False,
    folder: Annotated[
        str | None, options.option("--folder,--in", "FOLDER", "Only below this folder.")
    ] = None,
    scopes: Annotated[
        list[str] | None, options.option("--scopes,--scope", "SCOPE", "A scope; repeat.")
    ] = None,
    start_date: Annotated[
        str | None, options.option("--start-date,--since", "DAY", "First day: 2025-07-14.")
    ] = None,
    end_date: Annotated[
        str | None, options.option("--end-date,--until", "DAY", "Last day: 2025-07, today.")
    ] = None,
    date_field: Annotated[str, options.option("--date-field", "FIELD", "created or modified.")] = "created",
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="The most results, 1 to 100.")] = 10,
    min_score: Annotated[float | None, options.option("--min-score", "X", "Lowest score, 0 to 1.")] = None,
    index: options.IndexOption = None,
) -> int:
    """Say why a search does not find a note, and what would help."""
    from app.cli.build import ready_searcher
    from app.cli.parts import by_other_name
    from app.cli.secrets import person_asked
    from app.errors import BadRequestError, NoteNotFoundError
    from app.search.request import parse_request, placed_from
    from app.showing import PATH, in_line

    if mode not in ("fast", "deep"):
        raise BadRequestError("unknown mode '{mode}'", "valid: fast, deep", mode=mode)
    request = parse_request(
        {
            "operation": mode,
            "query": " ".join(words),
            "note_path": note,
            "explain": True,
            **{name: value for name, value in context.params.items() if name in NARROWING and value},
        }
    )
    opened = call.open()
    request = placed_from(request, opened.root, output.screen().folder)
    try:
        opened.resolve(str(request.note_path))
    except NoteNotFoundError:
        named = by_other_name(opened, note)
        if named is None and _is_note(opened, " ".join(words)):
            raise BadRequestError(
                "'{note}' is no note, and '{question}' is one",
                "the note comes first: {command}",
                note=in_line(note, PATH),
                question=in_line(" ".join(words), PATH),
                command=shlex.join(["why", " ".join(words), note]),
            ) from None
        request = request.model_copy(update={"note_path": named or request.note_path})
    with person_asked(request.query):
        found, notices = ready_searcher(opened, index).why(request)
    if call.as_json:
        output.show_json(
            {
                "note": found.note,
                "query": request.query,
                "operation": request.operation,
                "found": found.step == "found",
                "step": found.step,
                "place": found.place or None,
                "total": found.total,
                "score": found.score if found.place else None,
                "reasons": found.reasons,
                "advice": found.advice,
                "notices": notices,
            }
        )
    else:
        language = output.screen().language
        reasons, advice = map(typed, found.reasons), map(typed, found.advice)
        said = [Sentence("{reason:capital}.", reason=reason).said(language) for reason in reasons]
        said += [Sentence("Try: {advice}.", advice=one).said(language) for one in advice]
        said += [notice.remark(language) for notice in notices]
        output.show("\n".join(output.wrapped(in_line(line)) for line in said))
    return output.FOUND if found.step == "found" else output.NOTHING


def _is_note(vault: "VaultClient", written: str) -> bool:
    """Return whether a text that was typed is the name of a note that is no secret."""
    from app.errors import NoteNotFoundError, PathError

    try:
        return not vault.is_excluded(vault.resolve(output.note_named(vault, written)))
    except (NoteNotFoundError, PathError):
        return False
