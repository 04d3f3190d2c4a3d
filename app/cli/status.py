"""``status``: what the index holds, what is wrong, and what text went to which language model."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app import NAME
from app.cli import options, output
from app.cli.trust import WRITES
from app.config.settings import Settings
from app.errors import NoteUnreadableError
from app.sentences import Language, Sentence, said
from app.showing import cut

if TYPE_CHECKING:
    from app.config.settings import Configuration
    from app.markdown.links import Graph
    from app.search.searcher import Searcher
    from app.search.upkeep import IndexStatus
    from app.vault.client import VaultClient
    from app.vault.text import NoteText

PREVIEW_CHARS = 90
ASKED = "[user]\n"

EXAMPLES = (
    "Examples:\n\n\b\n"
    "  vault-assistant status\n"
    "  vault-assistant status Projects/Garden --json\n"
    "  vault-assistant status --sent"
)
RULES = {
    "excluded": "hidden by the vault's setting 'excluded files'",
    "left_out": "always in the chat's context, or temporary (project vault)",
    "unindexed": "left out by the index's include and exclude globs",
}
TRUSTED = {
    "option": "trusted: --config names it",
    "variable": "trusted: VAULT_ASSISTANT_CONFIG names it",
    "folder": "trusted: you accepted it as it is, and commands that start in its folder take it",
    "own": "trusted: it lies in your own configuration folder",
}
SHOWN, SHOWN_PATHS = 10, 3


def show_sent(settings: Settings, *, as_json: bool) -> int:
    """List what was sent, newest first; with ``as_json`` all of it, and the texts."""
    from app.llm.log import FOLDER, read_sent
    from app.llm.masks import MASK

    entries = read_sent(settings.state_folder)
    if as_json:
        output.show_json([asdict(entry) for entry in entries])
    elif not entries:
        output.show(Sentence("Nothing was sent to a language model so far."))
    else:
        output.show(
            Sentence(
                "{count} {count:text was|texts were} sent to language models, newest first:",
                count=len(entries),
            )
        )
        for entry in entries[:SHOWN]:
            length = Sentence("{count} characters", count=entry.characters).said(output.screen().language)
            masked = f" · {entry.left_out} × {MASK}" if entry.left_out else ""
            when = entry.when.replace("T", " ")[:19]
            # The beginning of what was asked last.
            asked = " ".join(entry.text.rpartition(ASKED)[2].partition("\n\n[")[0].split())
            output.show(f"{when} · {entry.model} · {entry.where} · {length}{masked}")
            output.show(f"  {cut(asked, PREVIEW_CHARS)}")
        folder = settings.state_folder / FOLDER
        output.show(
            Sentence("--json shows all of them with their texts, which are kept in {folder}", folder=folder)
        )
    return output.FOUND if entries else output.NOTHING


def status(
    call: options.Call,
    path: Annotated[
        str | None, typer.Argument(metavar="NOTE", help="One note: is it indexed, and why.")
    ] = None,
    sent: Annotated[
        bool, typer.Option("--sent", help="List what was sent to language models, newest first.")
    ] = False,
    index: options.IndexOption = None,
) -> int:
    """Describe the vault and its index, or one note."""
    from app.bootstrap import configured, open_configured
    from app.cli.parts import find_part
    from app.search.searcher import searcher_for

    if sent:
        if path is not None:
            raise typer.BadParameter("--sent is about all that was sent; leave the note out")
        return show_sent(configured(call.config).settings, as_json=call.as_json)
    configuration = configured(call.config)
    opened = open_configured(call.vault, configuration.settings)
    searcher = searcher_for(opened, index)
    found = searcher.status()
    if path is None:
        data = _vault_data(opened, found, configuration)
    else:
        data = _note_data(searcher, found, find_part(opened, path, files=True)[0], call.as_json)
    if call.as_json:
        output.show_json(data)
    else:
        output.show(output.wrapped("\n".join(_lines(data, output.screen().language))))
        if path is None and not found.notes and found.pending:
            output.tell_notice(
                Sentence(
                    "nothing is indexed yet: '{command}' does it, and so does the first search",
                    command=f"{NAME} index",
                )
            )
    return output.FOUND


def _vault_data(vault: "VaultClient", found: "IndexStatus", configuration: "Configuration") -> dict[str, Any]:
    file, ignored = configuration.file, configuration.ignored
    data: dict[str, Any] = {"vault": str(vault.root), "project_vault": vault.is_project_vault}
    data["configuration"] = {
        "file": str(file.path) if file is not None else None,
        "origin": file.origin if file is not None else None,
        "why": TRUSTED[file.origin] if file is not None else "there is no file; defaults and variables hold",
        "ignored": {"file": str(ignored.path), "reason": ignored.reason} if ignored is not None else None,
    }
    data |= {"index": found.name, "model": vault.settings.model or "offline assistant"}
    data |= {"writes": vault.settings.writes, **found._asdict()}
    data["problems"] = [{"path": path, "reason": reason} for path, reason in found.problems]
    del data["name"]
    return data


def _note_data(searcher: "Searcher", found: "IndexStatus", path: str, as_json: bool) -> dict[str, Any]:
    """Say whether a note is in the index, and why; for programs also what is seen in it."""
    read, unreadable = None, None
    try:
        read = searcher.vault.read(path)
    except NoteUnreadableError as error:
        unreadable = error.message
    rule = next((name for name in RULES if path in getattr(found, name)), None)
    # Of an excluded note the index knows the name alone.
    is_indexed = rule != "excluded" and searcher.view().snapshot.doc(path) is not None
    if rule is not None:
        why = RULES[rule]
    elif unreadable is not None:
        why = Sentence(
            "it cannot be read: {reason}; only its name is found"
            if is_indexed
            else "it cannot be read: {reason}",
            reason=unreadable,
        )
    elif is_indexed:
        why = "it is in the index, and no rule leaves it out"
    else:
        why = "new: the next search or 'vault-assistant index' takes it up"
    # The index may not know yet that it cannot be read.
    problems = [reason for problem, reason in (*found.problems, (path, unreadable)) if problem == path]
    data = {
        "path": path,
        "indexed": is_indexed,
        "searched": is_indexed and rule is None and unreadable is None,
        "why": why,
        "problems": list(dict.fromkeys(filter(None, problems))),
        "index": found.name,
    }
    if as_json and read is not None:
        data |= _parsed(searcher, path, read, is_searched=data["searched"] is True)
    return data


def _lines(data: dict[str, Any], language: Language) -> Iterator[str]:
    """Describe a vault or a note for people; what is empty is left out."""
    for name, value in data.items():
        text, below = value, list[Any]()
        if isinstance(value, dict):
            text, below = value["file"] or "none", [value["why"]]
            if value["ignored"]:
                below.append(Sentence("ignored: '{file}': {reason}", **value["ignored"]))
        elif isinstance(value, list | tuple):
            rule = f" ({said(RULES[name], language)})" if name in RULES else ""
            text, below = value and f"{len(value)}{rule}", list(value[:SHOWN_PATHS])
            if (more := len(value) - SHOWN_PATHS) > 0:
                below.append(Sentence("… and {more} more; --json shows all", more=more))
        elif isinstance(value, bool):
            text = "yes" if value else "no"
        elif isinstance(value, float):
            text = Sentence("{share:.0%}", share=value)
        elif name == "writes":
            text = WRITES[value]
        if text not in ("", None, (), []):
            label = Sentence("{name}: ", name=Sentence(name.replace("_", " "))).said(language)
            yield label + (said(text, language) if isinstance(text, str) else str(text))
            yield from (f"  {_item(item, language)}" for item in below)


def _item(item: Any, language: Language) -> str:  # noqa: ANN401 - a row of the data
    if isinstance(item, str):
        return said(item, language)
    return f"{item['path']}: {said(item['reason'], language)}"


def _parsed(searcher: "Searcher", path: str, read: "NoteText", *, is_searched: bool) -> dict[str, Any]:
    """Gather what the parser and the link graph see in one note; excluded notes are shown like others."""
    from app.markdown.parse import parse_note
    from app.search.searcher import graph_of_files
    from app.vault.daily import DayReader
    from app.vault.dates import CREATED_KEYS, DAY_KEYS, MODIFIED_KEYS, property_day

    note = parse_note(read.text, path)
    days = {
        "created": property_day(note.properties, CREATED_KEYS),
        "updated": property_day(note.properties, MODIFIED_KEYS),
        "daily": DayReader(searcher.vault.root).named(path),
        "note": property_day(note.properties, DAY_KEYS),
    }
    # The index keeps nothing of what an excluded note says, and so not the links that lead nowhere.
    graph = None if is_searched else graph_of_files(searcher.vault)
    return {
        "title": note.title,
        "h1": note.h1,
        "aliases": list(note.aliases),
        "frontmatter": note.frontmatter,
        "tags": sorted({tag.lower() for tag in note.tags}),
        "headings": [[heading.level, heading.text] for heading in note.headings],
        "tasks": [[task.status, task.text] for task in note.tasks],
        "blocks": [block.id for block in note.blocks],
        **(_links(graph, path) if graph else searcher.ask_links(lambda graph: _links(graph, path))),
        "dates": {name: day and day.isoformat() for name, day in days.items()},
        "hash": read.hash,
        "read_problems": [*read.problems, *note.problems],
    }


def _links(graph: "Graph", path: str) -> dict[str, Any]:
    outgoing = graph.outgoing(path)
    return {
        "links": sorted({edge.target for edge in outgoing if edge.target not in (None, path)}),
        "unresolved": sorted(graph.unresolved(path)),
        "self_link": any(edge.target == path for edge in outgoing),
        "backlinks": sorted({edge.source for edge in graph.incoming(path) if edge.source != path}),
    }
