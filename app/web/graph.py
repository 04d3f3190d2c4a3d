"""The notes as a graph: all of them, or those around one, for the page that draws it and lists it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os.path import commonpath
from sys import intern
from typing import TypeVar
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.errors import BadRequestError
from app.markdown.links import mention_key
from app.search.index.snapshot import VaultSnapshot
from app.search.searcher import searcher_for
from app.sentences import Quoted
from app.vault.client import VaultClient
from app.web.files import open_shown
from app.web.pages import context_of, note_url, page

T = TypeVar("T", str, int)

DEEPEST, DEPTH = 3, 2
"""How many links away a note may be, at most and where nothing is said."""
MOST_NOTES = 20_000
"""Notes in one graph; of more, those with most links, or the nearest."""
MOST_LISTED = 500
"""Notes in the list that stands below the picture."""
MOST_GROUPS = 8
"""Folders or tags that have a colour of their own: more could not be told apart."""


@dataclass(frozen=True, slots=True)
class _Links:
    """The links between the notes of an index, excluded notes among them, each once and none to itself.

    ``missing`` are the names that no file has, with the notes that write them, by its key; ``tags`` has
    the first tag of each note that has one, without what is nested below it.
    """

    between: frozenset[tuple[str, str]]
    missing: dict[str, tuple[str, frozenset[str]]]
    tags: dict[str, str]


_known: WeakKeyDictionary[VaultSnapshot, _Links] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What is drawn: notes and, after them, missing names; edges are pairs of their positions.

    ``groups`` has for folders and for tags the names that have a colour, and for each note the position of
    its own among them, or -1, and how many names have none. ``more`` counts the notes left out.
    """

    notes: list[str]
    missing: list[str]
    edges: list[tuple[int, int]]
    groups: dict[str, tuple[list[str], list[int], int]]
    more: int


@dataclass(frozen=True, slots=True)
class _Asked:
    """The graph that an address asks for; ``of`` is empty for the whole vault."""

    of: str
    depth: int
    missing: bool
    most: int = MOST_NOTES


@dataclass(frozen=True, slots=True)
class _Entry:
    """A note of the list; ``links`` counts the notes of the graph that it is linked with."""

    path: str
    url: str
    links: int


def graph_page(request: Request) -> Response:
    """Show the page of the graph, with its notes as a list."""
    asked = _asked(request)
    drawn = _drawn(context_of(request).vault, asked)
    counts = _degrees(drawn.edges)
    entries = sorted(
        (_Entry(path, note_url(path), counts[at]) for at, path in enumerate(drawn.notes)),
        key=lambda entry: (-entry.links, entry.path),
    )
    return page(
        request,
        "graph/page.html",
        asked=asked,
        entries=entries[:MOST_LISTED],
        notes=len(drawn.notes),
        links=len(drawn.edges),
        more=drawn.more,
        deepest=DEEPEST,
    )


def whole_graph_data(request: Request) -> Response:
    """Return what the page's script draws: names and numbers in arrays, an edge as two numbers in a row."""
    asked = _asked(request)
    drawn = _drawn(context_of(request).vault, asked)
    return JSONResponse(
        {
            "notes": drawn.notes,
            "missing": drawn.missing,
            "edges": [end for edge in drawn.edges for end in edge],
            "groups": drawn.groups,
            "more": drawn.more,
        }
    )


def _asked(request: Request) -> _Asked:
    """Read the address.

    Raises:
        BadRequestError: the depth is no number from 1 to `DEEPEST`, or ``most`` none from 1 to `MOST_NOTES`.
        NoteNotFoundError: there is no such note, or none that may be shown.
    """
    params = request.query_params
    depth = params.get("depth") or str(DEPTH)
    if depth not in map(str, range(1, DEEPEST + 1)):
        raise BadRequestError(
            "'depth' is {depth}",
            "give a number from 1 to {deepest}",
            depth=Quoted(depth[:40]),
            deepest=DEEPEST,
        )
    most = params.get("most") or str(MOST_NOTES)
    if not (most.isascii() and most.isdigit() and len(most) < 6 and 0 < int(most) <= MOST_NOTES):
        raise BadRequestError(
            "'most' is {most}",
            "give a number from 1 to {most_notes}",
            most=Quoted(most[:40]),
            most_notes=MOST_NOTES,
        )
    of = params.get("of", "")
    if of:
        of = open_shown(context_of(request).vault, of).path
    return _Asked(of, int(depth), params.get("missing") == "1", int(most))


