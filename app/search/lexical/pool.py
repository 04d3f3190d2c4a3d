"""The words of documents that wait to become a segment: an array per field in the place of Whoosh's pool."""

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.analysis import atoms, runs
from app.search.lexical.arrays import Array, ArrayFileWriter, narrow
from app.search.lexical.language import note_language, stem_all
from app.search.lexical.postings import FieldPostings, invert, prefix_sums, ragged
from app.search.lexical.schema import FILTERS, PATH, POSITIONS, STREAMS, stem_field

if TYPE_CHECKING:
    from app.search.lexical.codec import ArrayDocumentWriter

Int = NDArray[np.int64]


class _Numbers(dict[str, int]):
    """Gives each new word the next number."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


class WordPool:
    """The words of documents that wait to become a segment, as the numbers of their runs."""

    def __init__(self) -> None:
        self._numbers = _Numbers()
        self._runs = {stream: array("I") for stream in STREAMS}
        self._sizes = {stream: array("I") for stream in STREAMS}
        self._before: dict[str, tuple[str, list[int]]] = {}
        self._seen: set[str] = set()
        self._exact: dict[str, tuple[_Numbers, array[int], array[int]]] = {
            field: (_Numbers(), array("I"), array("I")) for field in (PATH, FILTERS)
        }

    @property
    def words(self) -> int:
        """How many runs wait in the pool."""
        return sum(map(len, self._runs.values()))

    def add(self, field: str, doc: int, value: Any) -> None:  # noqa: ANN401 - a text, or some
        """Take the value of a document in a field; those of word fields come document by document."""
        if field in self._exact:
            numbers, terms, docs = self._exact[field]
            values = dict.fromkeys(value) if isinstance(value, tuple) else (value,)
            terms.extend(map(numbers.__getitem__, values))
            docs.extend([doc] * len(values))
            return
        same = self._before.get(field)
        if same is None or same[0] != value:
            words = runs(value)
            self._seen.update(words)
            same = self._before[field] = (value, list(map(self._numbers.__getitem__, words)))
        self._runs[field].extend(same[1])
        self._sizes[field].append(len(same[1]))

    def end_group(self) -> int:
        """End a note and its chunks; return its language."""
        language = note_language(self._seen)
        self._seen.clear()
        self._before.clear()
        return language

    def cleanup(self) -> None:
        """Forget everything."""
        self.__init__()  # type: ignore[misc]

    def postings(self, documents: "ArrayDocumentWriter", out: ArrayFileWriter) -> Iterator[FieldPostings]:
        """Yield the postings of every field, and write how many words each chunk has."""
        for field, (numbers, terms, docs) in self._exact.items():
            yield _field(field, list(numbers), np.array(terms, np.uint32), np.array(docs, np.int64))
        words = _Words(list(self._numbers), sorted(set(documents.languages)))
        chunk = np.ones(documents.count, np.bool_)
        chunk[documents.notes] = False
        ids = np.flatnonzero(chunk).astype(np.uint32)
        sizes = np.diff(np.append(documents.notes, documents.count)).astype(np.int64) - 1
        spoken = np.repeat(np.frombuffer(bytes(documents.languages), np.uint8), sizes)
        language = np.searchsorted(words.languages, spoken).astype(np.uint8)
        for stream in STREAMS:
            numbers_of = np.frombuffer(self._runs[stream], np.uint32)
            sizes = words.sizes[numbers_of]
            flat = ragged(words.starts[numbers_of], sizes)
            counts = np.frombuffer(self._sizes[stream], np.uint32)
            lengths = np.diff(prefix_sums(sizes)[prefix_sums(counts)])
            out.add(f"{stream}.length", narrow(lengths))
            found, docs_of = words.atoms[flat], np.repeat(ids, lengths)
            places = _places(words.steps[flat], lengths) if stream in POSITIONS else None
            # These are as long as the text, so what is done with goes before more is made.
            del numbers_of, sizes, flat
            yield _field(stream, words.terms, words.exact[found], docs_of, places)
            del places
            stemmed = words.stems[np.repeat(language, lengths), found]
            del found
            yield _field(stem_field(stream), words.stem_terms, stemmed, docs_of)


class _Words:
    """The distinct runs of a pool, analysed: their atoms, and each atom's term and stem by language."""

    def __init__(self, texts: Sequence[str], languages: Sequence[int]) -> None:
        numbers: dict[tuple[str, str], int] = {}
        found, steps, sizes = array("I"), array("B"), array("I")
        for run in texts:
            pieces = atoms(run)
            sizes.append(len(pieces))
            for atom in pieces:
                found.append(numbers.setdefault((atom.term, atom.raw), len(numbers)))
                steps.append(atom.step)
        self.sizes, self.atoms, self.steps = np.array(sizes), np.array(found), np.array(steps)
        self.starts = prefix_sums(self.sizes)[:-1].astype(np.uint32)
        self.languages = np.array(languages or [0], np.int64)
        exact = _Numbers()
        self.exact = np.array([exact[term] for term, _ in numbers], np.uint32)
        self.terms = list(exact)
        raws = [raw for _, raw in numbers]
        stems = _Numbers()
        rows = [list(map(stems.__getitem__, stem_all(raws, int(language)))) for language in self.languages]
        self.stems = np.array(rows, np.uint32)
        self.stem_terms = list(stems)


def _places(steps: Array, lengths: Int) -> Array:
    """Return where each word stands in its document; a whole stands where its first part does."""
    before = np.cumsum(steps, dtype=np.uint32)
    before -= steps
    heads = prefix_sums(lengths)[:-1]
    filled = lengths > 0
    before -= np.repeat(before[heads[filled]], lengths[filled])
    return before


def _field(
    field: str, names: Sequence[str], terms: Array, docs: Array, positions: Array | None = None
) -> FieldPostings:
    """Return the postings of a stream of words, each the number of a name; names not used are left out.

    Args:
        field: The field.
        names: The names.
        terms: The name of each word.
        docs: The document of each word.
        positions: Where each word stands in its document.
    """
    numbers = np.flatnonzero(np.bincount(terms, minlength=len(names))).tolist()
    encoded = sorted((names[number].encode("utf-8", "surrogatepass"), number) for number in numbers)
    rows = np.zeros(len(names), np.uint32)
    rows[np.array([number for _, number in encoded], np.int64)] = np.arange(len(encoded))
    piece = invert(rows[terms], docs, len(encoded), positions)
    places = None if positions is None else narrow(positions).dtype
    return FieldPostings(field, [term for term, _ in encoded], [piece], narrow(piece.tfs).dtype, places)
