"""From what a link says to the file it means, and the graph of all links between files."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from app.markdown.models import Link
from app.vault.paths import NOTE_SUFFIX, is_note_name, nfc, path_key

# What Obsidian shows, and so can link to, beside notes; any other ending only if asked for.
_CANVASES = {"canvas", "base", "pdf"}
_IMAGES = {"avif", "bmp", "gif", "jpeg", "jpg", "png", "svg", "webp"}
_SOUNDS = {"3gp", "flac", "m4a", "mp3", "ogg", "wav", "webm"}
_FILMS = {"mkv", "mov", "mp4", "ogv"}
_FROM_A_FOLDER = ("./", "../", "/")
_LINKABLE = {"md"} | _CANVASES | _IMAGES | _SOUNDS | _FILMS


@dataclass(frozen=True, slots=True)
class _SameName:
    """The linkable files of one name: the shortest path first, and by the key of the whole path."""

    paths: Sequence[str]
    by_key: Mapping[str, Sequence[str]]


class LinkResolver:
    """Finds the file a link means, as Obsidian does: by path, then beside, then by shortest path.

    Few names of a large vault are asked about: files are put in order when a link first has their name.

    Args:
        files: Paths of all notes and attachments, relative to the vault.
        all_types: Whether files of every ending can be linked to, as with Obsidian's setting to detect
            all file types.
    """

    def __init__(self, files: Iterable[str], *, all_types: bool = False) -> None:
        self._files, self._all_types = tuple(files), all_types
        self._asked: dict[str, _SameName] = {}
        self._shortest: dict[str, str | None] = {}

    @cached_property
    def _names(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for path in self._files:
            found.setdefault(path_key(path.rpartition("/")[2]), []).append(path)
        return found

    def _same_name(self, key: str) -> _SameName:
        """Return the files whose last part is that of a path key."""
        name = key.rpartition("/")[2]
        if name not in self._asked:
            paths = sorted(map(nfc, self._names.get(name, ())), key=lambda path: (len(path), path))
            paths = [path for path in paths if self._all_types or _is_linkable(path)]
            by_key: dict[str, list[str]] = {}
            for path in paths:
                by_key.setdefault(path_key(path), []).append(path)
            self._asked[name] = _SameName(paths, by_key)
        return self._asked[name]

    def resolve(self, target: str, source: str) -> str | None:
        """Return the file that a link target means, seen from a note; None when there is none.

        Args:
            target: The file part of a link; empty means ``source`` itself.
            source: Path of the note that holds the link.
        """
        written = nfc(target.strip())
        if not written:
            return nfc(source)
        folder = nfc(source).rpartition("/")[0]
        for name in (written, written + NOTE_SUFFIX):
            if written.startswith(_FROM_A_FOLDER):
                found = self._at(_join(_start(written, source), name))
            else:
                found = self._at(name) or self._beside(name, folder) or self._by_name(name)
            if found is not None:
                return found
        return None

    def candidates(self, name: str) -> tuple[str, ...]:
        """List all notes that a name, or the end of a path, could mean, best first."""
        written = nfc(name.strip()).lstrip("/")
        if path_key(written[-len(NOTE_SUFFIX) :]) != NOTE_SUFFIX:
            written += NOTE_SUFFIX
        exact = self._same_name(key := path_key(written)).by_key.get(key, ())
        return tuple(dict.fromkeys([*_as_written(exact, written), *self._ending_with(written)]))

    def name_of(self, path: str) -> str:
        """Return what a link to a note says: its name, or its whole path where other notes have that name."""
        whole = path[: -len(NOTE_SUFFIX)] if is_note_name(path) else path
        name = whole.rpartition("/")[2]
        return name if len(self.candidates(name)) == 1 else whole

    def _at(self, path: str | None) -> str | None:
        if not path:
            return None
        found = self._same_name(key := path_key(path)).by_key.get(key, ())
        return next(_as_written(found, path), None)

    def _beside(self, name: str, folder: str) -> str | None:
        beside = f"{folder}/{name.rpartition('/')[2]}" if folder else name
        return self._at(beside) if _ends_with(path_key(beside), path_key(name)) else None

    def _by_name(self, name: str) -> str | None:
        if name not in self._shortest:
            self._shortest[name] = next(self._ending_with(name), None)
        return self._shortest[name]

    def _ending_with(self, name: str) -> Iterator[str]:
        key = path_key(name)
        return (path for path in self._same_name(key).paths if _ends_with(path_key(path), key))


@dataclass(frozen=True, slots=True)
class Edge:
    """A link of one note; ``target`` is None when no file fits."""

    source: str
    target: str | None
    link: Link


class Graph(ABC):
    """Resolved links between files, asked about one file or name at a time.

    Answers come in the order of the notes, and of the links in each.
    """

    @abstractmethod
    def outgoing(self, path: str) -> tuple[Edge, ...]:
        """Return a note's links in order, those to itself included."""

    @abstractmethod
    def incoming(self, path: str) -> tuple[Edge, ...]:
        """Return the links that lead to a file, those of the file itself included."""

    @abstractmethod
    def naming(self, name: str) -> tuple[Edge, ...]:
        """Return the links that write a name, in any case, with or without ``.md``, wherever they lead."""

    def unresolved(self, path: str) -> tuple[str, ...]:
        """Return a note's targets that have no file, as written, each once."""
        written = (edge.link.target for edge in self.outgoing(path) if edge.target is None)
        return tuple(dict.fromkeys(written))

    def mentions(self, name: str) -> tuple[Edge, ...]:
        """Return the links that write a name and lead to no file."""
        return tuple(edge for edge in self.naming(name) if edge.target is None)


