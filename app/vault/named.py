"""Several vaults in one call: how each is named, which one is meant, and what is said of one that fails."""

import logging
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from app.errors import BadRequestError, NoteNotFoundError, VaultError
from app.limits import shown
from app.notices import Notice, NoticeKind
from app.showing import in_line

V = TypeVar("V")
T = TypeVar("T")

BETWEEN = ":"
"""What stands between a vault's name and a path in it."""
PLACES = ("new_path", "folder", "scopes")
"""Parameters that may name a vault too, besides the path of a call."""
ALONE = ""
"""The name of a vault which is the only one: nothing is said of it."""
REASON_CHARS = 200
logger = logging.getLogger("vault_assistant")


def named(name: str, path: str) -> str:
    """Return a path as it is written where vaults are several: ``name:path``."""
    return f"{name}{BETWEEN}{path}" if name != ALONE else path


def parted(names: Iterable[str], written: str) -> tuple[str | None, str]:
    """Return the vault that a written path names, None where it names none, and the path in it."""
    # A name may hold what stands between; the longest that fits is meant.
    fitting = [name for name in names if name != ALONE and written.startswith(name + BETWEEN)]
    name = max(fitting, key=len, default=None)
    return (None, written) if name is None else (name, written.removeprefix(name + BETWEEN))


def choose(
    names: Iterable[str], parameters: Mapping[str, Any], path: str
) -> tuple[str | None, dict[str, Any]]:
    """Return which vault a call is about, and its parameters without the vault's name.

    Args:
        names: Of the vaults there are; `ALONE` where there is but one, which is never named.
        parameters: Of the call; ``vault`` names one of them, or the path does, as in ``name:path``.
        path: Which parameter is a path.

    Returns:
        The vault's name, None where none of several is named.

    Raises:
        BadRequestError: no vault has that name, or several are named.
    """
    known, found = tuple(names), dict(parameters)
    if known == (ALONE,):
        return ALONE, found
    name = found.pop("vault", None)
    if name is not None and (not isinstance(name, str) or name not in known):
        raise BadRequestError("no vault {name}", "valid: {valid}", name=shown(name), valid=", ".join(known))
    meant = set[str]() if name is None else {name}
    for place in (path, *PLACES):
        written = found.get(place)
        several = written if isinstance(written, list | tuple) else [written]
        parts = [parted(known, one) if isinstance(one, str) else (None, one) for one in several]
        meant |= {one for one, _ in parts if one is not None}
        if written is not None:
            rest = [one for _, one in parts]
            found[place] = rest if several is written else rest[0]
    if len(meant) > 1:
        raise BadRequestError(
            "the call names several vaults: {found}", "name one vault", found=", ".join(sorted(meant))
        )
    return (meant.pop() if meant else known[0] if len(known) == 1 else None), found


def not_named(names: Iterable[str]) -> BadRequestError:
    """Say that a call has to name one of several vaults."""
    return BadRequestError("there are several vaults", "give vault: {names}", names=", ".join(names))


def each_of(vaults: Mapping[str, V], look: Callable[[V], T]) -> tuple[dict[str, T], tuple[Notice, ...]]:
    """Do the same with each of some vaults; one that fails is said, and does not fail the others.

    Returns:
        What came of each that did not fail, by name, and what is to be said of those that did.

    Raises:
        VaultError: all fail; the error is that of the first.
    """
    found: dict[str, T] = {}
    failed: dict[str, Exception] = {}
    for name, vault in vaults.items():
        try:
            found[name] = look(vault)
        except Exception as error:  # noqa: BLE001 - the others still answer
            failed[name] = error
    return found, failures(failed, is_all=not found)


def failures(failed: Mapping[str, Exception], *, is_all: bool) -> tuple[Notice, ...]:
    """Return what is to be said of vaults that failed; where all did, raise the first one's error."""
    if is_all and failed:
        raise next(iter(failed.values()))
    # A note that one vault has and another has not is what a search through several finds out.
    failed = {name: error for name, error in failed.items() if not isinstance(error, NoteNotFoundError)}
    for name, error in failed.items():
        if not isinstance(error, VaultError):
            logger.error("vault_failed", extra={"vault": name, "error": str(error)}, exc_info=error)
    return tuple(
        Notice(NoticeKind.VAULT_FAILED, name=in_line(name), reason=_reason(error))
        for name, error in failed.items()
    )


def _reason(error: Exception) -> str:
    said = error.message if isinstance(error, VaultError) else " ".join(str(error).split())
    return in_line(said or type(error).__name__, REASON_CHARS)


def check_apart(roots: Mapping[str, Path]) -> None:
    """Refuse one vault by two names, and one inside another, through which what it excludes would show.

    Args:
        roots: The folders of the vaults, by name.

    Raises:
        BadRequestError: two are one folder, or one lies inside another.
    """
    resolved = {name: root.resolve() for name, root in roots.items()}
    for name, root in resolved.items():
        for other, around in resolved.items():
            if around == root and name != other:
                raise BadRequestError(
                    "'{name}' and '{other}' are one vault", "give it one name", name=name, other=other
                )
            if around in root.parents:
                raise BadRequestError(
                    "the vault '{name}' lies inside the vault '{other}'",
                    "give one of them alone",
                    name=name,
                    other=other,
                )
