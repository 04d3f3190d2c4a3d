"""What goes over the socket: answers and errors as frames of JSON, each led by its length."""

import json
import socket
import struct
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from app import errors
from app.chat.ask.concat import Block, Document
from app.chat.evidence.evidence import Claim
from app.errors import VaultError
from app.notices import KINDS, Fact, Notice
from app.search.models import SearchResult, SearchResults

MOST_REQUEST = 1_000_000
MOST_ANSWER = 64_000_000
"""Largest frames, in bytes."""
_LENGTH = struct.Struct(">I")
Frame = dict[str, Any]
WORKING: Frame = {"kind": "working"}
UNABLE: Frame = {"kind": "unable"}
UNSHOWN = tuple(name for name, field in SearchResult.model_fields.items() if field.exclude)
"""Fields of a result that its own JSON leaves out."""
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


def results_data(results: SearchResults) -> Frame:
    """Return results as JSON, with what people are not shown."""
    data = results.model_dump(mode="json")
    data["results"] = [
        result.model_dump(mode="json") | {name: getattr(result, name) for name in UNSHOWN}
        for result in results.results
    ]
    data["notices"] = [_fact_data(notice) for notice in results.notices]
    return data


def read_results(data: Frame) -> SearchResults:
    """Give back what `results_data` was given."""
    results = [SearchResult.model_validate(result) for result in data["results"]]
    notices = [_read_fact(notice) for notice in data["notices"]]
    return SearchResults.model_validate(data | {"results": results, "notices": notices})


def _fact_data(fact: Fact) -> Any:  # noqa: ANN401 - what JSON can hold
    if isinstance(fact, Notice):
        return {"kind": fact.kind.name} | {name: _fact_data(each) for name, each in fact.facts.items()}
    return [_fact_data(each) for each in fact] if isinstance(fact, tuple) else fact


def _read_fact(data: Any) -> Any:  # noqa: ANN401 - what JSON can hold, and what it stood for
    if isinstance(data, dict):
        facts = {name: _read_fact(each) for name, each in data.items() if name != "kind"}
        return Notice(KINDS[data["kind"]], **facts)
    return tuple(map(_read_fact, data)) if isinstance(data, list) else data


def document_data(document: Document) -> Frame:
    """Return a document as JSON."""
    return asdict(document)


def read_document(data: Frame) -> Document:
    """Give back what `document_data` was given."""
    blocks = [
        Block(
            block["path"], (block["lines"][0], block["lines"][1]) if block["lines"] else None, block["text"]
        )
        for block in data["blocks"]
    ]
    claims = tuple(Claim(**claim) for claim in data["claims"])
    return Document(data["overview"], tuple(blocks), tuple(data["remarks"]), claims, data["is_answered"])


def error_data(error: VaultError) -> Frame:
    """Return an error as JSON."""
    return {"type": type(error).__name__, "message": error.message, "hint": error.hint}


def read_error(data: Frame) -> VaultError:
    """Give back what `error_data` was given; of a class that `app.errors` does not name, the base."""
    kind = getattr(errors, data["type"], VaultError)
    error = kind(data["message"], data["hint"])
    assert isinstance(error, VaultError)
    return error
