"""Which notes of a vault hold the words of a request, without an index: by ripgrep."""

import math
import subprocess
import time
from collections.abc import Collection

from app.errors import EngineMissingError
from app.search.keyword.ripgrep import find_ripgrep
from app.search.lexical.analysis import fold, runs
from app.search.lexical.language import detect, stems, stop_words
from app.search.models import SearchRequest
from app.vault.client import VaultClient
from app.vault.paths import NotePath, nfc

MOST_NOTES = 50
MOST_WORDS = 8
LEAST_STEM = 3
SECONDS = 1.0
"""How long a vault may be looked through, for all words together."""
OPTIONS = (
    "--no-config --no-messages --no-ignore --files-with-matches --null --text --ignore-case --fixed-strings"
)


def likely_notes(vault: VaultClient, request: SearchRequest, paths: Collection[NotePath]) -> list[NotePath]:
    """Return those of some notes that hold the words of a request, or have them in their names.

    Those with the most and rarest words come first, and `MOST_NOTES` at most.
    """
    ends, scores = time.monotonic() + SECONDS, dict.fromkeys(paths, 0.0)
    names = {path: fold(path) for path in paths}
    for word in _words(request):
        named = {path for path, name in names.items() if fold(word) in name}
        found = named | (_holders(vault, word, ends) & scores.keys())
        for path in found:
            scores[path] += math.log1p(len(scores) / len(found)) * (2 if path in named else 1)
    return sorted(filter(scores.get, paths), key=lambda path: (-scores[path], path))[:MOST_NOTES]


def _words(request: SearchRequest) -> list[str]:
    """Return what the forms of the words that are asked for begin with, without stop words."""
    name = request.note_path.rpartition("/")[2].removesuffix(".md") if request.note_path else ""
    asked = [*request.queries, *request.search_terms, *request.tags, name]
    words = dict.fromkeys(word for text in asked for word in runs(text))
    language = detect(words.keys())
    telling = [word for word in words if fold(word) not in stop_words(language)] or list(words)
    stemmed = [(word, stems(word, (language,))[0]) for word in telling[:MOST_WORDS]]
    return [stem if word.startswith(stem) and len(stem) >= LEAST_STEM else word for word, stem in stemmed]


def _holders(vault: VaultClient, word: str, ends: float) -> set[NotePath]:
    """Return the notes that hold a word, as far as they are found in time; none where there is no ripgrep."""
    try:
        command = [find_ripgrep(), *OPTIONS.split(), "--iglob=*.md", f"--regexp={word}", "--", "./"]
        seconds = max(ends - time.monotonic(), 0)
        out = subprocess.run(
            command, cwd=vault.root, stdout=subprocess.PIPE, timeout=seconds, check=False
        ).stdout
    except subprocess.TimeoutExpired as error:
        out = error.stdout or b""
    except (EngineMissingError, OSError):
        return set()
    names = out.decode("utf-8", "surrogateescape").split("\0")
    return {NotePath(nfc(name.removeprefix("./"))) for name in names}
