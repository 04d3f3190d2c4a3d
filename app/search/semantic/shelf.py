"""Which models have vectors in an index, and which of them answers."""

import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from app.search.semantic.log import Shape
from app.search.semantic.log_writer import disk_errors


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
    """A folder with one folder of vectors for each model, and a note of which one is whole.

    A record that cannot be read is an empty one: vectors are found again by the model that is configured.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "models.json"

    def folder_of(self, model: Shelved) -> Path:
        """Give the folder of a model's vectors."""
        return self.folder / model.digest

    def active(self) -> Shelved | None:
        """Give the model whose vectors were last built whole."""
        try:
            return Shelved(**json.loads(self._file.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def activate(self, model: Shelved) -> None:
        """Have a model answer from now on, and drop the vectors of all others.

        Raises:
            SearchError: the disk refuses.
        """
        if self.active() != model:
            with disk_errors(self.folder):
                new = self._file.with_suffix(".new")
                new.write_text(json.dumps(asdict(model)), encoding="utf-8")
                new.replace(self._file)
        for folder in self.folder.iterdir():
            if folder.is_dir() and folder.name != model.digest:
                shutil.rmtree(folder, ignore_errors=True)
