"""The links between files as one state of the index has them, found and resolved when they are asked for."""

from collections.abc import Iterator, Mapping, Set
from functools import lru_cache

from app.markdown.links import Edge, Graph, LinkResolver, last_parts, mention_key
from app.search.index.documents import decode_links, link_term
from app.search.lexical.index import Snapshot
from app.vault.paths import NOTE_SUFFIX, nfc, path_key

KEPT_NOTES = 10_000
"""Notes whose links are kept, some 2 KB each: a walk of several steps comes back to the same ones."""
KEPT_NAMES = 32
"""A name is asked for by each of its ends."""


class IndexGraph(Graph):
    """The links of all notes of an index, hidden ones included; any number of threads may ask.

    What leads to a file is found by the terms of the names that links write, so that no other notes are read.

    Args:
        lexical: The state of the index.
        resolver: Finds the file a link means.
    """

    def __init__(self, lexical: Snapshot, resolver: LinkResolver) -> None:
        self._lexical, self._resolver = lexical, resolver
        self._links = lru_cache(maxsize=KEPT_NOTES)(lambda doc: decode_links(lexical.data(doc)))
        self._named = lru_cache(maxsize=KEPT_NAMES)(self._read_named)
        self._leading = lru_cache(maxsize=KEPT_NAMES)(self._read_leading)

    def outgoing(self, path: str) -> tuple[Edge, ...]:
        """Return a note's links in order, those to itself included."""
        source = nfc(path)
        doc = self._lexical.paths().get(source)
        links = () if doc is None else self._links(doc)
        return tuple(Edge(source, self._resolver.resolve(link.target, source), link) for link in links)

    def incoming(self, path: str) -> tuple[Edge, ...]:
        """Return the links that lead to a file, those of the file itself included."""
        file = nfc(path)
        leading = self._leading(path_key(file).rpartition("/")[2]).get(file, ())
        docs = self._lexical.paths()
        own = docs.get(file)
        if own is None or all(link.target.strip() for link in self._links(own)):
            return leading
        # A link without a target leads to its own note, and has no term: it stands among the note's others.
        to_itself = [edge for edge in self.outgoing(file) if edge.target == file]
        others = [edge for edge in leading if edge.source != file]
        before = sum(docs[edge.source] < own for edge in others)
        return (*others[:before], *to_itself, *others[before:])

    def _read_leading(self, name: str) -> Mapping[str, tuple[Edge, ...]]:
        """Return the links that lead to files of a name, by the file; many folders may have such a file."""
        found: dict[str, list[Edge]] = {}
        for edge in self._writing({name, name.removesuffix(NOTE_SUFFIX)}):
            if edge.target is not None:
                found.setdefault(edge.target, []).append(edge)
        return {file: tuple(edges) for file, edges in found.items()}

    def naming(self, name: str) -> tuple[Edge, ...]:
        """Return the links that write a name, in any case, with or without ``.md``, wherever they lead."""
        key = mention_key(name)
        return self._named(key.rpartition("/")[2]).get(key, ())

    def _read_named(self, last: str) -> Mapping[str, tuple[Edge, ...]]:
        """Return the links that write a name with this last part, by what they write."""
        found: dict[str, list[Edge]] = {}
        for edge in self._writing({last, last + NOTE_SUFFIX}):
            key = mention_key(edge.link.target)
            if key.rpartition("/")[2] == last:
                found.setdefault(key, []).append(edge)
        return {key: tuple(edges) for key, edges in found.items()}

    def _writing(self, names: Set[str]) -> Iterator[Edge]:
        """Yield the links that have one of some names for the last part of their target, in order."""
        docs = {doc for name in names for doc in self._lexical.docs_with(link_term(name)).tolist()}
        for doc in sorted(docs):
            source = self._lexical.path(doc)
            for link in self._links(doc):
                # Looking at the name is cheap, and most links of a note lead elsewhere.
                if not names.isdisjoint(last_parts(link.target, source)):
                    yield Edge(source, self._resolver.resolve(link.target, source), link)
