"""A Milvus database: its collections, and one vault in them, beyond which nothing is read or written."""

import contextlib
import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final, TypeVar

from app.errors import EngineMissingError, SearchError, missing_extra
from app.search.milvus.conditions import MOST_TERM_BYTES, among, quote

SECONDS: Final = 30.0
"""Longest wait for one answer of the database."""
MOST_BYTES: Final = 65_535
"""Bytes of one text in Milvus."""
MOST_TERMS: Final = 1024
BATCH: Final = 500
"""Rows that are written, or named by their ids, at once."""
MOST_HITS: Final = 16_384
"""Rows that Milvus gives at once, at most."""
PAGE: Final = 5000
"""Rows that are read at once where all are wanted."""
OPTIONS: Final = {
    # Some servers end a connection that asks whether it lives while nothing is asked of it.
    "grpc.keepalive_permit_without_calls": False,
    "grpc.keepalive_time_ms": 60_000,
    # A server that was started again is found within a second.
    "grpc.max_reconnect_backoff_ms": 1000,
}
FORMAT: Final = 7
"""Raised whenever what the rows hold changes: they then lie in collections of their own."""
Row = dict[str, Any]
T = TypeVar("T")

NOTES, PASSAGES, RECORDS, VECTORS = "notes", "passages", "records", "vectors"
"""Notes; the words of passages; all that an index keeps of a note, or of the vault; the vectors of passages,
a collection for each model."""
_TEXT: Final = {"path": MOST_BYTES, "digest": 64}
_FILTERS: Final = {**_TEXT, "name": MOST_BYTES} | dict.fromkeys(
    ("created", "modified", "day", "last_day", "cut", "hidden", "terms")
)
COLUMNS: Final[Mapping[str, Mapping[str, int | None]]] = {
    NOTES: {**_FILTERS, "plain": MOST_BYTES},
    PASSAGES: _FILTERS,
    RECORDS: {**_TEXT, "name": 64, "blob": MOST_BYTES, "piece": None, "pieces": None},
    VECTORS: _FILTERS,
}
"""What rows hold besides their id, vault and what ranks them: of a text its most bytes, None for numbers and
for the list of terms."""


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
        raise EngineMissingError(
            "engine 'milvus' needs the package pymilvus",
            missing_extra("milvus"),
        ) from error
    # It logs a traceback for every call that is refused; what was refused is said in an error of ours.
    for name in ("pymilvus", "milvus_lite", "grpc"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with said(uri):
        return MilvusClient(uri, token=token, timeout=SECONDS, grpc_options=OPTIONS)


@contextlib.contextmanager
def said(uri: str) -> Iterator[None]:
    """Turn whatever the client raises into one line that names the address."""
    from grpc import RpcError
    from pymilvus.exceptions import MilvusException

    try:
        yield
    # The last ones are raised where a connection breaks in the middle of a call.
    except (MilvusException, RpcError, OSError, RuntimeError, ValueError) as error:
        details = getattr(error, "details", None)
        reason = details() if callable(details) else getattr(error, "message", "") or error
        raise SearchError(
            "Milvus at '{uri}' did not answer: {reason}",
            "see that it runs there, or set engine 'local'",
            uri=uri,
            reason=" ".join(str(reason).split())[:200],
        ) from error


class Vault:
    """The rows of one vault in those collections of a database whose names have a prefix.

    Each reading carries the vault's own condition, which is put in here and nowhere else, and each row that
    comes back is looked at once more.
    """

    def __init__(self, uri: str, token: str, prefix: str, name: str) -> None:
        self.uri, self.name, self._token = uri, name, token
        self._prefix = f"{prefix}_{FORMAT}_"
        self.key = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=12).hexdigest()
        self._there: set[str] = set()

    def _condition(self, filter_: str) -> str:
        """Return a condition within this vault."""
        own = f"vault == {quote(self.key)}"
        return f"{own} and ({filter_})" if filter_ else own

    def _own(self, rows: Sequence[Row]) -> list[Row]:
        """Keep the rows of this vault, whatever the database gave."""
        return [dict(row) for row in rows if row.get("vault") == self.key]

    def id_of(self, *parts: object) -> str:
        """Return an id that rows of other vaults cannot have."""
        text = "\0".join([self.name, *map(str, parts)])
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def _call(self, method: str, *given: object, **more: object) -> Any:  # noqa: ANN401 - as the library gives
        client = connect(self.uri, self._token)
        with said(self.uri):
            return getattr(client, method)(*given, timeout=SECONDS, **more)

    def _ask(self, kind: str, method: str, **more: object) -> Any:  # noqa: ANN401 - as the library gives
        """Ask something of a collection, which a server that was started again has yet to load."""
        call = partial(self._call, method, self._prefix + kind, **more)
        try:
            return call()
        except SearchError:
            self._call("load_collection", self._prefix + kind)
            return call()

    def has(self, kind: str) -> bool:
        """Return whether a collection is there."""
        if kind not in self._there and self._call("has_collection", self._prefix + kind):
            self._there.add(kind)
        return kind in self._there

    def make(self, kind: str, dimension: int = 2) -> None:
        """Make a collection where it is not there yet."""
        if not self.has(kind):
            schema, index = _layout(connect(self.uri, self._token), kind, dimension)
            made = {"schema": schema, "index_params": index, "consistency_level": "Strong"}
            self._call("create_collection", self._prefix + kind, **made)

    def vectors(self) -> list[str]:
        """List the collections of vectors of all models, in no order."""
        names = [name.removeprefix(self._prefix) for name in self._call("list_collections")]
        return [name for name in names if name.startswith(VECTORS)]

    def by_key(self, kind: str, column: str, keys: Sequence[str], fields: Sequence[str]) -> list[Row]:
        """Return the rows with one of some keys in a column, in no order."""
        parts = [among(column, some) for some in batched(keys)]
        return [row for part in parts for row in self.query(kind, part, fields, MOST_HITS)]

    def query(self, kind: str, filter_: str, fields: Sequence[str], most: int | None = None) -> list[Row]:
        """Return the rows that meet a condition, in no order: all, or so many at most."""
        if not self.has(kind):
            return []
        asked = {"filter": self._condition(filter_), "output_fields": ["vault", *fields]}
        if most is not None:
            return self._own(self._ask(kind, "query", limit=most, **asked))
        pages = self._ask(kind, "query_iterator", batch_size=PAGE, limit=-1, **asked)
        with said(self.uri), contextlib.closing(pages):
            return self._own([row for page in iter(pages.next, []) for row in page])

    def nearest(
        self, kind: str, field: str, data: str | Sequence[float], filter_: str, most: int
    ) -> list[str]:
        """Return the paths of the rows nearest to a text of words or to a vector, best first."""
        if not self.has(kind):
            return []
        asked = {"filter": self._condition(filter_), "output_fields": ["vault", "path"], "limit": most}
        [hits] = self._ask(kind, "search", data=[data], anns_field=field, **asked)
        return [row["path"] for row in self._own([hit["entity"] for hit in hits])]

    def upsert(self, kind: str, rows: Sequence[Row]) -> None:
        """Write rows of this vault; those of the same ids are replaced."""
        # Every collection needs a vector, also where none is looked for.
        nowhere = {} if kind == PASSAGES else {"dense": [0.0, 0.0]}
        for some in batched(rows):
            self._ask(kind, "upsert", data=[{**nowhere, **row, "vault": self.key} for row in some])

    def delete(self, kind: str, paths: Sequence[str], besides: str = "") -> None:
        """Delete the rows of this vault with one of some paths that meet a condition besides."""
        for some in batched(paths) if self.has(kind) else ():
            condition = " and ".join(filter(None, [among("path", some), besides]))
            self._ask(kind, "delete", filter=self._condition(condition))


