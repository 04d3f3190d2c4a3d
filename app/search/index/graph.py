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
"""A name is asked for by each of its ends, and many folders may have a file of one name."""


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
        self._ending = lru_cache(maxsize=KEPT_NAMES)(self._read_ending)

    def outgoing(self, path: str) -> tuple[Edge, ...]:
        """Return a note's links in order, those to itself included."""
        source = nfc(path)
        doc = self._lexical.paths().get(source)
        links = () if doc is None else self._links(doc)
        return tuple(Edge(source, self._resolver.resolve(link.target, source), link) for link in links)

    def incoming(self, path: str) -> tuple[Edge, ...]:
        """Return the links that lead to a file, those of the file itself included."""
        file = nfc(path)
        last = path_key(file).rpartition("/")[2].removesuffix(NOTE_SUFFIX)
        leading = tuple(self._ending(last)[0].get(file, ()))
        docs = self._lexical.paths()
        own = docs.get(file)
        if own is None or all(link.target.strip() for link in self._links(own)):
            return leading
        # A link without a target leads to its own note, and has no term: it stands among the note's others.
        to_itself = [edge for edge in self.outgoing(file) if edge.target == file]
        others = [edge for edge in leading if edge.source != file]
        before = sum(docs[edge.source] < own for edge in others)
        return (*others[:before], *to_itself, *others[before:])

    def naming(self, name: str) -> tuple[Edge, ...]:
        """Return the links that write a name, in any case, with or without ``.md``, wherever they lead."""
        key = mention_key(name)
        return tuple(self._ending(key.rpartition("/")[2])[1].get(key, ()))

    def _read_ending(self, name: str) -> tuple[Mapping[str, list[Edge]], Mapping[str, list[Edge]]]:
        """Return the links whose target ends in a name, by the file they lead to and by what they write."""
        leading: dict[str, list[Edge]] = {}
        named: dict[str, list[Edge]] = {}
        for edge in self._writing({name, name + NOTE_SUFFIX}):
            if edge.target is not None:
                leading.setdefault(edge.target, []).append(edge)
            named.setdefault(mention_key(edge.link.target), []).append(edge)
        return leading, named

    def _writing(self, names: Set[str]) -> Iterator[Edge]:
        """Yield the links that have one of some names for the last part of their target, in order."""
        docs = {doc for name in names for doc in self._lexical.docs_with(link_term(name)).tolist()}
        for doc in sorted(docs):
            source = self._lexical.path(doc)
            for link in self._links(doc):
                # Looking at the name is cheap, and most links of a note lead elsewhere.
                if not names.isdisjoint(last_parts(link.target, source)):
                    yield Edge(source, self._resolver.resolve(link.target, source), link)
