"""What is known of a vault in Milvus as a whole: its files and notes, how many passages have a word."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

from app.errors import SearchError
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.schema import STREAMS, stem_field
from app.search.milvus.database import RECORDS, Vault
from app.search.milvus.expression import quote
from app.search.milvus.rows import as_bytes, dumped, read_records, record_rows
from app.search.vectors.faiss_index import Background

ATTEMPTS = 3
HEAD, META = "head", ("meta", "")


@dataclass(frozen=True, slots=True)
class Meta:
    """The row that everything else hangs on: written last, so that a reader finds all or nothing of a state.

    ``generation`` names the state; ``pieces`` counts the rows of its `Head`; ``rest`` counts the notes that
    were still to be brought when it was written. ``vectors`` names the collection of the vectors, empty
    without a model. ``share`` says how many passages have vectors, 0 to 1, and ``background`` is what cosines
    are by chance, as it was measured where they were made.
    """

    generation: str = ""
    pieces: int = 0
    notes: int = 0
    chunks: int = 0
    rest: int = 0
    vectors: str = ""
    share: float = 0.0
    background: Background | None = None


class Head(NamedTuple):
    """All that the reading of queries, and what a word is worth, need of the notes that are not at hand.

    ``notes`` maps the path of each note to why no search shows it, empty where all do. ``terms`` are the
    properties and tags there are, ``aliases`` map other names to paths, and ``shared`` are the hashes of the
    lines that many notes have. ``languages`` counts the notes in each language, the most frequent first, and
    ``words`` the passages that have each folded word, 0 for what is the stem of one alone.
    """

    vault_data: bytes
    notes: Mapping[str, str]
    terms: Sequence[str]
    aliases: Mapping[str, str]
    shared: Sequence[int]
    languages: Sequence[tuple[int, int]]
    chunks: int
    words: Mapping[str, int]


def head_of(snapshot: VaultSnapshot) -> Head:
    """Gather it from an index on this machine."""
    lexical = snapshot.lexical
    live = lexical.chunks.astype(int)
    words = {stem: 0 for stream in STREAMS for stem in lexical.tally("", live, stem_field(stream))}
    for stream in STREAMS:
        for word, count in lexical.tally("", live, stream).items():
            words[word] = max(count, words.get(word, 0))
    known = [*lexical.terms("property:"), *lexical.terms("tag:")]
    return Head(
        lexical.vault_data,
        {path: snapshot.hidden.get(path, "") for path in snapshot.note_paths},
        [term for term in known if snapshot.shows_term(term)],
        snapshot.aliases(),
        sorted(snapshot.shared_lines),
        [*lexical.language_counts.items()],
        int(lexical.chunks.sum()),
        words,
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
            data, *known = json.loads(record)
            return meta, Head._make([as_bytes(data), *known])
        meta = read_meta(vault) or meta
    raise SearchError(
        "the vault '{name}' is not whole in Milvus at '{uri}'",
        "bring it there with `index`",
        name=vault.name,
        uri=vault.uri,
    )
