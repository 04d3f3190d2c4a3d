"""Notes as rows of a database, and rows as notes: all that an index keeps of them goes there and back."""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.index.chunk import split_lines
from app.search.index.documents import SECONDS_A_DAY, query_text
from app.search.lexical.analysis import atoms, fold, runs
from app.search.lexical.bm25 import Word, distinct_terms
from app.search.lexical.language import note_language, stem_all
from app.search.lexical.schema import STREAMS, ChunkDoc, NoteDoc
from app.search.milvus.database import MOST_BYTES, MOST_TERMS, NOTES, RECORDS, Row, Vault, cut
from app.search.milvus.expression import term_key
from app.vault.paths import path_key

PIECE_CHARS = 60_000
"""A longer record takes several rows."""
MOST_TOKEN = 100
"""Letters of a token as Milvus is given it."""
_ASKED = ("tag:", "property:", "link:", "tasks:")
"""What the terms begin with that expressions ask for."""

NoteDocs = tuple[NoteDoc, list[ChunkDoc]]
Name = tuple[str, str]
"""Names a record: the path and the digest of a note, or what takes their place."""


def record_rows(vault: Vault, name: Name, data: bytes) -> list[Row]:
    """Return bytes as rows that `read_records` finds by a name."""
    text = base64.b85encode(zlib.compress(data)).decode("ascii")
    return [
        {
            "id": vault.id_of(*name, number),
            "path": name[0],
            "digest": name[1],
            "blob": text[at : at + PIECE_CHARS],
        }
        for number, at in enumerate(range(0, len(text), PIECE_CHARS))
    ]


def read_records(vault: Vault, pieces: Mapping[Name, int]) -> dict[Name, bytes]:
    """Return records by their names, given how many rows each has; one that is not whole is left out."""
    ids = {name: [vault.id_of(*name, number) for number in range(count)] for name, count in pieces.items()}
    rows = vault.by_id(RECORDS, [one for some in ids.values() for one in some], ["id", "blob"])
    found = {row["id"]: row["blob"] for row in rows}
    return {
        name: zlib.decompress(base64.b85decode("".join(found[one] for one in some)))
        for name, some in ids.items()
        if found.keys() >= set(some)
    }


class NoteRows(NamedTuple):
    """The rows of one note: itself, its passages, and the record of all that an index keeps of it."""

    note: Row
    passages: list[Row]
    record: list[Row]


def rows_of(vault: Vault, documents: NoteDocs) -> NoteRows:
    """Return the rows of a note."""
    note, chunks = documents
    # When the file was written differs from machine to machine.
    same = _dump(note._replace(mtime_ns=0), chunks)
    digest = hashlib.blake2b(same, digest_size=16).hexdigest()
    record = record_rows(vault, (note.path, digest), _dump(note, chunks))
    terms = [term_key(term) for term in note.terms if term.startswith(_ASKED)]
    common: Row = {
        "path": note.path,
        "key": path_key(note.path),
        "name": fold(note.path),
        "terms": terms[:MOST_TERMS],
        "created_day": note.created // SECONDS_A_DAY,
        "modified_day": note.modified // SECONDS_A_DAY,
        "day": 0,
        "digest": digest,
        "cut": int(len(terms) > MOST_TERMS),
        "hidden": int(any(term.startswith("hidden:") for term in note.terms)),
    }
    language = note_language(
        {run for chunk in chunks for stream in STREAMS for run in runs(getattr(chunk, stream))}
    )
    passages: list[Row] = []
    for number, chunk in enumerate(chunks):
        plain, lex = fold(chunk.body), " ".join(tokens_of(chunk, language))
        is_cut = max(len(plain.encode("utf-8", "replace")), len(lex)) > MOST_BYTES
        passages.append(
            {
                **common,
                "id": vault.id_of(note.path, number),
                "day": chunk.day,
                "cut": int(is_cut) or common["cut"],
                "plain": cut(plain),
                "lex": cut(lex) or "empty",
            }
        )
    own: Row = {
        "id": vault.id_of(note.path),
        "created": note.created,
        "modified": note.modified,
        "pieces": len(record),
    }
    return NoteRows({**common, **own}, passages, record)


def packed_tokens(tokens: NDArray[np.int8]) -> str:
    """Return the token vectors of a window, of shape (its tokens, token dimension), as a text."""
    most = MOST_BYTES * 4 // 5 // tokens.shape[1]
    return base64.b85encode(tokens[:most].tobytes()).decode("ascii")


