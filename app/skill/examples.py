"""Queries that were tried on a vault and find something in it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.errors import BadRequestError
from app.search.index.documents import LINK, term_text
from app.search.index.snapshot import VaultSnapshot
from app.search.request import parse_request
from app.search.searcher import Searcher
from app.skill.survey import Survey, plain
from app.vault.dates import daily_day
from app.vault.paths import path_key

MOST_EXAMPLES, FEWEST_EXAMPLES = 6, 3
MOST_NAMES = 200
"""So many of the names that most notes link to are looked at."""
_SIMPLE = re.compile(r"\w[\w .,'’-]*")
_OPERATOR = re.compile(r"(?:^|\s)-|\b(?:OR|AND|NOT)\b")

Way = Literal["words", "folder", "tag", "property", "month", "links"]


@dataclass(frozen=True, slots=True)
class Example:
    """A query: the way it looks, and the parameters of the search, ``operation`` among them."""

    way: Way
    parameters: Mapping[str, str]


def tried_examples(searcher: Searcher, survey: Survey) -> tuple[Example, ...]:
    """Return queries that find something, at most one of each way where there are enough ways."""
    snapshot = searcher.view().snapshot
    found: list[Example] = []
    spare: list[Example] = []
    ways: set[Way] = set()
    for example in _candidates(snapshot, survey):
        if len(found) == MOST_EXAMPLES:
            break
        if example.way not in ways and _finds(searcher, example):
            found.append(example)
            ways.add(example.way)
        elif example.way == "words" and len(spare) < FEWEST_EXAMPLES and _finds(searcher, example):
            spare.append(example)
    return (*found, *spare[: max(0, FEWEST_EXAMPLES - len(found))])


def _finds(searcher: Searcher, example: Example) -> bool:
    try:
        return searcher.search(parse_request({**example.parameters, "limit": 1})).total > 0
    except BadRequestError:
        # Such as a note's name that two notes have: no query to learn from.
        return False


def _candidates(snapshot: VaultSnapshot, survey: Survey) -> Iterator[Example]:
    paths = sorted(path for path, doc in snapshot.lexical.paths().items() if snapshot.visible[doc])
    bearers = Counter(path_key(_stem(path)) for path in paths)
    names = [
        path
        for path in paths
        if bearers[path_key(_stem(path))] == 1 and _is_simple(_stem(path)) and not daily_day(path)
    ]
    linked = _most_linked(snapshot, names)
    for path in dict.fromkeys([*linked[:1], *names[:MOST_NAMES]]):
        yield Example("words", {"operation": "fast", "query": _stem(path)})
    for folder in survey.folders:
        inside = [path for path in names if path.startswith(f"{folder.path}/")]
        if _is_simple(folder.path.replace("/", "")) and inside:
            query = {"operation": "fast", "query": _stem(inside[-1]), "folder": folder.path}
            yield Example("folder", query)
    for tag, _ in survey.tags:
        if tag == plain(tag):
            yield Example("tag", {"operation": "by_tag", "tags": tag})
    for each in survey.properties:
        if _is_simple(each.name):
            for value in filter(_is_simple, each.values[:1]):
                query = {"operation": "fulltext", "query": f"[{each.name}:{_quoted(value)}]"}
                yield Example("property", query)
    if month := _month(snapshot, paths):
        yield Example("month", {"operation": "by_date", "start_date": month, "end_date": month})
    for path in linked[:1]:
        yield Example("links", {"operation": "by_link", "note_path": path.removesuffix(".md")})


def _most_linked(snapshot: VaultSnapshot, paths: list[str]) -> list[str]:
    """Return notes, whose names differ, by the number of notes with a link to their name, most first."""
    by_name = {path_key(_stem(path)): path for path in paths}
    counts = snapshot.lexical.tally(LINK, snapshot.visible.astype(np.int64))
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:MOST_NAMES]
    named = (by_name.get(path_key(term_text(term, LINK)).removesuffix(".md")) for term, _ in rows)
    return list(dict.fromkeys(path for path in named if path))


def _month(snapshot: VaultSnapshot, paths: list[str]) -> str:
    """Return the last month in which a note says that it was created, its file aside; empty without one."""
    # The last by path are daily notes' newest, where there are any in one folder.
    dated = [path for path in paths if daily_day(path)] or paths
    notes = (snapshot.note(snapshot.lexical.paths()[path]) for path in dated[-MOST_NAMES:])
    days = [note.created for note in notes if note.created_source != "file"]
    return f"{max(days):%Y-%m}" if days else ""


def _is_simple(text: str) -> bool:
    """Return whether a name can stand in a query as it is."""
    return text == plain(text) and bool(_SIMPLE.fullmatch(text)) and not _OPERATOR.search(text)


def _quoted(value: str) -> str:
    return f'"{value}"' if " " in value else value


def _stem(path: str) -> str:
    return path.rpartition("/")[2][:-3]
