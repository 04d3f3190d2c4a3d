"""What Milvus is asked to keep of the notes of a vault: from a request to a condition on its rows.

A condition keeps every note that is meant, and may keep more: what Milvus gives is always looked at again by
the same rules as those of an index on this machine. An empty one keeps everything.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from os.path import commonprefix

from app.search.index.documents import SECONDS_A_DAY, link_term
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import fold
from app.search.models import SearchRequest
from app.search.query.evaluate import property_term
from app.search.query.filters import folder_path, scopes_of, tag_key
from app.search.query.tree import (
    And,
    Dated,
    Linked,
    Match,
    Node,
    Or,
    Property,
    Query,
    Tag,
    Text,
    Within,
    with_hyphen,
    without_phrases,
)
from app.search.rank.notes import PUNCTUATION, asked_words
from app.vault.paths import path_key

MOST_TERM_BYTES = 512
"""Bytes of a term by which it is known."""
SHOWN = "hidden == 0"
"""Keeps the notes that a search may show."""
NOTHING = "cut == 2"
"""Keeps no row: whether a row was cut is 0 or 1."""
_ANYTHING = re.compile(r"""[%_\\"'\x00-\x1f\x7f]""")


def every(*conditions: str) -> str:
    """Return what keeps the rows that meet all of some conditions."""
    parts = [condition for condition in conditions if condition]
    return f"({' and '.join(parts)})" if len(parts) > 1 else "".join(parts)


def some(conditions: Iterable[str]) -> str:
    """Return what keeps the rows that meet any of some conditions; of none, no row."""
    parts = list(conditions)
    if not all(parts):
        return ""
    return f"({' or '.join(parts)})" if len(parts) > 1 else "".join(parts) or NOTHING


def has(term: str) -> str:
    """Return what keeps the rows with an exact term: ``tag:a/b``, ``property:status``."""
    return f"(array_contains(terms, {quote(cut(term, MOST_TERM_BYTES))}) or cut == 1)"


def holds(text: str, *columns: str) -> str:
    """Return what keeps the rows that have each word of a text in one of some columns of folded text."""
    words = [filter(None, (word, with_hyphen(word))) for word in fold(text).split()]
    return every(*(some(_like(column, "%", form) for form in forms for column in columns) for forms in words))


def days(field: str, first: date | None, last: date | None, *, own: bool = False) -> str:
    """Return what keeps the rows with a day in a range; with ``own``, days of passages count too."""
    start, end = (first or date.min).toordinal(), (last or date.max).toordinal()
    of_note = f"({field} >= {start * SECONDS_A_DAY} and {field} < {(end + 1) * SECONDS_A_DAY})"
    return f"({of_note} or (last_day >= {start} and day <= {end}))" if own else of_note


def linking(names: Iterable[str]) -> str:
    """Return what keeps the notes with a link that writes the last part of one of some names."""
    lasts = [path_key(name.rstrip("/")).rpartition("/")[2].removesuffix(".md") for name in names]
    return some(has(link_term(form)) for last in lasts for form in (last, f"{last}.md"))


def among(column: str, values: Iterable[str]) -> str:
    """Return what keeps the rows whose column has one of some values."""
    return f"{column} in [{', '.join(map(quote, values))}]"


def quote(text: str) -> str:
    """Return a text as a constant of an expression, whatever it holds."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def cut(text: str, most: int) -> str:
    """Return as much of the beginning of a text as so many bytes hold."""
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def _like(column: str, before: str, text: str) -> str:
    """Return what keeps rows with a text in a column; what is special in it stands for any character."""
    return f"{column} like {quote(before + _ANYTHING.sub('_', text) + '%')}"


def of_request(snapshot: VaultSnapshot, request: SearchRequest) -> str:
    """Return the condition of what a request asks besides its queries.

    Raises:
        VaultError: a scope or a folder cannot be read.
    """
    parts = [SHOWN]
    if request.folder is not None and (folder := folder_path(snapshot, request.folder)):
        parts.append(_like("name", "", fold(folder) + "/"))
    if request.scopes is not None:
        names = {key: fold(path) for key, path in snapshot.shown_keys.items()}
        scopes = scopes_of(snapshot, request.scopes)
        inside = [[name for key, name in names.items() if scope.matches(key)] for scope in scopes]
        # Letters are compared, and not the names between slashes.
        parts.append(some(_like("name", "", commonprefix(some_of)) for some_of in inside if some_of))  # noqa: RUF071
    if request.tags:
        tags = [has(f"tag:{tag_key(tag)}") for tag in request.tags]
        parts.append(every(*tags) if request.match_all else some(tags))
    if request.start or request.end:
        parts.append(days(request.date_field, request.start, request.end, own=request.ranks_passages))
    return every(*parts)


def of_query(query: Query, *, ranks: bool) -> Node:
    """Return what a query asks of each note; where passages are ranked, its bare words ask for nothing."""
    if ranks:
        # A phrase that nothing meets is dropped, so that what it would leave out may answer after all.
        return And((without_phrases(query) or query).filters)
    # Where no note has all words, those with the most answer. What stands around one may be punctuation.
    words = [Text(word.strip(PUNCTUATION) or word, folds=True) for word in asked_words(query)]
    return And((*query.conditions, *([Or(tuple(words))] if words else [])))


def condition(node: Node, *, texts: bool = True) -> str:
    """Return what keeps the notes of which a node may hold; without ``texts``, for rows that have none."""
    match node:
        case And():
            return every(*(condition(part, texts=texts) for part in node.parts))
        case Or():
            return some(condition(part, texts=texts) for part in node.parts)
        case Within() if node.unit != "alias":
            tasks = has(f"tasks:{node.unit}") if node.unit.startswith("task") else ""
            return every(tasks, condition(node.part, texts=texts))
        case Text(target="file" | "path") | Match(target="file" | "path"):
            return every(*(holds(text, "name") for text in _literals(node)))
        case Text() | Match() if texts:
            return some(["cut == 1", every(*(holds(text, "plain", "name") for text in _literals(node)))])
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


def _literals(node: Text | Match) -> Sequence[str]:
    """Return what stands in whatever a text or an expression meets."""
    return [node.text] if isinstance(node, Text) else node.pattern.literals
