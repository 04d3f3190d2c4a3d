"""What searching is worth on a vault: its own questions, asked of a copy without the lines they stand on."""

import random
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app.errors import VaultError
from app.search.excerpt import fold
from app.search.format import format_results
from app.search.index.questions import Asked, descriptions, headings, link_texts, shown_chunks
from app.search.index.store import VECTORS
from app.search.keyword.ripgrep import find_ripgrep
from app.search.lexical.language import stop_words
from app.search.request import parse_request
from app.search.searcher import Searcher, searcher_for
from app.search.view import View
from app.tokens import count_tokens
from app.vault.client import VaultClient

FIRST = 5
"""A question is answered where its note is among so many."""
LEAST_LETTERS = 3
"""Of a word that ripgrep is asked for."""
_WORD = re.compile(r"\w+")
Way = Literal["words", "meaning", "ripgrep"]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Question:
    """A text of the vault that is asked, where it comes from, and the note that it is about."""

    text: str
    source: str
    path: str


@dataclass(frozen=True, slots=True)
class Measured:
    """How one way of searching did: shares of questions, and the median of its time and of what is read."""

    way: Way
    hit: float
    """The share of questions whose note is among the first five."""
    first: float
    """The share whose note is the first."""
    milliseconds: float
    tokens: int


def make_questions(view: View, count: int, seed: int) -> list[Question]:
    """Choose questions by lot, the same number of each kind where there are enough."""
    snapshot = view.snapshot
    docs = shown_chunks(snapshot)
    lot = random.Random(seed)
    kinds = [list(make(snapshot, docs)) for make in (link_texts, headings, descriptions)]
    kinds.sort(key=len)
    chosen: list[Asked] = []
    for place, kind in enumerate(kinds):
        room = (count - len(chosen)) // (len(kinds) - place)
        chosen += lot.sample(kind, min(room, len(kind)))
    return [
        Question(one.text, one.source, snapshot.lexical.path(int(snapshot.lexical.note_of[one.docs[0]])))
        for one in chosen
    ]


@contextmanager
def masked(
    searcher: Searcher, questions: Sequence[Question], progress: Progress | None
) -> Iterator[Searcher]:
    """Yield a searcher of a copy of the vault without the lines that hold a question word for word.

    The copy, and its index, lie in a temporary folder of this user alone, and are gone afterwards. Vectors of
    passages that stay as they are are taken along.
    """
    view = searcher.view()
    texts = [question.text.casefold() for question in questions]
    paths = [view.lexical.path(int(doc)) for doc in view.snapshot.visible.nonzero()[0].tolist()]
    with tempfile.TemporaryDirectory(prefix="vault-assistant-") as folder:
        root = Path(folder, "notes")
        for path in paths:
            try:
                text = searcher.vault.read(path).text
            except VaultError:
                # It was taken away since the index was made.
                continue
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(_without(text, texts), encoding="utf-8")
        values = {"cache_dir": Path(folder, "cache"), "state_dir": Path(folder, "state")}
        copy = searcher_for(
            VaultClient(root, searcher.vault.settings.model_copy(update=values)), searcher.name
        )
        try:
            copy.update(progress=progress)
            if (searcher.folder / VECTORS).is_dir():
                shutil.copytree(searcher.folder / VECTORS, copy.folder / VECTORS, dirs_exist_ok=True)
            yield copy
        finally:
            copy.close()


def _without(text: str, texts: Sequence[str]) -> str:
    """Empty the lines that hold one of some texts; the others keep their numbers."""
    whole = text.casefold()
    asked = [one for one in texts if one in whole]
    if not asked:
        return text
    return "\n".join(
        "" if any(one in line.casefold() for one in asked) else line for line in text.split("\n")
    )


def measure(
    searcher: Searcher, questions: Sequence[Question], way: Way, progress: Progress | None = None
) -> Measured:
    """Ask all questions in one way, one after the other.

    Args:
        searcher: Of the copy.
        questions: What is asked.
        way: How.
        progress: Called with questions asked and questions to ask.
    """
    ask = _by_ripgrep if way == "ripgrep" else _by_meaning if way == "meaning" else _found
    ask(searcher, questions[0].text)
    places, seconds, tokens = [], [], []
    for number, question in enumerate(questions, 1):
        begun = time.perf_counter()
        paths, said = ask(searcher, question.text)
        seconds.append(time.perf_counter() - begun)
        places.append(paths.index(question.path) + 1 if question.path in paths else 0)
        tokens.append(count_tokens(said))
        if progress:
            progress(number, len(questions))
    count = len(questions)
    return Measured(
        way,
        sum(place > 0 for place in places) / count,
        sum(place == 1 for place in places) / count,
        statistics.median(seconds) * 1000,
        int(statistics.median(tokens)),
    )


def _by_meaning(searcher: Searcher, text: str) -> tuple[list[str], str]:
    return _found(searcher, text, "deep")


def _found(searcher: Searcher, text: str, operation: str = "fast") -> tuple[list[str], str]:
    """Return the first notes, and the passages as an agent reads them."""
    results = searcher.search(parse_request({"operation": operation, "query": text, "limit": FIRST}))
    return list(dict.fromkeys(result.path for result in results.results)), str(format_results(results))


def _by_ripgrep(searcher: Searcher, text: str) -> tuple[list[str], str]:
    """Return the notes with most of the words, then with most such lines, and these lines."""
    words = _words(text, searcher.view())
    if not words:
        return [], ""
    root = searcher.vault.root
    command = [find_ripgrep(), "-i", "-n", "--no-heading", "--with-filename", "--color=never", "-F"]
    command += [part for word in words for part in ("-e", word)]
    printed = subprocess.run(
        [*command, "--", "."], cwd=root, stdin=subprocess.DEVNULL, capture_output=True, check=False
    ).stdout.decode(errors="replace")
    lines: dict[str, list[str]] = {}
    for line in printed.splitlines():
        path, _, rest = line.removeprefix("./").partition(":")
        lines.setdefault(path, []).append(rest)
    held = Counter(
        {
            path: 1000 * sum(any(word in line.lower() for line in of_path) for word in words)
            + min(len(of_path), 999)
            for path, of_path in lines.items()
        }
    )
    first = sorted(held, key=lambda path: (-held[path], path))[:FIRST]
    return first, "\n".join(f"{path}:{line}" for path in first for line in lines[path])


def _words(text: str, view: View) -> list[str]:
    """Return the words that somebody would give ripgrep: those of the question that say something."""
    stops = {word for language in view.lexical.languages for word in stop_words(language)}
    words = _WORD.findall(text.lower())
    telling = [word for word in words if len(word) >= LEAST_LETTERS and fold(word) not in stops]
    return list(dict.fromkeys(telling or words))
