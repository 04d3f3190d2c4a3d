"""Code of a note in colours."""

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MOST_CHARS = 20_000
"""Longer code is shown without colours: what that takes is not always in step with its length."""
PREFIX = "tok-"


@lru_cache(maxsize=200)
def coloured(code: str, language: str, _attributes: str = "") -> str:
    """Return code as HTML, its parts in spans by their kind, where the language is known."""
    lexer = _lexer(language.lower()) if language and len(code) <= MOST_CHARS else None
    if lexer is None:
        return escape(code)
    from pygments import highlight
    from pygments.formatters.html import HtmlFormatter

    return str(highlight(code, lexer, HtmlFormatter(nowrap=True, classprefix=PREFIX)))


@lru_cache(maxsize=200)
def _lexer(language: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
