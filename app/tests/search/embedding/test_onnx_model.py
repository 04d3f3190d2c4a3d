"""A model is exported once; from then on a question needs neither torch nor what stands on it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from app.config.settings import EmbeddingSettings
from app.search.embedding import onnx_model
from app.search.embedding.embedder import Embedder
from app.search.embedding.loading import load_embedder
from app.search.embedding.model_files import model_fingerprint
from app.search.embedding.torch_model import TorchModel
from app.tests.conftest import ShareExports
from app.tests.search.embedding.conftest import MakeModel
from app.tests.search.embedding.test_encoding import TEXTS, by_torch

PLAIN = EmbeddingSettings(precision="fp32", device="cpu", batch=3)


def load(model: Path, cache: Path, *, many: bool = False) -> Embedder:
    return load_embedder(str(model), cache=cache, settings=PLAIN, many=many)


@pytest.fixture(scope="session")
def exports(
    make_model: MakeModel, tmp_path_factory: pytest.TempPathFactory, share_exports: ShareExports
) -> Path:
    """A cache with the export of one model that has prompts and a layer after its pooling.

    It is a copy of the one that is kept: the test of a damaged export makes one in each run.
    """
    cache = tmp_path_factory.mktemp("exports")
    shared = share_exports(tmp_path_factory.mktemp("shared")) / "models"
    export = onnx_model.export_folder(shared, load(the_model(make_model), shared, many=True).fingerprint)
    shutil.copytree(export, cache / export.name)
    return cache


def the_model(make_model: MakeModel) -> Path:
    return make_model(query="ask ", document="a note ", dense=12)


def only_export(cache: Path) -> Path:
    (folder,) = cache.glob("*-onnx2")
    return folder


def test_torch_and_onnx_agree(exports: Path, make_model: MakeModel) -> None:
    original, by_onnx = by_torch(the_model(make_model)), load(the_model(make_model), exports)
    facts = ("fingerprint", "dimension", "max_pieces")
    assert [getattr(original, fact) for fact in facts] == [getattr(by_onnx, fact) for fact in facts]
    assert original.spans(TEXTS) == by_onnx.spans(TEXTS)
    pairs = list(zip(original.encode(TEXTS), by_onnx.encode(TEXTS), strict=True))
    pairs.append((original.encode_query("which moon"), by_onnx.encode_query("which moon")))
    for left, right in pairs:
        np.testing.assert_allclose(left.vector, right.vector, atol=1e-5)
        np.testing.assert_allclose(left.tokens, right.tokens, atol=1e-5)
    assert by_onnx.encode([]) == []


COLD = """
import sys
from pathlib import Path
from app.config.settings import EmbeddingSettings
from app.search.embedding.loading import load_embedder

def refuse(event, arguments):
    if event.startswith("socket."):
        raise AssertionError(f"{event} {arguments}")

sys.addaudithook(refuse)
embedder = load_embedder(sys.argv[1], cache=Path(sys.argv[2]), settings=EmbeddingSettings())
encoded = embedder.encode_query("which moon")
heavy = {"torch", "transformers", "sentence_transformers", "onnx", "onnxscript"} & set(sys.modules)
print(len(encoded.tokens), sorted(heavy))
"""


def test_a_cold_question_imports_no_torch_and_says_nothing(exports: Path, make_model: MakeModel) -> None:
    command = [sys.executable, "-W", "error", "-c", COLD, str(the_model(make_model)), str(exports)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("9 []\n", "")


def test_an_export_is_found_wherever_the_model_moves(
    exports: Path, make_model: MakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = shutil.copytree(the_model(make_model), tmp_path / "moved")
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    assert load(moved, exports).fingerprint in only_export(exports).name


def test_a_damaged_export_is_made_again_without_a_word(
    exports: Path,
    make_model: MakeModel,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    cache = shutil.copytree(exports, tmp_path / "cache")
    weights = only_export(cache) / "model.onnx.data"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-100])
    left = cache / ".export"
    left.mkdir()
    found = load(the_model(make_model), cache).encode_query("moon").vector
    expected = load(the_model(make_model), exports).encode_query("moon").vector
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert weights.read_bytes() == whole
    assert not left.exists()
    assert capfd.readouterr() == ("", "")


def test_an_export_that_gives_other_vectors_is_noticed(exports: Path, make_model: MakeModel) -> None:
    other = make_model(seed=5, query="ask ", document="a note ", dense=12)
    with pytest.raises(ValueError, match="the exported model gives other vectors: cosine"):
        onnx_model.compare(only_export(exports), TorchModel("other", other, "other"))


def test_a_model_that_cannot_be_exported_is_run_by_torch_and_not_tried_again(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    def unable(*arguments: object, **_: object) -> None:
        raise torch.onnx.OnnxExporterError("no such operator")

    monkeypatch.setattr(torch.onnx, "export", unable)
    fingerprint = model_fingerprint("", tiny_model)
    umask = os.umask(0)
    try:
        onnx_model.main(json.dumps(["", str(tiny_model), fingerprint, str(tmp_path)]))
    finally:
        os.umask(umask)
    (failed,) = tmp_path.glob("*.failed")
    assert failed.name.startswith(f"{fingerprint}-onnx2.torch-")
    assert failed.read_text() == "no such operator\n"
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("it was tried again"))
    assert load(tiny_model, tmp_path, many=True).encode_query("moon").vector.shape == (32,)


def test_without_room_for_an_export_torch_does_the_work(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert load(tiny_model, tmp_path / "cache", many=True).encode_query("moon").vector.shape == (32,)


def test_an_export_is_private_and_says_what_it_holds(exports: Path) -> None:
    folder = only_export(exports)
    assert folder.stat().st_mode & 0o077 == 0
    known = json.loads((folder / "facts.json").read_text())
    assert known["value"]["facts"]["prompts"] == {"query": "ask ", "document": "a note "}
    assert sorted(known["value"]["hashes"]) == sorted(
        {file.name for file in folder.iterdir()} - {"facts.json"}
    )
