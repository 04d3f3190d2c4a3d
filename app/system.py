"""What differs between systems: how files are opened, whose they are, what they may be called on Windows.

A vault is walked by folders that stay open, which Windows cannot do; the rest is untried there.
"""

import errno
import os
import sys

CAN_WALK = {os.open, os.stat, os.rename, os.unlink, os.mkdir, os.rmdir} <= os.supports_dir_fd
"""Whether files can be opened relative to an open folder, so that no link swapped in leads elsewhere."""
_FORBIDDEN = frozenset('<>:"/\\|?*')
_DEVICES = frozenset(
    {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}
    | {f"{name}{number}" for name in ("COM", "LPT") for number in "123456789¹²³"}
)


def flags(*names: str) -> int:
    """Return what `os.open` is told: that a file is not handed on to programs, and the flags of these names.

    What a system does not know asks for nothing there.
    """
    found = 0
    for name in ("CLOEXEC", "BINARY", *names):
        found |= getattr(os, f"O_{name}", 0)
    return found


READ_FLAGS = flags("RDONLY", "NOFOLLOW", "NONBLOCK")
"""Without O_NONBLOCK, opening a FIFO would wait for a writer for ever."""
CREATE_FLAGS = flags("WRONLY", "CREAT", "EXCL", "NOFOLLOW")
FOLDER_FLAGS = flags("RDONLY", "DIRECTORY", "NOFOLLOW")


def own_user() -> int:
    """Return the number of the person who runs the program; on Windows all files have the owner 0."""
    return os.geteuid() if hasattr(os, "geteuid") else 0


def posix(path: str, separator: str = os.sep) -> str:
    """Return a path with slashes between its names, as a vault has it, for the backslashes of Windows."""
    return path.replace("\\", "/") if separator == "\\" else path


def name_size(name: str) -> int:
    """Measure a name as the system does: Windows and macOS count units of UTF-16, others bytes."""
    if sys.platform in ("win32", "darwin"):
        return len(name.encode("utf-16-le", "surrogatepass")) // 2
    return len(name.encode())


def forbidden_on_windows(name: str) -> bool:
    """Return whether Windows lets nothing be called so: a device, some signs, a dot or blank at the end."""
    device = name.partition(".")[0].rstrip(" ").upper()
    return (
        device in _DEVICES
        or name.endswith((".", " "))
        or any(sign in _FORBIDDEN or ord(sign) < 32 for sign in name)
    )


def is_written_elsewhere(descriptor: int) -> bool:
    """Return whether another program has a file open for writing, which Linux alone can tell.

    Linux gives a read lease only on a file that nobody has open for writing; it is given back at once.
    """
    if sys.platform != "linux":
        return False
    import fcntl
    import signal

    try:
        # Should the lease be asked back in this instant, the signal that says so must not end the program.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    return False
