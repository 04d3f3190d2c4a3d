"""Find the notes that may answer a request: few at first, the likeliest, then more, until they are all."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.errors import BadRequestError
from app.markdown.links import last_parts
from app.search.index.documents import decode_links, link_term
from app.search.lexical.analysis import fold
from app.search.milvus.candidates import CandidateSnapshot
from app.search.milvus.database import NOTES, PASSAGES, Row, Vault
from app.search.milvus.expression import (
    All,
    Days,
    Filter,
    Has,
    Holds,
    Shown,
    Some,
    by_note,
    expression,
    telling,
    without_texts,
)
from app.search.milvus.narrow import bare_words, narrowed
from app.search.milvus.rows import first_rows, query_tokens, read_notes
from app.search.models import SearchRequest
from app.search.query.evaluate import read_query
from app.search.query.link_walk import find_target
from app.search.query.parse import parse_question
from app.search.query.spelling import respelt, spelt
from app.search.query.time_window import window_of
from app.search.query.tree import And, Linked, Node, Not, Or
from app.vault.dates import local_today
from app.vault.paths import clean_path, path_key

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
    """Notes by their ids; ``is_whole`` where no other can answer.

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
        self._vault, self._base, self._head, self._request = vault, base, base.head, request
        self._kind, self._kept = vectors, kept
        if request.ranks_passages:
            self._queries = [spelt(base, parse_question(text)) for text in request.queries]
        else:
            self._queries = [read_query(base, text) for text in request.queries]
        self._besides = tuple(
            self._target(node.name) for query in self._queries for node in _linked(query.root)
        )

    def found(self) -> Iterator[Found]:
        """Yield the notes that may answer, each time with all before; the last is whole, or the most.

        Raises:
            SearchError: the database does not answer.
        """
        if self._request.note_path and not self._request.ranks_passages:
            yield self._whole(self._around(self._request.note_path))
            return
        node = narrowed(self._request, self._queries)
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
        size = FEW
        while True:
            yield Found((*notes[:size], *self._besides), is_whole=size >= len(notes))
            if size >= min(len(notes), MOST_NOTES):
                return
            size = min(size * GROWTH, MOST_NOTES)

    def _passing(self, node: Filter, most: int | None = None) -> list[str]:
        """Return the notes that pass a filter, so many at most."""
        if expression(node) == expression(Shown()):
            return [self._vault.id_of(path) for path in self._head.shown[:most]]
        if not telling(node):
            condition = " and ".join(filter(None, ["part == 0", expression(node)]))
            return self._meeting(NOTES, condition, most)
        condition = expression(by_note(node))
        # Several passages of a note may pass.
        rows = self._meeting(PASSAGES, condition, None if most is None else most * 16)
        found = list(dict.fromkeys(rows))
        if most is not None and len(rows) >= most * 16 and len(found) < most:
            found = list(dict.fromkeys(self._meeting(PASSAGES, condition)))
        return found

    def _newest(self, notes: Sequence[str]) -> list[str]:
        """Order notes by a date, the newest first, then by path."""
        field = self._request.date_field if self._request.operation == "by_date" else "modified"
        rows = first_rows(self._vault, notes[:MOST_LISTED], ["note", "path", field])
        rows.sort(key=lambda row: (-row[field], row["path"]))
        return [row["note"] for row in rows]

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
        size = min(max(FEW, 3 * (self._request.offset + (self._request.limit or 0))), MOST_NOTES)
        while True:
            hits = min(size * PASSAGES_A_NOTE, MOST_HITS)
            found = self._by_words(texts, free, hits)
            found += self._in_time(texts, free, hits)
            found += self._literal(free, size)
            if self._kept is not None:
                found += self._by_meaning(texts, free, hits)
            chosen = list(dict.fromkeys(found))
            is_last = len(chosen) < size // 2 or size >= MOST_NOTES
            if is_last or listed:
                break
            yield Found((*chosen[:size], *self._besides), is_whole=False)
            size = min(size * GROWTH, MOST_NOTES)
        if listed:
            # Whatever passes the filters is an answer, the newest first.
            rest = self._passing(node)
            yield from self._pages(list(dict.fromkeys((*self._dated(free, rest), *chosen))))
        else:
            yield Found((*chosen[:size], *self._besides), is_whole=self._kept is None and size < MOST_NOTES)

    def _by_words(self, texts: Sequence[str], node: Filter, most: int) -> list[str]:
        found: list[str] = []
        for text in texts:
            if tokens := self._tokens(text):
                found += self._vault.nearest(PASSAGES, "sparse", " ".join(tokens), expression(node), most)
        return found

    def _meeting(self, kind: str, condition: str, most: int | None = None) -> list[str]:
        """Return the note of each row that meets a condition."""
        return [row["note"] for row in self._vault.query(kind, condition, ["note"], most)]

    def _tokens(self, text: str) -> list[str]:
        return query_tokens(self._base.lexical.ranking_words(text))

    def _by_meaning(self, texts: Sequence[str], node: Filter, most: int) -> list[str]:
        assert self._kept is not None
        found: list[str] = []
        for text in texts:
            vector = self._kept.encode_query(text).vector.tolist()
            found += self._vault.nearest(self._kind, "dense", vector, expression(node), most)
        return found

    def _in_time(self, texts: Sequence[str], node: Filter, most: int) -> list[str]:
        """Return notes of the time that a question names, which ranks first."""
        found: list[str] = []
        for query in self._queries:
            window = None if self._request.asks_dates else window_of(query, local_today())
            if window is not None:
                first, last = window.period.first.toordinal(), window.period.last.toordinal()
                days = Days(self._request.date_field, first, last, own=True)
                inside = All((node, days))
                found += self._by_words(texts, inside, most)
                found += self._meeting(PASSAGES, expression(inside), most)
        return found

    def _literal(self, node: Filter, most: int) -> list[str]:
        """Return notes that may hold a query as it stands, where its words alone would not find them."""
        found: list[str] = []
        for query in self._queries:
            words = [word for word in map(fold, respelt(query.literal, query.spellings).split()) if word]
            if words and self._may_be_cut(words, query.positive):
                found += self._meeting(PASSAGES, expression(All((node, *map(Holds, words)))), most)
        return found

    def _may_be_cut(self, words: Sequence[str], text: str) -> bool:
        """Return whether words may well begin or end within others, as while a query is typed."""
        if len(words) == 1 or not self._tokens(text):
            return True
        ends = min(len(words[0]), len(words[-1]))
        return len(words) <= FEW_WORDS and (ends <= SHORT or not self._base.lexical.stand(text))

    def _dated(self, node: Filter, notes: Sequence[str]) -> list[str]:
        """Order notes by the days of their passages, the newest first."""
        rows = self._vault.query(
            PASSAGES, expression(node), ["note", "path", "day", "modified_day"], MOST_LISTED
        )
        among = set(notes)
        kept: list[Row] = [row for row in rows if row["note"] in among]
        kept.sort(key=lambda row: (-(row["day"] or row["modified_day"]), row["path"]))
        return list(dict.fromkeys([*(row["note"] for row in kept), *notes]))

    def _target(self, name: str) -> str:
        path = self._path_of(
            name.strip().removeprefix("[[").removesuffix("]]").partition("|")[0].partition("#")[0]
        )
        return self._vault.id_of(path or "")

    def _path_of(self, name: str) -> str | None:
        """Return the path of the note that a name means, for one that is at hand or not.

        One that is excluded is as if it were not there.
        """
        written, keys = clean_path(name), self._base.shown_keys
        for form in (written, f"{written}.md"):
            if found := keys.get(path_key(form)):
                return form if self._head.notes.get(form, "excluded") != "excluded" else found
        try:
            return find_target(self._base, name, self._base.is_excluded)
        except BadRequestError:
            # The operation meets the same, and says which notes are meant.
            return None

    def _around(self, name: str) -> list[str]:
        """Return a note and those around it, by the links there may be."""
        target = self._path_of(name)
        frontier = [target] if target else []
        found: dict[str, None] = dict.fromkeys(self._vault.id_of(path) for path in frontier)
        if target is None:
            last = path_key(name).rpartition("/")[2].removesuffix(".md")
            found.update(dict.fromkeys(self._linking([last])))
        for _ in range(self._request.depth):
            reached: list[str] = []
            if self._request.direction in ("backlinks", "both") and frontier:
                names = [path_key(path).rpartition("/")[2].removesuffix(".md") for path in frontier]
                reached += self._linking(names)
            if self._request.direction in ("forward", "both"):
                reached += [self._vault.id_of(path) for path in self._targets(frontier)]
            new = [note for note in dict.fromkeys(reached) if note not in found]
            found.update(dict.fromkeys(new))
            frontier = [row["path"] for row in first_rows(self._vault, new, ["path"])]
        return list(found)

    def _linking(self, names: Iterable[str]) -> list[str]:
        forms = [Has(link_term(form)) for name in names for form in (name, f"{name}.md")]
        return self._meeting(NOTES, f"part == 0 and {expression(Some(tuple(forms)))}")

    def _targets(self, paths: Sequence[str]) -> list[str]:
        """Return the notes that some notes link to."""
        found: list[str] = []
        for note, _ in read_notes(self._vault, map(self._vault.id_of, paths)).values():
            for link in decode_links(note.data):
                target = self._base.resolver.resolve(link.target, note.path)
                if target is not None and last_parts(link.target, note.path) is not None:
                    found.append(target)
        return [path for path in dict.fromkeys(found) if path in self._head.notes]


def _linked(node: Node | None) -> Iterator[Linked]:
    if isinstance(node, Linked):
        yield node
    elif isinstance(node, And | Or):
        for part in node.parts:
            yield from _linked(part)
    elif isinstance(node, Not):
        yield from _linked(node.part)
