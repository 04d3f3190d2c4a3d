"""The system calls that are counted: those that touch a file, by their numbers on Linux for x86-64."""

import errno
import os
from dataclasses import dataclass
from typing import Literal

Takes = Literal["path", "fd"]
AT_FDCWD = -100
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
HARD = (errno.ENOSPC, errno.EIO, errno.EINVAL, errno.EROFS)
"""How a call that changes something may fail."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One system call: its name, where its file stands among the arguments, and whether it changes the disk."""

    name: str
    takes: Takes
    position: int = 0
    """Which argument holds the path, or the descriptor."""
    relative: bool = False
    """Whether the argument before the path is the descriptor of a folder."""
    changes: bool = True


def _at(name: str, *, changes: bool = True) -> Kind:
    return Kind(name, "path", 1, relative=True, changes=changes)


def _path(name: str, *, changes: bool = True) -> Kind:
    return Kind(name, "path", changes=changes)


def _fd(name: str, position: int = 0, *, changes: bool = True) -> Kind:
    return Kind(name, "fd", position, changes=changes)


# An opening changes the disk only with some flags, a closing only after writing; `Watched` looks closer.
KINDS = {
    0: _fd("read", changes=False),
    1: _fd("write"),
    2: _path("open"),
    3: _fd("close"),
    4: _path("stat", changes=False),
    5: _fd("fstat", changes=False),
    6: _path("lstat", changes=False),
    9: _fd("mmap", 4, changes=False),
    17: _fd("pread", changes=False),
    18: _fd("pwrite"),
    19: _fd("readv", changes=False),
    20: _fd("writev"),
    21: _path("access", changes=False),
    40: _fd("sendfile"),
    72: _fd("fcntl", changes=False),
    73: _fd("flock", changes=False),
    74: _fd("fsync"),
    75: _fd("fdatasync"),
    76: _path("truncate"),
    77: _fd("ftruncate"),
    82: _path("rename"),
    83: _path("mkdir"),
    84: _path("rmdir"),
    85: _path("creat"),
    86: _path("link"),
    87: _path("unlink"),
    89: _path("readlink", changes=False),
    90: _path("chmod"),
    91: _fd("fchmod"),
    92: _path("chown"),
    93: _fd("fchown"),
    94: _path("lchown"),
    188: _path("setxattr"),
    189: _path("lsetxattr"),
    190: _fd("fsetxattr"),
    191: _path("getxattr", changes=False),
    192: _path("lgetxattr", changes=False),
    193: _fd("fgetxattr", changes=False),
    194: _path("listxattr", changes=False),
    195: _path("llistxattr", changes=False),
    196: _fd("flistxattr", changes=False),
    197: _path("removexattr"),
    199: _fd("fremovexattr"),
    217: _fd("getdents", changes=False),
    257: _at("openat"),
    258: _at("mkdirat"),
    260: _at("fchownat"),
    262: _at("fstatat", changes=False),
    263: _at("unlinkat"),
    264: _at("renameat"),
    265: _at("linkat"),
    267: _at("readlinkat", changes=False),
    268: _at("fchmodat"),
    269: _at("faccessat", changes=False),
    280: _at("utimensat"),
    285: _fd("fallocate"),
    316: _at("renameat2"),
    326: _fd("copy_file_range", 2),
    332: _at("statx", changes=False),
    439: _at("faccessat2", changes=False),
    452: _at("fchmodat2"),
}
STARTS_ANOTHER = {56: "clone", 57: "fork", 58: "vfork", 435: "clone3"}
"""Calls that start a thread or a process, whose own calls would go unseen."""


@dataclass(frozen=True, slots=True)
class Call:
    """One counted call: its name, the path it is about, whether it changes the disk."""

    name: str
    path: str
    changes: bool

    def errors(self) -> tuple[int, ...]:
        """List the ways in which this call may fail."""
        if not self.changes:
            return (errno.EIO,)
        if "xattr" in self.name:
            # With EINVAL a disk says that it keeps no such attribute, and a write goes on without.
            return tuple(error for error in HARD if error != errno.EINVAL)
        # A descriptor is released whatever its closing answers; network mounts tell late here.
        return (errno.ENOSPC, errno.EIO) if self.name == "close" else HARD

    def allocates(self) -> bool:
        """Say whether this call takes room on the disk."""
        return self.changes and self.name not in ("close", "unlink", "unlinkat", "rmdir", "fchmod", "fsync")
