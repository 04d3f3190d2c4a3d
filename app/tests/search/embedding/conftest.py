"""Small random models, built on the spot: they mean nothing, and are real in all else."""

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

MakeModel = Callable[..., Path]


@pytest.fixture(scope="session")
def make_model(kept_folder: Path) -> MakeModel:
    """Build a sentence-transformers model: ``make_model(seed=1, dimension=32)``; each only once, in whatever run.

    ``pooling`` is the library's name of one, ``dense`` the width of a layer after it, ``query`` and
    ``document`` are prompts.
    """

    def make(seed: int = 0, dimension: int = 32, **kind: Any) -> Path:
        key = repr((seed, dimension, *sorted(kind.items())))
        folder = kept_folder / "models" / hashlib.sha256(key.encode()).hexdigest()[:16]
        folder.parent.mkdir(exist_ok=True)
        with FileLock(f"{folder}.lock"):
            if not folder.exists():
                with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
                    build_model(Path(scratch), seed, dimension, **kind).rename(folder)
        return folder

    return make


@pytest.fixture(scope="session")
def tiny_model(make_model: MakeModel) -> Path:
    """The folder of a small random model."""
    return make_model()


def build_model(
    folder: Path,
    seed: int,
    dimension: int,
    *,
    pooling: str = "mean",
    dense: int = 0,
    query: str = "",
    document: str = "",
) -> Path:
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense, Normalize, Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizer

    letters = "abcdefghijklmnopqrstuvwxyz"
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = [*special, *letters, *("##" + letter for letter in letters), *"0123456789"]
    base, out = folder / "base", folder / "model"
    BertTokenizer(
        vocab={piece: number for number, piece in enumerate(vocabulary)}, model_max_length=128
    ).save_pretrained(base)
    torch.manual_seed(seed)
    BertModel(
        BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=dimension,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=37,
            max_position_embeddings=128,
        )
    ).save_pretrained(base)
    modules = [Transformer(str(base)), Pooling(dimension, pooling_mode=pooling)]
    if dense:
        modules.append(Dense(dimension, dense))
    prompts = {"query": query, "document": document}
    SentenceTransformer(modules=[*modules, Normalize()], prompts=prompts, device="cpu").save(str(out))
    return out
