"""Gather notes in memory, and write them as one segment."""

from array import array
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.analysis import atoms, runs
from app.search.lexical.arrays import Array, ArrayFileWriter, narrow
from app.search.lexical.fields import (
    CHUNK_COLUMNS,
    FILTERS,
    LINES,
    NOTE_COLUMNS,
    POSITIONS,
    RECORDS,
    STREAMS,
    TEXTS,
    ChunkDoc,
    NoteDoc,
    stem_field,
)
from app.search.lexical.language import note_language, stem_all
from app.search.lexical.packing import write_packed
from app.search.lexical.postings import (
    PostingsWriter,
    invert,
    position_widths,
    prefix_sums,
    ragged,
)
from app.search.lexical.segment import write_paths

Int = NDArray[np.int64]


class _Numbers(dict[str, int]):
    """Gives each new word the next number."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


class WordPool:
    """Notes that wait to become a segment; words are kept as the numbers of their runs."""

    def __init__(self) -> None:
        self.paths: dict[str, int] = {}
        self.dead: list[range] = []
        self.count = 0
        self._numbers = _Numbers()
        self._runs = {stream: array("I") for stream in STREAMS}
        self._sizes = {stream: array("I") for stream in STREAMS}
        self._notes: list[NoteDoc] = []
        self._starts: list[int] = []
        self._ends: dict[str, int] = {}
        self._languages = bytearray()
        self._chunk_languages = bytearray()
        self._columns = {name: array("q") for name in CHUNK_COLUMNS}
        self._data: list[bytes] = []
        self._texts: list[bytes] = []

    @property
    def words(self) -> int:
        """How many runs wait in the pool."""
        return sum(map(len, self._runs.values()))

    def add(self, note: NoteDoc, chunks: Sequence[ChunkDoc]) -> None:
        """Take in a note; one of the same path that is here already dies."""
        self.delete(note.path)
        self.paths[note.path] = self.count
        self._notes.append(note._replace(text="", data=b""))
        self._starts.append(self.count)
        self._data.append(note.data)
        self._texts.append(note.text.encode("utf-8", "surrogatepass"))
        seen: set[str] = set()
        before: dict[str, tuple[str, list[int]]] = {}
        for chunk in chunks:
            for stream in STREAMS:
                text: str = getattr(chunk, stream)
                same = before.get(stream)
                if same is None or same[0] != text:
                    words = runs(text)
                    seen.update(words)
                    same = before[stream] = (text, list(map(self._numbers.__getitem__, words)))
                self._runs[stream].extend(same[1])
                self._sizes[stream].append(len(same[1]))
            for name in CHUNK_COLUMNS:
                self._columns[name].append(getattr(chunk, name))
            self._data.append(chunk.data)
        language = note_language(seen)
        self._languages.append(language)
        self._chunk_languages.extend(bytes((language,)) * len(chunks))
        self.count += 1 + len(chunks)
        self._ends[note.path] = self.count

    def delete(self, path: str) -> bool:
        """Mark the note of this path as dead; say whether it was here."""
        start = self.paths.pop(path, None)
        if start is None:
            return False
        self.dead.append(range(start, self._ends.pop(path)))
        return True

    def write(self, path: Path) -> int:
        """Write the segment file, and give its length in bytes."""
        with ArrayFileWriter(path) as out:
            self._write_documents(out)
            self._write_filters(out)
            self._write_words(out)
            return out.finish()

    def _write_documents(self, out: ArrayFileWriter) -> None:
        out.add("notes", narrow(np.array(self._starts, np.int64)))
        write_paths(out, [note.path.encode("utf-8", "surrogatepass") for note in self._notes])
        for name, blobs in ((RECORDS, self._data), (TEXTS, self._texts)):
            write_packed(out, name, blobs)
            # A pool is written once, and what follows needs the memory.
            blobs.clear()
        out.add(LINES, np.array([one for note in self._notes for one in note.line_hashes], np.uint32))
        out.add(
            f"{LINES}.at", narrow(prefix_sums(np.array([len(n.line_hashes) for n in self._notes], np.int64)))
        )
        for name in NOTE_COLUMNS:
            out.add(name, narrow(np.array([getattr(note, name) for note in self._notes], np.int64)))
        for name, values in self._columns.items():
            out.add(name, narrow(np.array(values, np.int64)))
        out.add("language", np.frombuffer(bytes(self._languages), np.uint8))

    def _write_filters(self, out: ArrayFileWriter) -> None:
        numbers: dict[str, int] = _Numbers()
        pairs = [
            (numbers[term], doc)
            for doc, note in zip(self._starts, self._notes, strict=True)
            for term in dict.fromkeys(note.terms)
        ]
        flat = np.array(pairs, np.int64).reshape(-1, 2)
        _write_table(out, FILTERS, list(numbers), flat[:, 0], flat[:, 1])

    def _write_words(self, out: ArrayFileWriter) -> None:
        words = _Words(list(self._numbers), sorted(set(self._languages)))
        chunk = np.ones(self.count, np.bool_)
        chunk[self._starts] = False
        documents = np.flatnonzero(chunk).astype(np.uint32)
        spoken = np.frombuffer(bytes(self._chunk_languages), np.uint8)
        language = np.searchsorted(words.languages, spoken).astype(np.uint8)
        for stream in STREAMS:
            numbers = np.frombuffer(self._runs[stream], np.uint32)
            sizes = words.sizes[numbers]
            flat = ragged(words.starts[numbers], sizes)
            counts = np.frombuffer(self._sizes[stream], np.uint32)
            lengths = np.diff(prefix_sums(sizes)[prefix_sums(counts)])
            out.add(f"{stream}.length", narrow(lengths))
            found, docs = words.atoms[flat], np.repeat(documents, lengths)
            places = widths = None
            if stream in POSITIONS:
                places, widths = _places(words.steps[flat], lengths), np.zeros(self.count, np.uint8)
                widths[documents] = position_widths(lengths)
            # These are as long as the text, so what is done with goes before more is made.
            del numbers, sizes, flat
            terms = words.exact[found]
            rows = _write_table(out, stream, words.terms, terms, docs, places, widths)
            del places, terms
            spoken_by = np.repeat(language, lengths)
            same = words.same(spoken_by, found)
            stems = words.stems[spoken_by, found]
            del found, spoken_by
            alike = same >= 0
            own = ~alike[stems]
            name = stem_field(stream)
            named = _write_table(out, name, words.stem_terms, stems[own], docs[own], also=alike)
            kept = np.zeros(int((named >= 0).sum()), np.int64)
            kept[named[alike]] = rows[same[alike]] + 1
            out.add(f"{name}.same", narrow(kept))


class _Words:
    """The distinct runs of a pool, analysed: their atoms, and each atom's term and stem by language."""

    def __init__(self, runs: Sequence[str], languages: Sequence[int]) -> None:
        numbers: dict[tuple[str, str], int] = {}
        found, steps, sizes = array("I"), array("B"), array("I")
        for run in runs:
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

    def same(self, languages: Array, atoms: Array) -> Int:
        """Return for each stem the exact term that stands just where it does; -1 where there is none.

        Args:
            languages: The place of the language of each word of a stream.
            atoms: The atom of each word.
        """
        spoken = np.bincount(languages.astype(np.int64) * len(self.exact) + atoms)
        language, atom = np.divmod(np.flatnonzero(spoken), max(1, len(self.exact)))
        terms = max(1, len(self.terms))
        pairs = np.unique(self.stems[language, atom].astype(np.int64) * terms + self.exact[atom])
        stems, exact = np.divmod(pairs, terms)
        alone = np.bincount(stems, minlength=len(self.stem_terms))[stems] == 1
        alone &= np.bincount(exact, minlength=terms)[exact] == 1
        found = np.full(len(self.stem_terms), -1, np.int64)
        found[stems[alone]] = exact[alone]
        return found


