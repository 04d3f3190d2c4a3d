"""``status``: what the index holds, what is wrong, and what text went to which language model."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app import NAME
from app.cli import options, output
from app.cli.trust import WRITES
from app.config.settings import Settings
from app.errors import NoteNotFoundError, NoteUnreadableError, VaultError
from app.notices import Notice, StartKind
from app.sentences import Language, Sentence, reason_of, said
from app.vault.paths import normalize_path

if TYPE_CHECKING:
    from app.config.settings import Configuration
    from app.llm.log import Sent
    from app.markdown.links import Graph
    from app.search.searcher import Searcher
    from app.search.upkeep import IndexStatus
    from app.vault.client import VaultClient

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
IGNORED = "ignored: '{file}': {reason}"


def show_sent(settings: Settings, *, as_json: bool) -> int:
    """List what was sent, newest first; with ``as_json`` all of it, and the texts.

    Raises:
        VaultError: the log cannot be read.
    """
    from app.llm.log import FOLDER, read_sent

    folder = settings.state_folder / FOLDER
    try:
        entries = read_sent(settings.state_folder)
    except OSError as error:
        raise VaultError(
            "the log of sent texts in '{folder}' cannot be read: {reason}",
            folder=folder,
            reason=reason_of(error),
        ) from error
    if as_json:
        output.show_json([asdict(entry) for entry in entries])
    elif entries:
        output.show("\n".join(_sent_lines(entries, str(folder))))
    else:
        output.show(Sentence("Nothing was sent to a language model so far."))
    return output.FOUND if entries else output.NOTHING


def _sent_lines(entries: "list[Sent]", folder: str) -> list[str]:
    from app.llm.masks import MASK

    language = output.screen().language
    counted = Sentence(
        "{count} {count:text was|texts were} sent to language models, newest first:", count=len(entries)
    )
    lines = [counted.said(language)]
    for entry in entries[:SHOWN]:
        when = entry.when.replace("T", " ")[:19]
        masked = f" · {entry.left_out} × {MASK}" if entry.left_out else ""
        length = Sentence("{count} characters", count=entry.characters).said(language)
        lines.append(f"{when} · {entry.model} · {entry.where} · {length}{masked}")
        lines.append(f"  {_preview(entry.text)}")
    more = len(entries) - SHOWN
    rest = Sentence(
        "… and {more} more; --json shows all of them with their texts, which are kept in {folder}"
        if more > 0
        else "--json shows all of them with their texts, which are kept in {folder}",
        more=more,
        folder=folder,
    )
    return [*lines, rest.said(language)]


def _preview(text: str) -> str:
    """Return the beginning of what was asked last."""
    asked = " ".join(text.rpartition(ASKED)[2].partition("\n\n[")[0].split())
    return asked if len(asked) <= PREVIEW_CHARS else asked[: PREVIEW_CHARS - 1] + "…"


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
    from app.journal.recover import told
    from app.search.searcher import searcher_for

    if sent:
        if path is not None:
            raise typer.BadParameter("--sent is about all that was sent; leave the note out")
        return show_sent(configured(call.config).settings, as_json=call.as_json)
    configuration = configured(call.config)
    opened = open_configured(call.vault, configuration.settings)
    found = searcher_for(opened, index).status()
    if path is None:
        data = _vault_data(opened, found, configuration)
    else:
        known = set(searcher_for(opened, index).view().lexical.paths())
        data = _note_data(opened, found, _resolve(opened, found, output.note_named(opened, path)), known)
        if call.as_json and _unreadable(opened, data["path"]) is None:
            searcher = searcher_for(opened, index)
            data |= _parsed(opened, searcher, data["path"], searched=data["searched"])
    if call.as_json:
        output.show_json(data)
    else:
        output.show(output.wrapped("\n".join(_status_lines(data, output.screen().language))))
        if path is None:
            told(opened)
            if not found.notes and found.pending:
                output.tell_notice(Notice(StartKind.NO_INDEX, command=f"{NAME} index"))
    return output.FOUND


def _vault_data(vault: "VaultClient", found: "IndexStatus", configuration: "Configuration") -> dict[str, Any]:
    data: dict[str, Any] = {"vault": str(vault.root), "project_vault": vault.is_project_vault}
    data["configuration"] = _configuration_data(configuration)
    data["index"] = found.name
    data["model"] = vault.settings.model or "offline assistant"
    data["writes"] = vault.settings.writes
    data |= {name: value for name, value in found._asdict().items() if name != "name"}
    data["problems"] = [{"path": path, "reason": reason} for path, reason in found.problems]
    return data


def _configuration_data(configuration: "Configuration") -> dict[str, Any]:
    """Describe which configuration file holds and why, and which one does not."""
    file, ignored = configuration.file, configuration.ignored
    return {
        "file": str(file.path) if file is not None else None,
        "origin": file.origin if file is not None else None,
        "why": TRUSTED[file.origin] if file is not None else "there is no file; defaults and variables hold",
        "ignored": {"file": str(ignored.path), "reason": ignored.reason} if ignored is not None else None,
    }


def _resolve(vault: "VaultClient", found: "IndexStatus", name: str) -> str:
    """Find a note as `VaultClient.resolve` does, or what is in a note's place and is a problem."""
    try:
        return vault.resolve(name)
    except NoteNotFoundError:
        path = normalize_path(name)
        if any(path == problem for problem, _ in found.problems):
            return path
        raise


