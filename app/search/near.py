"""What a vault has already that is near a note which is about to be made."""

from collections.abc import Iterator

from app.config.settings import logger
from app.errors import VaultError
from app.markdown.parse import parse_note
from app.notices import ChangeKind, Notice
from app.search.index.documents import NAME, name_key
from app.search.inventory import by_text
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.search.view import View
from app.vault.client import VaultClient

MOST_ALIKE = 5
MOST_SHOWN = 10
"""Notes that are named: those of the same name or title first."""
TEXT_CHARS = 1500
"""How much of the new text is asked for by its words."""


def near_notes(vault: VaultClient, path: str, text: str) -> list[Notice]:
    """Say which notes have the name or the title of a new one, and which are most like it, by their words.

    Excluded notes count for nothing. Where the index cannot be read, nothing is said.
    """
    title = parse_note(text, path).display_title
    try:
        searcher = searcher_for(vault)
        searcher.freshen(request=parse_request({"operation": "fast", "query": title}))
        found = searcher.mended(lambda: dict(_near(searcher.view(), path, title, text)))
    except VaultError as error:
        logger.info("nothing_near", extra={"path": path, "error": str(error)})
        return []
    notes = tuple(Notice(kind, path=near) for near, kind in list(found.items())[:MOST_SHOWN])
    return [Notice(ChangeKind.NEAR, notes=notes)] if notes else []


def _near(view: View, path: str, title: str, text: str) -> Iterator[tuple[str, ChangeKind]]:
    """Yield the notes that are near, with why; each once."""
    others, name = view.snapshot.visible.copy(), path.rpartition("/")[2].removesuffix(".md")
    if (own := view.snapshot.doc(path)) is not None:
        others[own] = False
    for kind, called in ((ChangeKind.SAME_NAME, name), (ChangeKind.SAME_TITLE, title)):
        for doc in view.lexical.docs_with(NAME + name_key(called)).tolist():
            if others[doc]:
                yield view.lexical.path(doc), kind
                others[doc] = False
    for doc in by_text(view, f"{title}\n{text[:TEXT_CHARS]}", others)[:MOST_ALIKE]:
        yield view.lexical.path(doc), ChangeKind.ALIKE
