"""``note``: read and change one note, the change shown before it is made."""

import shlex
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli import change, options, output
from app.cli.options import MenuCommand
from app.cli.parts import bytes_of
from app.errors import BadRequestError
from app.sentences import Sentence, reason_of

if TYPE_CHECKING:
    from app.markdown.links import Graph
    from app.vault.client import VaultClient

EXAMPLES = (
    "A change is shown and asked about first; --yes makes it at once. Content comes from --content, "
    "--file, or standard input.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant note read Projects/Garden --heading Tasks\n"
    "  vault-assistant note append Journal/2025-07-14 --content '- planted leeks'\n"
    "  vault-assistant note move Leeks --new-path Archive/ --yes\n"
    "  vault-assistant note info Home --json\n"
    "  vault-assistant note undo\n"
    "  vault-assistant note undo Projects/Garden"
)
WITH_CONTENT = ("create", "update", "append")
MAX_CHARS = 6000


class NoteCommand(MenuCommand):
    """Lists the note operations in its help."""

    def operations(self) -> Mapping[Any, object]:
        """Return the note operations."""
        from app.notes.operations import OPERATIONS

        return OPERATIONS


def note(
    context: typer.Context,
    operation: Annotated[str, typer.Argument(metavar="OPERATION", help="What to do; see Operations below.")],
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="PATH", help="The note, from the vault's root; undo takes back its last write."
        ),
    ] = None,
    content: Annotated[str | None, typer.Option("--content", metavar="TEXT", help="The new text.")] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Take the new text from a file.")
    ] = None,
    heading: Annotated[
        str | None, typer.Option("--heading", metavar="TEXT", help="Only this heading's section.")
    ] = None,
    block: Annotated[str | None, typer.Option("--block", metavar="^ID", help="Only this block.")] = None,
    lines: Annotated[str | None, typer.Option("--lines", metavar="9-14", help="Only these lines.")] = None,
    new_path: Annotated[
        str | None, typer.Option("--new-path", metavar="PATH", help="Where to move the note.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Create over an existing note.")] = False,
    expected_hash: Annotated[
        str | None, typer.Option("--expected-hash", metavar="HASH", help="Write only if still so.")
    ] = None,
    permanent: Annotated[bool, typer.Option("--permanent", help="Delete for good.")] = False,
    turn: Annotated[bool, typer.Option("--turn", help="Undo the whole last turn of a chat.")] = False,
    max_chars: Annotated[
        int, typer.Option("--max-chars", metavar="N", help="Longest answer, from 500 characters.")
    ] = MAX_CHARS,
    is_for_agent: Annotated[
        bool, typer.Option("--agent", help="Read as language models do: with its hash, between marks.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")] = False,
    vault: options.VaultOption = None,
    config: options.ConfigOption = None,
    as_json: options.JsonOption = False,
    debug: options.DebugOption = False,
) -> int:
    """Read or change a note."""
    from app.bootstrap import new_trace_id, open_vault
    from app.cli.secrets import person_asked
    from app.dependencies import ProposedWrite
    from app.notes.answer import NoteCall
    from app.notes.gate import Gate
    from app.notes.models import NoteRequest
    from app.parameters import parameters_of

    _refuse_more(operation, context.args)
    opened = open_vault(vault, config)
    if operation == "info" and path is not None and as_json:
        output.show_json(_info(opened, output.note_named(opened, path)))
        return output.FOUND
    parameters = {name: context.params[name] for name in parameters_of(NoteRequest)}
    if path is not None:
        named = output.target_named if operation == "create" else output.note_named
        parameters["path"] = named(opened, path)
    if new_path is not None:
        parameters["new_path"] = output.target_named(opened, new_path)
    if operation == "read" and not (is_for_agent or as_json or max_chars != MAX_CHARS):
        return _read(opened, parameters)
    parameters["content"] = "turn" if turn else _content(operation, content, file, overwrite=overwrite)
    gate = Gate("allow" if yes else "ask", by_agent=False, can_ask=True)
    # Programs that read JSON read English.
    language = "en" if as_json else output.screen().language
    # What is private is for the person alone.
    call = NoteCall(
        opened, parameters, gate, trace_id=new_trace_id(), allow_excluded=not is_for_agent, language=language
    )
    with person_asked():
        step = call.begin()
    if isinstance(step, ProposedWrite):
        assert call.plan is not None
        summary = call.plan.summary
        step = call.decide(approved=change.is_approved(step))
        if not step.done:
            declined = Sentence("Nothing was written: {summary} was declined.", summary=summary)
            step = replace(step, text=declined.said(language))
    answer, done = step.text, step.done
    if as_json:
        output.show_json({"operation": operation, "path": path, "done": done, "answer": answer})
    elif operation in ("info", "summarize") and not is_for_agent:
        output.show(output.wrapped(answer))
    else:
        output.show(answer)
    return output.FOUND if done else output.NOTHING


