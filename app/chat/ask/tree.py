"""The folders and notes of a vault as a tree, as deep as a budget allows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from app.showing import in_line

INDENT = "  "
SHOWN_NAME = 100


@dataclass(slots=True)
class Folder:
    """A folder with the sizes of its notes, in bytes, and the folders in it."""

    notes: dict[str, int] = field(default_factory=dict)
    folders: dict[str, "Folder"] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many notes there are in it, however deep."""
        return len(self.notes) + sum(folder.count for folder in self.folders.values())


def build_tree(sizes: Mapping[str, int]) -> Folder:
    """Make the tree of some notes, given by path with their sizes."""
    root = Folder()
    for path, size in sizes.items():
        *folders, name = path.split("/")
        folder = root
        for each in folders:
            folder = folder.folders.setdefault(each, Folder())
        folder.notes[name] = size
    return root


def format_tree(root: Folder, max_chars: int) -> str:
    """Write a tree as deep as fits into ``max_chars`` characters; folders that stay closed are counted."""
    lines = list(_lines(root, 1))
    for depth in range(2, _depth(root) + 1):
        deeper = list(_lines(root, depth))
        if _length(deeper) > max_chars:
            break
        lines = deeper
    if _length(lines) <= max_chars:
        return "\n".join(lines)
    room = max_chars - len(_more(len(lines))) - 1
    shown = 0
    while (room := room - len(lines[shown]) - 1) >= 0:
        shown += 1
    return "\n".join([*lines[:shown], _more(len(lines) - shown)])


def _more(count: int) -> str:
    return f"… {count} more; give the path of a folder"


def _length(lines: list[str]) -> int:
    return sum(map(len, lines)) + len(lines) - 1


def _depth(folder: Folder) -> int:
    return 1 + max(map(_depth, folder.folders.values()), default=0)


def _lines(folder: Folder, depth: int, indent: str = "") -> Iterator[str]:
    for name, inner in sorted(folder.folders.items()):
        count = inner.count
        yield f"{indent}{in_line(name, SHOWN_NAME)}/ ({count} {'note' if count == 1 else 'notes'})"
        if depth > 1:
            yield from _lines(inner, depth - 1, indent + INDENT)
    for name, size in sorted(folder.notes.items()):
        yield f"{indent}{in_line(name, SHOWN_NAME)} ({_size(size)})"


def _size(size: int) -> str:
    return f"{size} bytes" if size < 1000 else f"{size / 1000:.1f} kB"
