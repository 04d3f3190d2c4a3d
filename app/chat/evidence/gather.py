"""Search the vault for a question, and give what was found as numbered evidence."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from app.chat.evidence.evidence import Evidence
from app.errors import VaultError
from app.notices import Notice
from app.search.embedding.loading import is_installed
from app.search.index.documents import CHAT, MARK, NAME, name_words
from app.search.lexical.analysis import runs
from app.search.lexical.language import note_language, stop_words
from app.search.models import Mode, SearchRequest, SearchResult
from app.search.searcher import searcher_for
from app.search.view import View
from app.stopping import go_on
from app.vault.client import VaultClient

PASSAGES = 12
"""Passages that are read for one question."""
MORE, MOST_SEARCHED = 4, 100
"""Where saved chats come first, so many times more passages are searched, and so many at the most."""
MOST = 0.5
"""Of the passages, as a share: where no more have vectors, words find more than meaning."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found for a question: evidence, best first, and what must be said of the search.

    ``mode`` is how it searched, ``view`` the state of the index that it searched.
    """

    question: str
    evidence: tuple[Evidence, ...]
    mode: Mode
    view: View
    notices: tuple[Notice, ...] = ()


def best_mode(vault: VaultClient) -> Mode:
    """Tell which mode a search takes that names none: deep where most passages have vectors to search by."""
    try:
        view = searcher_for(vault).view()
        if view.vectors is None or not is_installed() or not view.lexical.chunks.any():
            return "fast"
        return "deep" if view.vectors.share(view.snapshot) > MOST else "fast"
    except VaultError:
        # The search that follows meets the same, and says it.
        return "fast"


def gather(vault: VaultClient, question: str) -> Found:
    """Search by the words of a question, and by its meaning where the passages have vectors.

    Passages of saved chats are no evidence.

    Raises:
        VaultError: the vault cannot be searched.
    """
    searcher, mode = searcher_for(vault), best_mode(vault)
    limit = PASSAGES
    while True:
        go_on()
        asked = SearchRequest(operation=mode, mode=mode, query=question, queries=(question,), limit=limit)
        results, view = searcher.searched(asked, far_too=True)
        if mode == "fast" and best_mode(vault) == "deep":
            # The search made the index anew, as it does where other notes are excluded; before, it had no
            # passages with vectors.
            mode = "deep"
            continue
        # Saved chats repeat the question, and come first: behind them the notes are looked for.
        kept = [one for one in results.results if not _is_chat(view, one.path)]
        if len(kept) >= PASSAGES or len(results.results) < limit or limit >= MOST_SEARCHED:
            break
        limit = min(limit * MORE, MOST_SEARCHED)
    evidence = list(_evidence(vault, kept[:PASSAGES]))
    evidence += _named_besides(vault, view, question, evidence)
    return Found(question, tuple(evidence), mode, view, tuple(results.notices))


def _evidence(vault: VaultClient, results: Sequence[SearchResult]) -> Iterator[Evidence]:
    number = 1
    for result in results:
        # What was taken away since the search is passed over.
        with suppress(VaultError):
            yield evidence_of(vault, number, result)
            number += 1


def _named_besides(
    vault: VaultClient, view: View, question: str, evidence: Sequence[Evidence]
) -> Iterator[Evidence]:
    """Yield the note that a question names first, whole, where no passage is of it."""
    asked = f" {' '.join(name_words(question))} "
    called = (name for first in _naming(view, question) for name in view.snapshot.names[first])
    for name in sorted((name for name in called if f" {name} " in asked), key=len, reverse=True):
        for doc in view.lexical.docs_with(NAME + name).tolist():
            path = view.lexical.path(doc)
            is_out = view.hides(path) or vault.is_left_out(path) or _is_chat(view, path)
            if is_out or any(one.path == path for one in evidence):
                continue
            with suppress(VaultError):
                lines = vault.read(path).text.rstrip("\n").split("\n")
                yield Evidence(len(evidence) + 1, path, 1, len(lines), "\n".join(lines))
                return
        return


def names_a_note(view: View, question: str) -> bool:
    """Return whether a word of a question begins the name of a note."""
    return any(_naming(view, question))


def _naming(view: View, question: str) -> Iterator[str]:
    """Yield the words of a question that begin the name of a note."""
    mute = stop_words(note_language(set(runs(question))))
    return (word for word in name_words(question) if word in view.snapshot.names and word not in mute)


def _is_chat(view: View, path: str) -> bool:
    doc = view.snapshot.doc(path)
    return doc is not None and view.snapshot.note(doc).properties.get(MARK) == CHAT


def evidence_of(vault: VaultClient, number: int, result: SearchResult) -> Evidence:
    """Take the lines of a result from its note, as they stand; raises as `VaultClient.read` does."""
    first, _, last = (result.lines or "1").partition("-")
    lines = vault.read(result.path).text.split("\n")[int(first) - 1 : int(last or first)]
    return Evidence(
        number,
        result.path,
        int(first),
        int(last or first),
        "\n".join(lines),
        result.heading or "",
        result.date or "",
        result.score,
    )
