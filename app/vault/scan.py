"""One look over the whole vault: what is there, without opening a single file."""

import os
import stat
from array import array
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import NamedTuple

from app.errors import PathError, VaultNotFoundError
from app.sentences import Sentence, reason_of
from app.system import FOLDER_FLAGS
from app.vault.paths import NotePath, clean_path, is_note_name, nfc, path_key
from app.vault.walk import walked

_ODD_SIGNS = ("%", ":", "\\", "~")
"""Names without these are paths as they stand."""
MAX_DEPTH = 200
"""Folders within folders; each level costs an open file while the scan is below it."""


Entry = os.DirEntry[str]


class FileStat(NamedTuple):
    """What the disk says about a file; times in nanoseconds since 1970."""

    path: str
    size: int
    mtime_ns: int
    birth_ns: int | None
    """Time of creation, where the platform keeps one."""


class Problem(NamedTuple):
    """Something in the vault that is not listed or not as it should be, and why."""

    path: str
    reason: str
    hides: bool = False
    """Whether the system refused to look, so that notes may be there which are not listed."""


class VaultScan(NamedTuple):
    """Every visible file of a vault; paths relative, POSIX, NFC, notes sorted by path."""

    notes: Mapping[NotePath, FileStat]
    others: tuple[str, ...]
    folders: tuple[str, ...]
    problems: tuple[Problem, ...]
    files: Mapping[str, FileStat]
    """What the disk says about the others."""


