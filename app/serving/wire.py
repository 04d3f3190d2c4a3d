"""What goes over the socket: requests and answers as frames of JSON, each led by its length."""

import json
import socket
import struct
from collections.abc import Callable, Mapping
from typing import Any

MOST_REQUEST = 1_000_000
MOST_ANSWER = 64_000_000
"""Largest frames, in bytes."""
FIRST_SECONDS = 1.0
"""Longest wait for the connection and for the word that the request is being worked on."""
QUIET_SECONDS = 10.0
"""Longest silence after that; a resident at work says so each second."""

_LENGTH = struct.Struct(">I")
Frame = dict[str, Any]
WORKING: Frame = {"kind": "working"}
UNABLE: Frame = {"kind": "unable"}
"""Say that a request is worked on, and that whoever asks had better do it alone."""


class GoneError(Exception):
    """The other side is gone, keeps silent, or sends something else."""


def asked(path: str, request: Frame, tell: Callable[[str], None]) -> Frame | None:
    """Send a request to a resident's socket and wait for its answer; None where it had better be done here.

    Args:
        path: The socket. A dead resident's is left to the next one.
        request: What is asked.
        tell: Is given each call of a tool, as one short line.

    Raises:
        GoneError: nobody answers there, or what comes is no answer.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(FIRST_SECONDS)
        try:
            connection.connect(path)
        except OSError as error:
            raise GoneError(str(error)) from error
        send(connection, request, MOST_REQUEST)
        frame = receive(connection)
        connection.settimeout(QUIET_SECONDS)
        while frame.get("kind") in ("working", "tell"):
            if frame["kind"] == "tell":
                tell(frame["text"])
            frame = receive(connection)
    return frame if frame.get("kind") == "answer" else None


def send(connection: socket.socket, frame: Mapping[str, Any], most: int = MOST_ANSWER) -> None:
    """Send one frame; raises GoneError, also where the frame is too large."""
    # Escaped, so that a word of the command line that is no proper Unicode arrives as it was.
    data = json.dumps(frame, ensure_ascii=True).encode("ascii")
    if len(data) > most:
        raise GoneError(f"a frame has {len(data)} bytes, more than {most}")
    try:
        connection.sendall(_LENGTH.pack(len(data)) + data)
    except OSError as error:
        raise GoneError(str(error)) from error


def receive(connection: socket.socket, most: int = MOST_ANSWER) -> Frame:
    """Wait for one frame, as long as the connection's time-out allows; raises GoneError."""
    (length,) = _LENGTH.unpack(_exactly(connection, _LENGTH.size))
    if length > most:
        raise GoneError(f"a frame has {length} bytes, more than {most}")
    try:
        frame = json.loads(_exactly(connection, length))
    except ValueError as error:
        raise GoneError("a frame is no JSON") from error
    if not isinstance(frame, dict):
        raise GoneError("a frame is no JSON object")
    return frame


def _exactly(connection: socket.socket, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        try:
            part = connection.recv(min(count - len(data), 1 << 20))
        except OSError as error:
            raise GoneError(str(error)) from error
        if not part:
            raise GoneError("the connection was closed")
        data += part
    return bytes(data)
