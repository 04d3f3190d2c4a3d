"""One look over the whole vault: what is there, without opening a single file."""

import os
import stat
from array import array
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from operator import attrgetter, itemgetter, methodcaller
from pathlib import Path
from typing import Any, NamedTuple, cast

from app.errors import PathError, VaultNotFoundError
from app.sentences import Sentence, reason_of
from app.vault.paths import NOTE_SUFFIX, NotePath, clean_path, is_note_name, nfc, path_key
from app.vault.walk import FOLDER_FLAGS, walked

_ODD_SIGNS = ("%", ":", "\\", "~")
"""Names without these are paths as they stand."""
_KEEPS_BIRTH = hasattr(os.stat_result, "st_birthtime")
_NAME, _LOOK = attrgetter("name"), methodcaller("stat", follow_symlinks=False)
_FACTS = attrgetter("st_mode", "st_size", "st_mtime_ns", *(["st_birthtime"] if _KEEPS_BIRTH else []))
_SIZE, _TIME = itemgetter(1), itemgetter(2)
_KIND, _FOLDER, _FILE = 0o170000, stat.S_IFDIR, stat.S_IFREG
"""The bits of a file's mode that say what it is, and two of their values."""
MAX_DEPTH = 200
"""Folders within folders; each level costs an open file while the scan is below it."""


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


class _Plain(NamedTuple):
    """A folder in which each name is a path as it stands, and each entry a file or a folder."""

    prefix: str
    names: list[str]
    facts: list[tuple[Any, ...]]
    """Of its notes, each with what `_FACTS` takes of what the disk says: all of it is ten times as much."""
    others: list[str]
    below: list[str]


