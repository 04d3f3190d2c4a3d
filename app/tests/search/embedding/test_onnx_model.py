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


def test_torch_runs_the_rest(tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
