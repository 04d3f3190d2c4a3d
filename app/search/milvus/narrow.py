"""What of a request Milvus can decide: conditions that keep all notes which may answer, and others too."""

from collections.abc import Callable, Iterable, Sequence
from os.path import commonprefix

from app.search.index.documents import link_term
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import fold
from app.search.milvus.expression import NOTHING, SHOWN, days, every, has, holds, named, some, under
from app.search.models import SearchRequest
from app.search.query.evaluate import property_term
from app.search.query.filters import folder_path, scopes_of, tag_key
from app.search.query.tree import (
    And,
    Dated,
    Linked,
    Match,
    Node,
    Not,
    Or,
    Property,
    Query,
    Tag,
    Text,
    Within,
    without_phrases,
)
from app.search.rank.notes import PUNCTUATION
from app.vault.paths import path_key

Meeting = Callable[[str], set[str]]
"""Returns the notes with a row that meets a condition."""


def of_request(snapshot: VaultSnapshot, request: SearchRequest) -> str:
    """Return the condition of what a request asks besides its queries.

    Args:
        snapshot: Knows the paths of all notes.
        request: The request.

    Raises:
        VaultError: a scope or a folder cannot be read.
    """
    parts = [SHOWN]
    if request.folder is not None and (folder := folder_path(snapshot, request.folder)):
        parts.append(under(path_key(folder) + "/"))
    if request.scopes is not None:
        found = scopes_of(snapshot, request.scopes)
        inside = [[key for key in snapshot.shown_keys if scope.matches(key)] for scope in found]
        # Letters are compared, and not the names between slashes.
        parts.append(some(under(commonprefix(keys)) for keys in inside if keys))  # noqa: RUF071
    if request.tags:
        tags = [has(f"tag:{tag_key(tag)}") for tag in request.tags]
        parts.append(every(*tags) if request.match_all else some(tags))
    if request.start or request.end:
        parts.append(days(request.date_field, request.start, request.end, own=request.ranks_passages))
    return every(*parts)


def of_queries(request: SearchRequest, queries: Sequence[Query]) -> Or | None:
    """Return what the queries of a request filter by; the bare words of ranked operations ask for nothing."""
    if not request.ranks_passages:
        return Or(tuple(And(tuple(query.conditions)) for query in queries)) if queries else None
    # A phrase that nothing meets is dropped, so that what it would leave out may answer after all.
    loose = ((without_phrases(query) or query).filters for query in queries)
    return Or(tuple(And(tuple(nodes)) for nodes in loose)) if queries else None


def bare_words(queries: Iterable[Query]) -> list[Text]:
    """Return each bare word of queries of notes; what stands around it may be punctuation."""
    words = dict.fromkeys(word.strip(PUNCTUATION) or word for query in queries for word in query.words)
    return [Text(word, folds=True) for word in words]


def linking(names: Iterable[str]) -> str:
    """Return what keeps the notes with a link that writes the last part of one of some names."""
    lasts = [path_key(name.rstrip("/")).rpartition("/")[2].removesuffix(".md") for name in names]
    return some(has(link_term(form)) for last in lasts for form in (last, f"{last}.md"))


def condition(node: Node | None) -> str:
    """Return what keeps the notes of which a node of a query may hold, as far as no text is asked for."""
    match node:
        case And():
            return every(*map(condition, node.parts))
        case Or():
            return some(map(condition, node.parts))
        case Not(part=Tag(name=name, pattern=None)):
            return has(f"tag:{tag_key(name)}", negated=True)
        case Not(part=Dated() as part):
            return f"not {condition(part)}" if condition(part) else NOTHING
        case Text(target="file" | "path") | Match(target="file" | "path"):
            return named(_longest(node)) if _longest(node) else ""
        case Within() if node.unit != "alias":
            return every(
                has(f"tasks:{node.unit}") if node.unit.startswith("task") else "", condition(node.part)
            )
        case Tag(pattern=None):
            return has(f"tag:{tag_key(node.name)}")
        case Dated():
            return days(node.field, node.start, node.end)
        case Property() if all(isinstance(name, str) for name in node.names):
            return some(has(property_term(str(name))) for name in node.names)
        case Linked(way="to"):
            return linking([node.target])
        case _:
            return ""


def notes_with(node: Node | None, within: str, notes: Meeting, passages: Meeting) -> set[str]:
    """Return the notes of which a node may hold.

    Each text is looked for by itself: two may stand in two passages of a note.

    Args:
        node: The node; None asks for nothing.
        within: A condition that they meet.
        notes: Asks the rows of notes, or those of passages where the condition is about these.
        passages: Asks the rows of passages.
    """
    texts = [part for part in _parts(node) if _asks_text(part)]
    within = every(within, condition(node))
    if not texts:
        return notes(within)
    if isinstance(node, Or):
        return set().union(*(notes_with(part, within, notes, passages) for part in node.parts))
    if len(texts) > 1 or texts[0] is not node:
        return set.intersection(*(notes_with(part, within, notes, passages) for part in texts))
    word = _longest(node)
    found = passages(every(within, holds(word)))
    return found if getattr(node, "target", "") == "content" else found | notes(every(within, named(word)))


def _parts(node: Node | None) -> Sequence[Node]:
    """Return the nodes that all have to hold, or any of which has to."""
    if isinstance(node, And | Or):
        return node.parts
    if isinstance(node, Within):
        return [node.part] if node.unit != "alias" else []
    return [node] if node else []


def _asks_text(node: Node) -> bool:
    if isinstance(node, And | Or | Within):
        return any(map(_asks_text, _parts(node)))
    return bool(isinstance(node, Text | Match) and node.target not in ("file", "path") and _longest(node))


def _longest(node: Node | None) -> str:
    """Return the longest of the words that a text must hold."""
    if isinstance(node, Match):
        return _longest(Text(max(node.pattern.literals, key=len, default="")))
    return max(map(fold, node.text.split()), key=len, default="") if isinstance(node, Text) else ""
