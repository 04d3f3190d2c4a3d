"""What a file has besides its bytes: permissions, owner, time of change, extended attributes."""

import base64
import errno
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

MAX_XATTR_BYTES = 65_536
"""Most that is kept of a file's extended attributes; larger ones are left out."""

# A disk or a user that may not keep an attribute; anything else is a failure like any other.
_UNABLE = frozenset(
    {errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENODATA}
)


@dataclass(frozen=True, slots=True)
class Attributes:
    """What is kept of a file besides its bytes; None for what is not known."""

    mode: int | None = None
    mtime_ns: int | None = None
    owner: int | None = None
    group: int | None = None
    xattrs: Mapping[str, str] = field(default_factory=dict)
    """Values in base64; access control lists are among them."""

    def changed_at(self, mtime_ns: int | None) -> "Attributes":
        """Return the same with another time of change."""
        return replace(self, mtime_ns=mtime_ns)


def attributes_of(descriptor: int) -> Attributes:
    """Read the attributes of an open file."""
    found = os.fstat(descriptor)
    return Attributes(
        stat.S_IMODE(found.st_mode), found.st_mtime_ns, found.st_uid, found.st_gid, _xattrs(descriptor)
    )


def give(descriptor: int, wanted: Attributes) -> None:
    """Give an open file the attributes that this disk and this user can give.

    Raises:
        OSError: the disk fails.
    """
    found = os.fstat(descriptor)
    # Taking the group along is worth a try of its own: only root may give a file to another user.
    if wanted.group is not None and wanted.group != found.st_gid:
        _where_able(os.fchown, descriptor, -1, wanted.group)
    if wanted.owner is not None and wanted.owner != found.st_uid:
        _where_able(os.fchown, descriptor, wanted.owner, -1)
    if hasattr(os, "setxattr"):
        for name, value in wanted.xattrs.items():
            _where_able(os.setxattr, descriptor, name, base64.b64decode(value))
    # After the owner, since giving a file away clears bits of its mode.
    if wanted.mode is not None:
        os.fchmod(descriptor, wanted.mode)
    if wanted.mtime_ns is not None:
        os.utime(descriptor, ns=(found.st_atime_ns, wanted.mtime_ns))


def _xattrs(descriptor: int) -> dict[str, str]:
    if not hasattr(os, "listxattr"):
        return {}
    found: dict[str, str] = {}
    room = MAX_XATTR_BYTES
    try:
        names = os.listxattr(descriptor)
    except OSError as error:
        if error.errno in _UNABLE:
            return {}
        raise
    for name in sorted(names):
        try:
            value = os.getxattr(descriptor, name)
        except OSError as error:
            # One may go between the listing and the look, or be for others' eyes; a disk that fails is told.
            if error.errno == errno.EIO:
                raise
            continue
        room -= len(value)
        if room >= 0:
            found[name] = base64.b64encode(value).decode()
    return found


def _where_able(act: Callable[..., None], *arguments: Any) -> None:  # noqa: ANN401
    try:
        act(*arguments)
    except OSError as error:
        if error.errno not in _UNABLE:
            raise
