"""What is known of a vault in Milvus as a whole: paths of its notes, numbers of its words, its files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.errors import SearchError
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.statistics import Statistics, WordCounts
from app.search.milvus.database import RECORDS, Vault
from app.search.milvus.expression import quote
from app.search.milvus.rows import as_bytes, dumped, read_records, record_rows
from app.search.vectors.by_chunk import Background

ATTEMPTS = 3
HEAD, META = "head", ("meta", "")


@dataclass(frozen=True, slots=True)
class Meta:
    """The row that everything else hangs on: written last, so that a reader finds all or nothing of a state.

    ``generation`` names the state; ``pieces`` counts the rows of its `Head`; ``rest`` counts the notes that
    were still to be brought when it was written. ``vectors`` names the collection of the vectors, empty
    without a model, and ``tokens`` says whether token vectors were brought with them. ``share`` says
    how many passages have vectors, 0 to 1, and ``background`` is what cosines are by chance, as it was
    measured where they were made.
    """

    generation: str = ""
    pieces: int = 0
    notes: int = 0
    chunks: int = 0
    rest: int = 0
    vectors: str = ""
    tokens: bool = False
    share: float = 0.0
    background: Background | None = None


class Head(NamedTuple):
    """All that ranking and the reading of queries need to know of the notes that are not at hand.

    ``notes`` maps the path of each note to why no search shows it, empty where all do. ``terms`` are the
    properties and tags there are, ``aliases`` map other names to paths, and ``shared`` are the hashes of the
    lines that many notes have.
    """

    vault_data: bytes
    notes: Mapping[str, str]
    terms: Sequence[str]
    aliases: Mapping[str, str]
    shared: frozenset[int]
    statistics: Statistics


def head_of(snapshot: VaultSnapshot) -> Head:
    """Gather it from an index on this machine."""
    known = [*snapshot.lexical.terms("property:"), *snapshot.lexical.terms("tag:")]
    terms = [term for term in known if snapshot.shows_term(term)]
    return Head(
        snapshot.lexical.vault_data,
        {path: snapshot.hidden.get(path, "") for path in snapshot.note_paths},
        terms,
        snapshot.aliases(),
        snapshot.shared_lines,
        snapshot.lexical.statistics(),
    )


def write_head(vault: Vault, head: Head, meta: Meta) -> None:
    """Write a state, let it take the place of the one before, and remove that."""
    rows = record_rows(vault, (HEAD, meta.generation), dumped(head))
    meta = replace(meta, pieces=len(rows))
    vault.upsert(RECORDS, rows)
    vault.upsert(RECORDS, record_rows(vault, META, dumped(asdict(meta))))
    vault.delete(RECORDS, "path", [HEAD], f"digest != {quote(meta.generation)}")


def read_meta(vault: Vault) -> Meta | None:
    """Return the state of a vault; None where it was never brought there, or by another version."""
    found = read_records(vault, {META: 1})
    if not found:
        return None
    fields = json.loads(found[META])
    background = fields.pop("background")
    return Meta(**fields, background=Background(**background) if background else None)


def read_head(vault: Vault, meta: Meta) -> tuple[Meta, Head]:
    """Return the head of a state, or of the one that has just taken its place.

    Raises:
        SearchError: it is not there whole.
    """
    for _ in range(ATTEMPTS):
        for record in read_records(vault, {(HEAD, meta.generation): meta.pieces}).values():
            return meta, _load(record)
        meta = read_meta(vault) or meta
    raise SearchError(
        "the vault '{name}' is not whole in Milvus at '{uri}'",
        "bring it there with `index`",
        name=vault.name,
        uri=vault.uri,
    )


def _load(record: bytes) -> Head:
    data, *known, shared, (languages, notes, chunks, filled, lengths, words) = json.loads(record)
    statistics = Statistics(
        tuple(languages),
        _numbers(notes),
        _numbers(chunks),
        {stream: _numbers(counts) for stream, counts in filled.items()},
        {stream: _numbers(counts) for stream, counts in lengths.items()},
        {
            field: WordCounts(list(map(as_bytes, terms)), _numbers(counts).reshape(-1, len(languages)))
            for field, (terms, counts) in words.items()
        },
    )
    return Head._make([as_bytes(data), *known, frozenset(shared), statistics])


def _numbers(values: Any) -> NDArray[np.int64]:  # noqa: ANN401 - as JSON gives them
    return np.array(values, np.int64)
