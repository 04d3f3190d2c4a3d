"""Find the notes that may answer a request: few at first, the likeliest, then more, until they are all."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from app.errors import BadRequestError
from app.search.index.documents import NAME, decode_links, name_key
from app.search.lexical.bm25 import ranking_words
from app.search.milvus.candidates import CandidateSnapshot
from app.search.milvus.conditions import (
    NOTHING,
    SHOWN,
    condition,
    days,
    every,
    has,
    holds,
    linking,
    of_query,
    of_request,
    some,
)
from app.search.milvus.database import MOST_HITS, NOTES, PASSAGES, Vault
from app.search.milvus.rows import query_tokens, read_notes
from app.search.models import SearchRequest
from app.search.query.link_walk import find_target
from app.search.query.read import queries_of, respelt
from app.search.query.tree import And, Linked, Or, Query, nodes_of

if TYPE_CHECKING:
    from app.search.vectors.store import KeptVectors

FEW = 128
"""Where no more notes than these pass the filters, all are looked at; else first the likeliest of them."""
GROWTH = 4
MOST_NOTES = 8192
"""Most notes that one search looks at."""
PASSAGES_A_NOTE = 4
FEW_WORDS = 3
"""Of more words one that is cut does not hide the others."""


class Found(NamedTuple):
    """Notes by their paths; ``is_whole`` where no other can answer."""

    notes: Sequence[str]
    is_whole: bool


class Finding:
    """One request, asked of the database; ``kept`` makes the vectors of its texts where meaning ranks."""

    def __init__(
        self, vault: Vault, base: CandidateSnapshot, request: SearchRequest, kept: "KeptVectors | None"
    ) -> None:
        self._vault, self._base, self._request, self._kept = vault, base, request, kept
        self._queries = queries_of(base, request)
        texts = (respelt(query.positive, query.spellings, every=True) for query in self._queries)
        self._texts = list(filter(None, texts))
        within, ranks = of_request(base, request), request.ranks_passages
        asked = Or(tuple(of_query(query, ranks=ranks) for query in self._queries) or (And(()),))
        self._passing = every(within, condition(asked))
        # What is asked of passages, whose rows lack the texts of their notes.
        self._within = every(within, condition(asked, texts=False))

    def found(self) -> Iterator[Found]:
        """Yield the notes that may answer, each time with all before; the last is whole, or the most.

        Raises:
            SearchError: the database does not answer.
        """
        # What a note links to is read from that note.
        asked = [node for query in self._queries for node in nodes_of(query.parts)]
        linked = [self._path_of(node.target) for node in asked if isinstance(node, Linked)]
        # What is suggested instead of a word is counted among the notes that have it.
        near = [one.text for text in self._texts for one in self._base.speller.spellings(text)]
        holding = some(holds(text, "plain", "name") for text in near)
        besides = [*filter(None, linked), *(self._notes(every(SHOWN, holding), FEW) if near else [])]
        listed, size = self._listed(), FEW
        while True:
            found = self._likeliest(size) if listed is None else Found(listed[:size], len(listed) <= size)
            yield Found([*found.notes, *besides], found.is_whole)
            if found.is_whole or size == MOST_NOTES:
                return
            size = min(size * GROWTH, MOST_NOTES)

    def _listed(self) -> list[str] | None:
        """Return all notes that may answer, in order; None where there are many and a ranking chooses."""
        request = self._request
        if request.note_path and not request.ranks_passages:
            return self._around(request.note_path)
        ranks = request.ranks_passages and bool(self._texts)
        ranks = ranks and all(query.has_bare_words for query in self._queries)
        field = request.date_field if request.operation == "by_date" else "modified"
        rows = self._vault.query(NOTES, self._passing, ["path", field], FEW + 1 if ranks else None)
        if ranks and len(rows) > FEW:
            return None
        newest = {row["path"]: -row[field] for row in rows}
        # Those come first that words rank first, then the newest.
        ranked = self._by_words(self._within, MOST_HITS) if len(rows) > FEW else []
        first = dict.fromkeys(path for found in ranked for path in found if path in newest)
        return list(first | dict.fromkeys(sorted(newest, key=lambda path: (newest[path], path))))

    def _likeliest(self, size: int) -> Found:
        """Return the notes that rank first by words, by what a question asks besides, and by meaning."""
        hits = min(size * PASSAGES_A_NOTE, MOST_HITS)
        lists = self._by_words(self._within, hits)
        besides = [found for query in self._queries for found in self._besides(query, size)]
        ends = all(len(found) < hits for found in lists) and all(len(found) < size for found in besides)
        lists += besides
        if self._kept is not None:
            vectors = [self._kept.encode_query(text).vector.tolist() for text in self._texts]
            kind = self._base.head.kind
            lists += [self._vault.nearest(kind, "dense", vector, self._within, hits) for vector in vectors]
        # Each list gives its first, then its second: none of them hides another.
        notes = list(dict.fromkeys(path for row in zip_longest(*lists) for path in row if path))
        return Found(notes[:size], ends and self._kept is None and len(notes) <= size)

    def _by_words(self, within: str, most: int) -> list[list[str]]:
        words = (ranking_words(text, self._base.lexical.languages) for text in self._texts)
        tokens = filter(None, map(query_tokens, words))
        return [self._vault.nearest(PASSAGES, "sparse", text, within, most) for text in tokens]

    def _notes(self, condition: str, most: int | None = None) -> list[str]:
        return [row["path"] for row in self._vault.query(NOTES, condition, ["path"], most)]

    def _besides(self, query: Query, most: int) -> Iterator[list[str]]:
        """Yield notes that a query calls by name, that may have it as typed, and those of its time."""
        text = respelt(query.literal or query.only_word, query.spellings)
        literal = holds(text, "plain", "name") if 0 < len(text.split()) <= FEW_WORDS else NOTHING
        called = some([has(NAME + name_key(query.positive)), literal])
        yield self._notes(every(self._within, called), most)
        if query.window is not None:
            first, last = query.window.period.first, query.window.period.last
            inside = every(self._within, days(self._request.date_field, first, last, own=True))
            yield from self._by_words(inside, most)
            yield self._notes(inside, most)

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
        frontier = [target] if target else self._notes(linking([name]))
        found = dict.fromkeys(frontier)
        for _ in range(self._request.depth if target else 0):
            reached = dict.fromkeys([*self._notes(linking(frontier)), *self._targets(frontier)])
            frontier = [path for path in reached if path not in found]
            found |= dict.fromkeys(frontier)
        return list(found)

    def _targets(self, paths: Iterable[str]) -> list[str]:
        """Return the notes that some notes link to."""
        notes = [kept.note for kept in read_notes(self._vault, paths)]
        resolve = self._base.resolver.resolve
        found = [resolve(link.target, note.path) for note in notes for link in decode_links(note.data)]
        return [path for path in found if path and path in self._base.note_paths]
