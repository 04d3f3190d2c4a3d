"""Turn the structured part of a request into masks, before anything is ranked."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from app.errors import BadRequestError
from app.search.index.documents import SECONDS_A_DAY
from app.search.index.snapshot import VaultSnapshot, parent_folders
from app.search.lexical.analysis import fold
from app.search.lexical.segment import Mask
from app.search.lexical.sparse import Ids
from app.search.lexical.speller import alike
from app.search.models import SearchRequest
from app.search.view import View
from app.sentences import Sentence
from app.vault.glob import compile_glob
from app.vault.paths import clean_path, path_key, plain_signs, without_vault_prefix

Lines = tuple[int, int]
_PROJECT = "project:"
_MAGIC = frozenset("*?[{")


class ChunkFilter(NamedTuple):
    """The chunks a request may return; ``lines`` holds the ranges of those that are allowed in part only."""

    mask: Mask
    lines: Mapping[int, tuple[Lines, ...]] = MappingProxyType({})


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
    snapshot = view.snapshot
    mask = snapshot.chunks_of(note_filter(view, request, dates=False))
    if request.start or request.end:
        # A chunk has its own day, else that of its note by a date field.
        own, of_notes = snapshot.lexical.column("day"), snapshot.lexical.column(request.date_field)
        days = np.where(own > 0, own, of_notes[snapshot.lexical.note_of] // SECONDS_A_DAY)
        mask = mask & _between(days, request.start, request.end)
    scopes = scopes_of(snapshot, request.scopes or ())
    if not any(scope.heading for scope in scopes):
        return ChunkFilter(mask)
    return _under_headings(snapshot, mask, scopes)


def _between(days: Ids, start: date | None, end: date | None) -> Mask:
    first, last = (start or date.min).toordinal(), (end or date.max).toordinal()
    found: Mask = (days >= first) & (days <= last)
    return found


def tagged(snapshot: VaultSnapshot, tags: Collection[str], *, match_all: bool) -> Mask:
    """Return the visible notes with any, or all, of the tags; a parent matches its children."""
    masks = [snapshot.notes_with([f"tag:{tag_key(tag)}"]) for tag in tags]
    joined: Mask = (np.logical_and if match_all else np.logical_or).reduce(masks)
    return joined & snapshot.visible


def tag_key(tag: str) -> str:
    """Return the form in which tags are compared: without ``#``, outer slashes and case."""
    return path_key(tag.strip().lstrip("#").strip("/"))


