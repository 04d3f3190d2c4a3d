"""How a coding agent looks for an answer without this program: ripgrep, then reading.

Two policies, neither of which knows where the evidence is. Both begin with one call that counts, for each
content word of the question, the notes that have it. Small words of English and French are left out; words
are sought as their stems, in any case and within words. What no note has is dropped, and the rest ordered
from the rarest.

*files*: the notes with any of the three rarest words, by the number of matches, most first; then they are
read from their beginnings, 200 lines a call.

*context*: the lines with a word, with two lines around, one word a call from the rarest, at most 100 lines of
output; then the list of notes, and reading, as above.

Both end at the evidence, or after `MOST_CALLS`. Output is what ripgrep prints at its shortest: the path once,
above its lines.
"""

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.chat.offline.phrases import content_words, words_of
from app.search.excerpt import fold
from app.search.keyword.ripgrep import find_ripgrep
from app.search.lexical.language import note_language, stems
from bench.agents.received import Received

MOST_CALLS = 20
MOST_WORDS, LEAST_STEM, RAREST = 8, 4, 3
CHUNK = 200
CONTEXT, MOST_OUTPUT, MOST_NOTES = 2, 100, 20
_WORD = re.compile(r"\w{2,}")
_SHOWN = re.compile(r"(?P<number>\d+)[:-](?P<text>.*)")


def sought(question: str) -> list[str]:
    """Return what is looked for: the stems of a question's content words, the longest words first."""
    words = _WORD.findall(content_words(question).casefold()) or _WORD.findall(question.casefold())
    language = note_language(set(words_of(question)))
    found = []
    for word in sorted(dict.fromkeys(words), key=len, reverse=True)[:MOST_WORDS]:
        (stem,) = stems(word, (language,))
        # A stem that is no beginning of its word is not found as text, and a short one everywhere.
        is_found = fold(word).startswith(fold(stem)) and len(stem) >= LEAST_STEM
        found.append(word[: len(stem)] if is_found else word)
    return list(dict.fromkeys(found))


class Shell:
    """What a coding agent has: ripgrep in a folder of notes, and the reading of some lines of a note."""

    def __init__(self, vault: Path) -> None:
        self._vault = vault
        self._rg = find_ripgrep()

    def _run(self, *arguments: str) -> list[str]:
        command = [self._rg, "--ignore-case", "--sort=path", "--glob=*.md", *arguments, "."]
        done = subprocess.run(command, cwd=self._vault, capture_output=True, encoding="utf-8", check=False)
        # One says that nothing matches; what is above is an error.
        if done.returncode > 1:
            done.check_returncode()
        return [line.removeprefix("./") for line in done.stdout.splitlines()]

    def count(self, words: Sequence[str]) -> dict[str, int]:
        """Count the notes that have a word, for each that any has, from the rarest."""
        counts = {word: len(self._run("--files-with-matches", "--", re.escape(word))) for word in words}
        return dict(sorted(((word, n) for word, n in counts.items() if n), key=lambda each: each[1]))

    def notes(self, words: Sequence[str]) -> list[tuple[str, int]]:
        """List the notes with any of some words, and how many lines of each have one, most first."""
        said = self._run("--count", "--", "|".join(map(re.escape, words))) if words else []
        counted = [(path, int(n)) for path, _, n in (line.rpartition(":") for line in said)]
        return sorted(counted, key=lambda each: -each[1])[:MOST_NOTES]

    def around(self, word: str) -> list[str]:
        """Print the lines that have a word, with those around them."""
        return self._run("--heading", "--line-number", f"--context={CONTEXT}", "--", re.escape(word))[
            :MOST_OUTPUT
        ]

    def chunks(self, path: str) -> Iterator[tuple[int, list[str]]]:
        """Yield all lines of a note in chunks, each with the number of its first line."""
        lines = (self._vault / path).read_text(encoding="utf-8").split("\n")
        for start in range(0, len(lines), CHUNK):
            yield start + 1, lines[start : start + CHUNK]


def shown_around(lines: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    """Read path, number and text of each line out of what ripgrep prints under the paths."""
    path = ""
    for line in lines:
        if found := _SHOWN.fullmatch(line):
            yield path, int(found["number"]), found["text"]
        elif line not in ("", "--"):
            path = line


def steps(shell: Shell, question: str, received: Received, *, context: bool) -> Iterator[None]:
    """Look for the answer, call by call; whoever goes through the calls may stop after any."""
    counts = shell.count(sought(question))
    received.take("\n".join(f"{word} {n}" for word, n in counts.items()), iter(()))
    yield
    for word in counts if context else ():
        lines = shell.around(word)
        received.take("\n".join(lines), shown_around(lines))
        yield
    notes = shell.notes(list(counts)[:RAREST])
    received.take("\n".join(f"{path}:{n}" for path, n in notes), iter(()))
    yield
    for path, _ in notes:
        for first, lines in shell.chunks(path):
            numbered = list(enumerate(lines, first))
            text = "\n".join(f"{number}\t{line}" for number, line in numbered)
            received.take(text, ((path, number, line) for number, line in numbered))
            yield
