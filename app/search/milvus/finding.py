"""Find the notes that may answer a request: few at first, the likeliest, then more, until they are all."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from app.errors import BadRequestError
from app.search.index.documents import decode_links
from app.search.lexical.analysis import fold
from app.search.lexical.bm25 import ranking_words
from app.search.milvus.candidates import CandidateSnapshot
from app.search.milvus.database import MOST_HITS, NOTES, PASSAGES, Vault
from app.search.milvus.expression import SHOWN, days, every, holds
from app.search.milvus.narrow import bare_words, condition, linking, notes_with, of_queries, of_request
from app.search.milvus.rows import note_rows, query_tokens, read_notes, records_of
from app.search.models import SearchRequest
from app.search.query.link_walk import find_target
from app.search.query.read import queries_of, respelt
from app.search.query.tree import And, Linked, Or, nodes_of

if TYPE_CHECKING:
    from app.search.vectors.store import KeptVectors

FEW = 128
"""Where no more notes than these pass the filters, all are looked at; else first the likeliest of them."""
GROWTH = 4
MOST_NOTES = 8192
"""Most notes that one search looks at."""
MOST_LISTED = 100_000
"""Most notes that are put in order by a date."""
PASSAGES_A_NOTE = 4
FEW_WORDS = 3
"""Of more words one that is cut does not hide the others."""


class Found(NamedTuple):
    """Notes by their paths; ``is_whole`` where no other can answer."""

    notes: tuple[str, ...]
    is_whole: bool


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
        texts = (respelt(query.positive, query.spellings, every=True) for query in self._queries)
        self._texts = list(filter(None, texts))
        asked = [node for query in self._queries for node in nodes_of(query.parts)]
        named = [self._path_of(node.target) for node in asked if isinstance(node, Linked)]
        self._besides = tuple(filter(None, named))

    def found(self) -> Iterator[Found]:
        """Yield the notes that may answer, each time with all before; the last is whole, or the most.

        Raises:
            SearchError: the database does not answer.
        """
        if self._request.note_path and not self._request.ranks_passages:
            yield from self._pages(self._around(self._request.note_path), MOST_NOTES)
            return
        within, asked = of_request(self._base, self._request), of_queries(self._request, self._queries)
        ranks = self._request.ranks_passages and all(query.has_bare_words for query in self._queries)
        rows = partial(self._rows, most=FEW + 1) if ranks else self._rows
        passing = sorted(notes_with(asked, within, rows, self._passages))
        if len(passing) <= FEW:
            yield from self._pages(passing)
        elif ranks and self._texts:
            yield from self._ranked(every(within, condition(asked)))
        else:
            yield from self._pages(self._in_order(within, asked, passing))

    def _pages(self, notes: Sequence[str], size: int = FEW) -> Iterator[Found]:
        """Yield the first of some notes, more each time."""
        while size < min(len(notes), MOST_NOTES):
            yield Found((*notes[:size], *self._besides), is_whole=False)
            size *= GROWTH
        yield Found((*notes[:MOST_NOTES], *self._besides), is_whole=len(notes) <= MOST_NOTES)

    def _ranked(self, within: str) -> Iterator[Found]:
        """Yield the notes that rank first, of those that pass a filter."""
        # The order of the first depends on more than Milvus knows: it is asked for more than are shown.
        size = max(FEW, 3 * (self._request.offset + (self._request.limit or 0)))
        while True:
            size = min(size, MOST_NOTES)
            notes = self._likeliest(within, size)
            ends = len(notes) < size // 2 and size < MOST_NOTES
            # By meaning all notes answer, the last ones hardly.
            yield Found((*notes[:size], *self._besides), is_whole=ends and self._kept is None)
            if ends or size == MOST_NOTES:
                return
            size *= GROWTH

    def _rows(self, condition: str, most: int | None = None) -> set[str]:
        """Return the notes that meet a condition: passages decide where it is about their own days."""
        if condition == SHOWN:
            return set(self._base.visible_paths[:most])
        own_days = self._request.ranks_passages and (self._request.start or self._request.end)
        return set(self._meeting(PASSAGES if own_days else NOTES, condition, None if own_days else most))

    def _passages(self, condition: str) -> set[str]:
        return set(self._meeting(PASSAGES, condition))

    def _in_order(self, within: str, asked: Or | None, passing: Sequence[str]) -> list[str]:
        """Order notes that pass: those with most of the words first, the likeliest, the newest."""
        words = [] if self._request.ranks_passages else bare_words(self._queries)
        nodes = (And(tuple(filter(None, (asked, word)))) for word in words)
        held = Counter(
            path for node in nodes for path in notes_with(node, within, self._rows, self._passages)
        )
        free = every(within, condition(asked))
        newest = self._newest(free, list(held) if words else passing)
        likely = dict.fromkeys([*self._likeliest(free, MOST_HITS), *newest])
        places = {path: at for at, path in enumerate(newest if self._request.ranks_passages else likely)}
        return sorted(newest, key=lambda path: (-held[path], places[path]))

    def _newest(self, within: str, notes: Sequence[str]) -> list[str]:
        """Order notes by a date, or by those of their passages where these rank; the newest first."""
        if self._request.ranks_passages:
            rows = self._vault.query(PASSAGES, within, ["path", "day", "modified_day"], MOST_LISTED)
            rows.sort(key=lambda row: (-(row["day"] or row["modified_day"]), row["path"]))
        else:
            field = self._request.date_field if self._request.operation == "by_date" else "modified"
            rows = note_rows(self._vault, notes[:MOST_LISTED], ["path", field])
            rows.sort(key=lambda row: (-row[field], row["path"]))
        among = set(notes)
        return list(dict.fromkeys([*(row["path"] for row in rows if row["path"] in among), *notes]))

    def _likeliest(self, within: str, size: int) -> list[str]:
        """Return the notes that rank first by words, by what a question asks besides, and by meaning."""
        hits = min(size * PASSAGES_A_NOTE, MOST_HITS)
        found = self._by_words(within, hits)
        if self._request.ranks_passages:
            found += self._in_time(within, hits) + self._literal(within, size)
        if self._kept is not None:
            for vector in [self._kept.encode_query(text).vector.tolist() for text in self._texts]:
                found += self._nearest(self._kind, "dense", vector, within, hits)
        return list(dict.fromkeys(found))

    def _by_words(self, within: str, most: int) -> list[str]:
        found: list[str] = []
        for text in self._texts:
            if tokens := query_tokens(ranking_words(text, self._base.lexical.languages)):
                found += self._nearest(PASSAGES, "sparse", " ".join(tokens), within, most)
        return found

    def _nearest(
        self, kind: str, field: str, data: str | Sequence[float], within: str, most: int
    ) -> list[str]:
        return [row["path"] for row in self._vault.nearest(kind, field, data, within, most)]

    def _meeting(self, kind: str, condition: str, most: int | None = None) -> list[str]:
        """Return the path of each row that meets a condition."""
        return [row["path"] for row in self._vault.query(kind, condition, ["path"], most)]

    def _in_time(self, within: str, most: int) -> list[str]:
        """Return notes of the time that a question names, which ranks first."""
        found: list[str] = []
        for query in self._queries:
            if query.window is not None:
                first, last = query.window.period.first, query.window.period.last
                inside = every(within, days(self._request.date_field, first, last, own=True))
                found += self._by_words(inside, most)
                found += self._meeting(PASSAGES, inside, most)
        return found

    def _literal(self, within: str, most: int) -> list[str]:
        """Return notes that may hold a short query as it stands, its words inside longer ones too."""
        found: list[str] = []
        for query in self._queries:
            text = respelt(query.literal or query.only_word, query.spellings)
            words = [word for word in map(fold, text.split()) if word]
            if 0 < len(words) <= FEW_WORDS:
                found += self._meeting(PASSAGES, every(within, *map(holds, words)), most)
        return found

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
        return self._meeting(NOTES, linking(names))

    def _targets(self, paths: Sequence[str]) -> list[str]:
        """Return the files that some notes link to."""
        notes = [note for note, _ in read_notes(self._vault, records_of(self._vault, paths))]
        resolve = self._base.resolver.resolve
        found = [resolve(link.target, note.path) for note in notes for link in decode_links(note.data)]
        return [path for path in found if path and path in self._base.note_paths]
