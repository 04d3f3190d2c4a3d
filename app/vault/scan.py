"""One look over the whole vault: what is there, without opening a single file."""

import os
import stat
from collections.abc import Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, cast

from app.errors import PathError, VaultNotFoundError
from app.sentences import Sentence, reason_of
from app.vault.paths import NOTE_SUFFIX, NotePath, clean_path, is_note_name, nfc, path_key
from app.vault.walk import FOLDER_FLAGS, walked

_ODD_SIGNS = ("%", ":", "\\", "~")
"""Names without these are paths as they stand."""
_KEEPS_BIRTH = hasattr(os.stat_result, "st_birthtime")
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


def scan_vault(root: Path) -> VaultScan:
    """Look at every folder of the vault; names that start with a dot do not exist, as in Obsidian.

    Excluded and left-out notes are listed. A symbolic link is never followed, only reported.

    Raises:
        VaultNotFoundError: the vault's folder is gone.
    """
    scanner = _Scanner(root)
    try:
        folder = os.open(root, FOLDER_FLAGS)
    except OSError as error:
        raise VaultNotFoundError(
            "the vault's folder '{root}' cannot be opened: {reason}", root=root, reason=reason_of(error)
        ) from error
    try:
        scanner.visit(folder, "", 0)
    finally:
        os.close(folder)
    return scanner.result()


class _Scanner:
    """What one walk has gathered so far."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._notes: list[FileStat] = []
        self._others: list[str] = []
        self._folders: list[str] = []
        self._problems: list[Problem] = []

    def visit(self, folder: int, prefix: str, depth: int) -> None:
        """List an open folder, then what is below it; `prefix` is empty or ends in a slash."""
        below: list[tuple[str, str]] = []
        try:
            for entry, name in self._entries(folder, prefix):
                path = prefix + name
                if entry.is_symlink():
                    self._report(path, self._about_link(path))
                elif entry.is_dir(follow_symlinks=False):
                    below.append((entry.name, path))
                else:
                    self._add_file(entry, path)
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
                self.visit(inner, path + "/", depth + 1)
            finally:
                os.close(inner)

    def _entries(self, folder: int, prefix: str) -> Iterator[tuple["os.DirEntry[str]", str]]:
        """Yield the visible entries with their NFC names, one for each."""
        taken: set[str] = set()
        later: list[tuple[os.DirEntry[str], str]] = []
        with os.scandir(folder) as listed:
            entries = list(listed)
        names = "/".join([entry.name for entry in entries])
        if names.isascii() and not any(sign in names for sign in _ODD_SIGNS):
            entries = self._add_plain(entries, prefix)
        for entry in entries:
            name = entry.name
            if name.startswith("."):
                continue
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
        for entry, name in sorted(later, key=lambda item: item[0].name):
            if name in taken:
                self._report(
                    prefix + name, "a second name differs only in its Unicode form; the NFC one is used"
                )
                continue
            taken.add(name)
            yield entry, name

    def _add_plain(self, entries: list["os.DirEntry[str]"], prefix: str) -> list["os.DirEntry[str]"]:
        """Add the notes of a folder whose names are all plain; return what else there is."""
        add, left, is_regular = self._notes.append, [], stat.S_ISREG
        for entry in entries:
            name = entry.name
            if name[-3:] == NOTE_SUFFIX and name[0] != "." and entry.is_file(follow_symlinks=False):
                try:
                    found = entry.stat(follow_symlinks=False)
                except OSError:
                    left.append(entry)
                    continue
                # What has taken its name meanwhile is looked at like anything else.
                if is_regular(found.st_mode):
                    birth = _birth_ns(found) if _KEEPS_BIRTH else None
                    add(FileStat(prefix + name, found.st_size, found.st_mtime_ns, birth))
                    continue
            left.append(entry)
        return left

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
            self._notes.append(FileStat(path, found.st_size, found.st_mtime_ns, _birth_ns(found)))
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

    def result(self) -> VaultScan:
        """Return what was gathered, sorted."""
        self._notes.sort(key=itemgetter(0))
        notes = cast(dict[NotePath, FileStat], {note[0]: note for note in self._notes})
        self._report_same_keys(list(notes))
        return VaultScan(
            notes,
            tuple(sorted(self._others)),
            tuple(sorted(self._folders)),
            tuple(sorted(self._problems, key=lambda problem: (problem.path, problem.reason))),
        )

    def _report_same_keys(self, paths: list[NotePath]) -> None:
        # No name holds a NUL, so that the keys of all paths are made in one go.
        keys = path_key("\0".join(paths)).split("\0")
        if len(set(keys)) == len(keys):
            return
        seen: dict[str, str] = {}
        for key, path in zip(keys, paths, strict=True):
            first = seen.setdefault(key, path)
            if first != path:
                self._report(path, f"differs from '{first}' only in case; other disks cannot hold both")


def _birth_ns(found: os.stat_result) -> int | None:
    """Return when a file was made; None where the platform keeps no such time."""
    if not _KEEPS_BIRTH:
        return None
    birth: float = found.st_birthtime  # type: ignore[attr-defined,unused-ignore]
    return int(birth * 1e9)


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