class Listing:
    """One walk through a vault: every file's size and time, and what they come to.

    Names that start with a dot do not exist, as in Obsidian. Excluded and left-out notes are listed. A
    symbolic link is never followed, only reported.

    Raises:
        VaultNotFoundError: the vault's folder is gone.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._plain: list[_Plain] = []
        self._notes: list[FileStat] = []
        self._others: list[str] = []
        self._folders: list[str] = []
        self._problems: list[Problem] = []
        self._is_plain = True
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
        """A digest of the name, size and time of each note and the names of all other files.

        Two listings with the same one have the same scan, folders without a file aside. It is empty where
        the scan says more than that: a link, a name that two files have, or anything else that is odd.
        """
        if not self._is_plain or self._problems:
            return ""
        digest = blake2b(digest_size=16)
        for one in self._plain:
            if one.names or one.others:
                # No name holds a NUL, and none is empty.
                names = (one.prefix, *one.names, "", *one.others, "")
                digest.update("\0".join(names).encode())
                digest.update(array("q", map(_SIZE, one.facts)))
                digest.update(array("q", map(_TIME, one.facts)))
        return digest.hexdigest()

    def _visit(self, folder: int, prefix: str, depth: int) -> None:
        """List an open folder, then what is below it; `prefix` is empty or ends in a slash."""
        below: list[tuple[str, str]] = []
        try:
            with os.scandir(folder) as listed:
                entries = sorted((entry for entry in listed if entry.name[0] != "."), key=_NAME)
            if plain := _read_plain(entries, prefix):
                self._plain.append(plain)
                below = [(name, prefix + name) for name in plain.below]
            else:
                self._is_plain = False
                below = self._add_odd(entries, prefix)
        except OSError as error:
            self._report(prefix.rstrip("/"), f"folder cannot be listed: {error.strerror}", hides=True)
            return
        for real, path in below:
            if depth == MAX_DEPTH:
                self._report(path, f"folder lies more than {MAX_DEPTH} folders deep; left out")
                continue
            self._folders.append(path)
            try:
                inner = os.open(real, FOLDER_FLAGS, dir_fd=folder)
            except FileNotFoundError:
                self._folders.pop()
                continue
            except OSError as error:
                self._report(path, f"folder cannot be opened: {error.strerror}", hides=True)
                continue
            try:
                self._visit(inner, path + "/", depth + 1)
            finally:
                os.close(inner)

    def _add_odd(self, entries: list["os.DirEntry[str]"], prefix: str) -> list[tuple[str, str]]:
        """Add what a folder holds, looking at each name; return the names and paths of its folders."""
        below: list[tuple[str, str]] = []
        for entry, name in self._named(entries, prefix):
            path = prefix + name
            if entry.is_symlink():
                self._report(path, self._about_link(path))
            elif entry.is_dir(follow_symlinks=False):
                below.append((entry.name, path))
            else:
                self._add_file(entry, path)
        return below

    def _named(
        self, entries: list["os.DirEntry[str]"], prefix: str
    ) -> Iterator[tuple["os.DirEntry[str]", str]]:
        """Yield entries with their NFC names, one for each."""
        taken: set[str] = set()
        later: list[tuple[os.DirEntry[str], str]] = []
        for entry in entries:
            name = entry.name
            if not name.isascii():
                if not _is_utf8(name):
                    self._report(
                        prefix + name.encode(errors="backslashreplace").decode(), "name is not UTF-8"
                    )
                    continue
                if nfc(name) != name:
                    later.append((entry, nfc(name)))
                    continue
                taken.add(name)
            if (odd := _oddity(prefix, name)) is not None:
                self._report(prefix + name, odd)
                continue
            yield entry, name
        for entry, name in later:
            if name in taken:
                self._report(
                    prefix + name, "a second name differs only in its Unicode form; the NFC one is used"
                )
                continue
            taken.add(name)
            yield entry, name

    def _add_file(self, entry: "os.DirEntry[str]", path: str) -> None:
        try:
            found = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        except OSError as error:
            self._report(path, f"file cannot be looked at: {error.strerror}", hides=True)
            return
        if not stat.S_ISREG(found.st_mode):
            self._report(path, "not a regular file")
        elif is_note_name(path):
            self._notes.append(_file_stat(path, _FACTS(found)))
        else:
            self._others.append(path)

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

    def scan(self) -> VaultScan:
        """Return what was found, sorted."""
        found, others = self._notes.copy(), self._others.copy()
        for plain in self._plain:
            for name, facts in zip(plain.names, plain.facts, strict=True):
                found.append(_file_stat(plain.prefix + name, facts))
            others += [plain.prefix + name for name in plain.others]
        found.sort(key=itemgetter(0))
        notes = cast(dict[NotePath, FileStat], {note[0]: note for note in found})
        problems = [*self._problems, *_same_keys(list(notes))]
        return VaultScan(
            notes,
            tuple(sorted(others)),
            tuple(sorted(self._folders)),
            tuple(sorted(problems, key=lambda problem: (problem.path, problem.reason))),
        )


def _read_plain(entries: list["os.DirEntry[str]"], prefix: str) -> _Plain | None:
    """Return what the entries of a folder are; None where one asks for a closer look."""
    together = "/".join(map(_NAME, entries))
    if any(sign in together for sign in _ODD_SIGNS):
        return None
    if not together.isascii() and not (_is_utf8(together) and nfc(together) == together):
        return None
    found = _Plain(prefix, [], [], [], [])
    add_name, add_facts = found.names.append, found.facts.append
    try:
        for name, facts in zip(map(_NAME, entries), map(_FACTS, map(_LOOK, entries)), strict=True):
            kind = facts[0] & _KIND
            if kind == _FILE and (name[-3:] == NOTE_SUFFIX or is_note_name(name)):
                add_name(name)
                add_facts(facts)
            elif kind == _FOLDER:
                found.below.append(name)
            elif kind != _FILE:
                return None
            else:
                found.others.append(name)
    except OSError:
        # What went meanwhile, or may not be looked at, is told name by name.
        return None
    return found


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


def _file_stat(path: str, facts: tuple[Any, ...]) -> FileStat:
    _, size, mtime_ns, *birth = facts
    return FileStat(path, size, mtime_ns, int(birth[0] * 1e9) if birth else None)


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
