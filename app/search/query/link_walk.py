"""Notes by the links between them: around one note as far as asked, or as a part of a query."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np

from app.errors import BadRequestError, NoteNotFoundError
from app.notices import Notice, NoticeKind, some_of
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.index import Mask
from app.search.models import Direction
from app.search.query.tree import Linked as LinkedNode
from app.sentences import Sentence
from app.vault.paths import clean_path, path_key, plain_signs, without_vault_prefix

if TYPE_CHECKING:
    from app.markdown.links import Edge

MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class LinkedNote:
    """A linked note: how many links away, on which lines of which note, and what to say of it."""

    distance: int
    lines: tuple[int, ...]
    remark: str


@dataclass(frozen=True, slots=True)
class LinkedNotes:
    """All notes around one, hidden ones included, and what must be said besides."""

    notes: Mapping[int, LinkedNote] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


def linked_notes(
    snapshot: VaultSnapshot,
    name: str,
    direction: Direction,
    depth: int,
    is_excluded: Callable[[str], bool],
) -> LinkedNotes:
    """Find the notes linked to a note, up to ``depth`` links away, each at its least distance.

    A name that exists only as a link target answers its backlinks.

    Raises:
        NoteNotFoundError: nothing is called that, not even a link.
        BadRequestError: a bare name means several notes.
    """
    path = find_target(snapshot, name, is_excluded)
    if path is None:
        return _mentions(snapshot, name, direction, is_excluded)
    notes: dict[int, LinkedNote] = {}
    frontier = [path]
    for distance in range(1, depth + 1):
        reached: list[str] = []
        for edge, other, remark in _steps(snapshot, frontier, direction):
            doc = snapshot.doc(other)
            if doc is None or other == path:
                continue
            line = (edge.link.line,) if other == edge.source else ()
            known = notes.get(doc)
            if known is None:
                reached.append(other)
                notes[doc] = LinkedNote(distance, line, remark)
            elif known.distance == distance and line:
                notes[doc] = LinkedNote(distance, tuple(dict.fromkeys((*known.lines, *line))), known.remark)
        # What a private note links to must not show, nor what lies behind it.
        frontier = [other for other in reached if not snapshot.is_excluded(other)]
    besides = _targets_besides(snapshot, path, is_excluded) if direction != "backlinks" else ()
    return LinkedNotes(notes, tuple(besides))


def find_target(snapshot: VaultSnapshot, name: str, is_excluded: Callable[[str], bool]) -> str | None:
    """Return the note or attachment a forgivingly written name means.

    None where no file is called that, or only one that is excluded: that is as if it were not there.

    Raises:
        BadRequestError: a bare name means several notes; the hint lists them.
    """
    path = without_vault_prefix(clean_path(name), snapshot.shows_folder("vault"))
    if path in snapshot.note_paths and not is_excluded(path):
        return path
    for key in (path_key(path), path_key(path + ".md")):
        for known in (snapshot.shown_keys, snapshot.attachments):
            if (found := known.get(key)) is not None and not is_excluded(found):
                return found
    if name.startswith(("/", "./")):
        # From the root, and nowhere else.
        return None
    candidates = snapshot.resolver.candidates(path) if "/" not in path else ()
    candidates = tuple(other for other in candidates if not is_excluded(other))
    if len(candidates) > 1:
        raise BadRequestError(
            "'{name}' means several notes",
            "give the path of one: {candidates}",
            name=name,
            candidates=", ".join(candidates[:10]),
        )
    if candidates:
        return candidates[0]
    meant = snapshot.resolver.resolve(path, "") or _alike(snapshot, path)
    if meant is None and (decoded := unquote(name)) != name:
        return find_target(snapshot, decoded, is_excluded)
    return None if meant is None or is_excluded(meant) else meant


def _alike(snapshot: VaultSnapshot, path: str) -> str | None:
    """Return the one note whose name or path has another kind of apostrophe or hyphen."""
    wanted = plain_signs("/" + path_key(path).removesuffix(".md"))
    keys = ((plain_signs("/" + key).removesuffix(".md"), known) for key, known in snapshot.shown_keys.items())
    found = [known for key, known in keys if key.endswith(wanted)]
    return found[0] if len(found) == 1 else None


def mentions(snapshot: VaultSnapshot, name: str, is_excluded: Callable[[str], bool]) -> "list[Edge]":
    """Return the links that would lead to a name if a shown file had it, in the order of their notes.

    A link to an excluded file is one of them, as if the file were not there. ``[[Plan]]`` would lead to
    ``archive/Plan.md``, so that it is one for the path as well as for the bare name.
    """
    from app.markdown.links import mention_key

    parts = mention_key(name).split("/")
    edges = [
        edge
        for at in range(len(parts))
        for edge in snapshot.graph.naming("/".join(parts[at:]))
        if edge.target is None or (edge.source != edge.target and is_excluded(edge.target))
    ]
    return sorted(edges, key=lambda edge: (snapshot.lexical.paths()[edge.source], edge.link.line))


def _mentions(
    snapshot: VaultSnapshot, name: str, direction: Direction, is_excluded: Callable[[str], bool]
) -> LinkedNotes:
    written = clean_path(name)
    edges = mentions(snapshot, written, is_excluded)
    if all(is_excluded(edge.source) for edge in edges):
        titles = _names(snapshot)
        last = path_key(written.rpartition("/")[2].removesuffix(".md"))
        # A note's title and its aliases may be alike.
        near = dict.fromkeys(titles[key] for key in get_close_matches(last, titles, n=3, cutoff=0.6))
        raise NoteNotFoundError(
            "no note at '{path}'",
            "did you mean '{near:', '}'?" if near else "",
            path=name,
            near=tuple(near),
        )
    notes: dict[int, LinkedNote] = {}
    if direction != "forward":
        for edge in edges:
            doc = snapshot.lexical.paths()[edge.source]
            lines = notes[doc].lines if doc in notes else ()
            notes[doc] = LinkedNote(1, tuple(dict.fromkeys((*lines, edge.link.line))), "")
    return LinkedNotes(notes, (Notice(NoticeKind.ONLY_LINKED, name=name),))


def _names(snapshot: VaultSnapshot) -> Mapping[str, str]:
    """Map the names and aliases of the notes that may be shown to their paths."""
    return {**snapshot.aliases()} | {
        path_key(path.rpartition("/")[2].removesuffix(".md")): path for path in snapshot.visible_paths
    }


def _steps(
    snapshot: VaultSnapshot, frontier: Iterable[str], direction: Direction
) -> "Iterable[tuple[Edge, str, str]]":
    """Yield every link from or to the frontier, with the note at its other end and what to say of it."""
    for path in frontier:
        if direction in ("backlinks", "both"):
            for edge in snapshot.graph.incoming(path):
                yield edge, edge.source, Sentence("links to {path}", path=path)
        if direction in ("forward", "both"):
            for edge in snapshot.graph.outgoing(path):
                if edge.target is not None:
                    yield (
                        edge,
                        edge.target,
                        Sentence("linked from {path}, line {line}", path=path, line=edge.link.line),
                    )


def _targets_besides(
    snapshot: VaultSnapshot, path: str, is_excluded: Callable[[str], bool]
) -> Iterable[Notice]:
    """Name what a note links to that is no note: attachments, and targets with no file."""
    targets = dict.fromkeys(edge.target for edge in snapshot.graph.outgoing(path) if edge.target)
    besides = [target for target in targets if snapshot.doc(target) is None]
    files = [target for target in besides if not is_excluded(target)]
    if hidden := len(besides) - len(files):
        yield Notice(NoticeKind.EXCLUDED_FILES, count=hidden)
    if files:
        yield Notice(NoticeKind.LINKED_FILES, files=some_of(files, MOST_NAMED))
    if unresolved := snapshot.graph.unresolved(path):
        yield Notice(NoticeKind.UNRESOLVED, names=some_of(unresolved, MOST_NAMED))


def linked_by(snapshot: VaultSnapshot, node: LinkedNode) -> Mask:
    """Return the notes that link to a note, or that it links to; a name that nothing bears has none.

    A name that exists only as a link's target has the notes with such a link; so has that of an excluded
    note, which is as if it were not there.

    Raises:
        BadRequestError: a bare name means several notes.
    """
    name = node.target
    mask = np.zeros(snapshot.lexical.size, np.bool_)
    path = find_target(snapshot, name, snapshot.is_excluded) if name else None
    if path is None:
        edges = mentions(snapshot, name, snapshot.is_excluded)
        others = [edge.source for edge in edges] if node.way == "to" else []
    elif node.way == "to":
        others = [edge.source for edge in snapshot.graph.incoming(path)]
    else:
        others = [edge.target for edge in snapshot.graph.outgoing(path) if edge.target]
    for other in others:
        doc = snapshot.doc(other)
        if doc is not None and other != path:
            mask[doc] = True
    return mask
