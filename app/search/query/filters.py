"""Turn the structured part of a request into masks, before anything is ranked."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from app.errors import BadRequestError
from app.search.index.documents import SECONDS_A_DAY
from app.search.index.snapshot import VaultSnapshot, parent_folders
from app.search.lexical.analysis import fold
from app.search.lexical.index import Ids, Mask
from app.search.models import SearchRequest
from app.search.query.scopes import Scope, parse_scopes
from app.search.view import View
from app.sentences import Sentence
from app.vault.paths import clean_path, path_key, without_vault_prefix

Lines = tuple[int, int]
LEAST_NEAR = 0.6
"""How alike two names of folders must be for one to be suggested for the other, of 1."""


class ChunkFilter(NamedTuple):
    """The chunks a request may return; ``lines`` holds the ranges of those that are allowed in part only."""

    mask: Mask
    lines: Mapping[int, tuple[Lines, ...]] = MappingProxyType({})


class UnknownFolderError(BadRequestError):
    """No folder is called so; ``meant`` is the one whose name differs in accents alone, if one does."""

    def __init__(self, message: str, hint: str, *, meant: str | None) -> None:
        super().__init__(message, hint)
        self.meant = meant


def note_filter(view: View, request: SearchRequest, *, dates: bool = True) -> Mask:
    """Return the visible notes that pass folder, scopes, tags and, unless told otherwise, dates."""
    mask = view.snapshot.visible
    if request.folder is not None:
        mask = mask & _folder(view, request.folder)
    if request.scopes is not None:
        mask = mask & _scoped(view.snapshot, request.scopes)
    if request.tags:
        mask = mask & tagged(view.snapshot, request.tags, match_all=request.match_all)
    if dates and (request.start or request.end):
        mask = mask & dated(view.snapshot, request.date_field, request.start, request.end)
    return mask


def chunk_filter(view: View, request: SearchRequest) -> ChunkFilter:
    """Return the chunks that pass all filters; dates are those of the chunks, headings cut their lines."""
    mask = view.snapshot.chunks_of(note_filter(view, request, dates=False))
    if request.start or request.end:
        days = chunk_days(view.snapshot, request.date_field)
        mask = mask & _between(days, request.start, request.end)
    if request.scopes is None:
        return ChunkFilter(mask)
    scopes = scopes_of(view.snapshot, request.scopes)
    if not any(scope.heading for scope in scopes):
        return ChunkFilter(mask)
    return _under_headings(view.snapshot, mask, scopes)


def chunk_days(snapshot: VaultSnapshot, field_name: str) -> Ids:
    """Return the day of each chunk as an ordinal: its own, else that of its note by a date field."""
    own = snapshot.lexical.column("day")
    of_note = snapshot.lexical.column(field_name)[snapshot.lexical.note_of] // SECONDS_A_DAY
    return np.where(own > 0, own, of_note)


def _between(days: Ids, start: date | None, end: date | None) -> Mask:
    first, last = (start or date.min).toordinal(), (end or date.max).toordinal()
    found: Mask = (days >= first) & (days <= last)
    return found


def tagged(snapshot: VaultSnapshot, tags: Collection[str], *, match_all: bool) -> Mask:
    """Return the visible notes with any, or all, of the tags; a parent matches its children."""

    def make() -> Mask:
        masks = [snapshot.notes_with([f"tag:{tag_key(tag)}"]) for tag in tags]
        joined: Mask = (np.logical_and if match_all else np.logical_or).reduce(masks)
        return joined & snapshot.visible

    return snapshot.cached_mask(("tags", tuple(tags), match_all), make)


def tag_key(tag: str) -> str:
    """Return the form in which tags are compared: without ``#``, outer slashes and case."""
    return path_key(tag.strip().lstrip("#").strip("/"))


def dated(snapshot: VaultSnapshot, field_name: str, start: date | None, end: date | None) -> Mask:
    """Return the visible notes whose date lies in a range of whole days, both inclusive."""

    def make() -> Mask:
        days = snapshot.lexical.column(field_name) // SECONDS_A_DAY
        return snapshot.visible & _between(days, start, end)

    return snapshot.cached_mask(("dates", field_name, start, end), make)