def _read(vault: "VaultClient", parameters: Mapping[str, object]) -> int:
    """Print a note, or the part that is named, as it stands, however long it is."""
    from app.bootstrap import new_trace_id
    from app.journal.recover import recover
    from app.notes.answer import parsed
    from app.notes.document import open_document
    from app.notes.find import existing
    from app.notes.reading import place_of

    request = parsed(vault, parameters, allow_excluded=True, trace_id=new_trace_id())
    recover(vault)
    document = open_document(vault, existing(vault, request))
    document.check_hash(request.expected_hash)
    if request.heading is request.block is request.lines is None:
        output.show_bytes([document.data])
    else:
        output.show_bytes([bytes_of(document, place_of(document, request))])
    return output.FOUND


def _refuse_more(operation: str, more: list[str]) -> None:
    """Refuse what stands behind the note's path without an option, and name the option that it may belong to.

    Raises:
        BadRequestError: anything stands there.
    """
    if not more:
        return
    option = "--new-path" if operation == "move" else "--content" if operation in WITH_CONTENT else ""
    words = shlex.join([" ".join(more)])
    raise BadRequestError(
        "{words} stands behind the note's path, and {operation} takes one path only",
        "write {option} {words}" if option else "put a path with blanks into quotation marks",
        words=words,
        operation=operation,
        option=option,
    )


def _content(operation: str, content: str | None, file: Path | None, *, overwrite: bool) -> str | None:
    if content is not None and file is not None:
        raise BadRequestError("--content and --file both give the text", "leave one of them out")
    if content is not None or operation not in WITH_CONTENT:
        return content
    if file is not None:
        try:
            return file.expanduser().read_bytes().decode()
        except (OSError, UnicodeDecodeError) as error:
            raise BadRequestError(
                "cannot read '{file}': {reason}",
                "name a UTF-8 text file",
                file=file,
                reason=reason_of(error) if isinstance(error, OSError) else error,
            ) from error
    text = "" if sys.stdin.isatty() else sys.stdin.read()
    if text.strip() or (operation == "create" and not overwrite):
        return text
    # An empty pipe is how a command that failed looks; it must not empty a note.
    raise BadRequestError(
        "no content came for {operation}",
        "give --content, --file or standard input; --content '' to empty a note on purpose"
        if operation == "update"
        else "give --content, --file or standard input; --content '' to make it empty on purpose"
        if operation == "create"
        else "give --content, --file or standard input",
        operation=operation,
    )


def _info(vault: "VaultClient", name: str) -> dict[str, object]:
    """Gather what the parser and the link graph see in one note; excluded notes are shown like others.

    Raises:
        NoteNotFoundError: no note has that name.
        NoteUnreadableError: it cannot be read.
    """
    from app.cli.build import ready_searcher
    from app.markdown.parse import parse_note
    from app.search.searcher import graph_of_files

    path = vault.resolve(name)
    # The index keeps nothing of what an excluded note says, and so not the links that lead nowhere.
    if vault.is_excluded(path):
        links = _links(graph_of_files(vault), path)
    else:
        links = ready_searcher(vault).ask_links(lambda graph: _links(graph, path))
    read = vault.read(path)
    note = parse_note(read.text, path)
    return {
        "path": path,
        "title": note.title,
        "h1": note.h1,
        "aliases": list(note.aliases),
        "frontmatter": note.frontmatter,
        "tags": sorted({tag.lower() for tag in note.tags}),
        "headings": [[heading.level, heading.text] for heading in note.headings],
        "tasks": [[task.status, task.text] for task in note.tasks],
        "blocks": [block.id for block in note.blocks],
        **links,
        "dates": _dates(note.properties, path),
        "hash": read.hash,
        "problems": [*read.problems, *note.problems],
    }


def _links(graph: "Graph", path: str) -> dict[str, object]:
    outgoing = graph.outgoing(path)
    return {
        "links": sorted({edge.target for edge in outgoing if edge.target not in (None, path)}),
        "unresolved": sorted(graph.unresolved(path)),
        "self_link": any(edge.target == path for edge in outgoing),
        "backlinks": sorted({edge.source for edge in graph.incoming(path) if edge.source != path}),
    }


def _dates(properties: Mapping[str, Any], path: str) -> dict[str, str | None]:
    from app.vault.dates import CREATED_KEYS, DAY_KEYS, MODIFIED_KEYS, daily_day, property_day

    return {
        "created": _iso(property_day(properties, CREATED_KEYS)),
        "updated": _iso(property_day(properties, MODIFIED_KEYS)),
        "daily": _iso(daily_day(path)),
        "note": _iso(property_day(properties, DAY_KEYS)),
    }


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
