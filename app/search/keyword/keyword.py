"""Keyword search over files, and over the notes of a vault: found by terms, then judged."""

import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from app.errors import ModelError, NoteNotFoundError, NoteUnreadableError, PathError
from app.notices import Notice, NoticeKind
from app.search.index.chunk import split_lines
from app.search.keyword.judge import NONE_RELEVANT, SYSTEM, Ask, choose_filter, read_judgement, write_prompt
from app.search.keyword.ripgrep import Corpus, FoundFile, Lines, gather, quoted
from app.search.models import Ranked, Ranking, SearchRequest
from app.search.query.filters import chunk_filter, note_filter
from app.search.view import View
from app.showing import in_line

NO_MATCHES = Notice(NoticeKind.NO_MATCHES)

Ranges = dict[str, list[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class KeywordFile:
    """A file that answers: its score in 0..1, why it is given, and the first lines that match."""

    path: str
    score: float
    reason: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class KeywordAnswer:
    """Files, best first, and what must be said of the search.

    ``root`` is the folder that was searched, where that was no vault. The first notice of an answer
    without files says which of the two it is: `NO_MATCHES` or `NONE_RELEVANT`.
    """

    files: tuple[KeywordFile, ...]
    notices: tuple[Notice, ...] = ()
    root: str = ""

    @property
    def text(self) -> str:
        """The answer as text: a file a line with its reason, then the notices."""
        head = [f"Searched {in_line(self.root)}"] if self.root else []
        files = [f"{in_line(file.path)}: {file.reason}" for file in self.files]
        said = self.notices if self.files else self.notices[1:]
        nothing = [] if self.files else list(self.notices[:1])
        return "\n".join([*head, *files, *nothing, *(f"Note: {notice}." for notice in said)])


def search_corpus(
    query: str, terms: Sequence[str], corpus: Corpus, ask: Ask | None, why_not: str = ""
) -> KeywordAnswer:
    """Find files by terms, then keep those that the language model finds relevant to the query.

    Args:
        query: What is looked for, in a sentence or more.
        terms: Regular expressions, most important first.
        corpus: Where to look.
        ask: Asks the language model; without it the files are ranked by their terms.
        why_not: Why there is no model.

    Raises:
        SearchError: as for `gather`.
    """
    found, notices = gather(terms, corpus)
    if not found:
        return KeywordAnswer((), (NO_MATCHES, *notices))
    try:
        if ask is None:
            raise ModelError(why_not)
        reasons, invented = read_judgement(ask(write_prompt(query, found), system=SYSTEM), found, corpus.root)
    except ModelError as error:
        why = Notice(NoticeKind.RANKED_BY_TERMS, why=str(error))
        ranked = [KeywordFile(file.path, file.score, _terms_of(file), file.matches) for file in found]
        return KeywordAnswer(tuple(ranked), (why, *notices))
    if invented:
        notices = (Notice(NoticeKind.INVENTED_NAMES, count=invented), *notices)
    matches = {file.path: file.matches for file in found}
    kept = tuple(
        KeywordFile(path, 1 - place / len(reasons), reason, matches[path])
        for place, (path, reason) in enumerate(reasons.items())
    )
    return KeywordAnswer(kept, notices if kept else (NONE_RELEVANT, *notices))


def _terms_of(file: FoundFile) -> str:
    count = len(file.matches)
    return f"matches {quoted(file.terms)} on {count} {'line' if count == 1 else 'lines'}"


def judged_notes(view: View, request: SearchRequest) -> Ranking:
    """Rank the notes of a request that ripgrep finds and, where there is one, the language model keeps."""
    ask, why_not = choose_filter(view.vault.settings)
    answer = search_corpus(request.query, request.search_terms, note_corpus(view, request), ask, why_not)
    docs = view.lexical.paths()
    items = tuple(Ranked(docs[file.path], file.score, file.lines, file.reason) for file in answer.files)
    return Ranking(items, len(items), answer.notices)


def note_corpus(view: View, request: SearchRequest) -> Corpus:
    """Return the visible notes inside the request's folder and scopes.

    Ripgrep only tells which lines match. Their text is read again from the vault, and shown where it is
    still the note that was indexed: a file or folder exchanged for a link meanwhile leads nowhere.
    """
    # What ripgrep reads of other files is not their text.
    mask = note_filter(view, request) & ~view.snapshot.attached
    paths = [view.lexical.path(doc) for doc in np.flatnonzero(mask).tolist()]

    def show(path: str, lines: Lines) -> Lines | None:
        doc = view.snapshot.doc(path)
        assert doc is not None
        try:
            read = view.vault.read(path)
        except (NoteNotFoundError, NoteUnreadableError, PathError):
            return None
        if read.hash != view.snapshot.note(doc).hash:
            return None
        text = split_lines(read.text)
        return {n: replace(line, text=text[n - 1]) for n, line in lines.items() if n <= len(text)}

    root = view.vault.root
    files = {_name_on_disk(root, path): path for path in sorted(paths)}
    return Corpus(root, show, files, _ranges(view, request))


def _ranges(view: View, request: SearchRequest) -> Ranges | None:
    """Return the lines that scopes with a heading allow, by path; None where whole notes are allowed."""
    if not any("#" in scope for scope in request.scopes or ()):
        return None
    chunks = chunk_filter(view, request)
    ranges: Ranges = {}
    for doc in np.flatnonzero(chunks.mask).tolist():
        path = view.lexical.path(int(view.lexical.note_of[doc]))
        ranges.setdefault(path, []).extend(chunks.lines.get(doc) or (view.snapshot.chunk_lines(doc),))
    return ranges


def _name_on_disk(root: Path, path: str) -> str:
    """Return the file's own name, which may be in the other Unicode form, as Macs write names."""
    if path.isascii() or os.path.lexists(root / path):
        return path
    folder = root
    for part in path.split("/"):
        folder /= part if os.path.lexists(folder / part) else unicodedata.normalize("NFD", part)
    return folder.relative_to(root).as_posix()
