"""Which models have vectors in an index, and which of them answers."""

import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from app.search.private import private_folder, read_record, write_record
from app.search.semantic.log import Shape
from app.search.semantic.log_writer import disk_errors

RECORD = "model.json"
DIGEST = re.compile(r"(?:[0-9a-f]{2}){1,32}")


@dataclass(frozen=True, slots=True)
class Shelved:
    """A model whose vectors lie in a folder of the shelf."""

    name: str
    digest: str
    dimension: int
    token_dimension: int

    @property
    def shape(self) -> Shape:
        """The shape of its log."""
        return Shape(bytes.fromhex(self.digest), self.dimension, self.token_dimension)


class Shelf:
    """A folder with one folder of vectors for each model, and a note of which one was last whole.

    A note that cannot be read counts as none: vectors are found again by the model that is configured.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def folder_of(self, model: Shelved) -> Path:
        """Give the folder of a model's vectors."""
        return self.folder / model.digest

    def named(self, name: str) -> Shelved | None:
        """Find the model of a name that has vectors, without loading it; of several the latest."""
        files = sorted(self.folder.glob(f"*/{RECORD}"), key=_written)
        found = [model for file in files if (model := _read(file))]
        return next((model for model in reversed(found) if model.name == name), None)

    def remember(self, model: Shelved) -> None:
        """Note that a model has vectors here.

        Raises:
            SearchError: the disk refuses.
        """
        folder = self.folder_of(model)
        if _read(folder / RECORD) != model:
            with disk_errors(folder):
                private_folder(folder)
                write_record(folder / RECORD, asdict(model))

    def active(self) -> Shelved | None:
        """Give the model whose vectors were last built whole."""
        return _read(self.folder / RECORD)

    def activate(self, model: Shelved) -> None:
        """Have a model answer from now on, and drop the vectors of all others.

        Raises:
            SearchError: the disk refuses.
        """
        if self.active() == model:
            return
        with disk_errors(self.folder):
            private_folder(self.folder)
            write_record(self.folder / RECORD, asdict(model))
        for folder in self.folder.iterdir():
            if folder.is_dir() and folder.name != model.digest:
                shutil.rmtree(folder, ignore_errors=True)


def _read(file: Path) -> Shelved | None:
    """Read a note; None where there is none, or one that no program of ours would write."""
    known = read_record(file)
    try:
        model = Shelved(**known)
        if DIGEST.fullmatch(model.digest) and 0 < model.token_dimension <= model.dimension:
            return model
    except TypeError:
        pass
    return None


def _written(file: Path) -> int:
    """Give the time a note was written, in nanoseconds; 0 where it is gone meanwhile."""
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return 0
