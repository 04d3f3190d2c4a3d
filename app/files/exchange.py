"""Names swapped or given in one step, where system and disk can do that."""

import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

# renameat2 of Linux and renameatx_np of macOS take the same arguments and the same flag for a swap.
_SWAP = 2
_NEW = 4 if sys.platform == "darwin" else 1
_UNABLE = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM)


def exchange(folder: int, name: str, other: str) -> bool:
    """Swap what two names in an open folder stand for.

    Args:
        folder: Descriptor of the folder.
        name: One name in it.
        other: The other.

    Returns:
        Whether it was done; False where the system or the disk cannot.

    Raises:
        OSError: one of the names is missing, or the system refuses.
    """
    return _rename(folder, name, folder, other, _SWAP)


def rename_new(folder: int, name: str, new_folder: int, new_name: str) -> bool:
    """Rename a file to a name that must be free.

    Returns:
        Whether it was done; False where the system or the disk cannot.

    Raises:
        FileExistsError: the name is taken.
        OSError: the file is missing, or the system refuses.
    """
    return _rename(folder, name, new_folder, new_name, _NEW)


def _rename(folder: int, name: str, new_folder: int, new_name: str, flag: int) -> bool:
    call = _system_call()
    if call is None:
        return False
    import ctypes

    if call(folder, os.fsencode(name), new_folder, os.fsencode(new_name), flag) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNABLE:
        return False
    raise OSError(number, os.strerror(number), new_name)


@cache
def _system_call() -> Callable[..., Any] | None:
    import ctypes

    name = {"linux": "renameat2", "darwin": "renameatx_np"}.get(sys.platform)
    call = getattr(ctypes.CDLL(None, use_errno=True), name, None) if name else None
    if call is not None:
        call.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
        call.restype = ctypes.c_int
    return call
