"""Turn words and phrases into masks of notes: narrowed by the index, verified on the text."""

import re
from collections.abc import Callable

import numpy as np

from app.dependencies import VaultClient
from app.errors import NoteNotFoundError, NoteUnreadableError, PathError
from app.search.lexical.analysis import fold
from app.search.lexical.index import Mask
from app.search.query.parse import Query
from app.search.snapshot import VaultSnapshot
from app.search.text import literal

_PART = re.compile(r"\w+")
# Scripts written without blanks are indexed two signs at a time.
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]+")


def query_filter(view: VaultSnapshot, vault: VaultClient, query: Query) -> Mask:
    """Give the notes that hold every phrase of a query and nothing it excludes."""
    mask = view.visible
    for phrase in query.phrases:
        mask = mask & phrase_notes(view, vault, phrase)
    for excluded in query.excluded:
        held = phrase_notes(view, vault, excluded) if " " in excluded else word_notes(view, vault, excluded)
        mask = mask & ~held
    return mask


def word_notes(view: VaultSnapshot, vault: VaultClient, word: str) -> Mask:
    """Give the notes whose text or name holds a bare word, as part of a longer one too, accents aside."""
    return view.cached_mask(("word", word), lambda: _word_notes(view, vault, word))


def phrase_notes(view: VaultSnapshot, vault: VaultClient, phrase: str) -> Mask:
    """Give the notes whose text or name holds a phrase as it stands; case aside, accents significant."""
    wanted = literal(phrase)

    def holds(text: str) -> bool:
        return wanted in literal(text)

    return view.cached_mask(
        ("phrase", phrase), lambda: _verified(view, vault, _narrowed(view, phrase), holds)
    )


def chunk_text(
    view: VaultSnapshot, vault: VaultClient, doc: int, lines: tuple[int, int] | None = None
) -> str:
    """Read the lines of a chunk, or those given, from the vault; empty where the file cannot be read."""
    start, end = lines or view.chunk_lines(doc)
    text = _read(vault, view.lexical.path(int(view.lexical.note_of[doc])))
    return "\n".join(text.split("\n")[start - 1 : end])


def _word_notes(view: VaultSnapshot, vault: VaultClient, word: str) -> Mask:
    candidates = _narrowed(view, word)
    if word.isalnum() and not UNSPACED.search(word):
        return candidates
    wanted = fold(literal(word))
    return _verified(view, vault, candidates, lambda text: wanted in fold(literal(text)))


def _narrowed(view: VaultSnapshot, text: str) -> Mask:
    """Give the notes in which every run of letters and digits of ``text`` occurs, in any place."""
    parts = _PART.findall(fold(text))
    mask = view.visible
    for part in parts:
        for piece in _pieces(part):
            mask = mask & _holding(view, piece)
    return mask


def _pieces(part: str) -> list[str]:
    runs = UNSPACED.findall(part)
    if not runs:
        return [part]
    pairs = [run[at : at + 2] for run in runs for at in range(max(len(run) - 1, 1))]
    return pairs + [rest for rest in UNSPACED.split(part) if rest]


def _holding(view: VaultSnapshot, piece: str) -> Mask:
    def make() -> Mask:
        found = np.zeros(view.lexical.size, dtype=np.bool_)
        for word in view.lexical.lexicon():
            if piece in word:
                found[view.lexical.note_of[view.lexical.word_docs(word)]] = True
        return found & view.visible

    return view.cached_mask(("piece", piece), make)


def _verified(view: VaultSnapshot, vault: VaultClient, notes: Mask, holds: Callable[[str], bool]) -> Mask:
    kept = np.zeros_like(notes)
    for doc in np.flatnonzero(notes).tolist():
        path = view.lexical.path(doc)
        kept[doc] = holds(path.removesuffix(".md")) or holds(_read(vault, path))
    return kept


def _read(vault: VaultClient, path: str) -> str:
    try:
        return vault.read(path).text
    except (NoteNotFoundError, NoteUnreadableError, PathError):
        # It vanished or was closed since it was indexed: it holds nothing, and the next update says so.
        return ""
