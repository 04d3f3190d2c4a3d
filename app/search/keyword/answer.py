"""Keyword search as a whole: terms to files, files to a judged list, and the list as text."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.errors import ModelError
from app.search.keyword.corpus import Corpus
from app.search.keyword.gather import FoundFile, Gathered, gather
from app.search.keyword.judge import NONE_RELEVANT, SYSTEM, read_judgement, write_prompt
from app.search.keyword.models import Ask
from app.showing import in_line

NO_MATCHES = "no matches found"
RANKED_BY_TERMS = "the files are ranked by how many and how important the terms they match"


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
    notices: tuple[str, ...] = ()
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
    gathered = gather(terms, corpus)
    notices = _left_out(gathered)
    if not gathered.files:
        return KeywordAnswer((), (NO_MATCHES, *notices))
    if ask is None:
        return _by_terms(gathered, (f"{why_not}: {RANKED_BY_TERMS}", *notices))
    try:
        judgement = read_judgement(ask(write_prompt(query, gathered.files), SYSTEM), gathered.files)
    except ModelError as error:
        return _by_terms(gathered, (f"{_unstopped(str(error))}: {RANKED_BY_TERMS}", *notices))
    if judgement is None:
        said = f"the language model's answer names no files: {RANKED_BY_TERMS}"
        return _by_terms(gathered, (said, *notices))
    if judgement.invented:
        count = judgement.invented
        named = f"{count} {'name' if count == 1 else 'names'}"
        notices = (f"{named} of the language model's answer left out: no such file was found", *notices)
    found = {file.path: file for file in gathered.files}
    kept = list(judgement.reasons.items())
    files = tuple(
        KeywordFile(path, (len(kept) - place) / len(kept), reason, found[path].matches)
        for place, (path, reason) in enumerate(kept)
    )
    return KeywordAnswer(files, notices if files else (NONE_RELEVANT, *notices))


def _by_terms(gathered: Gathered, notices: tuple[str, ...]) -> KeywordAnswer:
    files = tuple(
        KeywordFile(file.path, file.score, _terms_of(file), file.matches) for file in gathered.files
    )
    return KeywordAnswer(files, notices)


def _terms_of(file: FoundFile) -> str:
    count = len(file.matches)
    return f"matches {_quoted(file.terms)} on {count} {'line' if count == 1 else 'lines'}"


def _left_out(gathered: Gathered) -> tuple[str, ...]:
    notices = []
    if gathered.broad:
        notices.append(f"dropped as too broad: {_quoted(gathered.broad)}")
    if gathered.peeled:
        notices.append(f"left out, since all terms together find too much: {_quoted(gathered.peeled)}")
    if gathered.lost:
        files = "file" if gathered.lost == 1 else "files"
        notices.append(f"{gathered.lost} {files} left out: changed while searched, or not to be read")
    if not gathered.complete:
        notices.append("some files could not be opened and were not searched")
    return tuple(notices)


def _quoted(terms: Sequence[str]) -> str:
    return ", ".join(f"'{in_line(term)}'" for term in terms)


def _unstopped(text: str) -> str:
    return text.rstrip(". ")
