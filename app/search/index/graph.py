"""The links between files as one state of the index has them, found and resolved when they are asked for."""

from collections.abc import Sequence
from functools import lru_cache

from app.markdown.links import Edge, Graph, LinkResolver, mention_key
from app.search.index.documents import decode_links, link_names, link_term
from app.search.lexical.snapshot import Snapshot
from app.vault.paths import NOTE_SUFFIX, nfc, path_key

KEPT_NOTES = 10_000
"""Notes whose links are kept, some 2 KB each: a walk of several steps comes back to the same ones."""
KEPT_NAMES = 32
"""A name is asked for by each of its ends, and many folders may have a file of one name."""


class IndexGraph(Graph):
    """The links of all notes of an index, hidden ones included; any number of threads may ask.

    What leads to a file is found by the terms of the names that links write, so that no other notes are read.
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
        """Return the links that lead to a file, those of the file itself included, by path and place."""
        file = nfc(path)
        last = path_key(file).rpartition("/")[2].removesuffix(NOTE_SUFFIX)
        return tuple(edge for edge in self._ending(last) if edge.target == file)

    def naming(self, name: str) -> tuple[Edge, ...]:
        """Return the links that write a name, in any case, with or without ``.md``, wherever they lead."""
        key = mention_key(name)
        ending = self._ending(key.rpartition("/")[2])
        return tuple(edge for edge in ending if mention_key(edge.link.target) == key)

    def _read_ending(self, name: str) -> Sequence[Edge]:
        """Return the links whose target ends in a name, with or without ``.md``, by path and place."""
        found, names = list[Edge](), {name, name + NOTE_SUFFIX}
        docs = {doc for one in names for doc in self._lexical.docs_with(link_term(one)).tolist()}
        # Documents stand in the order in which they were written, which an index made anew has not.
        for source, doc in sorted((self._lexical.path(doc), doc) for doc in docs):
            for link in self._links(doc):
                # Looking at the name is cheap, and most links of a note lead elsewhere.
                if not names.isdisjoint(link_names(link.target, source)):
                    found.append(Edge(source, self._resolver.resolve(link.target, source), link))
        return found
