"""Restrict a search to part of the vault: globs, folders, notes, projects and headings."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from app.errors import BadRequestError
from app.vault.glob import compile_glob
from app.vault.paths import clean_path, path_key, without_vault_prefix

_PROJECT = "project:"
_MAGIC = frozenset("*?[{")


class Scope(NamedTuple):
    """One scope: which notes, and under which heading.

    ``pattern`` is matched against a note's path key; ``heading`` is folded, empty for whole notes.
    """

    text: str
    pattern: re.Pattern[str]
    heading: str = ""

    def matches(self, key: str) -> bool:
        """Return whether a path key lies in the scope."""
        return self.pattern.fullmatch(key) is not None

    def covers(self, heading: str) -> bool:
        """Return whether a heading's text begins as the scope asks."""
        return path_key(heading.strip()).startswith(self.heading)


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
    if not _names_note(body, keys):
        # Only the last '#' splits, and only where the whole is no note's own name.
        before, hash_sign, after = body.rpartition("#")
        if hash_sign:
            body, heading = before, path_key(after.strip())
    if path_key(body).startswith(_PROJECT):
        name = clean_path(body[len(_PROJECT) :])
        if not name:
            raise BadRequestError("scope '{text}' names no project", "write project:NAME", text=text)
        return Scope(text, re.compile(re.escape(path_key(f"projects/{name}/")) + ".*", re.DOTALL), heading)
    path = without_vault_prefix(clean_path(body), "vault" in folders)
    if _names_note(path, keys):
        exact = path_key(path) if path_key(path) in keys else path_key(path + ".md")
        return Scope(text, re.compile(re.escape(exact)), heading)
    if path_key(path) in folders or not path:
        prefix = re.escape(path_key(path) + "/") if path else ""
        return Scope(text, re.compile(prefix + ".*", re.DOTALL), heading)
    if not _MAGIC & set(path):
        return Scope(text, re.compile(re.escape(path_key(path)) + r"(?:\.md)?(?:/.*)?", re.DOTALL), heading)
    return Scope(text, compile_glob(path), heading)


def _names_note(path: str, keys: Collection[str]) -> bool:
    key = path_key(path.strip().lstrip("/"))
    return key in keys or f"{key}.md" in keys