class Listing:
    """One walk through a vault: every file's size and time, and what they come to.

    Names that start with a dot do not exist, as in Obsidian. Excluded and left-out notes are listed. A
    symbolic link is never followed, only reported.

    Raises:
        VaultNotFoundError: the vault's folder is gone.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._notes: list[FileStat] = []
        self._others: list[FileStat] = []
        self._folders: list[str] = []
        self._problems: list[Problem] = []
        try:
            folder = os.open(root, FOLDER_FLAGS)
        except OSError as error:
            raise VaultNotFoundError(
                "the vault's folder '{root}' cannot be opened: {reason}", root=root, reason=reason_of(error)
            ) from error
        try:
            self._visit(folder, "", 0)
        finally:
            os.close(folder)

    @cached_property
    def state(self) -> str:
        """A digest of the name, size and time of each file.

        Two listings with the same one have the same scan, folders without a file aside. It is empty where
        the scan has a problem to tell: a link, a name that two files have, or anything else that is odd.
        """
        if self._problems:
            return ""
        # No name holds a NUL, and none is empty.
        names = (*map(itemgetter(0), self._notes), "", *map(itemgetter(0), self._others))
        digest = blake2b("\0".join(names).encode(), digest_size=16)
        for files in (self._notes, self._others):
            digest.update(array("q", map(itemgetter(1), files)))
            digest.update(array("q", map(itemgetter(2), files)))
        return digest.hexdigest()

    def scan(self) -> VaultScan:
        """Return what was found, sorted."""
        notes = {NotePath(note[0]): note for note in sorted(self._notes, key=itemgetter(0))}
        problems = sorted([*self._problems, *_same_keys(list(notes))], key=itemgetter(0, 1))
        files = {file[0]: file for file in sorted(self._others, key=itemgetter(0))}
        return VaultScan(notes, tuple(files), tuple(sorted(self._folders)), tuple(problems), files)

    def _visit(self, folder: int, prefix: str, depth: int) -> None:
        """List an open folder, then what is below it; `prefix` is empty or ends in a slash."""
        try:
            with os.scandir(folder) as listed:
                entries = sorted((entry for entry in listed if entry.name[0] != "."), key=attrgetter("name"))
        except OSError as error:
            self._report(prefix.rstrip("/"), f"folder cannot be listed: {error.strerror}", hides=True)
            return
        below = [
            found
            for entry, name in self._named(entries, prefix)
            if (found := self._add(entry, prefix + name))
        ]
        for real, path in below:
            if depth == MAX_DEPTH:
                self._report(path, f"folder lies more than {MAX_DEPTH} folders deep; left out")
                continue
            try:
                inner = os.open(real, FOLDER_FLAGS, dir_fd=folder)
            except FileNotFoundError:
                continue
            except OSError as error:
                self._folders.append(path)
                self._report(path, f"folder cannot be opened: {error.strerror}", hides=True)
                continue
            self._folders.append(path)
            try:
                self._visit(inner, path + "/", depth + 1)
            finally:
                os.close(inner)

    def _named(self, entries: list[Entry], prefix: str) -> Iterator[tuple[Entry, str]]:
        """Yield entries with their NFC names, one for each; names that cannot be used are reported."""
        taken = {entry.name for entry in entries}
        together = "".join(taken)
        if together.isascii() and not any(sign in together for sign in _ODD_SIGNS):
            yield from ((entry, entry.name) for entry in entries)
            return
        for entry in entries:
            if not _is_utf8(entry.name):
                named = entry.name.encode(errors="backslashreplace").decode()
                self._report(prefix + named, "name is not UTF-8")
                continue
            name = nfc(entry.name)
            if name != entry.name and name in taken:
                self._report(
                    prefix + name, "a second name differs only in its Unicode form; the NFC one is used"
                )
            elif (odd := _oddity(prefix, name)) is not None:
                self._report(prefix + name, odd)
            else:
                taken.add(name)
                yield entry, name

    def _add(self, entry: Entry, path: str) -> tuple[str, str] | None:
        """Add what an entry is; return its real name and its path where it is a folder."""
        try:
            found = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._report(path, f"file cannot be looked at: {error.strerror}", hides=True)
            return None
        kind = stat.S_IFMT(found.st_mode)
        if kind == stat.S_IFDIR:
            return entry.name, path
        if kind == stat.S_IFLNK:
            self._report(path, self._about_link(path))
        elif kind != stat.S_IFREG:
            self._report(path, "not a regular file")
        else:
            birth = getattr(found, "st_birthtime", None)
            birth_ns = None if birth is None else int(birth * 1e9)
            files = self._notes if is_note_name(path) else self._others
            files.append(FileStat(path, found.st_size, found.st_mtime_ns, birth_ns))
        return None

    def _about_link(self, path: str) -> str:
        inside = Sentence(
            "symbolic link to a target inside the vault; skipped, the target is listed by itself"
        )
        try:
            with walked(self._root, path) as place:
                os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
        except FileNotFoundError:
            return Sentence("symbolic link to nothing; skipped")
        except IsADirectoryError:
            return inside
        except PathError as error:
            return Sentence("symbolic link skipped: {reason}", reason=error.message)
        except OSError as error:
            return Sentence("symbolic link skipped: {reason}", reason=reason_of(error))
        return inside

    def _report(self, path: str, reason: str, *, hides: bool = False) -> None:
        self._problems.append(Problem(path, reason, hides))


def _same_keys(paths: list[NotePath]) -> Iterator[Problem]:
    """Yield the paths that other disks could not tell from one before."""
    # No name holds a NUL, so that the keys of all paths are made in one go.
    keys = path_key("\0".join(paths)).split("\0")
    if len(set(keys)) == len(keys):
        return
    seen: dict[str, str] = {}
    for key, path in zip(keys, paths, strict=True):
        first = seen.setdefault(key, path)
        if first != path:
            yield Problem(path, f"differs from '{first}' only in case; other disks cannot hold both")


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _oddity(prefix: str, name: str) -> str | None:
    """Tell why a file of this name could not be named back, if so."""
    if "%" not in name and ":" not in name and "\\" not in name and name != "~":
        return None
    try:
        cleaned = clean_path(prefix + name)
    except PathError as error:
        return Sentence("name cannot be used: {reason}", reason=error.message)
    return None if cleaned == prefix + name else "name cannot be used as a path"
