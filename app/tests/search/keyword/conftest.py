"""A folder of files in one line, ripgrep itself as the judge of what it prints, and the model server."""

import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from app.search.keyword.ripgrep import Corpus, find_ripgrep
from app.tests.llm.conftest import server

__all__ = ["server"]

MakeCorpus = Callable[[Mapping[str, str | bytes]], Corpus]


@pytest.fixture
def corpus(tmp_path: Path) -> MakeCorpus:
    """Write files and give them as what is searched, each by its name."""

    def make(files: Mapping[str, str | bytes]) -> Corpus:
        for name, content in files.items():
            file = tmp_path / "corpus" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Corpus(tmp_path / "corpus", lambda path, lines: lines, {name: name for name in files})

    return make


def printed(root: Path, *terms: str, names: tuple[str, ...] = ()) -> bytes:
    """What ripgrep itself prints for terms, called as the source calls it."""
    command = [find_ripgrep(), "--no-config", "-j1", "-C", "10", "-i", "--line-number", "--with-filename"]
    for term in terms:
        command += ["-e", term]
    return subprocess.run([*command, "--", *names], cwd=root, capture_output=True, check=False).stdout


def exact(word: str, size: int, path: str) -> str:
    """Lines that begin with a word, of which ripgrep prints exactly `size` bytes."""
    rows: list[str] = []
    while True:
        frame = len(f"{path}:{len(rows) + 1}:\n")
        if size < 2 * (frame + 61):
            return "\n".join([*rows, word.ljust(size - frame, ".")]) + "\n"
        rows.append(word.ljust(60, "."))
        size -= frame + 60


def paths_in(prompt: str) -> list[str]:
    """The files that a prompt shows, in its order."""
    found = re.findall(r"^(.+?)[:-]\d+[:-]", prompt.partition("<results>\n")[2], re.MULTILINE)
    return list(dict.fromkeys(found))
