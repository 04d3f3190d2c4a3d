"""A Milvus database: its collections, and one vault in them, beyond which nothing is read or written."""

import contextlib
import hashlib
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, Final, TypeVar

from app.errors import EngineMissingError, SearchError
from app.search.milvus.expression import MOST_TERM_BYTES, among, quote

INSTALL = "install the extra 'milvus': pip install 'vault-assistant[milvus]', or '.[milvus]' in a clone"
SECONDS: Final = 30.0
"""Longest wait for one answer of the database."""
MOST_BYTES: Final = 65_535
"""Bytes of one text in Milvus."""
MOST_TERMS: Final = 1024
BATCH_BYTES: Final = 8 << 20
"""Bytes of rows that are sent at once, about."""
BATCH_ROWS: Final = 500
PAGE: Final = 5000
"""Rows that are read at once where all are wanted."""
OPTIONS: Final = {
    # Some servers end a connection that asks whether it lives while nothing is asked of it.
    "grpc.keepalive_permit_without_calls": False,
    "grpc.keepalive_time_ms": 60_000,
    # A server that was started again is found within a second.
    "grpc.max_reconnect_backoff_ms": 1000,
}
MANY_ROWS: Final = 1000
"""So many rows are worth being indexed at once."""
FORMAT: Final = 3
"""Raised whenever what the rows hold changes: they then lie in collections of their own."""
Row = dict[str, Any]
T = TypeVar("T")

NOTES, PASSAGES, HEADS, VECTORS, TOKENS = "notes", "passages", "heads", "vectors", "tokens"
"""Notes with all that an index keeps of them; their words; what is known of a vault as a whole; vectors, and
those of single tokens."""