def _places(steps: Array, lengths: Int) -> Array:
    """Return where each word stands in its document; a whole stands where its first part does."""
    before = np.cumsum(steps, dtype=np.uint32)
    before -= steps
    heads = prefix_sums(lengths)[:-1]
    filled = lengths > 0
    before -= np.repeat(before[heads[filled]], lengths[filled])
    return before


def _write_table(
    out: ArrayFileWriter,
    field: str,
    names: Sequence[str],
    terms: Array,
    docs: Array,
    positions: Array | None = None,
    widths: Array | None = None,
    also: NDArray[np.bool_] | None = None,
) -> Int:
    """Write a field from its stream of words, each the number of a name.

    Args:
        out: The file.
        field: The field.
        names: The names; those not used are left out.
        terms: The name of each word.
        docs: The document of each word.
        positions: Where each word stands in its document.
        widths: In how many bytes each document keeps a position.
        also: Names that are kept without a word.

    Returns:
        The row of each name, -1 for those left out.
    """
    used = np.bincount(terms, minlength=len(names)) > 0
    if also is not None:
        used |= also
    numbers = np.flatnonzero(used).tolist()
    encoded = sorted((names[number].encode("utf-8", "surrogatepass"), number) for number in numbers)
    rows = np.full(len(names), -1, np.int64)
    rows[np.array([number for _, number in encoded], np.int64)] = np.arange(len(encoded))
    postings = invert(rows.astype(np.uint32)[terms], docs, len(encoded), positions, widths)
    writer = PostingsWriter(out, field, narrow(postings.tfs).dtype, positions is not None)
    writer.add(postings)
    writer.finish([term for term, _ in encoded], np.ones(len(encoded), np.bool_))
    return rows
