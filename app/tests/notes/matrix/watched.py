"""A command in a process of its own, stopped at each system call that touches certain folders.

The process is stopped by the kernel (ptrace), so that every call is seen, whoever makes it. A stopped
call can be let through, made to fail, or be the last thing that the process did.
"""

import ctypes
import functools
import io
import json
import os
import platform
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.tests.notes.matrix.calls import AT_FDCWD, KINDS, STARTS_ANOTHER, WRITING, Call

TRACE_ME, POKE_USER, GET_REGISTERS, DETACH, NEXT_CALL, SET_OPTIONS = 0, 6, 12, 17, 24, 0x4200
MARK_CALLS, DIE_WITH_US = 1, 0x100000
STOPPED_AT_CALL = signal.SIGTRAP | 0x80
# Places in the kernel's struct user_regs_struct, in words.
ARGUMENTS = (14, 13, 12, 7, 9, 8)
RESULT, NUMBER = 10, 15
MAX_PATH = 4096
Run = Callable[[list[str]], int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended; `code` is None where it was killed."""

    code: int | None
    out: str
    err: str


def why_not() -> str | None:
    """Say why processes cannot be watched here; None where they can."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return "system calls are watched on Linux for x86-64 only"
    try:
        Watched(["--version"], (Path("/nowhere"),)).finish()
    except OSError as error:
        return f"the system lets no process be watched: {error.strerror}"
    return None


class Watched:
    """A command line under way; starts stopped.

    Args:
        arguments: What would stand behind ``vault-assistant``.
        folders: Calls that touch something below one of these are counted.
        run: What is run with the arguments, in the place of a command on notes; returns an exit code.
    """

    def __init__(self, arguments: Sequence[str], folders: Sequence[Path], run: Run | None = None) -> None:
        self._folders = tuple(str(folder) for folder in folders)
        reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reading)
            _live(arguments, writing, run, watched=True)
        os.close(writing)
        self._answers = reading
        self._ended = False
        _, status = os.waitpid(self.pid, 0)
        if not os.WIFSTOPPED(status):
            self._ended = True
            raise PermissionError(1, "ptrace was refused")
        _trace(SET_OPTIONS, self.pid, 0, MARK_CALLS | DIE_WITH_US)
        self._memory = os.open(f"/proc/{self.pid}/mem", os.O_RDONLY)

    def next_call(self) -> Call | None:
        """Go on until just before the next counted call; None where the command ended before one."""
        while True:
            if not self._to_stop():
                return None
            registers = _registers(self.pid)
            number = registers[NUMBER]
            if number in STARTS_ANOTHER:
                raise AssertionError(f"the command called {STARTS_ANOTHER[number]}, which nobody watches")
            call = self._look(number, registers)
            if call is not None:
                return call
            if not self._to_stop():
                return None

    def through(self, error: int | None = None, *, closing: bool = False) -> None:
        """Let the call happen, or not happen and answer with an error; stop right behind it.

        Args:
            error: The number it answers; None to let it be.
            closing: Whether it happens all the same, as the closing of a descriptor does.
        """
        if error is not None and not closing:
            _trace(POKE_USER, self.pid, NUMBER * 8, -1)
        if self._to_stop() and error is not None:
            _trace(POKE_USER, self.pid, RESULT * 8, -error)

    def kill(self) -> Outcome:
        """End the process as ``kill -9`` does; a call it was about to make does not happen."""
        os.kill(self.pid, signal.SIGKILL)
        return self.finish()

    def finish(self) -> Outcome:
        """Go on to the end unwatched."""
        if not self._ended:
            self._release()
        with os.fdopen(self._answers, "rb") as file:
            data = file.read()
        _, status = os.waitpid(self.pid, 0)
        os.close(self._memory)
        if os.WIFSIGNALED(status):
            return Outcome(None, "", "")
        return Outcome(**json.loads(data))

    def _release(self) -> None:
        self._ended = True
        try:
            _trace(DETACH, self.pid, 0, 0)
        except ProcessLookupError:
            return

    def _to_stop(self) -> bool:
        """Go on to the next entry into a call or return from it; False where the command is over."""
        passed = 0
        while True:
            _trace(NEXT_CALL, self.pid, 0, passed)
            _, status = os.waitpid(self.pid, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                raise AssertionError(f"the command ended by itself, with status {status}")
            passed = os.WSTOPSIG(status)
            if passed == STOPPED_AT_CALL:
                return True
            if passed == signal.SIGWINCH:
                self._release()
                return False

    def _look(self, number: int, registers: "ctypes.Array[ctypes.c_ulong]") -> Call | None:
        kind = KINDS.get(number)
        if kind is None:
            return None
        arguments = [registers[place] for place in ARGUMENTS]
        if kind.takes == "fd":
            path = self._open_path(_signed(arguments[kind.position]))
        else:
            base = _signed(arguments[kind.position - 1]) if kind.relative else AT_FDCWD
            path = self._path(base, arguments[kind.position])
        if path is None or not any(f"{path}/".startswith(f"{folder}/") for folder in self._folders):
            return None
        changes = kind.changes
        if kind.name in ("open", "openat"):
            changes = bool(arguments[kind.position + 1] & WRITING)
        if kind.name == "close" and not self._writes(_signed(arguments[0])):
            return None
        return Call(kind.name, path, changes)

    def _open_path(self, descriptor: int) -> str | None:
        try:
            return str(Path(f"/proc/{self.pid}/fd/{descriptor}").readlink())
        except OSError:
            return None

    def _path(self, base: int, address: int) -> str | None:
        if address == 0:
            return self._open_path(base)
        page = 4096 - address % 4096
        data = os.pread(self._memory, min(page, MAX_PATH), address)
        if b"\0" not in data:
            data += os.pread(self._memory, MAX_PATH, address + page)
        path = os.fsdecode(data.partition(b"\0")[0])
        if path.startswith("/"):
            return path
        folder = self._open_path(base) if base != AT_FDCWD else str(Path.cwd())
        return None if folder is None else f"{folder}/{path}".rstrip("/")

    def _writes(self, descriptor: int) -> bool:
        try:
            lines = Path(f"/proc/{self.pid}/fdinfo/{descriptor}").read_text().splitlines()
        except OSError:
            return False
        flags = next(line for line in lines if line.startswith("flags:"))
        return bool(int(flags.split()[1], 8) & (os.O_WRONLY | os.O_RDWR))


def command(arguments: Sequence[str]) -> Outcome:
    """Run a command line in a process of its own, unwatched."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _live(arguments, writing, None, watched=False)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        data = file.read()
    os.waitpid(pid, 0)
    return Outcome(**json.loads(data))


def _live(arguments: Sequence[str], writing: int, run: Run | None, *, watched: bool) -> None:
    """Be the process of a command, to the end."""
    try:
        from app.tests.notes.noting import main

        # The text of a note is printed as bytes.
        printed, said = io.BytesIO(), io.StringIO()
        sys.stdin, sys.stderr = io.StringIO(), said
        sys.stdout = io.TextIOWrapper(printed, encoding="utf-8", newline="\n", write_through=True)
        if watched:
            _trace(TRACE_ME, 0, 0, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
        code = (run or main)(list(arguments))
        # Nobody but a tracer notices this signal.
        os.kill(os.getpid(), signal.SIGWINCH)
        answer = {"code": code, "out": printed.getvalue().decode(), "err": said.getvalue()}
        with os.fdopen(writing, "w") as file:
            json.dump(answer, file)
    finally:
        os._exit(0)


@functools.cache
def _ptrace() -> Callable[..., int]:
    call = ctypes.CDLL(None, use_errno=True).ptrace
    call.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    call.restype = ctypes.c_long
    function: Callable[..., int] = call
    return function


def _trace(request: int, pid: int, address: int, data: int) -> None:
    if _ptrace()(request, pid, address, data) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


_room = (ctypes.c_ulong * 27)()


def _registers(pid: int) -> "ctypes.Array[ctypes.c_ulong]":
    _trace(GET_REGISTERS, pid, 0, ctypes.addressof(_room))
    return _room


def _signed(value: int) -> int:
    return ctypes.c_int(value & 0xFFFFFFFF).value