def _folder(view: View, folder: str) -> Mask:
    snapshot, vault = view.snapshot, view.vault
    path = folder_path(snapshot, folder)
    if not path:
        return snapshot.visible
    key = path_key(path)
    # A folder that is excluded, or holds excluded notes alone, is as if it were not there.
    is_shown = snapshot.shows_folder(key) or (
        key not in parent_folders(snapshot.note_paths)
        and not vault.is_excluded(path + "/")
        and (vault.root / path).is_dir()
    )
    if not is_shown:
        shown = parent_folders(snapshot.visible_paths)
        near = near_folders(path, shown.values())
        alike = [name for name in shown.values() if fold(name) == fold(path)]
        raise UnknownFolderError(
            Sentence("unknown folder '{folder}'", folder=folder),
            Sentence("did you mean '{near:', '}'?", near=near)
            if near
            else Sentence("there are '{known:', '}'", known=tuple(sorted(shown.values())[:5]))
            if shown
            else "",
            meant=alike[0] if len(alike) == 1 else None,
        )
    return snapshot.cached_mask(("folder", key), lambda: snapshot.notes_with([f"folder:{key}"]))


def folder_path(snapshot: VaultSnapshot, folder: str) -> str:
    """Return the path of a folder as it was forgivingly written; empty for the vault's root."""
    return without_vault_prefix(clean_path(folder) + "/", snapshot.shows_folder("vault")).strip("/")


def near_folders(written: str, folders: Iterable[str]) -> tuple[str, ...]:
    """Return the few folders that are called nearly so, by their whole paths or their last names."""
    known: dict[str, str] = {}
    for folder in folders:
        known.setdefault(fold(folder), folder)
        known.setdefault(fold(folder.rpartition("/")[2]), folder)
    from difflib import get_close_matches  # only a mistake needs it

    near = get_close_matches(fold(written), known, n=3, cutoff=LEAST_NEAR)
    return tuple(dict.fromkeys(known[key] for key in near))


def scopes_of(snapshot: VaultSnapshot, scopes: tuple[str, ...]) -> list[Scope]:
    """Read scopes as `parse_scopes` does, by the notes and folders that are not excluded."""
    return parse_scopes(scopes, snapshot.shown_keys, snapshot.shown_folders)


def _scoped(snapshot: VaultSnapshot, texts: tuple[str, ...]) -> Mask:
    def make() -> Mask:
        scopes = scopes_of(snapshot, texts)
        mask = np.zeros_like(snapshot.visible)
        for doc in np.flatnonzero(snapshot.visible).tolist():
            mask[doc] = bool(_allowed(snapshot, doc, scopes))
        return mask

    return snapshot.cached_mask(("scopes", texts), make)


def void_scopes(snapshot: VaultSnapshot, texts: tuple[str, ...]) -> list[str]:
    """Name the scopes that no visible note lies in."""
    if not texts:
        return []
    keys = [path_key(path) for path in snapshot.visible_paths]
    return [scope.text for scope in scopes_of(snapshot, texts) if not any(map(scope.matches, keys))]


def _under_headings(snapshot: VaultSnapshot, mask: Mask, scopes: list[Scope]) -> ChunkFilter:
    """Keep the chunks, and of each the lines, that lie in a section one of the scopes names."""
    kept = np.zeros_like(mask)
    lines: dict[int, tuple[Lines, ...]] = {}
    ranges: dict[int, list[Lines]] = {}
    for doc in np.flatnonzero(mask).tolist():
        note = int(snapshot.lexical.note_of[doc])
        if note not in ranges:
            ranges[note] = _allowed(snapshot, note, scopes)
        start, end = snapshot.chunk_lines(doc)
        inside = [(max(a, start), min(b, end)) for a, b in ranges[note] if a <= end and b >= start]
        if inside:
            kept[doc] = True
            if inside != [(start, end)]:
                lines[doc] = tuple(inside)
    return ChunkFilter(kept, lines)


def _allowed(snapshot: VaultSnapshot, note: int, scopes: list[Scope]) -> list[Lines]:
    """Return the line ranges of a note that the scopes allow, in order, none touching the next."""
    key = path_key(snapshot.lexical.path(note))
    ranges: list[Lines] = []
    for scope in scopes:
        if scope.matches(key):
            if not scope.heading:
                return [(1, 2**40)]
            sections = snapshot.outline(note).sections
            ranges += [(one.line, one.last) for one in sections if scope.covers(one.text)]
    merged: list[Lines] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged
