"""What keyword search looks through: given files of a folder, or all that ripgrep finds in it."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.errors import VaultError
from app.search.keyword.output import Lines
from app.vault.files import real_path

ARGUMENT_BYTES = min(500_000, os.sysconf("SC_ARG_MAX") // 4) if hasattr(os, "sysconf") else 8_000
"""Room for file names on one command line; the system's own limit counts the environment as well."""

POINTER_BYTES = 9
"""What each argument costs besides its bytes: its end, and the pointer to it."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Files below one folder.

    Args:
        root: The folder, free of links.
        show: Gives the lines of a file as they may be shown, from those that ripgrep found; None where
            the file is not, or is no longer, one to show.
        files: The files, by their names on disk, with the paths they are shown by; None leaves it to
            ripgrep, which obeys ``.gitignore`` and skips hidden and binary files.
        allows: Tells whether a line of a path lies in what is searched.
    """

    root: Path
    show: Callable[[str, Lines], Lines | None]
    files: Mapping[str, str] | None = None
    allows: Callable[[str, int], bool] | None = None

    def shown_path(self, name: str) -> str:
        """Give the path by which a file that ripgrep names is shown."""
        name = name.removeprefix("./")
        return name if self.files is None else self.files[name]

    def batches(self) -> Iterator[list[str]]:
        """Give the names for one run of ripgrep after the other, each list short enough for the system."""
        if self.files is None:
            yield ["./"]
            return
        batch: list[str] = []
        room = ARGUMENT_BYTES
        for name in self.files:
            # With the dot in front no name looks like an option.
            argument = f"./{name}"
            cost = len(os.fsencode(argument)) + POINTER_BYTES
            if batch and cost > room:
                yield batch
                batch, room = [], ARGUMENT_BYTES
            batch.append(argument)
            room -= cost
        if batch:
            yield batch


def folder_corpus(folder: Path) -> Corpus:
    """Search a folder outside any vault, by ripgrep's own rules."""
    root = folder.resolve()

    def show(path: str, lines: Lines) -> Lines | None:
        try:
            # Ripgrep follows no link; this sees to one that was put there meanwhile.
            real_path(root, path)
        except VaultError:
            return None
        return lines

    return Corpus(root, show)


def find_root(start: Path) -> Path:
    """Give the root of the git repository around ``start``, else ``start`` itself."""
    folder = start.resolve()
    return next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), folder)
