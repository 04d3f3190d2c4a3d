"""Notes as rows of a database, and rows as notes: all that an index keeps of them goes there and back."""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.search.index.chunk import split_lines
from app.search.index.documents import query_text
from app.search.lexical.analysis import atoms, fold, runs
from app.search.lexical.bm25 import Word, distinct_terms
from app.search.lexical.fields import STREAMS, ChunkDoc, NoteDoc
from app.search.lexical.language import note_language, stem_all
from app.search.milvus.database import MOST_BYTES, MOST_TERMS, NOTES, Row, Vault, cut
from app.search.milvus.expression import term_key
from app.search.milvus.narrow import day_of
from app.vault.paths import path_key

BLOB_CHARS = 60_000
"""A longer record takes several rows."""
MOST_TOKEN = 100
"""Letters of a token as Milvus is given it."""
_LEFT_OUT = ("accented:", "name:", "alias:", "value:", "long:", "null:", "hidden:")
"""Terms that no expression asks for."""

NoteDocs = tuple[NoteDoc, list[ChunkDoc]]


def packed(data: bytes) -> list[str]:
    """Return bytes as texts, none too long for one row."""
    text = base64.b85encode(zlib.compress(data, 6)).decode("ascii")
    return [text[at : at + BLOB_CHARS] for at in range(0, len(text), BLOB_CHARS)] or [""]


def unpacked(texts: Sequence[str]) -> bytes:
    """Read bytes back from `packed`."""
    return zlib.decompress(base64.b85decode("".join(texts)))


