"""Which files are read for their text, what reads them, and what was read."""

from collections.abc import Collection
from functools import cache
from importlib.machinery import PathFinder
from typing import NamedTuple

from app.vault.paths import is_note_name

READER = "6"
"""Raised whenever a reader gives another text for the same bytes, so that kept texts are not used again."""
CANVAS, PDF = "canvas", "pdf"
WEB = frozenset({"html", "htm", "xhtml"})
APART = WEB | {PDF, "docx", "pptx", "xlsx", "odt", "ods", "odp", "epub"}
"""What is read in a process of its own: whoever made such a file decides how much work it is."""
MOST_BYTES = 64_000_000
"""A larger file is not read."""
MOST_CHARS = 4_000_000
"""Most characters that are kept of one file."""
READ_SECONDS = 60.0
"""Longest time that one file may take."""
PLACE = "#"
"""What a line begins with that names a place, such as ``# page 3``; once more for a place in a place."""


class Extracted(NamedTuple):
    """The text of a file, and what is wrong with the file or was left out."""

    text: str
    problems: tuple[str, ...] = ()


def ending_of(path: str) -> str:
    """Return the ending of a file's name in small letters, without its dot; empty where it has none."""
    name, dot, ending = path.rpartition("/")[2].rpartition(".")
    return ending.lower() if dot and name else ""


def is_attachment_name(path: str) -> bool:
    """Return whether a path, as it is listed, can be that of a file that is no note."""
    return ending_of(path).isalnum() and not is_note_name(path)


def kind_of(path: str, texts: Collection[str]) -> str:
    """Return what a file is read as, its ending; empty where nothing reads it.

    Args:
        path: The file.
        texts: The endings of files that are read as plain text.
    """
    ending = ending_of(path)
    return ending if ending == CANVAS or ending in APART or ending in texts else ""


@cache
def lacking(kind: str) -> str:
    """Say what would read a kind of file that is not read here; empty where it is read."""
    return "attachments" if kind == PDF and not PathFinder.find_spec("pypdfium2") else ""
