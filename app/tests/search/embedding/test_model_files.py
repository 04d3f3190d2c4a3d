"""Nothing in a model folder runs: real models of random weights, with Python and pickles of somebody's."""

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from app.config.settings import EmbeddingSettings
from app.errors import ModelError
from app.search.embedding.loading import load_embedder
from app.search.rank.by_model import _cross_encoder as load_reranker
from app.tests.search.index.test_store import Payload


def own_module(folder: Path, marker: Path) -> str:
    """A module list that names a class of the folder's own Python."""
    (folder / "own_layer.py").write_text(f"import os\nos.mkdir({str(marker)!r})\nclass Own:\n    pass\n")
    modules = json.loads((folder / "modules.json").read_text())
    modules[1]["type"] = "own_layer.Own"
    (folder / "modules.json").write_text(json.dumps(modules))
    return "references the module class 'own_layer.Own', which is not part of Sentence Transformers"


def auto_map(folder: Path, marker: Path) -> str:
    """A configuration that names Python of the folder for the model itself."""
    (folder / "own_model.py").write_text(f"import os\nos.mkdir({str(marker)!r})\nclass OwnModel:\n    pass\n")
    config = json.loads((folder / "config.json").read_text())
    named = {"AutoModel": "own_model.OwnModel", "AutoConfig": "own_model.OwnModel"}
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "own", "auto_map": named}))
    return "contains custom code which must be executed"


def pickled(folder: Path, marker: Path) -> str:
    """Weights that are a pickle, and no others."""
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Payload(marker)))
    return "model.safetensors"


LOADS: dict[str, Callable[[Path, Path], object]] = {
    "embedder": lambda folder, cache: load_embedder(str(folder), cache=cache, settings=EmbeddingSettings()),
    "images": lambda folder, cache: load_embedder(str(folder), cache=cache, settings=EmbeddingSettings()),
    "reranker": lambda folder, cache: load_reranker(str(folder)),
}
CHANGES = [own_module, auto_map, pickled]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("kind", ["embedder", "images", "reranker"])
def test_a_model_that_could_run_something_is_refused_and_runs_nothing(
    tiny_model: Path, tmp_path: Path, change: Callable[[Path, Path], str], kind: str
) -> None:
    folder, marker = shutil.copytree(tiny_model, tmp_path / "model"), tmp_path / "ran"
    why = change(folder, marker)
    if kind == "images":
        (folder / "preprocessor_config.json").write_text("{}")
    if (kind, change) == ("reranker", own_module):
        # It reads no list of modules that another kind of model has.
        assert LOADS[kind](folder, tmp_path / "models")
    else:
        with pytest.raises(ModelError) as caught:
            LOADS[kind](folder, tmp_path / "models")
        assert why in caught.value.message
    assert not marker.exists()