@dataclass(frozen=True, slots=True)
class LinkGraph(Graph):
    """All links of all notes, resolved at once."""

    forward: Mapping[str, tuple[Edge, ...]]
    backward: Mapping[str, tuple[Edge, ...]]
    named: Mapping[str, tuple[Edge, ...]]

    @classmethod
    def build(
        cls, links: Mapping[str, Sequence[Link]], files: Iterable[str], *, all_types: bool = False
    ) -> "LinkGraph":
        """Resolve all links.

        Args:
            links: The links of each note, by its path.
            files: Paths of all notes and attachments; links lead to no others.
            all_types: As for `LinkResolver`.
        """
        resolver = LinkResolver(files, all_types=all_types)
        forward: dict[str, tuple[Edge, ...]] = {}
        backward: dict[str, list[Edge]] = {}
        named: dict[str, list[Edge]] = {}
        for path, written in links.items():
            source = nfc(path)
            edges = tuple(Edge(source, resolver.resolve(link.target, source), link) for link in written)
            forward[source] = edges
            for edge in edges:
                if edge.target is not None:
                    backward.setdefault(edge.target, []).append(edge)
                if edge.link.target.strip():
                    named.setdefault(mention_key(edge.link.target), []).append(edge)
        return cls(forward, _frozen(backward), _frozen(named))

    def outgoing(self, path: str) -> tuple[Edge, ...]:
        """Return a note's links in order, those to itself included."""
        return self.forward.get(nfc(path), ())

    def incoming(self, path: str) -> tuple[Edge, ...]:
        """Return the links that lead to a file, those of the file itself included."""
        return self.backward.get(nfc(path), ())

    def naming(self, name: str) -> tuple[Edge, ...]:
        """Return the links that write a name, in any case, with or without ``.md``, wherever they lead."""
        return self.named.get(mention_key(name), ())


def _is_linkable(path: str) -> bool:
    return path.rpartition(".")[2].lower() in _LINKABLE


def _as_written(paths: Iterable[str], written: str) -> Iterator[str]:
    """Order paths that differ in case alone: the one written first."""
    return iter(sorted(paths, key=lambda path: not _ends_with(path, written)))


def _ends_with(path: str, end: str) -> bool:
    return path == end or path.endswith("/" + end)


def _start(written: str, source: str) -> str:
    """Return the folder that a target with dots or a slash in front is followed from."""
    return "" if written.startswith("/") else nfc(source).rpartition("/")[0]


def _join(folder: str, target: str) -> str | None:
    """Follow a target's ``.`` and ``..`` from a folder; None when they lead out of the vault."""
    parts = folder.split("/") if folder else []
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def mention_key(name: str) -> str:
    """Return the form in which names that no file has are compared."""
    return path_key(name.strip()).removesuffix(NOTE_SUFFIX)


def last_parts(target: str, source: str) -> tuple[str, ...]:
    """Return the keys of the last part of a link's target: as written, and once its dots are followed.

    A file that the link can lead to has one of them for its name, as it is or before ``.md``. What leads to
    the note itself by an empty target has none.
    """
    written = target.strip()
    if not written:
        return ()
    last = path_key(written.rpartition("/")[2])
    if not written.startswith(_FROM_A_FOLDER):
        return (last,)
    joined = _join(_start(written, source), written)
    return (last,) if joined is None else (last, path_key(joined.rpartition("/")[2]))


def _frozen(edges: Mapping[str, list[Edge]]) -> dict[str, tuple[Edge, ...]]:
    return {key: tuple(found) for key, found in edges.items()}
