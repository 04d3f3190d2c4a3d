"""Find the notes that may answer a request: few at first, the likeliest, then more, until they are all."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.errors import BadRequestError
from app.search.index.documents import decode_links
from app.search.lexical.analysis import fold
from app.search.milvus.candidates import CandidateSnapshot
from app.search.milvus.database import NOTES, PASSAGES, Vault
from app.search.milvus.expression import (
    SHOWN,
    All,
    Filter,
    by_note,
    days,
    expression,
    holds,
    telling,
    without_texts,
)
from app.search.milvus.narrow import bare_words, linking, narrowed
from app.search.milvus.rows import note_rows, query_tokens, read_notes, records_of
from app.search.models import SearchRequest
from app.search.query.link_walk import find_target
from app.search.query.read import queries_of
from app.search.query.spelling import respelt
from app.search.query.tree import Linked, nodes_of

if TYPE_CHECKING:
    from app.search.vectors.store import KeptVectors

FEW = 128
"""Where no more notes than these pass the filters, all are looked at; else first the likeliest of them."""
GROWTH = 4
MOST_NOTES = 8192
"""Most notes that one search looks at."""
MOST_LISTED = 100_000
"""Most notes that are put in order by a date."""
MOST_HITS = 16_384
"""Most rows that Milvus ranks."""
PASSAGES_A_NOTE = 4
SHORT = 2
"""A word of so many letters may be the beginning or the end of another."""
FEW_WORDS = 3
"""Of more words one that is cut does not hide the others."""


@dataclass(frozen=True, slots=True)
class Found:
    """Notes by their paths; ``is_whole`` where no other can answer.

    ``by_all_words`` says that they were found by all words of a query, and that others are looked for only
    where none of them answers with all.
    """

    notes: tuple[str, ...]
    is_whole: bool
    by_all_words: bool = False


class Finding:
    """One request, asked of the database.

    Args:
        vault: Where the notes are.
        base: The vault without any note at hand, by which queries are read.
        request: The request.
        vectors: The collection of its vectors.
        kept: Makes the vector of a question; None where words alone rank.
    """

    def __init__(
        self,
        vault: Vault,
        base: CandidateSnapshot,
        request: SearchRequest,
        vectors: str,
        kept: "KeptVectors | None",
    ) -> None:
        self._vault, self._base, self._request = vault, base, request
        self._kind, self._kept = vectors, kept
        self._queries = queries_of(base, request)
        asked = [node for query in self._queries for node in nodes_of(query.parts)]
        named = [self._path_of(node.target) for node in asked if isinstance(node, Linked)]
        self._besides = tuple(filter(None, named))

    def found(self) -> Iterator[Found]:
        """Yield the notes that may answer, each time with all before; the last is whole, or the most.

        Raises:
            SearchError: the database does not answer.
        """
        if self._request.note_path and not self._request.ranks_passages:
            yield self._whole(self._around(self._request.note_path))
            return
        node = narrowed(self._base, self._request, self._queries)
        passing = self._passing(node, FEW + 1)
        if len(passing) <= FEW:
            yield self._whole(passing)
            return
        if self._request.ranks_passages:
            yield from self._ranked(node)
        elif words := bare_words(self._queries):
            yield from self._holding(node, words)
        else:
            yield from self._pages(self._newest(self._passing(node)))

    def _whole(self, notes: Iterable[str]) -> Found:
        chosen = dict.fromkeys((*notes, *self._besides))
        return Found(tuple(list(chosen)[:MOST_NOTES]), is_whole=len(chosen) <= MOST_NOTES)

    def _pages(self, notes: Sequence[str]) -> Iterator[Found]:
        """Yield the first of some notes, more each time."""
        for size in _sizes(FEW):
            yield Found((*notes[:size], *self._besides), is_whole=size >= len(notes))
            if size >= len(notes):
                return

    def _passing(self, node: Filter, most: int | None = None) -> list[str]:
        """Return the notes that pass a filter, so many at most."""
        if expression(node) == expression(SHOWN):
            return list(self._base.visible_paths[:most])
        if not telling(node):
            return self._meeting(NOTES, expression(node), most)
        condition = expression(by_note(node))
        # Several passages of a note may pass.
        limit = most and most * 16
        rows = self._meeting(PASSAGES, condition, limit)
        found = list(dict.fromkeys(rows))
        return self._passing(node) if most and len(rows) == limit and len(found) < most else found

    def _newest(self, notes: Sequence[str]) -> list[str]:
        """Order notes by a date, the newest first, then by path."""
        field = self._request.date_field if self._request.operation == "by_date" else "modified"
        rows = note_rows(self._vault, notes[:MOST_LISTED], ["path", field])
        rows.sort(key=lambda row: (-row[field], row["path"]))
        return [row["path"] for row in rows]

    def _holding(self, node: Filter, words: Sequence[Filter]) -> Iterator[Found]:
        """Yield the notes that have all words, then those that have any: a text may rule out the first."""
        sets = [set(self._passing(All((node, word)))) for word in words]
        every, some = set.intersection(*sets), set.union(*sets)
        text = " ".join(query.positive for query in self._queries if query.positive)
        order = self._by_words([text], without_texts(node), MOST_HITS)

        def pages(notes: set[str]) -> Iterator[Found]:
            first = [note for note in order if note in notes]
            yield from self._pages([*first, *self._newest(sorted(notes.difference(first)))])

        if every and every != some:
            yield from (replace(found, by_all_words=True) for found in pages(every))
        yield from pages(some)

    def _ranked(self, node: Filter) -> Iterator[Found]:
        texts = [respelt(query.positive, query.spellings, every=True) for query in self._queries]
        texts = [text for text in texts if text]
        free = without_texts(node)
        listed = not texts or any(not query.has_bare_words for query in self._queries)
        # The order of the first depends on more than Milvus knows: it is asked for more than are shown.
        for size in _sizes(max(FEW, 3 * (self._request.offset + (self._request.limit or 0)))):
            chosen = self._likeliest(texts, free, size)
            if listed:
                # Whatever passes the filters is an answer, the newest first.
                rest = self._passing(node)
                yield from self._pages(list(dict.fromkeys((*self._dated(free, rest), *chosen))))
                return
            ends = len(chosen) < size // 2
            # By meaning all notes answer, the last ones hardly.
            is_whole = ends and self._kept is None and size < MOST_NOTES
            yield Found((*chosen[:size], *self._besides), is_whole)
            if ends:
                return

    def _likeliest(self, texts: Sequence[str], node: Filter, size: int) -> list[str]:
        """Return the notes that rank first by words, by what a question asks besides, and by meaning."""
        hits = min(size * PASSAGES_A_NOTE, MOST_HITS)
        found = self._by_words(texts, node, hits) + self._in_time(texts, node, hits)
        found += self._literal(node, size)
        if self._kept is not None:
            for vector in [self._kept.encode_query(text).vector.tolist() for text in texts]:
                found += self._vault.nearest(self._kind, "dense", vector, expression(node), hits)
        return list(dict.fromkeys(found))

    def _by_words(self, texts: Sequence[str], node: Filter, most: int) -> list[str]:
        found: list[str] = []
        for text in texts:
            if tokens := self._tokens(text):
                found += self._vault.nearest(PASSAGES, "sparse", " ".join(tokens), expression(node), most)
        return found

    def _meeting(self, kind: str, condition: str, most: int | None = None) -> list[str]:
        """Return the path of each row that meets a condition."""
        return [row["path"] for row in self._vault.query(kind, condition, ["path"], most)]

    def _tokens(self, text: str) -> list[str]:
        return query_tokens(self._base.lexical.ranking_words(text))

    def _in_time(self, texts: Sequence[str], node: Filter, most: int) -> list[str]:
        """Return notes of the time that a question names, which ranks first."""
        found: list[str] = []
        for query in self._queries:
            if query.window is not None:
                first, last = query.window.period.first, query.window.period.last
                inside = All((node, days(self._request.date_field, first, last, own=True)))
                found += self._by_words(texts, inside, most)
                found += self._meeting(PASSAGES, expression(inside), most)
        return found

    def _literal(self, node: Filter, most: int) -> list[str]:
        """Return notes that may hold a query as it stands, where its words alone would not find them."""
        found: list[str] = []
        for query in self._queries:
            text = respelt(query.literal or query.only_word, query.spellings)
            words = [word for word in map(fold, text.split()) if word]
            if words and self._may_be_cut(words, query.positive):
                found += self._meeting(PASSAGES, expression(All((node, *map(holds, words)))), most)
        return found

    def _may_be_cut(self, words: Sequence[str], text: str) -> bool:
        """Return whether words may well begin or end within others, as while a query is typed."""
        if len(words) == 1 or not self._tokens(text):
            return True
        ends = min(len(words[0]), len(words[-1]))
        return len(words) <= FEW_WORDS and (ends <= SHORT or not self._base.lexical.stand(text))

    def _dated(self, node: Filter, notes: Sequence[str]) -> list[str]:
        """Order notes by the days of their passages, the newest first."""
        rows = self._vault.query(PASSAGES, expression(node), ["path", "day", "modified_day"], MOST_LISTED)
        rows.sort(key=lambda row: (-(row["day"] or row["modified_day"]), row["path"]))
        among = set(notes)
        return list(dict.fromkeys([*(row["path"] for row in rows if row["path"] in among), *notes]))

    def _path_of(self, name: str) -> str | None:
        """Return the path of the file that a name means; one that is excluded is as if it were not there."""
        try:
            return find_target(self._base, name, self._base.is_excluded)
        except BadRequestError:
            # The operation meets the same, and says which notes are meant.
            return None

    def _around(self, name: str) -> list[str]:
        """Return a note and those around it, by the links there may be."""
        target = self._path_of(name)
        frontier = [target] if target else self._linking([name])
        found = dict.fromkeys(frontier)
        for _ in range(self._request.depth if target else 0):
            reached = self._linking(frontier) if self._request.direction != "forward" else []
            if self._request.direction != "backlinks":
                reached += self._targets(frontier)
            frontier = [path for path in dict.fromkeys(reached) if path not in found]
            found |= dict.fromkeys(frontier)
        return list(found)

    def _linking(self, names: Iterable[str]) -> list[str]:
        return self._meeting(NOTES, expression(linking(names)))

    def _targets(self, paths: Sequence[str]) -> list[str]:
        """Return the files that some notes link to."""
        notes = [note for note, _ in read_notes(self._vault, records_of(self._vault, paths))]
        resolve = self._base.resolver.resolve
        found = [resolve(link.target, note.path) for note in notes for link in decode_links(note.data)]
        return [path for path in found if path and path in self._base.note_paths]


def _sizes(first: int) -> Iterator[int]:
    """Yield how many notes are looked at, more each time."""
    while first < MOST_NOTES:
        yield first
        first *= GROWTH
    yield MOST_NOTES
