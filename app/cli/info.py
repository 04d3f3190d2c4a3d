"""``note info``: what the parser and the link graph see in one note."""

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from app.markdown import parse_note
from app.vault.dates import CREATED_KEYS, DAY_KEYS, MODIFIED_KEYS, daily_day, property_day

if TYPE_CHECKING:
    from app.markdown.links import LinkGraph
    from app.vault.client import VaultClient


def gather_info(vault: "VaultClient", graph: "LinkGraph", name: str) -> dict[str, Any]:
    """Gather everything known about one note; excluded notes are shown like others.

    Raises:
        NoteNotFoundError: no note has that name.
        NoteUnreadableError: it cannot be read.
    """
    path = vault.resolve(name)
    read = vault.read(path)
    note = parse_note(read.text, path)
    outgoing = graph.outgoing(path)
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
        "links": sorted({edge.target for edge in outgoing if edge.target not in (None, path)}),
        "unresolved": sorted(graph.unresolved(path)),
        "self_link": any(edge.target == path for edge in outgoing),
        "backlinks": sorted({edge.source for edge in graph.incoming(path) if edge.source != path}),
        "dates": _dates(note.properties, path),
        "hash": read.hash,
        "problems": [*read.problems, *note.problems],
    }


def _dates(properties: Mapping[str, Any], path: str) -> dict[str, str | None]:
    return {
        "created": _iso(property_day(properties, CREATED_KEYS)),
        "updated": _iso(property_day(properties, MODIFIED_KEYS)),
        "daily": _iso(daily_day(path)),
        "note": _iso(property_day(properties, DAY_KEYS)),
    }


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