@lru_cache(maxsize=8)
def connect(uri: str, token: str) -> Any:  # noqa: ANN401 - the library's client, which is not typed
    """Return the client of a database, one for each address.

    Raises:
        EngineMissingError: the extra is not installed.
        SearchError: nothing answers there.
    """
    try:
        from pymilvus import MilvusClient
    except ImportError as error:
        raise EngineMissingError("engine 'milvus' needs the package pymilvus", INSTALL) from error
    # It logs a traceback for every call that is refused; what was refused is said in an error of ours.
    for name in ("pymilvus", "milvus_lite", "grpc"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with said(uri):
        return MilvusClient(uri, token=token, timeout=SECONDS, grpc_options=OPTIONS)


def failures() -> tuple[type[Exception], ...]:
    """Return what the client raises for a call that failed."""
    from grpc import RpcError
    from pymilvus.exceptions import MilvusException

    # The last ones are raised where a connection breaks in the middle of a call.
    return MilvusException, RpcError, OSError, RuntimeError, ValueError


@contextlib.contextmanager
def said(uri: str) -> Iterator[None]:
    """Turn whatever the client raises into one line that names the address."""
    try:
        yield
    except failures() as error:
        details = getattr(error, "details", None)
        reason = details() if callable(details) else getattr(error, "message", "") or error
        raise SearchError(
            "Milvus at '{uri}' did not answer: {reason}",
            "see that it runs there, or set engine 'local'",
            uri=uri,
            reason=" ".join(str(reason).split())[:200],
        ) from error


class Vault:
    """The rows of one vault in the collections of a database.

    Each reading carries the vault's own condition, which is put in here and nowhere else, and each row that
    comes back is looked at once more.

    Args:
        uri: Where the database is.
        token: What it asks for, or nothing.
        prefix: What the names of its collections start with.
        name: The vault's name there.
    """

    def __init__(self, uri: str, token: str, prefix: str, name: str) -> None:
        self.uri, self.name, self._prefix, self._token = uri, name, prefix, token
        self.key = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=12).hexdigest()
        self._there: set[str] = set()
        self._written: Counter[str] = Counter()

    @property
    def _client(self) -> Any:  # noqa: ANN401 - the library's client, which is not typed
        return connect(self.uri, self._token)

    def _condition(self, filter_: str) -> str:
        """Return a condition within this vault."""
        own = f"vault == {quote(self.key)}"
        return f"{own} and ({filter_})" if filter_ else own

    def _own(self, rows: Sequence[Row]) -> list[Row]:
        """Keep the rows of this vault, whatever the database gave."""
        return [dict(row) for row in rows if row.get("vault") == self.key]

    def collection(self, kind: str) -> str:
        """Return the name of a collection."""
        return f"{self._prefix}_{FORMAT}_{kind}"

    def has(self, kind: str) -> bool:
        """Return whether a collection is there."""
        with said(self.uri):
            if kind not in self._there and self._client.has_collection(
                self.collection(kind), timeout=SECONDS
            ):
                self._client.load_collection(self.collection(kind), timeout=SECONDS)
                self._there.add(kind)
        return kind in self._there

    def kinds(self, start: str) -> list[str]:
        """List the collections whose kind starts so: those of all models, in no order."""
        with said(self.uri):
            names = self._client.list_collections(timeout=SECONDS)
        before = self.collection("")
        return [name.removeprefix(before) for name in names if name.startswith(before + start)]

    def make(self, kind: str, dimension: int = 2) -> None:
        """Make a collection where it is not there yet."""
        if self.has(kind):
            return
        with said(self.uri):
            schema, index = _layout(self._client, kind, dimension)
            try:
                self._client.create_collection(
                    self.collection(kind), schema=schema, index_params=index, consistency_level="Strong",
                    timeout=SECONDS,
                )  # fmt: skip
            except failures():
                # Another machine may have made it in the same moment.
                if not self._client.has_collection(self.collection(kind), timeout=SECONDS):
                    raise
        self.has(kind)

    def _ask(self, kind: str, method: str, *given: object, **more: object) -> Any:  # noqa: ANN401 - as above
        """Ask something of a collection; a server that was started again is first asked to load it."""
        with said(self.uri):
            call = partial(
                getattr(self._client, method), self.collection(kind), *given, timeout=SECONDS, **more
            )
            try:
                return call()
            except failures():
                if kind not in self._there:
                    raise
                self._there.discard(kind)
                if not self.has(kind):
                    raise
                return call()

    def by_id(self, kind: str, ids: Sequence[str], fields: Sequence[str]) -> list[Row]:
        """Return the rows of some ids, in no order; those that are not there are left out."""
        found: list[Row] = []
        for some in batched(ids, BATCH_ROWS) if self.has(kind) else ():
            found += self._ask(kind, "get", list(some), output_fields=["vault", *fields])
        return self._own(found)

    def query(self, kind: str, filter_: str, fields: Sequence[str], most: int | None = None) -> list[Row]:
        """Return the rows that meet a condition, in no order: all, or so many at most."""
        if not self.has(kind):
            return []
        asked = {"filter": self._condition(filter_), "output_fields": ["vault", *fields]}
        limit = PAGE if most is None else min(most, PAGE)
        rows = self._ask(kind, "query", limit=limit, **asked)
        if len(rows) == limit != most:
            # An iterator asks three times and more, so it is kept for what one answer does not hold.
            pages = self._ask(kind, "query_iterator", batch_size=PAGE, limit=most or -1, **asked)
            with said(self.uri), contextlib.closing(pages):
                rows = [row for page in iter(pages.next, []) for row in page]
        return self._own(rows)

    def nearest(
        self, kind: str, field: str, data: str | Sequence[float], filter_: str, most: int
    ) -> list[str]:
        """Return the notes of the rows that are nearest to a text of words or to a vector, best first.

        Scores of BM25 have another sign in Milvus Lite than in Milvus: what counts is the order.
        """
        if not self.has(kind):
            return []
        [hits] = self._ask(
            kind, "search", data=[data if isinstance(data, str) else list(data)], anns_field=field,
            limit=most, filter=self._condition(filter_), output_fields=["vault", "note"],
        )  # fmt: skip
        return [row["note"] for row in self._own([hit["entity"] for hit in hits])]

    def upsert(self, kind: str, rows: Sequence[Row]) -> None:
        """Write rows of this vault; those of the same ids are replaced."""
        # Every collection needs a vector, also where none is looked for.
        nowhere = {} if kind == PASSAGES else {"dense": [0.0, 0.0]}
        for batch in _batches([{**nowhere, **row, "vault": self.key} for row in rows]):
            self._ask(kind, "upsert", batch)
        self._written[kind] += len(rows)

    def settle(self) -> None:
        """Have what was written indexed, where it is much: until then it is looked through row by row.

        A database that is asked for it too often refuses, and does it by itself in its own time.
        """
        for kind in [kind for kind, rows in self._written.items() if rows >= MANY_ROWS]:
            with contextlib.suppress(SearchError):
                self._ask(kind, "flush")
            del self._written[kind]

    def delete(self, kind: str, ids: Sequence[str]) -> None:
        """Delete rows of this vault by their ids."""
        for some in batched(ids, BATCH_ROWS):
            self._ask(kind, "delete", filter=self._condition(among("id", some)))

    def id_of(self, *parts: object) -> str:
        """Return an id that rows of other vaults cannot have."""
        text = "\0".join([self.name, *map(str, parts)])
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def batched(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield items in batches."""
    for at in range(0, len(items), size):
        yield items[at : at + size]


def cut(text: str, most: int = MOST_BYTES) -> str:
    """Return the beginning of a text that has so many bytes at most."""
    data = text.encode("utf-8", "replace")
    return data[:most].decode("utf-8", "ignore")


def _batches(rows: Sequence[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    size = 0
    for row in rows:
        weight = sum(len(value) * (8 if isinstance(value, list) else 1) for value in row.values() if
                     isinstance(value, str | list))  # fmt: skip
        if batch and (len(batch) >= BATCH_ROWS or size + weight > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += weight
    if batch:
        yield batch


def _layout(client: Any, kind: str, dimension: int) -> tuple[Any, Any]:  # noqa: ANN401 - the library's
    """Return the fields and indexes of a collection."""
    from pymilvus import DataType, Function, FunctionType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    index = client.prepare_index_params()

    def text(name: str, most: int = MOST_BYTES, **more: object) -> None:
        schema.add_field(name, DataType.VARCHAR, max_length=most, **more)

    def numbers(*names: str) -> None:
        for name in names:
            schema.add_field(name, DataType.INT64)

    text("id", 64, is_primary=True)
    text("vault", 64, is_partition_key=True)
    if kind == HEADS:
        text("blob")
        schema.add_field("until", DataType.DOUBLE)
    elif kind.startswith(TOKENS):
        text("tokens")
    else:
        text("note", 64)
        text("path")
        text("key")
        text("name")
        schema.add_field(
            "terms", DataType.ARRAY, element_type=DataType.VARCHAR, max_capacity=MOST_TERMS,
            max_length=2 * MOST_TERM_BYTES,
        )  # fmt: skip
        numbers("created_day", "modified_day", "day", "cut", "hidden")
    if kind == NOTES:
        numbers("created", "modified", "part", "parts", "chunks")
        text("digest", 64)
        text("record")
    if kind == PASSAGES:
        text("plain")
        text("lex", enable_analyzer=True, analyzer_params={"tokenizer": "standard"})
        schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
        schema.add_function(
            Function(
                name="bm25",
                function_type=FunctionType.BM25,
                input_field_names=["lex"],
                output_field_names=["sparse"],
            )
        )
        index.add_index("sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
        return schema, index
    if kind.startswith(VECTORS):
        numbers("first", "last", "window")
        text("hash", 64)
        text("digest", 64)
    schema.add_field("dense", DataType.FLOAT_VECTOR, dim=dimension)
    if kind.startswith(VECTORS):
        index.add_index(
            "dense", index_type="HNSW", metric_type="COSINE", params={"M": 16, "efConstruction": 100}
        )
    else:
        index.add_index("dense", index_type="FLAT", metric_type="L2")
    return schema, index
