"""What the path of a note may look like, and how paths are compared, decided before any file is touched."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NewType
from urllib.parse import unquote

from app.errors import PathError
from app.limits import NAME_BYTES, PATH_BYTES
from app.system import name_size, posix

Form = Literal["NFC", "NFKD"]
# Signs that may be marks on the letter before them: none is part of a word, but for two of kana.
_MANY_MARKS = re.compile("(?:[^\\w\\s\0-\x7f]|[\uff9e\uff9f]){33,}")
STEP = 32
"""Every so many characters are looked at: a longer run of marks has one of these."""

NotePath = NewType("NotePath", str)
NOTE_SUFFIX = ".md"
VAULT_PREFIX = "vault/"
# "A: plan.md" is a name somebody may have chosen; "C:plan.md" and "C:/plan.md" name a drive.
_DRIVE = re.compile(r"[A-Za-z]:(?!\s)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_HOST = re.compile(r"[/\\]{2}")
_WIKILINK = re.compile(r"!?\[\[(.*)\]\]\Z", re.DOTALL)
_INSIDE = "give a path inside the vault, such as 'Projects/Plan.md'"


def normalized(form: Form, text: str) -> str:
    """Return ``unicodedata.normalize(form, text)``.

    That sorts the marks on one letter by insertion, which for a hundred thousand of them takes a minute; here
    those of a long run are in order before.
    """
    if text.isascii():
        return text
    if len(text) > STEP and any(map(_is_mark, set(text[::STEP]))):
        text = _MANY_MARKS.sub(lambda run: _in_order(form, run[0]), text)
    return unicodedata.normalize(form, text)


@lru_cache(maxsize=4096)
def _is_mark(sign: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFKD", sign)[0]) != 0


def _in_order(form: Form, run: str) -> str:
    """Take signs apart and sort the marks between those that are none, equal ones in the order they come."""
    apart = "".join(unicodedata.normalize("NFD" if form == "NFC" else form, sign) for sign in run)
    ordered: list[str] = []
    marks: list[str] = []
    for sign in apart:
        if unicodedata.combining(sign):
            marks.append(sign)
        else:
            ordered += [*sorted(marks, key=unicodedata.combining), sign]
            marks.clear()
    return "".join([*ordered, *sorted(marks, key=unicodedata.combining)])


def nfc(text: str) -> str:
    """Bring text into the one Unicode form in which paths are kept."""
    return normalized("NFC", text)


ONE_KIND = str.maketrans("’ʼ\u2010\u2011", "''--")
"""Apostrophes and hyphens, one for one."""
POINTS = (
    "\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
)
"""Points of vowels and of stress, as a class of characters of a regular expression."""
_POINTS = re.compile(f"[{POINTS}]")


def plain_signs(text: str) -> str:
    """Return text in NFC with one kind of apostrophe and hyphen, and without points of vowels and of stress.

    What an accent makes one character with, as in ``é`` and ``й``, is a letter and stays.
    """
    if text.isascii():
        return text
    # Several times as fast as a table of characters.
    for sign, plain in ONE_KIND.items():
        text = text.replace(chr(sign), chr(plain))
    return _POINTS.sub("", text)


def path_key(path: str) -> str:
    """Return the form in which two paths are compared: NFC, without regard to case."""
    return path.casefold() if path.isascii() else nfc(nfc(path).casefold())


def is_note_name(path: str) -> bool:
    """Return whether a path names a note: its ending is ``.md``, in any case, as in Obsidian."""
    return path[-3:].lower() == NOTE_SUFFIX


def is_canvas_name(path: str) -> bool:
    """Return whether a path names a canvas, which a move rewrites and nothing else touches."""
    return path.lower().endswith(".canvas")


def is_hidden(path: str) -> bool:
    """Return whether a name on the path starts with a dot, which Obsidian does not show."""
    return path.startswith(".") or "/." in path


def clean_path(path: str) -> str:
    """Bring a forgivingly written path of a note or folder into vault-relative NFC form.

    Drops the brackets, alias and heading of a wikilink, a leading ``./`` or ``/``, and resolves ``..``
    that stays inside. Percent signs are part of the name; blanks are kept.

    Returns:
        The path, POSIX; empty for the vault's root.

    Raises:
        PathError: the path leads out of the vault, or names a drive, a host or an address, plainly or
            percent-encoded any number of times, or holds a NUL.
    """
    text = nfc(posix(path))
    if link := _WIKILINK.match(text):
        text = re.split(r"[|#]", link.group(1), maxsplit=1)[0]
    for decoded in _decodings(text):
        _check_text(decoded, path)
    parts: list[str] = []
    for part in text.split("/"):
        if part == "..":
            if not parts:
                raise PathError("the path '{path}' leads out of the vault", _INSIDE, path=_shown(path))
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    for part in parts:
        _check_name(part)
    cleaned = "/".join(parts)
    for decoded in _decodings(cleaned):
        # Windows reads a backslash as a slash, and a vault may be shared with it.
        if any(part == ".." for part in re.split(r"[/\\]", decoded)):
            raise PathError("the path '{path}' leads out of the vault", _INSIDE, path=_shown(path))
    return cleaned


def without_vault_prefix(path: str, has_folder: bool) -> str:
    """Drop a leading ``vault/``, which some write before every path.

    Args:
        path: A clean path.
        has_folder: Whether the vault has a top folder of that name, which is then meant.
    """
    if has_folder or not path_key(path).startswith(VAULT_PREFIX):
        return path
    return path[len(VAULT_PREFIX) :]


def normalize_path(path: str, *, canvas: bool = False) -> NotePath:
    """Turn a forgivingly written path into the path of a note, which ends in ``.md``; or of a ``canvas``.

    Raises:
        PathError: as for `clean_path`; or the path is empty, names a folder, or holds a hidden name.
    """
    cleaned = clean_path(path)
    if not cleaned.strip():
        raise PathError("no note path given", "name a note, such as 'Projects/Plan.md'")
    if path.endswith("/"):
        raise PathError("'{path}' names a folder, not a note", "drop the slash at the end", path=_shown(path))
    if is_hidden(cleaned):
        raise PathError(
            "'{path}' is hidden: a name on it starts with a dot",
            "choose names without a leading dot",
            path=_shown(path),
        )
    if not is_note_name(cleaned) and not (canvas and is_canvas_name(cleaned)):
        cleaned += NOTE_SUFFIX
        _check_name(cleaned.rpartition("/")[2])
    return NotePath(cleaned)


def _check_text(text: str, written: str) -> None:
    """Refuse what no path in a vault can be, whatever it is relative to."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise PathError(
            "the path '{written}' is not valid Unicode", _INSIDE, written=_shown(written)
        ) from error
    if size > PATH_BYTES:
        raise PathError(
            "the path '{text}…' is longer than {path_bytes} bytes",
            "shorten it",
            text=text[:40],
            path_bytes=PATH_BYTES,
        )
    if "\0" in text:
        raise PathError("the path '{written}' holds a NUL", _INSIDE, written=_shown(written))
    if _HOST.match(text):
        raise PathError("the path '{written}' names a host", _INSIDE, written=_shown(written))
    if _SCHEME.match(text):
        raise PathError("'{written}' is an address, not a path", _INSIDE, written=_shown(written))
    if _DRIVE.match(text.lstrip("/")):
        raise PathError("the path '{written}' names a drive", _INSIDE, written=_shown(written))
    if text.lstrip("/").partition("/")[0] == "~":
        raise PathError("the path '{written}' names a home folder", _INSIDE, written=_shown(written))


def _check_name(name: str) -> None:
    if (size := name_size(name)) > NAME_BYTES:
        raise PathError(
            "the name '{part}…' has {size} bytes",
            "{name_bytes} are the most",
            part=_shown(name)[:40],
            size=size,
            name_bytes=NAME_BYTES,
        )


def _decodings(text: str) -> Iterator[str]:
    """Yield a text, then percent-decoded as long as that changes it."""
    while True:
        yield text
        decoded = nfc(unquote(text))
        if decoded == text:
            return
        text = decoded


def _shown(path: str) -> str:
    return path.encode(errors="backslashreplace").decode().replace("\0", "\\0")[:200]
