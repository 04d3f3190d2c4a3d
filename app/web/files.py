"""Which notes and files may be looked at, and attachments served without anything that could run."""

import re
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from app.errors import NoteNotFoundError, NoteUnreadableError, PathError, VaultError
from app.notes.document import Document, open_document
from app.vault.client import VaultClient
from app.vault.files import file_size, read_file, read_part, real_path
from app.vault.paths import NotePath, clean_path, is_hidden, is_note_name, nfc, normalize_path
from app.web.pages import context_of, page

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
MEDIA = {
    "mp4": "video/mp4",
    "webm": "video/webm",
    "ogv": "video/ogg",
    "mov": "video/quicktime",
    "mkv": "video/x-matroska",
    "mp3": "audio/mpeg",
    "wav": "audio/wav",
    "m4a": "audio/mp4",
    "ogg": "audio/ogg",
    "opus": "audio/ogg",
    "flac": "audio/flac",
    "3gp": "audio/3gpp",
}
_SHOWN = {**PICTURES, **MEDIA, "pdf": "application/pdf"}
"""What a browser shows by itself; anything else is saved."""
_RANGE = re.compile(r"bytes=([0-9]{0,12})-([0-9]{0,12})")
# An SVG that is opened by itself is a document: it gets no script, no origin, and loads nothing.
SEALED = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
# A browser's viewer of PDF does not open in a sandbox. It runs apart from the page that gave it the file.
VIEWED = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'"
DRAWN = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'; sandbox allow-scripts"
)
PLAYER = (
    "default-src 'none'; media-src 'self'; style-src 'self'; frame-ancestors 'self'; "
    "sandbox allow-same-origin"
)


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
        raise missing() from error
    raise missing()


def shown_file(vault: VaultClient, path: str) -> str:
    """Return the path of an attachment that may be shown; raises as `open_shown` does."""
    try:
        cleaned = clean_path(path)
        is_file = cleaned == nfc(path) and not is_note_name(path) and not is_hidden(cleaned)
        if is_file and not vault.is_excluded(cleaned):
            real = real_path(vault.root, cleaned)
            if not is_hidden(real) and not vault.is_excluded(real):
                return cleaned
    except NoteUnreadableError:
        raise
    except VaultError as error:
        raise missing() from error
    raise missing()


def _is_excluded(vault: VaultClient, note: NotePath) -> bool:
    if vault.is_excluded(note):
        # Nothing is looked at, lest what is wrong with it be told.
        return True
    real = vault.real_path(note)
    return vault.is_excluded(real) or is_hidden(real)


def missing() -> NoteNotFoundError:
    """Return what is said of a file that is not there, or may not be shown."""
    return NoteNotFoundError("there is no such note or file", "it may have been moved: search for its name")


def file_part(request: Request) -> Response:
    """Return an attachment, or the range of it that is asked for."""
    vault = context_of(request).vault
    path = shown_file(vault, request.path_params["path"])
    ending = path.rpartition(".")[2].lower()
    kind = _SHOWN.get(ending)
    headers = {"Content-Security-Policy": VIEWED if ending == "pdf" else SEALED, "Accept-Ranges": "bytes"}
    if kind is None:
        name = quote(path.rpartition("/")[2])
        headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
    kind = kind or "application/octet-stream"
    asked = _RANGE.fullmatch(request.headers.get("range", ""))
    if asked is None or not (asked[1] or asked[2]):
        data = read_file(vault.root, path, MAX_FILE_BYTES).data
        return Response(data, media_type=kind, headers=headers)
    size = file_size(vault.root, path)
    first = int(asked[1]) if asked[1] else max(0, size - int(asked[2]))
    last = min(int(asked[2]), size - 1) if asked[1] and asked[2] else size - 1
    last = min(last, first + MAX_FILE_BYTES - 1)
    if first > last:
        return Response(status_code=416, headers={**headers, "Content-Range": f"bytes */{size}"})
    data = read_part(vault.root, path, first, last)
    headers["Content-Range"] = f"bytes {first}-{first + len(data) - 1}/{size}"
    return Response(data, status_code=206, media_type=kind, headers=headers)


def play_part(request: Request) -> Response:
    """Return the page of a sound or a film, for a frame on a note's page."""
    path: str = request.path_params["path"]
    kind = MEDIA.get(path.rpartition(".")[2].lower())
    if kind is None:
        raise missing()
    shown_file(context_of(request).vault, path)
    return _framed(page(request, "play.html", path=path, element=kind.partition("/")[0]), PLAYER)


def diagram_part(request: Request) -> Response:
    """Return the page that draws one diagram: without an origin, it is given its text by the page around."""
    return _framed(page(request, "diagram.html"), DRAWN)


def _framed(answer: Response, policy: str) -> Response:
    answer.headers["Content-Security-Policy"] = policy
    answer.headers["X-Frame-Options"] = "SAMEORIGIN"
    return answer
