"""A command that a person uses at a real terminal, key by key, and what is drawn on its screen."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).parents[3]
COMMAND = (sys.executable, "-m", "app.cli.main")

UP, DOWN, ENTER, TAB, ESCAPE, END, INTERRUPT = "\x1b[A", "\x1b[B", "\r", "\t", "\x1b", "\x04", "\x03"
PATIENCE_SECONDS = 100.0
"""A test that hangs shows the screen then."""
_SEQUENCE = re.compile(r"\x1b(?:\[([0-9;?]*)([A-Za-z])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>78])")


def _own_terminal() -> None:
    """Take the terminal, and be interrupted by its keys, also where the tests run as a background job."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Session:
    """A command on a terminal of its own; ``piped`` sends standard output to a pipe, ``quiet`` drops standard error.

    ``text`` is all that came, ``screen`` what stands on the terminal now.
    """

    def __init__(
        self,
        *arguments: str,
        columns: int = 100,
        rows: int = 30,
        folder: Path = ROOT,
        program: Sequence[str] = COMMAND,
        environment: dict[str, str] | None = None,
        piped: bool = False,
        quiet: bool = False,
    ) -> None:
        self.text, self.piped = "", ""
        self.columns, self.rows = columns, rows
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")
        self._primary, secondary = pty.openpty()
        fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        gone = ("COLUMNS", "LINES", "NO_COLOR", "TERM", "PAGER", "LESS")
        kept = {name: value for name, value in os.environ.items() if name not in gone}
        self._process = subprocess.Popen(
            [*program, *arguments],
            cwd=folder,
            stdin=secondary,
            stdout=subprocess.PIPE if piped else secondary,
            stderr=subprocess.DEVNULL if quiet else secondary,
            env={**kept, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), **(environment or {})},
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        os.close(secondary)

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        os.close(self._primary)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._primary, keys.encode())

    def wait_for(self, text: str, times: int = 1) -> str:
        """Wait until a text stands on the screen as often as is said, and return the screen.

        What never comes ends with the program, or after a while that no working program needs.
        """
        gives_up = time.monotonic() + PATIENCE_SECONDS
        while (screen := self.screen).count(text) < times:
            if not self._read() or time.monotonic() > gives_up:
                raise AssertionError(f"{text!r} never came:\n{screen}\n---\n{self.text[-2000:]}")
        return screen

    def end(self) -> int:
        """Wait for the end of the program, and return its exit code."""
        while self._read():
            pass
        if self._process.stdout is not None:
            self.piped = self._process.stdout.read().decode()
        return self._process.wait(300)

    def _read(self) -> bool:
        # `select.select` takes no file whose number is above 1,023.
        waiting = select.poll()
        waiting.register(self._primary, select.POLLIN)
        if not waiting.poll(200):
            return self._process.poll() is None or bool(waiting.poll(0))
        try:
            piece = os.read(self._primary, 65536)
        except OSError:
            return False
        # A terminal answers where its cursor stands, which some programs wait for.
        if b"\x1b[6n" in piece:
            os.write(self._primary, b"\x1b[1;1R")
        self.text += self._decoder.decode(piece)
        return bool(piece)

    @property
    def screen(self) -> str:
        """What stands on the terminal now, a line for each row, blanks at their ends left out."""
        rows = [[" "] * self.columns for _ in range(self.rows)]
        row = column = 0
        at = 0
        while at < len(self.text):
            sign = self.text[at]
            if sign == "\x1b":
                found = _SEQUENCE.match(self.text, at)
                if found is None:
                    at += 1
                    continue
                at = found.end()
                numbers = [int(each) for each in (found[1] or "").split(";") if each.isdigit()]
                count = numbers[0] if numbers else 1
                match found[2]:
                    case "A":
                        row = max(0, row - count)
                    case "B":
                        row = min(self.rows - 1, row + count)
                    case "C":
                        column = min(self.columns - 1, column + count)
                    case "D":
                        column = max(0, column - count)
                    case "G":
                        column = count - 1
                    case "H":
                        row, column = (numbers[0] - 1, numbers[1] - 1) if len(numbers) > 1 else (0, 0)
                    case "J":
                        for line in rows[row + 1 :] if not numbers else rows:
                            line[:] = [" "] * self.columns
                        rows[row][column if not numbers else 0 :] = [" "] * (
                            self.columns - (column if not numbers else 0)
                        )
                    case "K":
                        rows[row][column:] = [" "] * (self.columns - column)
                    case "h" | "l" if found[1] == "?1049":
                        # The other screen begins empty; what stood on this one is not asked for here.
                        rows = [[" "] * self.columns for _ in range(self.rows)]
                        row = column = 0
                continue
            at += 1
            if sign == "\r":
                column = 0
            elif sign == "\n":
                row += 1
            elif sign == "\b":
                column = max(0, column - 1)
            elif sign >= " ":
                if column >= self.columns:
                    row, column = row + 1, 0
                if row >= self.rows:
                    rows = [*rows[1:], [" "] * self.columns]
                    row = self.rows - 1
                rows[row][column] = sign
                column += 1
            if row >= self.rows:
                rows = [*rows[1:], [" "] * self.columns]
                row = self.rows - 1
        return "\n".join("".join(line).rstrip() for line in rows).rstrip()


@dataclass(frozen=True)
class Shown:
    code: int
    text: str
    """What stands on standard output, with LF at line ends."""


def on_terminal(*arguments: str, columns: int = 100, **options: Any) -> Shown:
    """Run a program that reads from a terminal and prints to it; what it says on standard error is dropped."""
    with Session(*arguments, columns=columns, rows=40, quiet=True, **options) as session:
        code = session.end()
    return Shown(code, session.text.replace("\r\n", "\n"))