def _drawn(vault: VaultClient, asked: _Asked) -> _Drawn:
    return searcher_for(vault).ask(lambda view: _draw(vault, view.snapshot, asked))


def _draw(vault: VaultClient, snapshot: VaultSnapshot, asked: _Asked) -> _Drawn:
    links = _known.get(snapshot)
    if links is None:
        # Two threads may both read them; the snapshot does not change between.
        links = _known[snapshot] = _read(snapshot)
    paths = snapshot.lexical.paths()
    # What is hidden is asked anew: the vault's settings may have changed since the index was made.
    shown = {path for path in paths if not (snapshot.is_excluded(path) or vault.is_excluded(path))}
    between = [edge for edge in links.between if shown.issuperset(edge)]
    if asked.of:
        order = _around(asked.of, between, asked.depth)
    else:
        degrees = _degrees(between)
        order = sorted(shown, key=lambda path: (-degrees[path], path))
    notes = order[: asked.most]
    position = {path: at for at, path in enumerate(notes)}
    edges = sorted(
        (position[source], position[target])
        for source, target in between
        if source in position and target in position
    )
    missing: list[str] = []
    if asked.missing:
        for name, sources in sorted(links.missing.values()):
            if from_here := sorted(position[source] for source in sources if source in position):
                edges += [(source, len(notes) + len(missing)) for source in from_here]
                missing.append(name)
    groups = {
        "folder": _grouped(_folders(notes)),
        "tag": _grouped([links.tags.get(path, "") for path in notes]),
    }
    return _Drawn(notes, missing, edges, groups, len(order) - len(notes))


def _read(snapshot: VaultSnapshot) -> _Links:
    """Read and resolve every link; what leads to an attachment is left out."""
    between = set()
    names: dict[str, str] = {}
    sources: dict[str, set[str]] = {}
    paths = snapshot.lexical.paths()
    for source, doc in paths.items():
        for link in snapshot.links(doc):
            target = snapshot.resolver.resolve(link.target, source)
            if target is None:
                key = mention_key(link.target)
                # Of several spellings the same one each time.
                names[key] = min(names.get(key, link.target.strip()), link.target.strip())
                sources.setdefault(key, set()).add(source)
            elif target != source and target in paths:
                between.add((source, target))
    missing = {key: (name, frozenset(sources[key])) for key, name in names.items()}
    # One text of each tag, however many notes have it.
    tags = {path: intern(tag) for path, doc in paths.items() if (tag := _first_tag(snapshot, doc))}
    return _Links(frozenset(between), missing, tags)


def _around(path: str, between: Iterable[tuple[str, str]], depth: int) -> list[str]:
    """Walk the links both ways; return the notes reached, nearest first, then by path."""
    beside: dict[str, set[str]] = {}
    for source, target in between:
        beside.setdefault(source, set()).add(target)
        beside.setdefault(target, set()).add(source)
    found = dict.fromkeys([path])
    frontier = [path]
    for _ in range(depth):
        reached = {other for here in frontier for other in beside.get(here, ())}
        frontier = sorted(reached - found.keys())
        found |= dict.fromkeys(frontier)
    return list(found)


def _degrees(edges: Iterable[tuple[T, T]]) -> Counter[T]:
    """Count for each end the others it is linked with, in whichever direction."""
    return Counter(end for edge in {frozenset(edge) for edge in edges} for end in edge)


def _folders(notes: Sequence[str]) -> list[str]:
    """Return for each note the folder that tells it from others: the first below what all have in common."""
    folders = [path.rpartition("/")[0] for path in notes]
    common = commonpath(folders) if folders and all(folders) else ""
    return [
        f"{common}/{rest}".strip("/") if (rest := folder[len(common) :].strip("/").partition("/")[0]) else ""
        for folder in folders
    ]


def _first_tag(snapshot: VaultSnapshot, doc: int) -> str:
    tags = snapshot.note_in_passing(doc).tags
    return tags[0].partition("/")[0] if tags else ""


def _grouped(names: Sequence[str]) -> tuple[list[str], list[int], int]:
    counts = Counter(filter(None, names))
    kept = sorted(counts, key=lambda name: (-counts[name], name))[:MOST_GROUPS]
    position = {name: at for at, name in enumerate(kept)}
    return kept, [position.get(name, -1) for name in names], len(counts) - len(kept)
