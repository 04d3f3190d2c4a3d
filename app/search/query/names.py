"""The names of a snapshot's notes in the forms that queries compare, made once."""

from collections.abc import Callable, Mapping
from weakref import WeakKeyDictionary

import numpy as np

from app.search.lexical.index import Mask
from app.search.query.match import finder, form_of
from app.search.query.pattern import Clock
from app.search.query.tree import Match, Text
from app.search.snapshot import VaultSnapshot

_known: "WeakKeyDictionary[VaultSnapshot, Names]" = WeakKeyDictionary()


class Names:
    """The paths of all notes of one snapshot, whole, without ``.md``, and their file names alone."""

    def __init__(self, view: VaultSnapshot) -> None:
        paths = view.lexical.paths()
        self._paths, self._docs = list(paths), np.array(list(paths.values()), np.int64)
        self._size = view.lexical.size
        self._forms: dict[tuple[str, Callable[[str], str]], list[str]] = {}

    def matching(self, node: Text | Match, clock: Clock) -> Mask:
        """Give the notes whose name a text or expression is in; by its target the path or the file name."""
        if isinstance(node, Match):
            pattern = node.pattern
            found = [pattern.find(name, clock) is not None for name in self._names(node.target, str)]
        else:
            found = list(map(finder(node), self._names(node.target, form_of(node))))
        mask = np.zeros(self._size, np.bool_)
        mask[self._docs[np.array(found, np.bool_)]] = True
        return mask

    def _names(self, target: str, form: Callable[[str], str]) -> list[str]:
        names = self._forms.get((target, form))
        if names is None:
            names = [_PARTS[target](path) for path in self._paths]
            if names and form is not str:
                # One call for all is many times faster; no path holds the sign between them.
                names = form("\0".join(names)).split("\0")
            self._forms[target, form] = names
        return names


def _bare(path: str) -> str:
    return path[:-3] if path[-3:].lower() == ".md" else path


_PARTS: Mapping[str, Callable[[str], str]] = {
    # Every note's name ends in ".md", which says nothing unless it is asked for.
    "note": _bare,
    "path": str,
    "file": lambda path: path.rpartition("/")[2],
}


def names_of(view: VaultSnapshot) -> Names:
    """Give the names of a snapshot."""
    found = _known.get(view)
    if found is None:
        found = _known[view] = Names(view)
    return found
