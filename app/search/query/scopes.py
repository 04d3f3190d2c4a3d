"""Restrict a search to part of the vault: globs, folders, notes, projects and headings."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from app.errors import BadRequestError
from app.vault.glob import compile_glob
from app.vault.paths import clean_path, path_key, plain_signs, without_vault_prefix

_PROJECT = "project:"
_MAGIC = frozenset("*?[{")


class Scope(NamedTuple):
    """One scope: which notes, and under which heading.

    ``pattern`` is matched against a note's path key with plain signs; ``heading`` has the same form, and is
    empty for whole notes.
    """

    text: str
    pattern: re.Pattern[str]
    heading: str = ""

    def matches(self, key: str) -> bool:
        """Return whether a path key lies in the scope."""
        return self.pattern.fullmatch(plain_signs(key)) is not None

    def covers(self, heading: str) -> bool:
        """Return whether a heading's text begins as the scope asks."""
        return _key(heading.strip()).startswith(self.heading)


def parse_scopes(texts: Sequence[str], keys: Collection[str], folders: Collection[str]) -> list[Scope]:
    """Read scopes as the caller wrote them.

    Args:
        texts: Scopes such as ``projects/*/state.md``, ``project:garden`` or ``changelog.md#2025-07``.
        keys: Path keys of all notes, with which a name that looks like a pattern is told from one.
        folders: Path keys of all folders.

    Raises:
        BadRequestError: a glob is malformed.
        PathError: a scope leads out of the vault.
    """
    return [_parse_scope(text, keys, folders) for text in texts]


def _parse_scope(text: str, keys: Collection[str], folders: Collection[str]) -> Scope:
    body, heading = text.strip(), ""
    if not _note_key(body.lstrip("/"), keys):
        # Only the last '#' splits, and only where the whole is no note's own name.
        before, hash_sign, after = body.rpartition("#")
        if hash_sign:
            body, heading = before, _key(after.strip())
    if _key(body).startswith(_PROJECT):
        name = clean_path(body[len(_PROJECT) :])
        if not name:
            raise BadRequestError("scope '{text}' names no project", "write project:NAME", text=text)
        return Scope(text, re.compile(re.escape(_key(f"projects/{name}/")) + ".*", re.DOTALL), heading)
    path = without_vault_prefix(clean_path(body), "vault" in folders)
    if note := _note_key(path, keys):
        return Scope(text, re.compile(re.escape(note)), heading)
    if path_key(path) in folders or not path:
        prefix = re.escape(_key(path) + "/") if path else ""
        return Scope(text, re.compile(prefix + ".*", re.DOTALL), heading)
    if not _MAGIC & set(path):
        return Scope(text, re.compile(re.escape(_key(path)) + r"(?:\.md)?(?:/.*)?", re.DOTALL), heading)
    return Scope(text, compile_glob(plain_signs(path)), heading)


def _key(path: str) -> str:
    return plain_signs(path_key(path))


def _note_key(path: str, keys: Collection[str]) -> str:
    """Return the key of the note that a path names, with plain signs; empty where it names none."""
    key = path_key(path)
    for name in (key, f"{key}.md"):
        if name in keys:
            return plain_signs(name)
    # Another kind of apostrophe or hyphen is no other name.
    names = (plain_signs(key), plain_signs(f"{key}.md"))
    return next((name for each in keys if not each.isascii() and (name := plain_signs(each)) in names), "")
