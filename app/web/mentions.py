"""Unlinked mentions of a note: where others say its name and do not link to it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from app.markdown.links import Graph
from app.search.index.snapshot import VaultSnapshot
from app.search.query.evaluate import matching_notes
from app.search.query.tree import Or, Text
from app.search.searcher import searcher_for
from app.search.view import View
from app.stopping import go_on
from app.vault.client import VaultClient
from app.vault.paths import nfc
from app.web.files import open_shown
from app.web.pages import context_of, page
from app.web.quoted import quoted_line

LEAST_NAME = 3
"""Shorter names stand in too many words to be one."""
MOST_NAMES = 20
MOST_READ = 300
"""Notes that are read for whole words, the newest first; of more it is said that there may be others."""
MOST_NOTES = 30
MOST_LINES = 3

_LINKED = re.compile(r"\[\[[^\[\]\n]*\]\]|\[[^\[\]\n]*\]\([^()\n]*\)|`[^`\n]*`")
"""What links already, and what is quoted as code."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A note that says the name of another, with the lines where it does."""

    path: str
    lines: tuple[tuple[int, str], ...]
    more: int


@dataclass(frozen=True, slots=True)
class Mentions:
    """The notes that mention one; ``has_more`` where there are, or may be, others."""

    notes: tuple[Mention, ...]
    has_more: bool


def mentions_part(request: Request) -> Response:
    """Show the notes that have a note's title or an alias as whole words, and do not link to it."""
    vault = context_of(request).vault
    document = open_shown(vault, request.path_params["path"])
    searcher = searcher_for(vault)
    linking = searcher.ask_links(lambda graph: _linking(graph, document.path))
    found = searcher.mended(lambda: find_mentions(vault, searcher.view(), document.path, linking))
    return page(request, "note/mentions.html", found=found)


def _linking(graph: Graph, path: str) -> frozenset[str]:
    return frozenset(edge.source for edge in graph.incoming(path))


def find_mentions(vault: VaultClient, view: View, path: str, linking: frozenset[str]) -> Mentions:
    """Find the notes that mention one.

    Args:
        vault: Says what is excluded.
        view: The index, whose texts are read.
        path: The note.
        linking: The notes that link to it.
    """
    snapshot = view.snapshot
    doc = snapshot.doc(path)
    names = _names(snapshot, doc) if doc is not None else []
    if not names:
        return Mentions((), False)
    asked = Or(tuple(Text(name, folds=True) for name in names))
    # The words of both forms of a sign are found alike; whole they are in the text itself.
    whole = re.compile(
        r"(?<!\w)(?:" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")(?!\w)",
        re.IGNORECASE,
    )
    docs = snapshot.newest_first(np.flatnonzero(matching_notes(view, [asked], snapshot.visible)).tolist())
    others = [
        other
        for other in docs
        if other != doc and (at := snapshot.lexical.path(other)) not in linking and not vault.is_excluded(at)
    ]
    found: list[Mention] = []
    for other in others[:MOST_READ]:
        go_on()
        if lines := list(_lines(snapshot, other, whole)):
            if len(found) == MOST_NOTES:
                return Mentions(tuple(found), True)
            shown = tuple(lines[:MOST_LINES])
            found.append(Mention(snapshot.lexical.path(other), shown, len(lines) - len(shown)))
    return Mentions(tuple(found), len(others) > MOST_READ)


def _names(snapshot: VaultSnapshot, doc: int) -> Sequence[str]:
    """Return the names by which a text may mention a note: its file's, its title, its aliases."""
    note = snapshot.note(doc)
    stem = note.path.rpartition("/")[2][:-3]
    given = (" ".join(nfc(name).split()) for name in (stem, note.title, *note.aliases))
    named = {name.casefold(): name for name in given if len(name) >= LEAST_NAME and re.search(r"\w", name)}
    return list(named.values())[:MOST_NAMES]


def _lines(snapshot: VaultSnapshot, doc: int, whole: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of a note's text that have a name outside of links, with their numbers."""
    body = snapshot.outline(doc).body
    for number, line in enumerate(snapshot.lines(doc), 1):
        if number < body:
            continue
        bare = _LINKED.sub(lambda link: " " * len(link[0]), line)
        if match := whole.search(bare):
            yield number, quoted_line(line, match.start())