def batched(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield items in batches, each of which one request holds."""
    for at in range(0, len(items), BATCH):
        yield items[at : at + BATCH]


def _layout(client: Any, kind: str, dimension: int) -> tuple[Any, Any]:  # noqa: ANN401 - the library's
    """Return the fields and indexes of a collection."""
    from pymilvus import DataType, Function, FunctionType

    schema, index = client.create_schema(), client.prepare_index_params()
    schema.add_field("id", DataType.VARCHAR, max_length=64, is_primary=True)
    schema.add_field("vault", DataType.VARCHAR, max_length=64, is_partition_key=True)
    for name, most in COLUMNS[kind.partition("_")[0]].items():
        if name == "terms":
            each = {"element_type": DataType.VARCHAR, "max_length": MOST_TERM_BYTES}
            schema.add_field(name, DataType.ARRAY, max_capacity=MOST_TERMS, **each)
        elif most is None:
            schema.add_field(name, DataType.INT64)
        else:
            schema.add_field(name, DataType.VARCHAR, max_length=most)
    if kind == PASSAGES:
        analyzer = {"enable_analyzer": True, "analyzer_params": {"tokenizer": "standard"}}
        schema.add_field("lex", DataType.VARCHAR, max_length=MOST_BYTES, **analyzer)
        schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
        bm25 = {"input_field_names": ["lex"], "output_field_names": ["sparse"]}
        schema.add_function(Function(name="bm25", function_type=FunctionType.BM25, **bm25))
        index.add_index("sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
        return schema, index
    schema.add_field("dense", DataType.FLOAT_VECTOR, dim=dimension)
    if kind.startswith(VECTORS):
        made = {"M": 16, "efConstruction": 100}
        index.add_index("dense", index_type="HNSW", metric_type="COSINE", params=made)
    else:
        index.add_index("dense", index_type="FLAT", metric_type="L2")
    return schema, index
