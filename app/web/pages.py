"""Templates, what every page has in common, and what every handler is given."""

import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app import __version__
from app.notices import Language
from app.serving.keeper import Keeper
from app.showing import in_line
from app.vault.attachments.kinds import is_attachment_name
from app.vault.client import VaultClient
from app.web.door import Door
from app.web.languages import language_of, said, spoken


@dataclass(frozen=True, slots=True)
class WebContext:
    """The vault that is shown, what keeps its index, and who may look."""

    vault: VaultClient
    keeper: Keeper
    door: Door


def context_of(request: Request) -> WebContext:
    """Return what the application was built with."""
    context: WebContext = request.app.state.context
    return context


HERE = Path(__file__).parent
TEMPLATES = HERE / "templates"
STATIC = HERE / "static"


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:  # noqa: ANN401 - whatever the template takes
    """Render a template as the answer.

    Args:
        request: The request that is answered.
        template: Name of the template, such as ``status.html``.
        status: The HTTP status.
        values: What the template shows.
    """
    return HTMLResponse(render(request, template, **values), status)


def render(request: Request, template: str, **values: Any) -> str:  # noqa: ANN401 - as `page`
    """Render a template as text."""
    session = request.scope.get("state", {}).get("session")
    language = reader_language(request)
    common = {
        "language": language,
        "csrf": session.csrf if session is not None else "",
        "inside": session is not None,
        "vault_name": context_of(request).vault.name,
        "version": __version__,
        "here": request.url.path,
    }
    return _environment(language).get_template(template).render(common | values)


def reader_language(request: Request) -> Language:
    """Return the language of whoever asks."""
    return language_of(request.headers.get("accept-language", ""))


def wants_fragment(request: Request) -> bool:
    """Return whether a part of a page is asked for by htmx, and not the page."""
    headers = request.headers
    return headers.get("hx-request") == "true" and "hx-history-restore-request" not in headers


def refused(request: Request, status: int, message: str, hint: str) -> Response:
    """Return the page, or the part of one, that says what went wrong and what would be right."""
    template = "error_part.html" if wants_fragment(request) else "error.html"
    return page(request, template, status=status, code=status, message=message, hint=hint)


@cache
def _environment(language: str) -> Environment:
    """Return the templates in a language; all that they show is escaped."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    one, several = said(language)
    # What jinja2's extension adds to its environment; its stubs do not know it.
    made.install_gettext_callables(one, several, newstyle=True)  # type: ignore[attr-defined]
    made.policies["ext.i18n.trimmed"] = True
    made.globals |= {
        "note_url": note_url,
        "file_url": file_url,
        "static_url": static_url,
        "browse_url": browse_url,
        "around_url": around_url,
        "sentence": sentence,
        "said": spoken,
        "in_line": in_line,
    }
    return made


def sentence(text: str, language: Language) -> str:
    """Begin a sentence with what Python says of a search, or of a failure, in a language that it has."""
    shown = spoken(text, language)
    return shown[:1].upper() + shown[1:]


def note_url(path: str, lines: str = "", place: str = "") -> str:
    """Return the address of a note, or of some of its lines, such as ``9-14``; of another file, at a page."""
    if is_attachment_name(path):
        page, _, number = place.partition(" ")
        return file_url(path) + (f"#page={number}" if page == "page" and number.isdigit() else "")
    url = f"/note/{quote(path)}"
    return f"{url}?lines={quote(lines)}#cited" if lines else url


def file_url(path: str) -> str:
    """Return the address of an attachment."""
    return f"/file/{quote(path)}"


def browse_url(folder: str) -> str:
    """Return the address of a folder's page."""
    return f"/browse/{quote(folder)}"


def around_url(path: str) -> str:
    """Return the address of the picture of the notes around one."""
    return f"/around/{quote(path)}"


def play_url(path: str) -> str:
    """Return the address of the page that plays an attachment."""
    return f"/play/{quote(path)}"


@cache
def static_url(name: str) -> str:
    """Return the address of a script, a style or an icon of ours, which changes with what it holds."""
    return f"/static/{name}?v={zlib.crc32((STATIC / name).read_bytes()):08x}"