def unpacked_tokens(text: str, dimension: int) -> NDArray[np.int8]:
    """Read token vectors back from `packed_tokens`."""
    return np.frombuffer(base64.b85decode(text), np.int8).reshape(-1, dimension)


def _dump(note: NoteDoc, chunks: Sequence[ChunkDoc]) -> bytes:
    lines = split_lines(note.text)
    # The lines of a passage stand in its note, unless that is kept in another form.
    rows: list[tuple[object, ...]] = []
    for chunk in chunks:
        stands = query_text(chunk.body) == _body(lines, chunk.start, chunk.end)
        rows.append((None if stands else chunk.body, *chunk[1:]))
    return dumped((note, rows))


def _body(lines: Sequence[str], start: int, end: int) -> str:
    return "\n".join(lines[start - 1 : end])


def dumped(value: object) -> bytes:
    """Return a value as JSON, with bytes as texts, and sets and tables of numbers as lists."""

    def plain(value: bytes | frozenset[int] | NDArray[np.int64]) -> object:
        if isinstance(value, bytes):
            return value.decode("utf-8", "surrogatepass")
        return sorted(value) if isinstance(value, frozenset) else value.tolist()

    return json.dumps(value, ensure_ascii=False, default=plain).encode("utf-8", "surrogatepass")


def as_bytes(text: str) -> bytes:
    """Read bytes back from `dumped`."""
    return text.encode("utf-8", "surrogatepass")


def documents_from(record: bytes) -> NoteDocs:
    """Read a note back from its record."""
    fields, rows = json.loads(record)
    path, terms, *numbers, data, line_hashes, text = fields
    note = NoteDoc._make([path, tuple(terms), *numbers, as_bytes(data), tuple(line_hashes), text])
    lines = split_lines(text)
    chunks = []
    for kept, *texts, start, end, day, data, text_hash, content_hash in rows:
        body = _body(lines, start, end) if kept is None else kept
        hashes = (text_hash, content_hash)
        chunks.append(ChunkDoc._make([body, *texts, start, end, day, as_bytes(data), *hashes]))
    return note, chunks


def note_rows(vault: Vault, paths: Iterable[str], fields: Sequence[str]) -> list[Row]:
    """Return what is asked of some notes, in no order; those that are not there are left out."""
    return vault.by_id(NOTES, list(map(vault.id_of, paths)), fields)


def records_of(vault: Vault, paths: Iterable[str]) -> dict[Name, int]:
    """Return the names of the records of some notes, with how many rows each has."""
    rows = note_rows(vault, paths, ["path", "digest", "pieces"])
    return {(row["path"], row["digest"]): row["pieces"] for row in rows}


def read_notes(vault: Vault, pieces: Mapping[Name, int]) -> list[NoteDocs]:
    """Return notes by their records, in the order of their paths; one that was written anew is left out."""
    return [documents_from(record) for _, record in sorted(read_records(vault, pieces).items())]


def tokens_of(chunk: ChunkDoc, language: int) -> list[str]:
    """Return the words of a passage as Milvus is given them: each as it stands, and its stem."""
    found: list[str] = []
    for stream in STREAMS:
        for run in runs(getattr(chunk, stream)):
            for term, stem in _analysed(run, language):
                found += (token("e", term), token("s", stem))
    return found


@lru_cache(maxsize=1 << 16)
def _analysed(run: str, language: int) -> tuple[tuple[str, str], ...]:
    pieces = atoms(run)
    stems = stem_all([atom.raw for atom in pieces], language)
    return tuple((atom.term, stem) for atom, stem in zip(pieces, stems, strict=True))


def query_tokens(words: Sequence[Word]) -> list[str]:
    """Return the words that rank a question in the same form, in every language that it may be in."""
    found: dict[str, None] = {}
    for term in distinct_terms(words):
        found[token("e", term.exact)] = None
        found.update(dict.fromkeys(token("s", stem) for stem in term.stems))
    return list(found)


def token(kind: str, word: str) -> str:
    """Return a word in letters and digits alone, so that Milvus's own tokenizer keeps it as it is."""
    plain = word if word.isascii() and word.isalnum() else "x" + word.encode("utf-8", "replace").hex()
    return (kind + plain.lower())[:MOST_TOKEN]
