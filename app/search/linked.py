"""Walk the links around a note, as far as asked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from app.errors import BadRequestError, NoteNotFoundError
from app.links import Edge
from app.paths import clean_path, path_key, without_vault_prefix
from app.search.models import Direction
from app.search.snapshot import VaultSnapshot


@dataclass(frozen=True, slots=True)
class Found:
    """A linked note: how many links away, on which lines of which note, and what to say of it."""

    distance: int
    lines: tuple[int, ...]
    remark: str


@dataclass(frozen=True, slots=True)
class Linked:
    """All notes around one, hidden ones included, and what must be said besides."""

    notes: Mapping[int, Found] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


def linked_notes(
    view: VaultSnapshot,
    name: str,
    direction: Direction,
    depth: int,
    is_excluded: Callable[[str], bool],
) -> Linked:
    """Find the notes linked to a note, up to ``depth`` links away, each at its least distance.

    A name that exists only as a link target answers its backlinks.

    Raises:
        NoteNotFoundError: nothing is called that, not even a link.
        BadRequestError: a bare name means several notes, or the links of a private note are asked for.
    """
    path = find_target(view, name)
    if path is None:
        return _mentions(view, name, direction)
    start = view.doc(path)
    if start is not None and direction != "backlinks" and _is_private(view, start):
        raise BadRequestError(
            f"'{name}' is excluded from search by the vault's settings", "its links are private"
        )
    notes: dict[int, Found] = {}
    frontier = [path]
    for distance in range(1, depth + 1):
        reached: list[str] = []
        for edge, other, remark in _steps(view, frontier, direction):
            doc = view.doc(other)
            if doc is None or other == path:
                continue
            line = (edge.link.line,) if other == edge.source else ()
            known = notes.get(doc)
            if known is None:
                reached.append(other)
                notes[doc] = Found(distance, line, remark)
            elif known.distance == distance and line:
                notes[doc] = Found(distance, tuple(dict.fromkeys((*known.lines, *line))), known.remark)
        # What a private note links to must not show, nor what lies behind it.
        frontier = [other for other in reached if not _is_private(view, view.lexical.paths()[other])]
    if start is not None and _is_private(view, start):
        # The path of a private note is not told to somebody who knows only its name.
        notes = {doc: replace(found, remark="") for doc, found in notes.items()}
    besides = _targets_besides(view, path, is_excluded) if direction != "backlinks" else ()
    return Linked(notes, tuple(besides))


def find_target(view: VaultSnapshot, name: str) -> str | None:
    """Give the note or attachment a forgivingly written name means; None where no file is called that.

    Raises:
        BadRequestError: a bare name means several notes; the hint lists them.
    """
    path = without_vault_prefix(clean_path(name), "vault" in view.folders)
    for key in (path_key(path), path_key(path + ".md")):
        if key in view.keys:
            return view.lexical.path(view.keys[key])
        if key in view.attachments:
            return view.attachments[key]
    if name.startswith(("/", "./")):
        # From the root, and nowhere else.
        return None
    candidates = view.resolver.candidates(path) if "/" not in path else ()
    # A private note is meant only where no other is, and is never named.
    open_ones = tuple(other for other in candidates if not _is_private_path(view, other))
    candidates = open_ones or candidates[:1]
    if len(candidates) > 1:
        raise BadRequestError(
            f"'{name}' means several notes", "give the path of one: " + ", ".join(candidates[:10])
        )
    return candidates[0] if candidates else view.resolver.resolve(path, "")


def _mentions(view: VaultSnapshot, name: str, direction: Direction) -> Linked:
    written = clean_path(name)
    edges = view.graph.mentions(written) or view.graph.mentions(written.removesuffix(".md"))
    if all(_is_private_path(view, edge.source) for edge in edges):
        titles = {
            path_key(path.rpartition("/")[2].removesuffix(".md")): path for path in _visible_paths(view)
        }
        near = get_close_matches(
            path_key(written.rpartition("/")[2].removesuffix(".md")), titles, n=3, cutoff=0.6
        )
        hint = "did you mean " + ", ".join(f"'{titles[key]}'" for key in near) + "?" if near else ""
        raise NoteNotFoundError(f"no note at '{name}'", hint)
    notes: dict[int, Found] = {}
    if direction != "forward":
        for edge in edges:
            doc = view.lexical.paths()[edge.source]
            lines = notes[doc].lines if doc in notes else ()
            notes[doc] = Found(1, tuple(dict.fromkeys((*lines, edge.link.line))), "")
    return Linked(notes, (f"the note '{name}' does not exist; it is only linked to",))


def _steps(
    view: VaultSnapshot, frontier: Iterable[str], direction: Direction
) -> Iterable[tuple[Edge, str, str]]:
    """Give every link from or to the frontier, with the note at its other end and what to say of it."""
    for path in frontier:
        if direction in ("backlinks", "both"):
            for edge in view.graph.incoming(path):
                yield edge, edge.source, f"links to {path}"
        if direction in ("forward", "both"):
            for edge in view.graph.outgoing(path):
                if edge.target is not None:
                    yield edge, edge.target, f"linked from {path}, line {edge.link.line}"


def _targets_besides(view: VaultSnapshot, path: str, is_excluded: Callable[[str], bool]) -> Iterable[str]:
    """Name what a note links to that is no note: attachments, and targets with no file."""
    targets = dict.fromkeys(edge.target for edge in view.graph.outgoing(path) if edge.target)
    besides = [target for target in targets if view.doc(target) is None]
    files = [target for target in besides if not is_excluded(target)]
    if hidden := len(besides) - len(files):
        yield f"{hidden} excluded {'file' if hidden == 1 else 'files'} not shown"
    if files:
        yield "links to files: " + _some(files)
    if unresolved := view.graph.unresolved(path):
        yield "unresolved links: " + _some(unresolved)


def _some(names: Sequence[str], most: int = 20) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _is_private(view: VaultSnapshot, doc: int) -> bool:
    return view.note(doc).hidden and doc in set(view.lexical.docs_with("hidden:excluded").tolist())


def _is_private_path(view: VaultSnapshot, path: str) -> bool:
    doc = view.doc(path)
    return doc is not None and _is_private(view, doc)


def _visible_paths(view: VaultSnapshot) -> list[str]:
    return [path for path, doc in view.lexical.paths().items() if view.visible[doc]]
