"""Notes by the links between them."""

import numpy as np

from app.search.lexical.index import Mask
from app.search.linked import find_target, mentions
from app.search.query.tree import Linked
from app.search.snapshot import VaultSnapshot


def linked_by(view: VaultSnapshot, node: Linked) -> Mask:
    """Give the notes that link to a note, or that it links to; a name that nothing bears has none.

    A name that exists only as a link's target has the notes with such a link; so has that of an excluded
    note, which is as if it were not there.

    Raises:
        BadRequestError: a bare name means several notes.
    """
    name = node.name.strip().removeprefix("[[").removesuffix("]]").partition("|")[0].partition("#")[0].strip()
    mask = np.zeros(view.lexical.size, np.bool_)
    path = find_target(view, name, view.is_excluded) if name else None
    if path is None:
        edges = mentions(view, name, view.is_excluded)
        others = [edge.source for edge in edges] if node.way == "to" else []
    elif node.way == "to":
        others = [edge.source for edge in view.graph.incoming(path)]
    else:
        others = [edge.target for edge in view.graph.outgoing(path) if edge.target]
    for other in others:
        doc = view.doc(other)
        if doc is not None and other != path:
            mask[doc] = True
    return mask
