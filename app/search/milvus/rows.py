"""Rows of a database: notes, there and back, and what is known of a vault as a whole."""

import base64
import json
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from app.search.index.documents import LINK, NAME
from app.search.lexical.analysis import atoms, fold, runs
from app.search.lexical.bm25 import Word, distinct_terms
from app.search.lexical.language import note_language, stem_all
from app.search.lexical.schema import STREAMS, ChunkDoc, NoteDoc
from app.search.milvus.conditions import MOST_TERM_BYTES, cut, quote
from app.search.milvus.database import MOST_BYTES, MOST_TERMS, NOTES, PASSAGES, RECORDS, Row, Vault
from app.search.vectors.faiss_index import Rows

PIECE_CHARS = 60_000
"""A longer record takes several rows."""
MOST_TOKEN = 100
"""Letters of a token as Milvus is given it."""
_ASKED = ("tag:", "property:", "tasks:", LINK, NAME)
"""What the terms begin with that conditions ask for."""
HEAD = "head"
NoteDocs = tuple[NoteDoc, list[ChunkDoc]]
Windows = Callable[[int], Rows]
"""Returns the vectors of a passage by the hash of its text."""


class Kept(NamedTuple):
    """What an index keeps of a note, and its vectors as bytes, with the collection that they belong to."""

    note: NoteDoc
    chunks: list[ChunkDoc]
    kind: str
    vectors: bytes


class Head(NamedTuple):
    """What is known of a vault as a whole: whatever needs more than the notes at hand is told by it.

    ``notes`` maps the path of each note to why no search shows it, empty where all do. ``terms`` are the
    properties and tags there are, and ``aliases`` map other names to paths. ``languages`` counts the notes in
    each language, the most frequent first, and ``words`` the passages that have each folded word, 0 for what
    is the stem of one alone. ``rest`` is how many notes were still to be brought, ``kind`` the collection of
    vectors, empty without a model, and ``share`` the share of passages that have some.
    """

    vault: bytes
    notes: Mapping[str, str]
    terms: Sequence[str]
    aliases: Mapping[str, str]
    languages: Sequence[tuple[int, int]]
    words: Mapping[str, int]
    chunks: int
    rest: int
    kind: str
    share: float


def record_rows(vault: Vault, name: str, digest: str, value: object) -> list[Row]:
    """Return a value as rows that `read_records` finds by its name; bytes in it become texts."""
    data = json.dumps(value, default=bytes.decode).encode()
    text = base64.b85encode(zlib.compress(data)).decode()
    pieces = [text[at : at + PIECE_CHARS] for at in range(0, len(text), PIECE_CHARS)]
    whole = {"name": vault.id_of(name), "path": name, "digest": digest, "pieces": len(pieces)}
    return [
        {**whole, "id": vault.id_of(name, digest, number), "piece": number, "blob": piece}
        for number, piece in enumerate(pieces)
    ]


def read_records(vault: Vault, names: Iterable[str]) -> dict[str, Any]:
    """Return values by their names; of two, the one with the later digest, and none that is not whole."""
    keys = {vault.id_of(name): name for name in names}
    found: dict[tuple[str, str], list[Row]] = {}
    for row in vault.by_key(RECORDS, "name", [*keys], ["name", "digest", "pieces", "piece", "blob"]):
        found.setdefault((row["digest"], keys[row["name"]]), []).append(row)
    texts = {
        name: "".join(row["blob"] for row in sorted(rows, key=lambda row: int(row["piece"])))
        for (_, name), rows in sorted(found.items())
        if len(rows) == rows[0]["pieces"]
    }
    return {name: json.loads(zlib.decompress(base64.b85decode(text))) for name, text in texts.items()}


def last_state(vault: Vault) -> str:
    """Return the name of a vault's last state; empty where there is none."""
    rows = vault.by_key(RECORDS, "name", [vault.id_of(HEAD)], ["digest"])
    return max((row["digest"] for row in rows), default="")


def read_head(vault: Vault) -> Head | None:
    """Return the head of a vault's last state; None where there is none."""
    heads = (Head(*fields) for fields in read_records(vault, [HEAD]).values())
    return next((head._replace(vault=str(head.vault).encode()) for head in heads), None)


