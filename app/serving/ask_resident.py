"""Have a resident answer, where one is there; without one, or when it fails, the caller does it alone."""

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from app.chat.ask.concat import Document
from app.dependencies import logger
from app.search.models import SearchResults
from app.serving.socket import SUFFIX, address_of, folder_of, is_private, surroundings
from app.serving.wire import (
    MOST_REQUEST,
    Frame,
    GoneError,
    read_document,
    read_error,
    read_results,
    receive,
    send,
)
from app.vault.client import VaultClient

FIRST_SECONDS = 1.0
"""Longest wait for the connection and for the word that the request is being worked on."""

QUIET_SECONDS = 10.0
"""Longest silence after that; a resident at work says so each second."""


def find_by_resident(vault: VaultClient, parameters: Mapping[str, object]) -> SearchResults | None:
    """Have a search answered; None where no resident does.

    Raises:
        VaultError: the request cannot be answered, as it could not be here.
    """
    answer = _asked(vault, {"call": "find", "parameters": dict(parameters)})
    return None if answer is None else read_results(answer["results"])


def ask_by_resident(
    vault: VaultClient, question: str, model: str | None, tell: Callable[[str], None]
) -> tuple[Document, str] | None:
    """Have a question answered: the document and the model's name; None where no resident does.

    Args:
        vault: The vault.
        question: What a person wants to know.
        model: The language model's name; without it the one of the settings.
        tell: Is given each call of a tool, as one short line.

    Raises:
        VaultError: the question cannot be answered, as it could not be here.
    """
    answer = _asked(vault, {"call": "ask", "question": question, "model": model}, tell)
    return None if answer is None else (read_document(answer["document"]), str(answer["model"]))


def _asked(
    vault: VaultClient, request: Frame, tell: Callable[[str], None] = lambda text: None
) -> Frame | None:
    """Send a request and wait for its answer; None where there is none, for whatever reason."""
    try:
        with _connected(vault) as connection:
            if connection is None:
                return None
            send(connection, {**request, "surroundings": surroundings()}, MOST_REQUEST)
            frame = receive(connection)
            connection.settimeout(QUIET_SECONDS)
            while frame.get("kind") in ("working", "tell"):
                if frame["kind"] == "tell":
                    tell(frame["text"])
                frame = receive(connection)
    except GoneError as error:
        logger.info("resident_not_used", extra={"error": str(error)})
        return None
    if frame.get("kind") == "error":
        raise read_error(frame)
    return frame if frame.get("kind") == "answer" else None


@contextmanager
def _connected(vault: VaultClient) -> Iterator[socket.socket | None]:
    """Connect to the resident; None where there is none. A dead one's socket is left to the next resident."""
    path = _path(vault)
    if path is None:
        yield None
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(FIRST_SECONDS)
        try:
            connection.connect(path)
        except OSError as error:
            raise GoneError(str(error)) from error
        yield connection


def _path(vault: VaultClient) -> str | None:
    folder = folder_of(vault.settings)
    if not vault.settings.resident or folder is None or not is_private(folder):
        return None
    try:
        # Where nobody listens at all, the digest need not be computed.
        if not any(file.name.endswith(SUFFIX) for file in folder.iterdir()):
            return None
        path = address_of(vault)
    except OSError as error:
        raise GoneError(str(error)) from error
    return str(path) if path is not None and path.exists() else None
