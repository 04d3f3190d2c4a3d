"""Whether another program has a file open for writing, where the system can tell."""

import errno
import signal
import time

GRACE_SECONDS = 0.25
"""How long a program that is just saving a note is waited for."""
_STEP_SECONDS = 0.002


def others_write(descriptor: int, patience: float = GRACE_SECONDS) -> bool:
    """Find out whether another program has an open file open for writing, and wait a moment for it to end.

    Linux gives a read lease only on a file that nobody has open for writing; it is given back at once.
    Elsewhere, and on disks that know no leases, nobody can tell, and the answer is no.

    Args:
        descriptor: The file, opened for reading only, under a name that nobody else finds.
        patience: Seconds to wait for the other program.
    """
    until = time.monotonic() + patience
    while _is_busy(descriptor):
        if time.monotonic() >= until:
            return True
        time.sleep(_STEP_SECONDS)
    return False


def _is_busy(descriptor: int) -> bool:
    import fcntl

    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        # Should the lease be asked back in this instant, the signal that says so must not end the program.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    return False
