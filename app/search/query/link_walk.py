"""Notes by the links between them: around one note as far as asked, or as a part of a query."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import numpy as np

from app.errors import BadRequestError, NoteNotFoundError
from app.notices import Notice, NoticeKind, some_of
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.segment import Mask
from app.search.lexical.speller import alike
from app.search.models import Direction
from app.search.query.tree import Linked
from app.sentences import Sentence
from app.vault.paths import clean_path, path_key, plain_signs, without_vault_prefix

if TYPE_CHECKING:
    from app.markdown.links import Edge

MOST_NAMED = 20
IsExcluded = Callable[[str], bool]


class LinkedNote(NamedTuple):
    """A linked note: how many links away, on which lines of which note, and what to say of it."""

    distance: int
    lines: tuple[int, ...] = ()
    remark: str = ""


class LinkedNotes(NamedTuple):
    """All notes around one, hidden ones included, and what must be said besides."""

    notes: Mapping[int, LinkedNote]
    notices: tuple[Notice, ...]


def linked_notes(
    snapshot: VaultSnapshot, name: str, direction: Direction, depth: int, is_excluded: IsExcluded
) -> LinkedNotes:
    """Find the notes linked to a note, up to ``depth`` links away, each at its least distance.

    A name that exists only as a link target answers its backlinks.

    Raises:
        NoteNotFoundError: nothing is called that, not even a link.
        BadRequestError: a bare name means several notes.
    """
    path = find_target(snapshot, name, is_excluded)
    notes: dict[int, LinkedNote] = {}
    if path is None:
        edges = _naming(snapshot, clean_path(name), is_excluded)
        if all(is_excluded(edge.source) for edge in edges):
            raise _missing(snapshot, name)
        for edge in edges if direction != "forward" else ():
            _add(notes, snapshot.lexical.paths()[edge.source], LinkedNote(1, (edge.link.line,)))
        return LinkedNotes(notes, (Notice(NoticeKind.ONLY_LINKED, name=name),))
    frontier = [path]
    for distance in range(1, depth + 1):
        reached: list[str] = []
        for other, line, remark in _steps(snapshot, frontier, direction):
            doc = snapshot.doc(other)
            if doc is not None and other != path:
                reached += [other] if doc not in notes else []
                _add(notes, doc, LinkedNote(distance, line, remark))
        # What a private note links to must not show, nor what lies behind it.
        frontier = [other for other in reached if not snapshot.is_excluded(other)]
    besides = _besides(snapshot, path, is_excluded) if direction != "backlinks" else ()
    return LinkedNotes(notes, tuple(besides))


def _missing(snapshot: VaultSnapshot, name: str) -> NoteNotFoundError:
    """Make the error for a name that nothing has, with the titles and aliases that are near."""
    names = {**snapshot.aliases()} | {_name_key(path): path for path in snapshot.visible_paths}
    near = tuple(dict.fromkeys(names[key] for key in alike(_name_key(clean_path(name)), names)))
    hint = "did you mean '{near:', '}'?" if near else ""
    return NoteNotFoundError("no note at '{path}'", hint, path=name, near=near)


def _name_key(path: str) -> str:
    """Return the file name of a note in the form in which names are compared."""
    return path_key(path.rpartition("/")[2].removesuffix(".md"))


def linked_by(snapshot: VaultSnapshot, node: Linked) -> Mask:
    """Return the notes that link to a note, or that it links to; a name that nothing bears has none.

    Raises:
        BadRequestError: a bare name means several notes.
    """
    direction: Direction = "backlinks" if node.way == "to" else "forward"
    mask = np.zeros(snapshot.lexical.size, np.bool_)
    with suppress(NoteNotFoundError):
        if node.target:
            mask[list(linked_notes(snapshot, node.target, direction, 1, snapshot.is_excluded).notes)] = True
    return mask


def _add(notes: dict[int, LinkedNote], doc: int, found: LinkedNote) -> None:
    """Add a link to a note: at its least distance, with the lines of all links of that distance."""
    known = notes.setdefault(doc, found)
    if known.distance == found.distance:
        notes[doc] = known._replace(lines=tuple(dict.fromkeys((*known.lines, *found.lines))))


def _steps(
    snapshot: VaultSnapshot, frontier: list[str], direction: Direction
) -> Iterator[tuple[str, tuple[int, ...], str]]:
    """Yield the note at the other end of each link, the link's line there, and what to say of it."""
    for path in frontier:
        targets = {edge.target for edge in snapshot.graph.outgoing(path)} if direction == "both" else ()
        for edge in snapshot.graph.incoming(path) if direction != "forward" else ():
            told = "links to {path}, which links back" if edge.source in targets else "links to {path}"
            yield edge.source, (edge.link.line,), Sentence(told, path=path)
        for edge in snapshot.graph.outgoing(path) if direction != "backlinks" else ():
            if edge.target is not None:
                said = Sentence("linked from {path}, line {line}", path=path, line=edge.link.line)
                yield edge.target, (), said


def _besides(snapshot: VaultSnapshot, path: str, is_excluded: IsExcluded) -> Iterator[Notice]:
    """Name what a note links to that is no note: attachments, and targets with no file."""
    targets = dict.fromkeys(edge.target for edge in snapshot.graph.outgoing(path) if edge.target)
    files = [target for target in targets if snapshot.doc(target) is None and not is_excluded(target)]
    if files:
        yield Notice(NoticeKind.LINKED_FILES, files=some_of(files, MOST_NAMED))
    if unresolved := snapshot.graph.unresolved(path):
        yield Notice(NoticeKind.UNRESOLVED, names=some_of(unresolved, MOST_NAMED))


def _naming(snapshot: VaultSnapshot, name: str, is_excluded: IsExcluded) -> "list[Edge]":
    """Return the links that would lead to a name if a shown file had it, by path and line.

    A link to an excluded file is one of them, as if the file were not there. ``[[Plan]]`` would lead to
    ``archive/Plan.md``, so that it is one for the path as well as for the bare name.
    """
    parts = path_key(name).removesuffix(".md").split("/")
    edges = [
        edge
        for at in range(len(parts))
        for edge in snapshot.graph.naming("/".join(parts[at:]))
        if edge.target is None or (edge.source != edge.target and is_excluded(edge.target))
    ]
    return sorted(edges, key=lambda edge: (edge.source, edge.link.line))


def find_target(snapshot: VaultSnapshot, name: str, is_excluded: IsExcluded) -> str | None:
    """Return the note or attachment a forgivingly written name means.

    None where no file is called that, or only one that is excluded: that is as if it were not there.

    Raises:
        BadRequestError: a bare name means several notes; the hint lists them.
    """
    path = without_vault_prefix(clean_path(name), snapshot.shows_folder("vault"))
    known = [path if path in snapshot.note_paths else None]
    for key in (path_key(path), path_key(path + ".md")):
        known += [snapshot.shown_keys.get(key), snapshot.attachments.get(key)]
    for found in known:
        if found is not None and not is_excluded(found):
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
