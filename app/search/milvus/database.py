"""A Milvus database: its collections, and one vault in them, beyond which nothing is read or written."""

import contextlib
import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, groupby
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
"""Rows that are named by their ids at once."""
MOST_HITS: Final = 16_384
"""Rows that Milvus ranks at most."""
PAGE: Final = 5000
"""Rows that are read at once where all are wanted."""
OPTIONS: Final = {
    # Some servers end a connection that asks whether it lives while nothing is asked of it.
    "grpc.keepalive_permit_without_calls": False,
    "grpc.keepalive_time_ms": 60_000,
    # A server that was started again is found within a second.
    "grpc.max_reconnect_backoff_ms": 1000,
}
FORMAT: Final = 5
"""Raised whenever what the rows hold changes: they then lie in collections of their own."""
Row = dict[str, Any]
T = TypeVar("T")

NOTES, PASSAGES, RECORDS, VECTORS = "notes", "passages", "records", "vectors"
"""Notes; their words; all that an index keeps of them, and what is known of a vault as a whole; vectors."""
_KEYS: Final = {"id": 64, "vault": 64}
FILTERS: Final[Mapping[str, int | None]] = {
    **dict.fromkeys(("path", "key", "name"), MOST_BYTES),
    "digest": 64,
    **dict.fromkeys(("terms", "created_day", "modified_day", "day", "cut", "hidden")),
}
COLUMNS: Final[Mapping[str, Mapping[str, int | None]]] = {
    NOTES: {**_KEYS, **FILTERS, **dict.fromkeys(("created", "modified", "pieces"))},
    PASSAGES: {**_KEYS, **FILTERS, "plain": MOST_BYTES},
    RECORDS: {**_KEYS, "path": MOST_BYTES, "digest": 64, "blob": MOST_BYTES},
    VECTORS: {
        **_KEYS,
        **FILTERS,
        **dict.fromkeys(("first", "last", "window")),
        "hash": 64,
    },
}
"""What the rows of each kind of collection hold besides what Milvus searches: the most bytes of a text, None
for a number and for the list of terms."""


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
        if kind not in self._there and self._call("has_collection", self.collection(kind)):
            self._call("load_collection", self.collection(kind))
            self._there.add(kind)
        return kind in self._there

    def kinds(self, start: str) -> list[str]:
        """List the collections whose kind starts so: those of all models, in no order."""
        before = self.collection("")
        names = self._call("list_collections")
        return [name.removeprefix(before) for name in names if name.startswith(before + start)]

    def make(self, kind: str, dimension: int = 2) -> None:
        """Make a collection where it is not there yet."""
        if self.has(kind):
            return
        schema, index = _layout(connect(self.uri, self._token), kind, dimension)
        try:
            self._ask(
                kind, "create_collection", schema=schema, index_params=index, consistency_level="Strong"
            )
        except SearchError:
            # Another machine may have made it in the same moment.
            if not self.has(kind):
                raise

    def _call(self, method: str, *given: object, **more: object) -> Any:  # noqa: ANN401 - as the library gives
        client = connect(self.uri, self._token)
        with said(self.uri):
            return getattr(client, method)(*given, timeout=SECONDS, **more)

    def _ask(self, kind: str, method: str, *given: object, **more: object) -> Any:  # noqa: ANN401 - as above
        """Ask something of a collection; a server that was started again is first asked to load it."""
        call = partial(self._call, method, self.collection(kind), *given, **more)
        try:
            return call()
        except SearchError:
            if kind not in self._there:
                raise
            self._there.discard(kind)
            if not self.has(kind):
                raise
            return call()

    def by_id(self, kind: str, ids: Sequence[str], fields: Sequence[str]) -> list[Row]:
        """Return the rows of some ids, in no order; those that are not there are left out."""
        return [
            row for some in batched(ids, BATCH_ROWS) for row in self.query(kind, among("id", some), fields)
        ]

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
    ) -> list[Row]:
        """Return the rows nearest to a text of words or to a vector, best first, with their scores."""
        if not self.has(kind):
            return []
        [hits] = self._ask(
            kind, "search", data=[data], anns_field=field,
            limit=most, filter=self._condition(filter_), output_fields=["vault", "id", "path"],
        )  # fmt: skip
        return self._own([{**hit["entity"], "score": hit["distance"]} for hit in hits])

    def scores(self, tokens: str) -> dict[str, float]:
        """Return the scores that BM25 gives the first passages of the vault, by their ids."""
        # Milvus Lite counts words among what passes a filter, and its scores have another sign than those of
        # Milvus.
        rows = self.nearest(PASSAGES, "sparse", tokens, "", MOST_HITS)
        return {row["id"]: abs(row["score"]) for row in rows}

    def upsert(self, kind: str, rows: Sequence[Row]) -> None:
        """Write rows of this vault; those of the same ids are replaced."""
        # Every collection needs a vector, also where none is looked for.
        nowhere = {} if kind == PASSAGES else {"dense": [0.0, 0.0]}
        for batch in _batches([{**nowhere, **row, "vault": self.key} for row in rows]):
            self._ask(kind, "upsert", batch)

    def delete(self, kind: str, column: str, values: Sequence[str], besides: str = "") -> None:
        """Delete the rows of this vault with one of some values that meet a condition besides."""
        for some in batched(values, BATCH_ROWS) if self.has(kind) else ():
            condition = " and ".join(filter(None, [among(column, some), besides]))
            self._ask(kind, "delete", filter=self._condition(condition))

    def id_of(self, *parts: object) -> str:
        """Return an id that rows of other vaults cannot have."""
        text = "\0".join([self.name, *map(str, parts)])
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def batched(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield items in batches."""
    for at in range(0, len(items), size):
        yield items[at : at + size]


def cut(text: str) -> str:
    """Return as much of the beginning of a text as one row holds."""
    return text.encode("utf-8", "replace")[:MOST_BYTES].decode("utf-8", "ignore")


def _batches(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield rows in batches, each of which one request holds."""
    sizes = accumulate(len(str(row)) for row in rows)
    for _, batch in groupby(zip(sizes, rows, strict=True), lambda pair: pair[0] // BATCH_BYTES):
        yield [row for _, row in batch]


def _layout(client: Any, kind: str, dimension: int) -> tuple[Any, Any]:  # noqa: ANN401 - the library's
    """Return the fields and indexes of a collection."""
    from pymilvus import DataType, Function, FunctionType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    index = client.prepare_index_params()
    plain_kind = kind.partition("_")[0]
    for name, most in COLUMNS[plain_kind].items():
        if name == "terms":
            schema.add_field(
                name, DataType.ARRAY, element_type=DataType.VARCHAR, max_capacity=MOST_TERMS,
                max_length=2 * MOST_TERM_BYTES,
            )  # fmt: skip
        elif most is None:
            schema.add_field(name, DataType.INT64)
        else:
            is_key = {"is_primary": name == "id", "is_partition_key": name == "vault"}
            schema.add_field(name, DataType.VARCHAR, max_length=most, **is_key)
    if kind == PASSAGES:
        schema.add_field(
            "lex", DataType.VARCHAR, max_length=MOST_BYTES, enable_analyzer=True,
            analyzer_params={"tokenizer": "standard"},
        )  # fmt: skip
        schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
        bm25 = {"input_field_names": ["lex"], "output_field_names": ["sparse"]}
        schema.add_function(Function(name="bm25", function_type=FunctionType.BM25, **bm25))
        index.add_index("sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
        return schema, index
    schema.add_field("dense", DataType.FLOAT_VECTOR, dim=dimension)
    if plain_kind == VECTORS:
        made = {"M": 16, "efConstruction": 100}
        index.add_index("dense", index_type="HNSW", metric_type="COSINE", params=made)
    else:
        index.add_index("dense", index_type="FLAT", metric_type="L2")
    return schema, index
