"""Load models by sentence-transformers, and run an embedding model with torch.

A model that cannot be used is a `ModelError`, and a missing extra ``deep`` an `EngineMissingError`.
"""

import logging
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.config.settings import Device, Precision
from app.errors import EngineMissingError, ModelError, missing_extra
from app.search.embedding.embedder import Facts, ModelEmbedder, Prompts, Vectors
from app.search.embedding.model_files import family_prompts

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from torch import Tensor, nn

INSTALL = missing_extra("deep")
BROKEN_HINT = "download the model again, or name another one"
REASON_CHARS = 300
MOST_PIECES = 8192
"""Some models name no longest text; more than this would not fit into memory."""
CPU_BF16 = ("avx512_bf16", "amx_bf16", "bf16")
"""Instructions that make bf16 fast: without them a CPU works it out in fp32, more slowly than fp32 itself."""
NOISY = ("sentence_transformers", "transformers", "huggingface_hub", "torch")
LOADING = threading.Lock()
"""Held while a model is loaded: the libraries change what is global meanwhile, and so do we."""


def engine(package: str) -> Any:  # noqa: ANN401 - a module
    """Import a package of the extra ``deep``."""
    try:
        return import_module(package)
    except ImportError as error:
        missing = package.partition(".")[0].replace("_", "-")
        raise EngineMissingError(
            "deep search needs the package {package}", INSTALL, package=missing
        ) from error


def load_model(name: str, folder: Path, kind: str = "SentenceTransformer") -> Any:  # noqa: ANN401 - a model
    """Load a model of some kind of the library's on the CPU, in the precision it was saved in.

    Nothing is downloaded, no code of the model's own is run, and no pickle is read.
    """
    library = engine("sentence_transformers")
    try:
        with LOADING, _quiet():
            return getattr(library, kind)(
                str(folder),
                device="cpu",
                local_files_only=True,
                trust_remote_code=False,
                model_kwargs={"use_safetensors": True},
            )
    except Exception as error:
        raise broken(name, error) from error


def broken(name: str, error: Exception) -> ModelError:
    """Put what went wrong with a model's files into one line."""
    reason = " ".join(str(error).split())[:REASON_CHARS] or type(error).__name__
    return ModelError("model '{name}' cannot be loaded: {reason}", BROKEN_HINT, name=name, reason=reason)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the libraries' progress bars, log lines and warnings off the terminal."""
    engine("transformers.utils.logging").disable_progress_bar()
    loggers = {logging.getLogger(name): logging.getLogger(name).level for name in NOISY}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for logger in loggers:
                logger.setLevel(logging.CRITICAL)
            yield
    finally:
        for logger, level in loggers.items():
            logger.setLevel(level)


def prompts_of(model: "SentenceTransformer") -> Prompts:
    """Choose the prompts as `encode_query` and `encode_document` of the library do."""
    known = {key: prompt or "" for key, prompt in model.prompts.items()}
    default = known.get(model.default_prompt_name or "", "")
    document = next((known[key] for key in ("document", "passage", "corpus") if key in known), default)
    return Prompts(known.get("query", default), document)


class TorchModel:
    """A loaded model in fp32 on the CPU, before it is put where and how it will run.

    ``name`` is what messages call it, and ``fingerprint`` that of the folder.
    """

    def __init__(self, name: str, folder: Path, fingerprint: str) -> None:
        model: SentenceTransformer = load_model(name, folder)
        self.module = _one_pass(name, model)
        tokenizer = model.tokenizer
        if not getattr(tokenizer, "is_fast", False) or len(tokenizer) <= len(tokenizer.all_special_ids):
            # The library takes a lost vocabulary for an empty one.
            raise broken(name, ValueError("its tokenizer knows no words, or not where they stand"))
        self.tokenizer = tokenizer.backend_tokenizer
        self.facts = Facts(
            fingerprint=fingerprint,
            dimension=int(model.get_embedding_dimension() or 0),
            length=min(int(model.max_seq_length or MOST_PIECES), MOST_PIECES),
            pad=int(tokenizer.pad_token_id or 0),
            prompts=family_prompts(name, folder) or prompts_of(model),
        )

    def embedder(
        self, device: str, precision: str, *, batch: int, threads: int | None = None
    ) -> ModelEmbedder:
        """Put the model where it will run; ``threads`` counts for all of torch, None leaves it as it is."""
        torch = engine("torch")
        if threads:
            torch.set_num_threads(threads)
        if precision == "bf16":
            # The pooling and what follows stay in fp32: there a rounded bit counts, and they cost nothing.
            self.module.transformer.to(torch.bfloat16)
        module = self.module.to(device)

        def run(ids: NDArray[np.int64], mask: NDArray[np.int64]) -> tuple[Vectors, Vectors]:
            with torch.inference_mode():
                vectors, tokens = module(torch.from_numpy(ids).to(device), torch.from_numpy(mask).to(device))
                return vectors.cpu().numpy(), tokens.cpu().numpy()

        return ModelEmbedder(self.facts, self.tokenizer, run, batch)


def _one_pass(name: str, model: "SentenceTransformer") -> "nn.Module":
    """Make of a model one module: ids and mask to vectors and token vectors, all of length 1."""
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from torch import nn
    from torch.nn.functional import normalize

    modules = list(model)
    poolings = [at for at, module in enumerate(modules) if isinstance(module, Pooling)]
    transformer = modules[0]
    if not poolings or not isinstance(transformer, Transformer) or "message" in transformer.modality_config:
        kinds = ", ".join(type(module).__name__ for module in modules)
        raise ModelError(
            "model '{name}' is not a text transformer with pooling, but {kinds}",
            "name another model",
            name=name,
            kinds=kinds,
        )
    mode: Any = modules[poolings[0]].pooling_mode
    # Several poolings side by side make a vector of several widths.
    copies = 1 if isinstance(mode, str) else len(mode)

    class OnePass(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.transformer = transformer
            self.pooled = nn.ModuleList(modules[1 : poolings[0] + 1])
            self.after = nn.ModuleList(modules[poolings[0] + 1 :])

        def forward(self, ids: "Tensor", mask: "Tensor") -> "tuple[Tensor, Tensor]":
            features: dict[str, Any] = self.transformer({"input_ids": ids, "attention_mask": mask})
            tokens = features["token_embeddings"] = features["token_embeddings"].float()
            for module in self.pooled:
                features = module(features)
            # Token vectors go the way of text vectors, so that both lie in one space.
            rows = self.finished(tokens.flatten(0, 1).repeat(1, copies))
            pieces = rows.reshape(tokens.shape[0], tokens.shape[1], -1)
            return self.finished(features["sentence_embedding"]), pieces

        def finished(self, rows: "Tensor") -> "Tensor":
            features = {"sentence_embedding": rows}
            for module in self.after:
                features = module(features)
            unit: Tensor = normalize(features["sentence_embedding"], dim=-1)
            return unit

    return OnePass().eval().requires_grad_(False)


def place(device: Device, precision: Precision) -> tuple[str, str]:
    """Turn ``auto`` into the fastest device of this machine, and the fastest precision that loses nothing."""
    torch = engine("torch")
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    where = next(name for name in present if present[name]) if device == "auto" else device
    if not present[where]:
        raise ModelError(
            "this machine has no device '{where}'", "set 'embedding.device' to 'auto'", where=where
        )
    if precision != "auto":
        return where, precision
    if where == "cuda":
        fast = torch.cuda.is_bf16_supported(including_emulation=False)
    else:
        able = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
        fast = where == "cpu" and any(able.get(name, False) for name in CPU_BF16)
    return where, "bf16" if fast else "fp32"