def digest_of(documents: NoteDocs) -> str:
    """Return the hash of all that is kept of a note, but what differs from machine to machine."""
    note, chunks = documents
    fields = {**_fields(note), "size": 0, "mtime_ns": 0}
    data = json.dumps([fields, [_fields(chunk) for chunk in chunks]], ensure_ascii=False)
    return hashlib.blake2b(data.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _fields(document: NoteDoc | ChunkDoc) -> dict[str, Any]:
    return {**document._asdict(), "data": document.data.decode("utf-8", "surrogatepass")}


@dataclass(frozen=True, slots=True)
class NoteRows:
    """The rows of one note: itself, in as many as it needs, and its passages."""

    id: str
    digest: str
    notes: list[Row]
    passages: list[Row]


def rows_of(vault: Vault, documents: NoteDocs) -> NoteRows:
    """Return the rows of a note."""
    note, chunks = documents
    digest, note_id = digest_of(documents), vault.id_of(note.path)
    terms = [term_key(term) for term in note.terms if not term.startswith(_LEFT_OUT)]
    is_cut = len(terms) > MOST_TERMS
    common: Row = {
        "note": note_id,
        "path": cut(note.path),
        "key": cut(path_key(note.path)),
        "name": cut(fold(note.path)),
        "terms": terms[:MOST_TERMS],
        "created_day": day_of(note.created),
        "modified_day": day_of(note.modified),
        "cut": int(is_cut),
        "hidden": int(any(term.startswith("hidden:") for term in note.terms)),
        "day": 0,
    }
    texts = packed(_dump(note, chunks))
    notes: list[Row] = []
    for part, text in enumerate(texts):
        # Only the first row of a note is looked for; the others hold the rest of its record.
        own = common if part == 0 else {**common, "terms": [], "key": "", "name": ""}
        notes.append(
            {
                **own,
                "id": part_id(note_id, part),
                "created": note.created,
                "modified": note.modified,
                "part": part,
                "parts": len(texts),
                "chunks": len(chunks),
                "digest": digest,
                "record": text,
            }
        )
    language = note_language(
        {run for chunk in chunks for stream in STREAMS for run in runs(getattr(chunk, stream))}
    )
    passages: list[Row] = []
    for number, chunk in enumerate(chunks):
        plain, lex = fold(chunk.body), " ".join(tokens_of(chunk, language))
        too_long = max(len(plain.encode("utf-8", "replace")), len(lex)) > MOST_BYTES
        passages.append(
            {
                **common,
                "id": passage_id(note_id, number),
                "day": chunk.day,
                "cut": int(is_cut or too_long),
                "plain": cut(plain),
                "lex": cut(lex) or "empty",
            }
        )
    return NoteRows(note_id, digest, notes, passages)


def part_id(note_id: str, part: int) -> str:
    """Return the id of a row of a note."""
    return f"{note_id}-{part}"


def passage_id(note_id: str, number: int) -> str:
    """Return the id of the row of a passage."""
    return f"{note_id}-{number}"


def tokens_id(vault: Vault, text_hash: str, window: int) -> str:
    """Return the id of the token vectors of a window, which passages of the same text share."""
    return vault.id_of("tokens", text_hash, window)


def tokens_row(row_id: str, tokens: NDArray[np.int8]) -> Row:
    """Return the row of the token vectors of a window, of shape (its tokens, token dimension)."""
    most = MOST_BYTES * 4 // 5 // tokens.shape[1]
    return {"id": row_id, "tokens": base64.b85encode(tokens[:most].tobytes()).decode("ascii")}


def tokens_from(row: Row, dimension: int) -> NDArray[np.int8]:
    """Read token vectors back from their row."""
    return np.frombuffer(base64.b85decode(row["tokens"]), np.int8).reshape(-1, dimension)


def _dump(note: NoteDoc, chunks: Sequence[ChunkDoc]) -> bytes:
    lines = split_lines(note.text)
    rows = []
    for chunk in chunks:
        row = _fields(chunk)
        # The lines of a passage stand in its note, unless that is kept in another form.
        if query_text(row["body"]) == "\n".join(lines[chunk.start - 1 : chunk.end]):
            row["body"] = None
        rows.append(row)
    return json.dumps([_fields(note), rows], ensure_ascii=False).encode("utf-8", "surrogatepass")


def documents_from(texts: Sequence[str]) -> NoteDocs:
    """Read a note back from the records of its rows, in order."""
    fields, rows = json.loads(unpacked(texts).decode("utf-8", "surrogatepass"))
    note = NoteDoc(**_typed(fields, ("terms", "line_hashes")))
    lines = split_lines(note.text)
    chunks = []
    for row in rows:
        if row["body"] is None:
            row["body"] = "\n".join(lines[row["start"] - 1 : row["end"]])
        chunks.append(ChunkDoc(**_typed(row)))
    return note, chunks


def first_rows(vault: Vault, notes: Iterable[str], fields: Sequence[str]) -> list[Row]:
    """Return of some notes, by their ids, the row that says all but the rest of a long record."""
    return vault.by_id(NOTES, [part_id(note, 0) for note in notes], fields)


def read_notes(vault: Vault, notes: Iterable[str]) -> dict[tuple[str, str], NoteDocs]:
    """Return notes by path and digest; one that is being written is read once more, or left out."""
    fields = ["note", "path", "part", "parts", "digest", "record"]
    rows = first_rows(vault, notes, fields)
    more = [part_id(row["note"], part) for row in rows for part in range(1, row["parts"])]
    records: dict[tuple[str, str], dict[int, str]] = {}
    wanted = {(row["path"], row["digest"]): row["parts"] for row in rows}
    for row in [*rows, *vault.by_id(NOTES, more, fields)]:
        records.setdefault((row["path"], row["digest"]), {})[row["part"]] = row["record"]
    return {
        key: documents_from([records[key][part] for part in range(parts)])
        for key, parts in wanted.items()
        if len(records[key]) >= parts
    }


def _typed(fields: Mapping[str, Any], tuples: Sequence[str] = ()) -> dict[str, Any]:
    return {
        **fields,
        "data": fields["data"].encode("utf-8", "surrogatepass"),
        **{name: tuple(fields[name]) for name in tuples},
    }


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