def write_head(vault: Vault, head: Head) -> None:
    """Let a state take the place of the last one."""
    state = f"{time.time_ns():020}"
    vault.upsert(RECORDS, record_rows(vault, HEAD, state, head))
    vault.delete(RECORDS, [HEAD], f"digest != {quote(state)}")


def rows_of(vault: Vault, docs: NoteDocs, digest: str, kind: str, windows: Windows) -> dict[str, list[Row]]:
    """Return the rows of a note by their collections; ``kind`` is that of its vectors."""
    note, chunks = docs
    terms = [cut(term, MOST_TERM_BYTES) for term in note.terms if term.startswith(_ASKED)]
    plain, days = fold(note.text), [chunk.day for chunk in chunks if chunk.day]
    is_cut = len(terms) > MOST_TERMS or cut(plain, MOST_BYTES) != plain
    row: Row = {
        "id": vault.id_of(note.path),
        "path": note.path,
        "name": cut(fold(note.path), MOST_BYTES),
        "terms": terms[:MOST_TERMS],
        "created": note.created,
        "modified": note.modified,
        "day": min(days, default=0),
        "last_day": max(days, default=0),
        "digest": digest,
        "cut": int(is_cut),
        "hidden": int(any(term.startswith("hidden:") for term in note.terms)),
    }
    language = note_language({run for chunk in chunks for run in _words(chunk)})
    passages, meanings, tables = list[Row](), list[Row](), list[bytes]()
    for number, chunk in enumerate(chunks):
        own = row | {"id": vault.id_of(note.path, number)} | dict.fromkeys(("day", "last_day"), chunk.day)
        lex = " ".join(_tokens(run, language) for run in _words(chunk))
        passages.append(own | {"lex": cut(lex, MOST_BYTES) or "empty"})
        if len(table := windows(chunk.text_hash)):
            meanings.append(own | {"dense": table["vector"].mean(axis=0, dtype=np.float32).tolist()})
            tables.append(table.tobytes())
    vectors = base64.b85encode(b"".join(tables)).decode()
    record = record_rows(vault, note.path, digest, Kept(note, chunks, kind, vectors.encode()))
    found = {RECORDS: record, PASSAGES: passages, NOTES: [row | {"plain": cut(plain, MOST_BYTES)}]}
    return found | ({kind: meanings} if meanings else {})


def read_notes(vault: Vault, paths: Iterable[str]) -> list[Kept]:
    """Return some notes, in the order of their paths; those that are not there are left out."""
    found = []
    for _, (fields, rows, kind, vectors) in sorted(read_records(vault, paths).items()):
        note = NoteDoc(*fields)
        note = note._replace(terms=tuple(note.terms), data=str(note.data).encode())
        found.append(Kept(note, [ChunkDoc(*row) for row in rows], kind, base64.b85decode(vectors)))
    return found


def query_tokens(words: Sequence[Word]) -> str:
    """Return the words that rank a question as Milvus is given them, with their stems in each language."""
    found: dict[str, None] = {}
    for term in distinct_terms(words):
        found |= dict.fromkeys([_token("e", term.exact), *(_token("s", stem) for stem in term.stems)])
        found |= {_token("a", term.exact): None} if term.accented else {}
    return " ".join(found)


def _words(chunk: ChunkDoc) -> list[str]:
    return [run for stream in STREAMS for run in runs(getattr(chunk, stream))]


@lru_cache(maxsize=1 << 16)
def _tokens(run: str, language: int) -> str:
    """Return the words of a run as Milvus is given them: each folded, its stem, and that it has accents."""
    found: list[str] = []
    for atom in atoms(run):
        [stem] = stem_all([atom.raw], language)
        has_accents = atom.term.isascii() and not atom.raw.isascii()
        found += [_token("e", atom.term), _token("s", stem), *[_token("a", atom.term)] * has_accents]
    return " ".join(found)


def _token(kind: str, word: str) -> str:
    """Return a word in letters and digits alone, so that Milvus's own tokenizer keeps it as it is."""
    plain = word if word.isascii() and word.isalnum() else "x" + word.encode("utf-8", "replace").hex()
    return (kind + plain.lower())[:MOST_TOKEN]
