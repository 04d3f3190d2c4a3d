"""One commit of the index, as it was: everything is read and searched here."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.analysis import runs
from app.search.lexical.language import asked_in
from app.search.lexical.phrase import containing, going_on, holding
from app.search.lexical.postings import prefix_sums, united
from app.search.lexical.ranker import Mask, Ranker, Spellings
from app.search.lexical.schema import FILTERS, PATH
from app.search.lexical.segment import SegmentFile, found_in
from app.search.lexical.sparse import Ids, Scores, concatenated
from app.search.lexical.speller import Speller, lexicon


class Scored(NamedTuple):
    """Chunks best first; equal ones by note path, then start line.

    ``raw`` orders. ``shown`` is how much of the query's information a chunk covers, at most 1: ``raw``
    divided by ``reference``, the score of each distinct word once in a body of average length.
    """

    ids: Ids
    raw: Scores
    shown: Scores
    reference: float


class Snapshot(Ranker):
    """The index as one commit left it; immutable, and safe to use from many threads."""

    def __init__(
        self, generation: int, parts: Sequence[SegmentFile], dead: Sequence[Mask], vault_data: bytes
    ) -> None:
        live = ~concatenated(dead, np.bool_)
        is_chunk = concatenated((part.is_chunk for part in parts), np.bool_)
        *self._bases, _ = accumulate((part.count for part in parts), initial=0)
        numbered = list(zip(self._bases, parts, strict=True))
        super().__init__(numbered, live & is_chunk, live & ~is_chunk)
        self.generation, self.vault_data = generation, vault_data
        self._columns: dict[str, Ids] = {}

    # What the documents hold

    @cached_property
    def _paths(self) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for base, part in self._parts:
            table = part.table(PATH)
            sizes, ids, _ = table.gather(np.arange(len(table)))
            docs = ids + base
            # An old version of a note may lie beside the new one.
            paths = np.repeat(np.array(list(map(_text, table.names())), np.object_), sizes)
            found.update(compress(zip(paths.tolist(), docs.tolist(), strict=True), self.notes[docs].tolist()))
        return found

    def paths(self) -> Mapping[str, int]:
        """Map the path of each live note to its document."""
        return self._paths

    def path(self, doc: int) -> str:
        """Return the path of the note that a document is, or belongs to."""
        part, note = self._note(doc)
        return _text(part.path(note))

    def text(self, doc: int) -> str:
        """Return the text of the note that a document is, or belongs to; empty where none is kept."""
        part, note = self._note(doc)
        return part.text(note)

    def column(self, name: str) -> Ids:
        """Return a number for each document, 0 where it has none: ``size``, ``start``, ``day``..."""
        if name not in self._columns:
            self._columns[name] = concatenated((part.column(name) for _, part in self._parts), np.int64)
        return self._columns[name]

    def data(self, doc: int) -> bytes:
        """Return the caller's record of the note that a document is, or belongs to."""
        part, note = self._note(doc)
        return part.record(note)

    def _note(self, doc: int) -> tuple[SegmentFile, int]:
        """Return the segment of a document, and the number of its note among the notes there."""
        base, part = self._parts[bisect_right(self._bases, doc) - 1]
        return part, int(part.notes.searchsorted(self.note_of[doc] - base))

    def shared_lines(self, notes: Mask, least: int) -> NDArray[np.uint32]:
        """Return the hashes of the lines that so many notes of a mask have at least, ascending."""
        pieces = [part.line_hashes(notes[part.notes + base]) for base, part in self._parts]
        hashes = np.sort(np.concatenate([np.zeros(0, np.uint32), *pieces]))
        # In order, one that stands so often is the same as the one so many places on.
        late = hashes[least - 1 :]
        found = late[hashes[: len(late)] == late]
        each: NDArray[np.uint32] = found[np.append(True, found[1:] != found[:-1])[: len(found)]]
        return each

    # What filters ask

    def terms(self, prefix: str) -> list[str]:
        """Return the filter terms that start with a prefix, sorted; some may belong to dead notes alone."""
        key = prefix.encode("utf-8", "surrogatepass")
        found: set[bytes] = set()
        for _, part in self._parts:
            table = part.table(FILTERS)
            found.update(table[row] for row in table.span(key).tolist())
        return [_text(term) for term in sorted(found)]

    def tally(self, prefix: str, numbers: Ids, field: str = FILTERS) -> Mapping[str, int]:
        """Map the terms of a field that start with a prefix to the sum of a number of each document.

        Of documents that are not live the number is 0; terms whose sum is 0 are left out.
        """
        key, found = prefix.encode("utf-8", "surrogatepass"), Counter[str]()
        for base, part in self._parts:
            table = part.table(field)
            rows = table.span(key)
            sizes, ids, _ = table.gather(rows)
            sums = np.diff(prefix_sums(numbers[ids + base])[prefix_sums(sizes)])
            for at in np.flatnonzero(sums).tolist():
                found[_text(table[int(rows[at])])] += int(sums[at])
        return found

    def lexicon(self) -> Collection[str]:
        """Return the folded, unstemmed words of all word fields; some may belong to dead chunks alone."""
        return lexicon(self._parts)

    # What queries ask

    def in_language_of(self, text: str) -> Mask | None:
        """Return the documents in a text's language; None where no word tells it, or few are in it."""
        number = self.number(asked_in(set(runs(text)), self.languages))
        return None if number is None else self.group_of == number

    def rank(
        self, text: str, mask: Mask | None = None, k: int | None = None, spellings: Spellings = ()
    ) -> Scored:
        """Rank the chunks that have any word of ``text`` by BM25; exact, the best ``k`` or all.

        A word asked for twice counts the square root of two. Stop words count only when there is nothing
        else. The spellings of a word stand in for it.
        """
        plan = self._plan(text, spellings)
        scores = plan.scores if mask is None else plan.scores * mask
        ids = np.flatnonzero(scores)
        if k is not None and k < len(ids):
            ids = ids[scores[ids] >= np.partition(scores[ids], -k)[-k]]
        ids, raw = self.by_worth(ids, scores[ids])
        ids, raw = ids[:k], raw[:k]
        shown = np.minimum(raw / np.float32(plan.reference), np.float32(1)) if plan.reference else raw
        return Scored(ids, raw, shown, plan.reference)

    def language(self, doc: int) -> int:
        """Return the language by which the note of a document is stemmed."""
        return int(self.language_of[doc])

    def speller(self, shown: Mask) -> Speller:
        """Return what finds the nearest words among the chunks of a mask."""
        return Speller(self._parts, shown & self.chunks, self.languages)

    def phrase(self, text: str, mask: Mask | None = None) -> Ids:
        """Return the live chunks whose body may hold ``text``, ascending: all that do are among them.

        A text without any word gives every chunk.
        """
        allowed = self.chunks if mask is None else self.chunks & mask
        return found_in(self._parts, allowed, lambda part: holding(part, text))

    def going_on(self, text: str) -> Ids:
        """Return the live chunks that may hold the end of ``text``, begun in the chunk before, ascending."""
        return found_in(self._parts, self.chunks, lambda part: going_on(part, text))

    def containing(self, piece: str) -> Ids:
        """Return the live chunks whose body has a word with the folded letters ``piece`` in it, ascending."""
        return found_in(self._parts, self.chunks, lambda part: containing(part, "body", piece))

    def by_worth(self, ids: Ids, worth: NDArray[Any]) -> tuple[Ids, NDArray[Any]]:
        """Order documents by some number, highest first; equal ones by note path, then start line."""
        order = (-worth).argsort(kind="stable")
        ids, worth = ids[order], worth[order]
        if (worth[1:] == worth[:-1]).any():
            ids = ids[np.lexsort((self.column("start")[ids], self.path_ranks[self.note_of[ids]], -worth))]
        return ids, worth

    @cached_property
    def path_ranks(self) -> Ids:
        """The place of each note's path among all, by its document; equal scores are ordered by it."""
        ranks = np.zeros(self.size, np.int64)
        tables = [part.table(PATH) for _, part in self._parts]
        rows = united(tables)[1] if len(tables) != 1 else [np.arange(len(tables[0]))]
        for (base, part), row in zip(self._parts, rows, strict=True):
            ranks[part.notes + base] = row[part.path_rows]
        return ranks


def _text(term: bytes) -> str:
    return term.decode("utf-8", "surrogatepass")
