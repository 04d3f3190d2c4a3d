"""Each text reaches a model with the prompt of its family."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from app.search.embedding.embedder import Embedder
from app.search.embedding.model_files import SENTENCE, model_fingerprint
from app.search.embedding.torch_model import TorchModel

MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
]
E5 = {"__version__": {"sentence_transformers": "2.3.1", "transformers": "4.36.0", "pytorch": "2.1.0"}}
BGE = {"__version__": {"sentence_transformers": "2.2.2", "transformers": "4.28.1", "pytorch": "1.13.0+cu117"}}


def like(model: Path, folder: Path, own: dict[str, object], pooling: str) -> Path:
    """Give a small random model the files that a family's models have on the hub."""
    shutil.copytree(model, folder)
    for file in folder.glob("*/config.json"):
        shutil.rmtree(file.parent)
    (folder / "modules.json").write_text(json.dumps(MODULES))
    (folder / "config_sentence_transformers.json").write_text(json.dumps(own))
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 128, "do_lower_case": false}')
    (folder / "1_Pooling").mkdir()
    modes = ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens")
    config = {f"pooling_mode_{mode}": mode == pooling for mode in modes}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"word_embedding_dimension": 32, **config}))
    return folder


def load(folder: Path) -> Embedder:
    model = TorchModel(str(folder), folder, model_fingerprint(str(folder), folder))
    return model.embedder("cpu", "fp32", batch=4)


@pytest.mark.parametrize(
    ("name", "own", "pooling", "query", "passage"),
    [
        ("multilingual-e5-small", E5, "mean_tokens", "query: ", "passage: "),
        ("bge-small-en-v1.5", BGE, "cls_token", SENTENCE, ""),
    ],
)
def test_texts_reach_the_model_with_the_prompts_of_its_family(
    tiny_model: Path,
    tmp_path: Path,
    name: str,
    own: dict[str, object],
    pooling: str,
    query: str,
    passage: str,
) -> None:
    known = load(like(tiny_model, tmp_path / name, own, pooling))
    plain = load(like(tiny_model, tmp_path / "unknown", own, pooling))
    for text in ("where is the key", "la clef est sous le pot"):
        asked, said = known.encode_query(text).vector, known.encode([text])[0].vector
        assert np.allclose(asked, plain.encode([query + text])[0].vector, atol=1e-6)
        assert np.allclose(said, plain.encode([passage + text])[0].vector, atol=1e-6)
        assert not np.allclose(asked, said, atol=1e-4)
    assert known.fingerprint != plain.fingerprint
