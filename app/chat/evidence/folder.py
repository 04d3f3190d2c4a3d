"""What a note is a part of, where its own title does not say: its folder, by the note that tells of it."""

import re

from app.search.index.documents import name_terms
from app.search.index.snapshot import VaultSnapshot
from app.vault.paths import path_key

OVERVIEWS = ("index", "readme", "description", "overview")
"""What the note is called that tells of its folder, where it is not called as the folder is."""


def part_of(snapshot: VaultSnapshot, path: str, title: str) -> str:
    """Return what a note is a part of that is called as others are: "State" is that of its project.

    Empty where its title is its own, at the top of the vault, and for the note that tells of the folder. A
    title of numbers, such as a day, is nobody's own. A folder that is called as others are, such as
    "archive", says as little: the one above it counts.
    """
    parts = path.split("/")[:-1]
    while len(parts) > 1 and _is_shared(snapshot, parts[-1]):
        parts.pop()
    if not parts or _is_its_own(snapshot, title):
        return ""
    for name in (parts[-1], *OVERVIEWS):
        doc = snapshot.keys.get(path_key("/".join([*parts, f"{name}.md"])))
        if doc is None or not snapshot.visible[doc]:
            continue
        if snapshot.lexical.path(doc) == path:
            return ""
        called = snapshot.note(doc).title
        return parts[-1] if path_key(called) in OVERVIEWS else called
    return parts[-1]


def _is_its_own(snapshot: VaultSnapshot, title: str) -> bool:
    """Return whether a title has letters, and no other note has it."""
    if not re.search(r"[^\W\d_]", title):
        return False
    called = {doc for term in name_terms([title]) for doc in snapshot.lexical.docs_with(term).tolist()}
    return sum(bool(snapshot.visible[doc]) for doc in called) <= 1


def _is_shared(snapshot: VaultSnapshot, name: str) -> bool:
    """Return whether several folders of a vault have a name."""
    key = path_key(name)
    return sum(folder == key or folder.endswith(f"/{key}") for folder in snapshot.folders) > 1