def _note_data(vault: "VaultClient", found: "IndexStatus", path: str, known: set[str]) -> dict[str, Any]:
    rule = next((name for name in RULES if path in getattr(found, name)), None)
    indexed = path in known
    problems = [reason for problem, reason in found.problems if problem == path]
    unreadable = _unreadable(vault, path)
    if unreadable is not None:
        # The index may not know yet.
        problems = list(dict.fromkeys([*problems, unreadable]))
    if rule is not None:
        why = RULES[rule]
    elif unreadable is not None:
        why = Sentence(
            "it cannot be read: {reason}; only its name is found"
            if indexed
            else "it cannot be read: {reason}",
            reason=unreadable,
        )
    elif indexed:
        why = "it is in the index, and no rule leaves it out"
    else:
        why = "new: the next search or 'vault-assistant index' takes it up"
    return {
        "path": path,
        "indexed": indexed,
        "searched": indexed and rule is None and unreadable is None,
        "why": why,
        "problems": problems,
        "index": found.name,
    }


def _unreadable(vault: "VaultClient", path: str) -> str | None:
    """Say why a note cannot be read now; ``None`` where it can."""
    try:
        vault.read(path)
    except (NoteUnreadableError, NoteNotFoundError) as error:
        return error.message
    return None


def _status_lines(data: dict[str, Any], language: Language) -> list[str]:
    lines = []
    for name, value in data.items():
        label = Sentence("{name}: ", name=Sentence(name.replace("_", " "))).said(language)
        if value in ("", None):
            continue
        if isinstance(value, list | tuple):
            rule = f" ({said(RULES[name], language)})" if name in RULES and value else ""
            lines.append(f"{label}{len(value)}{rule}")
            lines += [f"  {_item(item, language)}" for item in value[:SHOWN_PATHS]]
            if len(value) > SHOWN_PATHS:
                more = Sentence("… and {more} more; --json shows all", more=len(value) - SHOWN_PATHS)
                lines.append(f"  {more.said(language)}")
        elif isinstance(value, dict):
            lines += [label + (value["file"] or said("none", language)), f"  {said(value['why'], language)}"]
            if (ignored := value["ignored"]) is not None:
                lines.append(f"  {Sentence(IGNORED, **ignored).said(language)}")
        elif isinstance(value, bool):
            lines.append(label + said("yes" if value else "no", language))
        elif isinstance(value, float):
            lines.append(label + Sentence("{share:.0%}", share=value).said(language))
        elif name == "writes":
            lines.append(label + said(WRITES[value], language))
        else:
            lines.append(label + (said(value, language) if isinstance(value, str) else str(value)))
    return lines


def _item(item: object, language: Language) -> str:
    if not isinstance(item, dict):
        return said(str(item), language)
    new = said(" (new)", language) if item.get("new") else ""
    return f"{item['path']}: {said(item['reason'], language)}{new}"


def _parsed(vault: "VaultClient", searcher: "Searcher", path: str, *, searched: bool) -> dict[str, Any]:
    """Gather what the parser and the link graph see in one note; excluded notes are shown like others."""
    from app.markdown.parse import parse_note
    from app.search.searcher import graph_of_files
    from app.vault.daily import DayReader

    if searched:
        links = searcher.ask_links(lambda graph: _links(graph, path))
    else:
        # The index keeps nothing of what an excluded note says, and so not the links that lead nowhere.
        links = _links(graph_of_files(vault), path)
    read = vault.read(path)
    note = parse_note(read.text, path)
    return {
        "title": note.title,
        "h1": note.h1,
        "aliases": list(note.aliases),
        "frontmatter": note.frontmatter,
        "tags": sorted({tag.lower() for tag in note.tags}),
        "headings": [[heading.level, heading.text] for heading in note.headings],
        "tasks": [[task.status, task.text] for task in note.tasks],
        "blocks": [block.id for block in note.blocks],
        **links,
        "dates": _dates(note.properties, DayReader(vault.root).named(path)),
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


def _dates(properties: Mapping[str, Any], named: date | None) -> dict[str, str | None]:
    from app.vault.dates import CREATED_KEYS, DAY_KEYS, MODIFIED_KEYS, property_day

    return {
        "created": _iso(property_day(properties, CREATED_KEYS)),
        "updated": _iso(property_day(properties, MODIFIED_KEYS)),
        "daily": _iso(named),
        "note": _iso(property_day(properties, DAY_KEYS)),
    }


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


COMMANDS = {"status": (status, EXAMPLES)}
"""The commands by name, each with the examples of its help."""
