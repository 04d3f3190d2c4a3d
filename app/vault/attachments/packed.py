"""What lies in files that are archives of XML: read part by part, within bounds, without entities."""

import posixpath
from collections.abc import Collection, Iterator
from typing import Literal
from xml.parsers.expat import ParserCreate
from zipfile import ZipFile

MOST_BYTES = 150_000_000
"""Most bytes of one file when it is unpacked."""
_PIECE = 1 << 16


_SAID_TWICE = frozenset({"Fallback", "rPh"})
"""Elements that say what stands before them once more: for older programs, or how it is pronounced."""
Step = tuple[Literal["start", "end", "text"], str, dict[str, str], str]
"""The start or the end of an element, or text directly in it; its tag, attributes and text.

Names have no prefixes, but for ``rel:`` of the attributes that name a relation to another part.
"""


class Archive:
    """An archive of XML, of which no more is unpacked than a file may have."""

    def __init__(self, zipped: ZipFile) -> None:
        self._zipped, self._left = zipped, MOST_BYTES
        self.names = frozenset(zipped.namelist())

    def read(self, name: str) -> bytes:
        """Unpack one part; of one that is not there, nothing.

        Raises:
            MemoryError: this part and those before are too large together.
        """
        if name not in self.names:
            return b""
        with self._zipped.open(name) as part:
            data = part.read(self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise MemoryError
        return data

    def steps(self, name: str) -> Iterator[Step]:
        """Yield what one part holds, step by step; raises as `read` does.

        Raises:
            ValueError: it declares a document type, which no part has, and which can make its text explode.
        """
        steps, tags = list[Step](), list[str]()

        def add(kind: Literal["start", "end", "text"], given: dict[str, str], text: str = "") -> None:
            if _SAID_TWICE.isdisjoint(tags):
                steps.append((kind, tags[-1], given, text))

        def begin(tag: str, given: dict[str, str]) -> None:
            tags.append(tag.rpartition(" ")[2])
            add("start", {_key(name): text for name, text in given.items()})

        def end(_: str) -> None:
            add("end", {})
            tags.pop()

        def refuse(*_: object) -> None:
            raise ValueError("a document type is declared")

        parser = ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = refuse
        parser.StartElementHandler = begin
        parser.EndElementHandler = end
        parser.CharacterDataHandler = lambda text: add("text", {}, text)
        data = self.read(name)
        for start in range(0, len(data), _PIECE):
            parser.Parse(data[start : start + _PIECE], start + _PIECE >= len(data))
            yield from steps
            steps.clear()

    def elements(self, name: str, tags: Collection[str]) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the elements of some names in one part, with their attributes; raises as `steps` does."""
        return ((tag, given) for kind, tag, given, _ in self.steps(name) if kind == "start" and tag in tags)

    def related(self, name: str) -> dict[str, str]:
        """Return the parts that one part names, by the ids of its relations; raises as `steps` does."""
        folder, file = posixpath.split(name)
        relations = self.elements(f"{folder}/_rels/{file}.rels", {"Relationship"})
        return {
            given.get("Id", ""): posixpath.normpath(posixpath.join("/", folder, given.get("Target", "")))[1:]
            for _, given in relations
            if given.get("TargetMode") != "External"
        }


def _key(name: str) -> str:
    space, _, plain = name.rpartition(" ")
    return f"rel:{plain}" if space.endswith("/relationships") else plain