def dated(snapshot: VaultSnapshot, field_name: str, start: date | None, end: date | None) -> Mask:
    """Return the visible notes whose date lies in a range of whole days, both inclusive."""
    return snapshot.visible & _between(snapshot.lexical.column(field_name) // SECONDS_A_DAY, start, end)


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
        shown = parent_folders(snapshot.visible_paths).values()
        near, known = near_folders(path, shown), tuple(sorted(shown)[:5])
        hint = Sentence("there are '{known:', '}'", known=known) if known else ""
        if near:
            hint = Sentence("did you mean '{near:', '}'?", near=near)
        raise BadRequestError(Sentence("unknown folder '{folder}'", folder=folder), hint)
    return snapshot.notes_with([f"folder:{key}"])


def folder_path(snapshot: VaultSnapshot, folder: str) -> str:
    """Return the path of a folder as it was forgivingly written; empty for the vault's root."""
    path = without_vault_prefix(clean_path(folder) + "/", snapshot.shows_folder("vault")).strip("/")
    if not path or snapshot.shows_folder(path_key(path)):
        return path
    shown = parent_folders(snapshot.visible_paths).values()
    alike = [name for name in shown if fold(name) == fold(path)]
    return alike[0] if len(alike) == 1 else path


def near_folders(written: str, folders: Iterable[str]) -> tuple[str, ...]:
    """Return the few folders that are called nearly so, by their whole paths or their last names."""
    known: dict[str, str] = {}
    for folder in folders:
        known.setdefault(fold(folder), folder)
        known.setdefault(fold(folder.rpartition("/")[2]), folder)
    return tuple(dict.fromkeys(known[key] for key in alike(fold(written), known)))


class Scope(NamedTuple):
    """One scope: which notes, and under which heading.

    ``pattern`` is matched against a note's path key with plain signs; ``heading`` has the same form, and is
    empty for whole notes.
    """

    text: str
    pattern: re.Pattern[str]
    heading: str = ""

    def matches(self, key: str) -> bool:
        """Return whether a path key lies in the scope."""
        return self.pattern.fullmatch(plain_signs(key)) is not None

    def covers(self, heading: str) -> bool:
        """Return whether a heading's text begins as the scope asks."""
        return _key(heading.strip()).startswith(self.heading)


def scopes_of(snapshot: VaultSnapshot, scopes: Sequence[str]) -> list[Scope]:
    """Read scopes as `parse_scope` does, by the notes and folders that are not excluded."""
    return [parse_scope(scope, snapshot.shown_keys, snapshot.shown_folders) for scope in scopes]


def parse_scope(text: str, keys: Collection[str], folders: Collection[str]) -> Scope:
    """Read a scope as the caller wrote it.

    Args:
        text: Such as ``projects/*/state.md``, ``project:garden`` or ``changelog.md#2025-07``.
        keys: Path keys of all notes, with which a name that looks like a pattern is told from one.
        folders: Path keys of all folders.

    Raises:
        BadRequestError: a glob is malformed.
        PathError: the scope leads out of the vault.
    """

    def is_note(path: str) -> bool:
        return path_key(path) in keys or path_key(path + ".md") in keys

    body, heading = text.strip(), ""
    # Only the last '#' splits, and only where the whole is no note's own name.
    if "#" in body and not is_note(body.lstrip("/")):
        body, _, heading = body.rpartition("#")
    is_project = _key(body).startswith(_PROJECT)
    path = clean_path(body[len(_PROJECT) :] if is_project else body)
    if is_project and not path:
        raise BadRequestError("scope '{text}' names no project", "write project:NAME", text=text)
    path = f"projects/{path}" if is_project else without_vault_prefix(path, "vault" in folders)
    if is_project or not path:
        pattern = re.compile(re.escape(_key(path + "/")).removeprefix("/") + ".*", re.DOTALL)
    elif not _MAGIC & set(path) or path_key(path) in folders or is_note(path):
        pattern = re.compile(re.escape(_key(path)) + r"(?:\.md)?(?:/.*)?", re.DOTALL)
    else:
        pattern = compile_glob(plain_signs(path))
    return Scope(text, pattern, _key(heading.strip()))


def _key(path: str) -> str:
    return plain_signs(path_key(path))


def _scoped(snapshot: VaultSnapshot, texts: tuple[str, ...]) -> Mask:
    def make() -> Mask:
        scopes = scopes_of(snapshot, texts)
        mask = np.zeros_like(snapshot.visible)
        for doc in np.flatnonzero(snapshot.visible).tolist():
            mask[doc] = bool(_allowed(snapshot, doc, scopes))
        return mask

    return snapshot.cached_mask(("scopes", texts), make)


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
        kept[doc] = bool(inside)
        if inside and inside != [(start, end)]:
            lines[doc] = tuple(inside)
    return ChunkFilter(kept, lines)


def _allowed(snapshot: VaultSnapshot, note: int, scopes: list[Scope]) -> list[Lines]:
    """Return the line ranges of a note that the scopes allow, in order, none touching the next."""
    key = path_key(snapshot.lexical.path(note))
    inside = [scope for scope in scopes if scope.matches(key)]
    if not all(scope.heading for scope in inside):
        return [(1, 2**40)]
    sections = snapshot.outline(note).sections if inside else ()
    merged: list[Lines] = []
    for section in sections:
        if any(scope.covers(section.text) for scope in inside):
            if merged and section.line <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(merged[-1][1], section.last))
            else:
                merged.append((section.line, section.last))
    return merged
