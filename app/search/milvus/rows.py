"""Notes as rows of a database, and rows as notes: all that an index keeps of them goes there and back."""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from app.search.index.documents import SECONDS_A_DAY
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
    same = dumped((note._replace(mtime_ns=0), chunks))
    digest = hashlib.blake2b(same, digest_size=16).hexdigest()
    record = record_rows(vault, (note.path, digest), dumped(documents))
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


def dumped(value: object) -> bytes:
    """Return a value as JSON, with bytes as texts."""

    def plain(value: bytes) -> str:
        return value.decode("utf-8", "surrogatepass")

    return json.dumps(value, ensure_ascii=False, default=plain).encode("utf-8", "surrogatepass")


def as_bytes(text: str) -> bytes:
    """Read bytes back from `dumped`."""
    return text.encode("utf-8", "surrogatepass")


def documents_from(record: bytes) -> NoteDocs:
    """Read a note back from its record."""
    fields, rows = json.loads(record)
    note, chunks = NoteDoc._make(fields), [ChunkDoc._make(row) for row in rows]
    note = note._replace(terms=tuple(note.terms), data=as_bytes(str(note.data)))
    return note, [chunk._replace(data=as_bytes(str(chunk.data))) for chunk in chunks]


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
    """Return the words of a passage as Milvus is given them: each folded, as it has accents, and its stem."""
    found: list[str] = []
    for stream in STREAMS:
        for run in runs(getattr(chunk, stream)):
            for term, stem, accented in _analysed(run, language):
                found += (token("e", term), token("s", stem), *([token("a", term)] if accented else []))
    return found


@lru_cache(maxsize=1 << 16)
def _analysed(run: str, language: int) -> tuple[tuple[str, str, bool], ...]:
    pieces = atoms(run)
    stems = stem_all([atom.raw for atom in pieces], language)
    accented = [atom.term.isascii() and not atom.raw.isascii() for atom in pieces]
    return tuple(zip([atom.term for atom in pieces], stems, accented, strict=True))


def query_tokens(words: Sequence[Word]) -> list[str]:
    """Return the words that rank a question in the same form, in every language that it may be in."""
    found: dict[str, None] = {}
    for term in distinct_terms(words):
        found[token("e", term.exact)] = None
        found.update({token("a", term.exact): None} if term.accented else {})
        found.update(dict.fromkeys(token("s", stem) for stem in term.stems))
    return list(found)


def token(kind: str, word: str) -> str:
    """Return a word in letters and digits alone, so that Milvus's own tokenizer keeps it as it is."""
    plain = word if word.isascii() and word.isalnum() else "x" + word.encode("utf-8", "replace").hex()
    return (kind + plain.lower())[:MOST_TOKEN]
