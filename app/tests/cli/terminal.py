"""A command run on a real terminal of a width, and what stands on it afterwards."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
COMMAND = (sys.executable, "-m", "app.cli.main")


@dataclass(frozen=True)
class Shown:
    code: int
    text: str
    """What stands on standard output, with LF at line ends."""


def on_terminal(
    *arguments: str,
    columns: int = 100,
    program: Sequence[str] = COMMAND,
    folder: Path = ROOT,
    environment: dict[str, str] | None = None,
) -> Shown:
    """Run a program that reads from a terminal and prints to it; what it says on standard error is dropped."""
    primary, secondary = pty.openpty()
    fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "TERM")}
    with subprocess.Popen(
        [*program, *arguments],
        cwd=folder,
        stdin=secondary,
        stdout=secondary,
        stderr=subprocess.DEVNULL,
        env={**kept, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), **(environment or {})},
        start_new_session=True,
    ) as process:
        os.close(secondary)
        text = b""
        # Linux ends a terminal that nobody holds any more with an error, others with nothing.
        try:
            while piece := os.read(primary, 4096):
                text += piece
        except OSError:
            pass
        code = process.wait(300)
    os.close(primary)
    return Shown(code, text.decode().replace("\r\n", "\n"))


def read_until(terminal: int, end: bytes, seen: bytes = b"") -> bytes:
    """Read what a terminal shows, to an end that must come; ``seen`` was read before and may hold it."""
    while end not in seen:
        # Given up before the time limit of the test, which could not end the wait for the process after it.
        waiting = select.poll()
        waiting.register(terminal, select.POLLIN)
        assert waiting.poll(100_000), seen
        seen += os.read(terminal, 4096)
    return seen
