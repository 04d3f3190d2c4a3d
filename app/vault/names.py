"""Which existing note a forgivingly written name means."""

import re
from collections.abc import Callable, Iterable
from urllib.parse import unquote

from app.errors import NoteNotFoundError, PathError
from app.vault.paths import (
    NOTE_SUFFIX,
    VAULT_PREFIX,
    NotePath,
    clean_path,
    is_note_name,
    nfc,
    path_key,
    without_vault_prefix,
)
from app.vault.scan import VaultScan

SHOWN_CANDIDATES = 10
NEAR_NAMES = 3

_FROM_ROOT = re.compile(r"\s*(?:!?\[\[)?\s*\.?/")


def resolve_name(name: str, scan: VaultScan, is_excluded: Callable[[str], bool]) -> NotePath:
    """Find the note for a path, a path without ``.md``, a wikilink, or a bare name or end of a path.

    Compared without regard to case and Unicode form; decoded where no note has a percent-encoded name. A
    leading ``/`` or ``./`` means the vault's root, so that nothing but the whole path counts. A path from the
    root wins over the same end of another path. A leading ``vault/`` is dropped unless the vault has a folder
    of that name. Excluded notes are found only where no other note is meant, and never named in a message.

    Raises:
        NoteNotFoundError: there is none; the hint names the nearest.
        PathError: the name is malformed, leads out of the vault, or several notes have it.
    """
    written = clean_path(name)
    if not written.strip():
        raise PathError("no note path given", "name a note, such as 'Projects/Plan.md'")
    from_root = is_from_root(name)
    for text in dict.fromkeys((written, written.strip(), nfc(unquote(written)))):
        without = drop_vault_prefix(text, scan)
        for wanted in dict.fromkeys((without, without + NOTE_SUFFIX)):
            if (
                is_note_name(wanted)
                and (found := _meant(wanted, scan, is_excluded, from_root=from_root)) is not None
            ):
                return found
    if any(path_key(folder) == path_key(written) for folder in scan.folders):
        raise NoteNotFoundError("no note at '{path}'", "that is a folder", path=written)
    near = near_notes(written, (path for path in scan.notes if not is_excluded(path)))
    raise NoteNotFoundError(
        "no note at '{path}'",
        "did you mean '{near:' or '}'?" if near else "",
        path=written,
        near=near,
    )


def is_from_root(name: str) -> bool:
    """Return whether a name says where in the vault the note is: no end of another path is meant then."""
    return _FROM_ROOT.match(name) is not None or "/../" in name


def drop_vault_prefix(path: str, scan: VaultScan) -> str:
    """Drop a leading ``vault/`` unless the vault has a top folder of that name."""
    return without_vault_prefix(path, any(path_key(folder) + "/" == VAULT_PREFIX for folder in scan.folders))


def near_notes(name: str, notes: Iterable[str]) -> tuple[str, ...]:
    """Name the notes whose file name is nearest to `name`, best first."""
    stems: dict[str, str] = {}
    for path in notes:
        stems.setdefault(_stem(path), path)
    wanted = _stem(name)
    from difflib import get_close_matches  # only a mistake needs it

    close = get_close_matches(wanted, stems, n=NEAR_NAMES, cutoff=0.6)
    holding = [stem for stem in stems if len(wanted) > 2 and wanted in stem]
    return tuple(stems[stem] for stem in dict.fromkeys([*close, *sorted(holding, key=len)]))[:NEAR_NAMES]


def _meant(
    wanted: str, scan: VaultScan, is_excluded: Callable[[str], bool], *, from_root: bool
) -> NotePath | None:
    if (exact := NotePath(wanted)) in scan.notes:
        return exact
    key = path_key(wanted)
    whole: list[NotePath] = []
    ending: list[NotePath] = []
    for path in scan.notes:
        other = path_key(path)
        if other == key:
            whole.append(path)
        elif not from_root and other.endswith("/" + key):
            ending.append(path)
    found = whole or ending
    shown = [path for path in found if not is_excluded(path)]
    if len(shown or found) == 1:
        return (shown or found)[0]
    if not found:
        return None
    more = len(shown) - SHOWN_CANDIDATES
    raise PathError(
        "'{wanted}' could be any of {count} notes: '{listed:', '}'"
        if shown
        else "'{wanted}' could be any of several excluded notes",
        "and {more} more; give the whole path" if more > 0 else "give the whole path",
        wanted=wanted,
        count=len(shown),
        listed=tuple(sorted(shown, key=lambda path: (len(path), path))[:SHOWN_CANDIDATES]),
        more=more,
    )


def _stem(path: str) -> str:
    name = path_key(path).rpartition("/")[2]
    return name.removesuffix(NOTE_SUFFIX)
