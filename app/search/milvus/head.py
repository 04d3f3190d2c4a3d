"""What is known of a vault in Milvus as a whole: paths of its notes, numbers of its words, its files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property

import numpy as np

from app.errors import SearchError
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.statistics import Statistics, WordCounts
from app.search.milvus.database import HEADS, Row, Vault
from app.search.milvus.rows import packed, unpacked
from app.search.vectors.by_chunk import Background

ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Meta:
    """The row that everything else hangs on: written last, so that a reader finds all or nothing of a state.

    ``generation`` names the state; ``parts`` counts the rows of its `Head`; ``rest`` counts the notes that
    were still to be brought when it was written. ``vectors`` names the collection of the vectors, empty
    without a model, and ``tokens`` that of the token vectors, empty where none were brought. ``share`` says
    how many passages have vectors, 0 to 1, and ``background`` is what cosines are by chance, as it was
    measured where they were made.
    """

    generation: str = ""
    parts: int = 0
    notes: int = 0
    chunks: int = 0
    rest: int = 0
    vectors: str = ""
    tokens: str = ""
    share: float = 0.0
    background: Background | None = None


@dataclass(frozen=True)
class Head:
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

    @cached_property
    def shown(self) -> Sequence[str]:
        """Paths of the notes that a search may show."""
        return [path for path, hidden in self.notes.items() if not hidden]


def head_of(snapshot: VaultSnapshot) -> Head:
    """Gather it from an index on this machine."""
    hidden = {
        doc: term.removeprefix("hidden:")
        for term in ("hidden:excluded", "hidden:left-out")
        for doc in snapshot.lexical.docs_with(term).tolist()
    }
    known = [*snapshot.lexical.terms("property:"), *snapshot.lexical.terms("tag:")]
    terms = [term for term in known if snapshot.shows_term(term)]
    return Head(
        snapshot.lexical.vault_data,
        {path: hidden.get(doc, "") for path, doc in snapshot.lexical.paths().items()},
        terms,
        snapshot.aliases(),
        snapshot.shared_lines,
        snapshot.lexical.statistics(),
    )


def write_head(vault: Vault, head: Head, meta: Meta, before: Meta) -> None:
    """Write a state, let it take the place of the one before, and remove that."""
    texts = packed(_dump(head))
    meta = replace(meta, parts=len(texts))
    vault.upsert(HEADS, list(map(_row, _ids(vault, meta), texts)))
    vault.upsert(HEADS, [_row(vault.id_of("meta"), json.dumps(asdict(meta)))])
    vault.delete(HEADS, _ids(vault, before))


def _ids(vault: Vault, meta: Meta) -> list[str]:
    return [vault.id_of("head", meta.generation, part) for part in range(meta.parts)]


def _row(row_id: str, blob: str) -> Row:
    return {"id": row_id, "blob": blob, "until": 0.0}


def read_meta(vault: Vault) -> Meta | None:
    """Return the state of a vault; None where it was never brought there, or by another version."""
    rows = vault.by_id(HEADS, [vault.id_of("meta")], ["blob"])
    if not rows:
        return None
    fields = json.loads(rows[0]["blob"])
    background = fields.pop("background")
    return Meta(**fields, background=Background(**background) if background else None)


def read_head(vault: Vault, meta: Meta) -> tuple[Meta, Head]:
    """Return the head of a state, or of the one that has just taken its place.

    Raises:
        SearchError: it is not there whole.
    """
    for _ in range(ATTEMPTS):
        ids = _ids(vault, meta)
        found = {row["id"]: row["blob"] for row in vault.by_id(HEADS, ids, ["id", "blob"])}
        if len(found) == len(ids):
            return meta, _load([found[one] for one in ids])
        meta = read_meta(vault) or meta
    raise SearchError(
        "the vault '{name}' is not whole in Milvus at '{uri}'",
        "bring it there with `index`",
        name=vault.name,
        uri=vault.uri,
    )


def _dump(head: Head) -> bytes:
    known = head.statistics
    words = {
        field: [b"\n".join(table.terms).decode("utf-8", "surrogatepass"), table.counts.ravel()]
        for field, table in known.words.items()
    }
    numbers = [known.languages, known.notes, known.chunks, dict(known.filled), dict(known.lengths), words]
    data = head.vault_data.decode("utf-8", "surrogatepass")
    fields = [data, dict(head.notes), list(head.terms), dict(head.aliases), sorted(head.shared), numbers]
    text = json.dumps(fields, ensure_ascii=False, default=np.ndarray.tolist)
    return text.encode("utf-8", "surrogatepass")


def _load(texts: Sequence[str]) -> Head:
    fields = json.loads(unpacked(texts).decode("utf-8", "surrogatepass"))
    data, notes, terms, aliases, shared, (languages, of_notes, of_chunks, filled, lengths, words) = fields
    statistics = Statistics(
        tuple(languages),
        np.array(of_notes, np.int64),
        np.array(of_chunks, np.int64),
        {stream: np.array(counts, np.int64) for stream, counts in filled.items()},
        {stream: np.array(counts, np.int64) for stream, counts in lengths.items()},
        {
            field: WordCounts(
                names.encode("utf-8", "surrogatepass").split(b"\n") if counts else [],
                np.array(counts, np.int64).reshape(-1, len(languages)),
            )
            for field, (names, counts) in words.items()
        },
    )
    return Head(data.encode("utf-8", "surrogatepass"), notes, terms, aliases, frozenset(shared), statistics)
