"""``why``: what became of one note in a search."""

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli import options, output
from app.parameters import NONE
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


OPTIONS = (
    "mode", "tags", "match_all", "folder", "scopes", "start_date", "end_date", "date_field", "limit",
    "min_score", "index",
)  # fmt: skip
"""Options that narrow the search, by the names of its parameters."""
HELPS = {"mode": "By words, or by meaning too."}


def why(
    call: options.Call,
    note: Annotated[str, typer.Argument(metavar="NOTE", help="The note's path or name.")],
    words: Annotated[list[str], typer.Argument(metavar="QUESTION", help="What was looked for.")],
    asked: Annotated[Mapping[str, Any], options.FromTable(OPTIONS, HELPS)] = NONE,
) -> int:
    """Say why a search does not find a note, and what would help."""
    from app.cli.build import ready_searcher
    from app.cli.parts import by_other_name
    from app.cli.secrets import person_asked
    from app.errors import BadRequestError, NoteNotFoundError
    from app.parameters import read_value
    from app.search.request import PARAMETERS, parse_request, placed_from
    from app.showing import PATH, in_line

    request = parse_request(
        {
            **{name: value or None for name, value in asked.items() if name != "mode"},
            "operation": read_value(PARAMETERS["mode"], asked["mode"]),
            "query": " ".join(words),
            "note_path": note,
            "explain": True,
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
        found, notices = ready_searcher(opened, request.index).why(request)
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
