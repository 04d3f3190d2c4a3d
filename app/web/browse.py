"""Ways to a note without a search: its folder, its tags, and its name as one types it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice

import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.errors import NoteNotFoundError
from app.search.excerpt import fold
from app.search.index.documents import term_text
from app.search.index.snapshot import VaultSnapshot
from app.search.inventory import tag_counts
from app.search.searcher import searcher_for
from app.vault.client import VaultClient
from app.vault.dates import note_dates
from app.vault.names import near_notes
from app.vault.obsidian import template_places
from app.vault.paths import is_note_name, nfc
from app.vault.scan import FileStat
from app.web.pages import browse_url, context_of, note_url, page

ALIAS = "alias:"
MOST_NAMES = 12
"""Notes that the switcher offers."""


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder, and how many notes lie in it and below it."""

    name: str
    url: str
    count: int


@dataclass(frozen=True, slots=True)
class _Entry:
    """A note of a folder; ``day`` is when its file was last written."""

    name: str
    url: str
    day: date


@dataclass(frozen=True, slots=True)
class _Tag:
    """A tag, how deep it is nested, and how many notes have it or one below it."""

    name: str
    last: str
    depth: int
    count: int


def folder_page(request: Request) -> Response:
    """Show what lies in a folder; what is excluded is as if it were not there, and so is a folder of such."""
    vault = context_of(request).vault
    scan = vault.scan()
    folder = nfc(request.path_params["folder"]).strip("/")
    inside = f"{folder}/" if folder else ""
    counts: dict[str, int] = {}
    notes = []
    for path, file in scan.notes.items():
        if not path.startswith(inside) or vault.is_excluded(path):
            continue
        name, below, _ = path[len(inside) :].partition("/")
        if below:
            counts[name] = counts.get(name, 0) + 1
        else:
            notes.append(_Entry(name[:-3], note_url(path), _written(path, file)))
    elsewhere = not searcher_for(vault).definition.feeds
    if folder and not counts and not notes and not elsewhere:
        raise NoteNotFoundError("there is no such folder", "it may have been moved: search for its name")
    above = folder.split("/") if folder else []
    return page(
        request,
        "browse/folder.html",
        folder=folder,
        above=[(name, browse_url("/".join(above[:at]))) for at, name in enumerate(above, 1)],
        folders=[
            _Folder(name, browse_url(inside + name), count)
            for name, count in sorted(counts.items(), key=lambda each: _natural(each[0]))
        ],
        notes=sorted(notes, key=lambda entry: _natural(entry.name)),
        elsewhere=elsewhere,
    )


def _natural(name: str) -> str:
    """Return what puts names in the order of a file list: without case and accents, 2 before 10."""
    return re.sub(r"[0-9]+", lambda digits: digits[0].zfill(12), fold(name))


def _written(path: str, file: FileStat) -> date:
    return note_dates({}, None, mtime=file.mtime_ns / 1e9).modified.date()


def tags_page(request: Request) -> Response:
    """Show all tags of the vault, nested ones below those they belong to."""
    tags = searcher_for(context_of(request).vault).ask(lambda view: list(_tags(view.snapshot)))
    return page(request, "browse/tags.html", tags=tags)


def _tags(snapshot: VaultSnapshot) -> Iterator[_Tag]:
    for row in tag_counts(snapshot):
        yield _Tag(row.name, row.name.rpartition("/")[2], row.key.count("/"), row.notes)


def names_data(request: Request) -> Response:
    """Return the notes whose name or alias is like what was typed, best first; without words the newest."""
    vault = context_of(request).vault
    typed = fold(request.query_params.get("q", "")[:200]).strip()
    found = searcher_for(vault).ask(lambda view: _named(vault, view.snapshot, typed))
    return JSONResponse(
        [{"name": name, "where": _where(name, path), "url": note_url(path)} for name, path in found]
    )


def _named(vault: VaultClient, snapshot: VaultSnapshot, typed: str) -> list[tuple[str, str]]:
    if not typed:
        newest = snapshot.newest_first(np.flatnonzero(snapshot.shown_notes).tolist())
        paths, templates = map(snapshot.lexical.path, newest), template_places(vault.root)
        kept = (path for path in paths if not (templates.has(path) or vault.is_excluded(path)))
        return [(_name(path), path) for path in islice(kept, MOST_NAMES)]
    ranked = []
    for name, path in _names(snapshot):
        rank = _rank(typed, fold(name), fold(path))
        if rank is not None:
            ranked.append((rank, len(path), path, name))
    if not ranked:
        shown = (path for path, doc in snapshot.lexical.paths().items() if snapshot.shown_notes[doc])
        return [(_name(path), path) for path in near_notes(typed, shown) if not vault.is_excluded(path)]
    found: dict[str, str] = {}
    for _, _, path, name in sorted(ranked):
        if len(found) == MOST_NAMES:
            break
        if path not in found and not vault.is_excluded(path):
            found[path] = name
    return [(name, path) for path, name in found.items()]


def _names(snapshot: VaultSnapshot) -> Iterator[tuple[str, str]]:
    """Yield every name of each note that may be shown, with its path."""
    for path, doc in snapshot.lexical.paths().items():
        if snapshot.visible[doc]:
            yield _name(path), path
    for term in snapshot.lexical.terms(ALIAS):
        for doc in snapshot.lexical.docs_with(term).tolist():
            if snapshot.visible[doc]:
                yield term_text(term, ALIAS), snapshot.lexical.path(doc)


def _rank(typed: str, name: str, path: str) -> tuple[int, int] | None:
    """Return where a name stands among others, the least first; None for one that is not like it."""
    if name == typed:
        return 0, 0
    if name.startswith(typed):
        return 1, len(name)
    if (at := name.find(typed)) >= 0:
        return (2 if not name[at - 1].isalnum() else 3), at
    words = typed.split()
    if all(word in path for word in words):
        return (4 if all(word in name for word in words) else 5), len(name)
    return None


def _where(name: str, path: str) -> str:
    """Return the folder of a note, or for a name that is not its file's, which note it is."""
    return path.rpartition("/")[0] if name == _name(path) else path[:-3]


def _name(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[:-3] if is_note_name(name) else name
