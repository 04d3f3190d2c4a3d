"""The notes around one, as a picture: those that it links to and those that link to it, in a circle."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from app.markdown.links import Graph
from app.search.lexical.analysis import in_order
from app.search.searcher import searcher_for
from app.showing import in_line
from app.vault.client import VaultClient
from app.vault.paths import NOTE_SUFFIX, is_note_name
from app.web.files import open_shown
from app.web.pages import context_of, page

MOST = 40
"""Notes that are drawn; of more it is said how many there are."""
NAME_CHARS = 26
MOST_LEVEL = 12
"""Of so many notes the names lie level; those of more point away from the middle, to have room."""

Kind = Literal["both", "to", "from"]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A note that is linked with one: which of them links, and where it stands.

    ``angle`` is in degrees from the right, and ``turn`` how far its name is turned back to be read.
    """

    path: str
    name: str
    kind: Kind
    angle: float
    turn: float

    @property
    def is_left(self) -> bool:
        """Whether it stands on the left, where its name ends beside it."""
        return 90 < self.angle < 270


def around_page(request: Request) -> Response:
    """Draw the notes that are linked with one; an excluded note is as one that is missing."""
    vault = context_of(request).vault
    document = open_shown(vault, request.path_params["path"])
    linked = searcher_for(vault).ask_links(lambda graph: linked_notes(vault, graph, document.path))
    return page(
        request,
        "around.html",
        path=document.path,
        title=document.parsed.display_title,
        neighbours=in_circle(linked[:MOST]),
        more=max(0, len(linked) - MOST),
        is_level=len(linked) <= MOST_LEVEL,
    )


def linked_notes(vault: VaultClient, graph: Graph, path: str) -> list[tuple[str, Kind]]:
    """Return the notes that are linked with one, those that link both ways first, each group by path."""

    def shown(paths: set[str | None]) -> set[str]:
        notes = {each for each in paths if each and is_note_name(each)} - {path}
        return {each for each in notes if not vault.is_excluded(each)}

    to = shown({edge.target for edge in graph.outgoing(path)})
    come = shown({edge.source for edge in graph.incoming(path)})
    groups: tuple[tuple[Kind, set[str]], ...] = (("both", to & come), ("to", to - come), ("from", come - to))
    return [(each, kind) for kind, found in groups for each in sorted(found, key=in_order)]


def in_circle(linked: Sequence[tuple[str, Kind]]) -> list[Neighbour]:
    """Give each of some notes its place, from the top on."""
    found = list[Neighbour]()
    for at, (path, kind) in enumerate(linked):
        angle = round((270 + 360 * at / len(linked)) % 360, 1)
        away = 180 if 90 < angle < 270 else 0
        name = in_line(path.rpartition("/")[2].removesuffix(NOTE_SUFFIX), NAME_CHARS)
        found.append(Neighbour(path, name, kind, angle, -angle if len(linked) <= MOST_LEVEL else away))
    return found
