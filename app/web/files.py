"""Which notes and files may be looked at, and attachments served without anything that could run."""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from app.errors import NoteNotFoundError, NoteUnreadableError, PathError, VaultError
from app.notes.document import Document, open_document
from app.vault.atomic import Content
from app.vault.client import VaultClient
from app.vault.files import read_file, real_path
from app.vault.paths import NotePath, clean_path, is_hidden, is_note_name, nfc, normalize_path
from app.web.pages import context_of

MAX_FILE_BYTES = 100_000_000

PICTURES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "bmp": "image/bmp",
    "svg": "image/svg+xml",
}
# An SVG that is opened by itself is a document: it gets no script, no origin, and loads nothing.
SEALED = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def open_shown(vault: VaultClient, path: str) -> Document:
    """Open a note by its exact path.

    Raises:
        NoteNotFoundError: there is none, or none that may be shown; which of both is not told.
        NoteUnreadableError: it is there and cannot be read.
    """
    try:
        note = normalize_path(path)
        if note == nfc(path) and not _is_excluded(vault, note):
            return open_document(vault, NotePath(note))
    except NoteUnreadableError:
        raise
    except (PathError, NoteNotFoundError) as error:
        raise _missing() from error
    raise _missing()


def _read_shown(vault: VaultClient, path: str) -> Content:
    """Read an attachment by its exact path; raises as `open_shown` does."""
    try:
        cleaned = clean_path(path)
        is_file = cleaned == nfc(path) and not is_note_name(path) and not is_hidden(cleaned)
        if is_file and not vault.is_excluded(cleaned):
            real = real_path(vault.root, cleaned)
            if not is_hidden(real) and not vault.is_excluded(real):
                return read_file(vault.root, cleaned, MAX_FILE_BYTES)
    except NoteUnreadableError:
        raise
    except VaultError as error:
        raise _missing() from error
    raise _missing()


def _is_excluded(vault: VaultClient, note: NotePath) -> bool:
    if vault.is_excluded(note):
        # Nothing is looked at, lest what is wrong with it be told.
        return True
    real = vault.real_path(note)
    return vault.is_excluded(real) or is_hidden(real)


def _missing() -> NoteNotFoundError:
    return NoteNotFoundError("there is no such note or file", "it may have been moved: search for its name")


def file_part(request: Request) -> Response:
    """Return an attachment."""
    path: str = request.path_params["path"]
    content = _read_shown(context_of(request).vault, path)
    kind = PICTURES.get(path.rpartition(".")[2].lower())
    headers = {"Content-Security-Policy": SEALED}
    if kind is None:
        name = quote(path.rpartition("/")[2])
        headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
    return Response(content.data, media_type=kind or "application/octet-stream", headers=headers)
