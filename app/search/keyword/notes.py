"""The notes of a vault as keyword search sees them: those a search may show, and nothing else."""

import os
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from app.dependencies import VaultClient
from app.errors import NoteNotFoundError, NoteUnreadableError, PathError
from app.search.index.chunk import split_lines
from app.search.index.snapshot import VaultSnapshot
from app.search.keyword.answer import search_corpus
from app.search.keyword.corpus import Corpus
from app.search.keyword.models import choose_filter
from app.search.keyword.output import Lines
from app.search.keyword.ripgrep import CONTEXT
from app.search.models import Ranked, Ranking, SearchRequest
from app.search.query.filters import chunk_filter, note_filter
from app.vault.paths import nfc

Ranges = dict[str, list[tuple[int, int]]]


def judged_notes(view: VaultSnapshot, vault: VaultClient, request: SearchRequest) -> Ranking:
    """Rank the notes of a request that ripgrep finds and, where there is one, the language model keeps."""
    ask, why_not = choose_filter(vault.settings)
    answer = search_corpus(
        request.query, request.search_terms, note_corpus(view, vault, request), ask, why_not
    )
    docs = view.lexical.paths()
    items = tuple(Ranked(docs[file.path], file.score, file.lines, file.reason) for file in answer.files)
    return Ranking(items, len(items), answer.notices)


def note_corpus(view: VaultSnapshot, vault: VaultClient, request: SearchRequest) -> Corpus:
    """Give the visible notes inside the request's folder and scopes.

    Ripgrep only tells which lines match. Their text is read again from the vault, and shown where it is
    still the note that was indexed: a file or folder exchanged for a link meanwhile leads nowhere.
    """
    mask = note_filter(view, vault, request)
    paths = [view.lexical.path(doc) for doc in np.flatnonzero(mask).tolist()]
    ranges = _ranges(view, vault, request)

    def show(path: str, lines: Lines) -> Lines | None:
        doc = view.doc(path)
        assert doc is not None
        try:
            read = vault.read(path)
        except (NoteNotFoundError, NoteUnreadableError, PathError):
            return None
        if read.hash != view.note(doc).hash:
            return None
        text = split_lines(read.text)
        lines = {n: replace(line, text=text[n - 1]) for n, line in lines.items() if n <= len(text)}
        return lines if ranges is None else _around_matches(lines)

    def allows(path: str, number: int) -> bool:
        return any(first <= number <= last for first, last in (ranges or {}).get(path, ()))

    files = _names_on_disk(vault.root, sorted(paths))
    return Corpus(vault.root, show, files, allows if ranges is not None else None)


def _ranges(view: VaultSnapshot, vault: VaultClient, request: SearchRequest) -> Ranges | None:
    """Give the lines that scopes with a heading allow, by path; None where whole notes are allowed."""
    if not any("#" in scope for scope in request.scopes or ()):
        return None
    chunks = chunk_filter(view, vault, request)
    ranges: Ranges = {}
    for doc in np.flatnonzero(chunks.mask).tolist():
        path = view.lexical.path(int(view.lexical.note_of[doc]))
        ranges.setdefault(path, []).extend(chunks.lines.get(doc) or (view.chunk_lines(doc),))
    return ranges


def _around_matches(lines: Lines) -> Lines:
    """Drop context of matches that lie outside what is searched."""
    matches = [number for number, line in lines.items() if line.matched]
    return {
        number: line
        for number, line in lines.items()
        if any(abs(number - match) <= CONTEXT for match in matches)
    }


def _names_on_disk(root: Path, paths: Iterable[str]) -> dict[str, str]:
    """Give the files' own names, which may be in another Unicode form, with the paths of the notes."""
    entries = cache(_entries)

    def name_of(path: str) -> str:
        folder = root
        for part in path.split("/"):
            folder /= part if os.path.lexists(folder / part) else entries(folder).get(part, part)
        return folder.relative_to(root).as_posix()

    return {path if path.isascii() or os.path.lexists(root / path) else name_of(path): path for path in paths}


def _entries(folder: Path) -> dict[str, str]:
    """Give what a folder holds, by its NFC names; where two have the same, the first."""
    try:
        names = sorted((entry.name for entry in folder.iterdir()), reverse=True)
    except OSError:
        return {}
    return {nfc(name): name for name in names}
