"""What links to a note and what it links to: lines, and a graph two steps deep."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from app.dependencies import VaultClient
from app.errors import VaultError
from app.markdown.links import LinkGraph
from app.search.index.chunk import split_lines
from app.search.text import clip
from app.vault.paths import is_note_name

MOST_SOURCES = 100
MOST_LINES = 5
"""Notes that link here, and lines of each, that are shown."""
LINE_CHARS = 240
STEPS = 2
MOST_NODES = 80
"""Notes in one graph; of more, those that are nearest."""


@dataclass(frozen=True, slots=True)
class Backlink:
    """A note that links here, with the lines its links stand on."""

    path: str
    lines: tuple[tuple[int, str], ...]
    more: int


@dataclass(frozen=True, slots=True)
class Node:
    """A note of a graph; ``step`` says how many links away it is."""

    path: str
    step: int


@dataclass(slots=True)
class Around:
    """The notes around one, nearest first, and the links between them; ``more`` counts those left out."""

    nodes: list[Node] = field(default_factory=list)
    edges: list[tuple[str, str]] = field(default_factory=list)
    more: int = 0


def backlinks(vault: VaultClient, graph: LinkGraph, path: str) -> tuple[list[Backlink], int]:
    """Give the notes that link to one, by path, with the lines; and how many more there are."""
    places: dict[str, list[int]] = {}
    for edge in graph.incoming(path):
        if edge.source != path and not vault.is_excluded(edge.source):
            places.setdefault(edge.source, []).append(edge.link.line)
    sources = sorted(places)
    shown = [_backlink(vault, source, sorted(set(places[source]))) for source in sources[:MOST_SOURCES]]
    return shown, max(0, len(sources) - MOST_SOURCES)


def _backlink(vault: VaultClient, source: str, numbers: Sequence[int]) -> Backlink:
    try:
        lines = split_lines(vault.read(source).text)
    except VaultError:
        # It has gone since the links were read: its name is what is left to show.
        lines = []
    quoted = [
        (number, clip(line, max(line.find("[["), 0), LINE_CHARS))
        for number in numbers[:MOST_LINES]
        if number <= len(lines) and (line := lines[number - 1].strip())
    ]
    return Backlink(source, tuple(quoted), len(numbers) - len(quoted))


def around(graph: LinkGraph, path: str, is_excluded: Callable[[str], bool]) -> Around:
    """Walk a note's links both ways, two steps deep; nothing excluded shows, nor what lies behind it."""
    found = {path: 0}
    frontier = [path]
    for step in range(1, STEPS + 1):
        reached: list[str] = []
        for here in frontier:
            for other in _neighbours(graph, here):
                if other not in found and is_note_name(other) and not is_excluded(other):
                    found[other] = step
                    reached.append(other)
        frontier = sorted(reached)
    kept = list(found)[:MOST_NODES]
    among = set(kept)
    edges = {
        (here, edge.target)
        for here in kept
        for edge in graph.outgoing(here)
        if edge.target in among and edge.target != here
    }
    return Around(
        [Node(one, found[one]) for one in kept],
        sorted((source, target) for source, target in edges if target is not None),
        len(found) - len(kept),
    )


def _neighbours(graph: LinkGraph, path: str) -> Iterable[str]:
    out = (edge.target for edge in graph.outgoing(path) if edge.target is not None)
    return dict.fromkeys([*out, *(edge.source for edge in graph.incoming(path))])
