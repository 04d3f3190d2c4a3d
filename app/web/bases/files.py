"""The files a base asks about: what the index knows of each, and nothing of those that may not be shown."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cached_property

from app.markdown.targets import Target
from app.search.models import NoteRecord
from app.vault.paths import path_key
from app.web.bases.functions import Arguments
from app.web.bases.values import FileName, Link, Value, finite, property_value, text_of
from app.web.render.targets import Targets, kind_of

FIELDS = (
    *("name", "basename", "path", "folder", "ext", "size", "ctime", "mtime", "tags", "links", "embeds"),
    *("properties", "file"),
)
CALLS = ("hasTag", "inFolder", "hasProperty", "hasLink", "asLink")
"""What a file has, and what it can be asked."""
MOST_LINKS = 500


class VaultFile:
    """A file of the vault; of one that is no note, its names are all that is known.

    Args:
        targets: Finds what links mean; has the snapshot.
        path: Where it lies.
        doc: Its document in the snapshot, None for what is no note.
    """

    def __init__(self, targets: Targets, path: str, doc: int | None) -> None:
        self._targets, self._path, self._doc = targets, path, doc
        self._values: dict[str, Value] = {}

    @property
    def path(self) -> str:
        """Where it lies in the vault."""
        return self._path

    @property
    def basename(self) -> str:
        """Its name without the ending."""
        name = self._path.rpartition("/")[2]
        return name.rpartition(".")[0] or name

    @cached_property
    def _record(self) -> NoteRecord | None:
        return None if self._doc is None else self._targets.view.snapshot.note(self._doc)

    @cached_property
    def _names(self) -> dict[str, str]:
        """The names of its properties, by their keys: names compare without case."""
        return {path_key(name): name for name in (self._record.properties if self._record else ())}

    def property(self, name: str) -> Value:
        """Return a property of a note."""
        found = self._names.get(path_key(name))
        if self._record is None or found is None:
            return None
        if found not in self._values:
            self._values[found] = property_value(
                self._record.properties[found], self._path, self._targets.find
            )
        return self._values[found]

    def field(self, name: str) -> Value:
        """Return one of `FIELDS`."""
        make: dict[str, Callable[[], Value]] = {
            "name": lambda: FileName(self._path.rpartition("/")[2]),
            "basename": lambda: self.basename,
            "path": lambda: self._path,
            "folder": lambda: self._path.rpartition("/")[0],
            "ext": lambda: kind_of(self._path),
            "size": lambda: self._column("size"),
            "ctime": lambda: self._record and self._record.created,
            "mtime": self._written,
            "tags": lambda: [*(self._record.tags if self._record else ())],
            "links": lambda: [link for link, is_embed in self._links if not is_embed],
            "embeds": lambda: [link for link, is_embed in self._links if is_embed],
            "properties": lambda: {name: self.property(name) for name in self._names.values()},
            "file": lambda: self,
        }
        return make[name]() if name in make else None

    def _written(self) -> Value:
        nanoseconds = self._column("mtime_ns")
        if not isinstance(nanoseconds, int):
            return None
        return datetime.fromtimestamp(nanoseconds // 1_000_000_000)

    def linked(self, target: Target) -> Link:
        """Return a link of this file."""
        return Link(target, self._path, self._targets.find(target.file, self._path))

    def _column(self, name: str) -> Value:
        if self._doc is None:
            return None
        return finite(int(self._targets.view.snapshot.lexical.column(name)[self._doc]))

    @cached_property
    def _links(self) -> list[tuple[Link, bool]]:
        """The links of a note, and whether each is an embed."""
        links = () if self._doc is None else self._targets.view.snapshot.links(self._doc)[:MOST_LINKS]
        return [(self.linked(Target(link.target, link.subpath, link.display)), link.embed) for link in links]

    def call(self, name: str, arguments: Arguments) -> Value:
        """Return the answer to one of `CALLS`."""
        if name == "hasTag":
            return self._has_tag([path_key(text_of(each).lstrip("#")) for each in arguments])
        if name == "hasProperty":
            return bool(arguments) and path_key(text_of(arguments[0])) in self._names
        if name == "inFolder":
            folder = path_key(text_of(arguments[0] if arguments else None).strip("/"))
            own = path_key(self._path.rpartition("/")[0])
            return not folder or own == folder or own.startswith(f"{folder}/")
        if name == "asLink":
            said = text_of(arguments[0]) if arguments else ""
            return Link(Target(f"/{self._path}", "", said or self.basename), self._path, self._path)
        return bool(arguments) and self._has_link(arguments[0])

    def _has_tag(self, wanted: Sequence[str]) -> bool:
        own = [path_key(tag) for tag in (self._record.tags if self._record else ())]
        return any(tag == each or tag.startswith(f"{each}/") for tag in own for each in wanted if each)

    def _has_link(self, other: Value) -> bool:
        found: str | None
        if isinstance(other, VaultFile):
            found, written = other.path, other.basename
        elif isinstance(other, Link):
            found, written = other.found, other.target.file
        else:
            written = text_of(other).strip().removeprefix("[[").removesuffix("]]")
            found = self._targets.find(written, "") if written else None
        # Of a file that is not there, or is as if it were not, the link's text is what can be compared.
        wanted = path_key(written)
        return any(
            link.found == found
            if found is not None
            else link.found is None and path_key(link.target.file) == wanted
            for link, _ in self._links
        )


def all_files(targets: Targets) -> Iterator[VaultFile]:
    """Yield the files of a vault that may be shown, by path."""
    snapshot, is_excluded = targets.view.snapshot, targets.view.vault.is_excluded
    notes = snapshot.lexical.paths()
    for path in sorted({*notes, *snapshot.vault.files}, key=path_key):
        if not is_excluded(path) and not (path in notes and snapshot.is_excluded(path)):
            yield VaultFile(targets, path, notes.get(path))
