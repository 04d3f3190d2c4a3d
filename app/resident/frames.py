"""What goes over the socket: frames of JSON, each led by its length, none larger than agreed."""

import json
import socket
import struct
from collections.abc import Mapping
from typing import Any

MOST_REQUEST = 1_000_000
MOST_ANSWER = 64_000_000
"""Largest frames, in bytes."""

_LENGTH = struct.Struct(">I")

Frame = dict[str, Any]

WORKING: Frame = {"kind": "working"}
UNABLE: Frame = {"kind": "unable"}
"""Say that a request is worked on, and that whoever asks had better do it alone."""


class GoneError(Exception):
    """The other side is gone, keeps silent, or sends something else."""


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
