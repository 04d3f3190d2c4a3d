"""Attachments: pictures in place, without anything that could run, and everything else to be saved."""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from app.web.context import context_of
from app.web.shown import read_shown

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


def file_part(request: Request) -> Response:
    """Give an attachment."""
    path: str = request.path_params["path"]
    content = read_shown(context_of(request).vault, path)
    kind = PICTURES.get(path.rpartition(".")[2].lower())
    headers = {"Content-Security-Policy": SEALED}
    if kind is None:
        name = quote(path.rpartition("/")[2])
        headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
    return Response(content.data, media_type=kind or "application/octet-stream", headers=headers)
