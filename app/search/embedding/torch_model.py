"""Run an embedding model with torch: the vectors of texts and of their tokens in a single pass."""

import logging
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.config.settings import Device, Precision
from app.errors import EngineMissingError, ModelError
from app.search.embedding.embedder import Vectors
from app.search.embedding.model_files import check_model
from app.search.embedding.tokenizing import Facts, Pass, Pieces, Prompts

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer
    from torch import Tensor, nn

INSTALL = "install the extra 'deep': pip install 'vault-assistant[deep]', or '.[deep]' in a clone"
BROKEN_HINT = "download the model again, or name another one"
REASON_CHARS = 300
MOST_PIECES = 8192
"""Some models name no longest text; more than this would not fit into memory."""
CPU_BF16 = ("avx512_bf16", "amx_bf16", "bf16")
"""Instructions that make bf16 fast: without them a CPU works it out in fp32, more slowly than fp32 itself."""
LOADED_SAFELY: dict[str, Any] = {
    "local_files_only": True,
    "trust_remote_code": False,
    "model_kwargs": {"use_safetensors": True},
}
"""What every model is loaded with: no download, no code of its own, no pickled weights."""
NOISY = ("sentence_transformers", "transformers", "huggingface_hub", "torch")
LOADING = threading.Lock()
"""Held while a model is loaded or exported: the libraries change what is global meanwhile, and so do we."""


def _one_pass(name: str, model: "SentenceTransformer") -> "nn.Module":
    """Make of a model one module: ids and mask to vectors and token vectors, all of length 1.

    Raises:
        ModelError: the model is not made of a transformer and a pooling.
    """
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
    pooling = modules[poolings[0]]
    if not pooling.include_prompt and any(model.prompts.values()):
        raise ModelError(
            "model '{name}' leaves its prompts out of its vectors", "name another model", name=name
        )

    # Several poolings side by side make a vector of several widths.
    mode: Any = pooling.pooling_mode
    copies = 1 if isinstance(mode, str) else len(mode)

    class OnePass(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.transformer = transformer
            self.pooled = nn.ModuleList(modules[1 : poolings[0] + 1])
            self.after = nn.ModuleList(modules[poolings[0] + 1 :])

        def forward(self, ids: "Tensor", mask: "Tensor") -> "tuple[Tensor, Tensor]":
            features: dict[str, Any] = {"input_ids": ids, "attention_mask": mask}
            features = self.transformer(features)
            features["token_embeddings"] = features["token_embeddings"].float()
            for module in self.pooled:
                features = module(features)
            return self.finished(features["sentence_embedding"]), self.pieces(features["token_embeddings"])

        def pieces(self, tokens: "Tensor") -> "Tensor":
            """Lead token vectors the way of text vectors, so that both lie in one space."""
            rows = tokens.flatten(0, 1).repeat(1, copies)
            return self.finished(rows).reshape(tokens.shape[0], tokens.shape[1], -1)

        def finished(self, rows: "Tensor") -> "Tensor":
            features = {"sentence_embedding": rows}
            for module in self.after:
                features = module(features)
            unit: Tensor = normalize(features["sentence_embedding"], dim=-1)
            return unit

    return OnePass().eval().requires_grad_(False)


class TorchModel:
    """A loaded model in fp32 on the CPU, before it is put where and how it will run.

    Args:
        name: What to call the model in messages.
        folder: Where it lies.
        fingerprint: Of the folder.
        prompts: What its family wants before a text; without them, what its own files say.

    Raises:
        EngineMissingError: the extra is not installed.
        ModelError: the folder holds no model that can be used.
    """

    def __init__(self, name: str, folder: Path, fingerprint: str, prompts: Prompts | None = None) -> None:
        model = load_model(name, folder)
        self.name = name
        self.module = _one_pass(name, model)
        tokenizer = model.tokenizer
        if not getattr(tokenizer, "is_fast", False):
            raise ModelError(
                "model '{name}' has a tokenizer that does not say where pieces stand", BROKEN_HINT, name=name
            )
        if len(tokenizer) <= len(tokenizer.all_special_ids):
            # The library takes a lost vocabulary for an empty one.
            raise broken(name, ValueError("its tokenizer knows no words"))
        self.tokenizer: Tokenizer = tokenizer.backend_tokenizer
        self.facts = Facts(
            fingerprint=fingerprint,
            dimension=int(model.get_embedding_dimension() or 0),
            length=min(int(model.max_seq_length or MOST_PIECES), MOST_PIECES),
            pad=int(tokenizer.pad_token_id or 0),
            prompts=prompts or prompts_of(model),
        )
        self.pieces = Pieces(self.tokenizer, self.facts.length)

    def runner(self, device: str, precision: str, threads: int | None = None) -> Pass:
        """Put the model where it will run; ``threads`` counts for all of torch, None leaves it as it is."""
        import torch

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

        return run


def place(device: Device, precision: Precision) -> tuple[str, str]:
    """Turn ``auto`` into the fastest device of this machine, and the fastest precision that loses nothing.

    Raises:
        EngineMissingError: the extra is not installed.
        ModelError: the machine has no such device.
    """
    try:
        import torch
    except ImportError as error:
        raise EngineMissingError("deep search needs the package sentence-transformers", INSTALL) from error
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    where = next(name for name in present if present[name]) if device == "auto" else device
    if not present[where]:
        raise ModelError(
            "this machine has no device '{where}'", "set 'embedding.device' to 'auto'", where=where
        )
    if precision != "auto":
        return where, precision
    return where, "bf16" if _has_bf16(where) else "fp32"


def _has_bf16(device: str) -> bool:
    import torch

    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    able = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return device == "cpu" and any(able.get(name, False) for name in CPU_BF16)


def prompts_of(model: "SentenceTransformer") -> Prompts:
    """Choose the prompts as `encode_query` and `encode_document` of the library do."""
    known = {key: prompt or "" for key, prompt in model.prompts.items()}
    default = known.get(model.default_prompt_name or "", "")
    document = next((known[key] for key in ("document", "passage", "corpus") if key in known), default)
    return Prompts(known.get("query", default), document)


def load_model(name: str, folder: Path) -> "SentenceTransformer":
    """Load a model on the CPU, in the precision it was saved in.

    Raises:
        EngineMissingError: the extra is not installed.
        ModelError: the folder holds no model, or one that could have code run.
    """
    refuse_code(name, folder)
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise EngineMissingError("deep search needs the package sentence-transformers", INSTALL) from error
    with loading(name):
        return SentenceTransformer(str(folder), device="cpu", **LOADED_SAFELY)


def refuse_code(name: str, folder: Path) -> None:
    """Refuse a model folder that could have code run.

    Raises:
        ModelError: it could, or its files are broken.
    """
    try:
        check_model(name, folder)
    except (OSError, ValueError, RecursionError) as error:
        raise broken(name, error) from error


@contextmanager
def loading(name: str) -> Iterator[None]:
    """Let a model be loaded alone and quietly.

    Raises:
        ModelError: its files are broken, or those of another kind of model.
    """
    from safetensors import SafetensorError

    with LOADING, quiet():
        try:
            yield
        except (
            OSError, ValueError, RuntimeError, LookupError, TypeError, AttributeError, ImportError, EOFError,
            AssertionError, SafetensorError,
        ) as error:  # fmt: skip
            raise broken(name, error) from error


def broken(name: str, error: Exception) -> ModelError:
    """Put what went wrong with a model's files into one line."""
    reason = " ".join(str(error).split())[:REASON_CHARS] or type(error).__name__
    return ModelError("model '{name}' cannot be loaded: {reason}", BROKEN_HINT, name=name, reason=reason)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the libraries' progress bars, log lines and warnings off the terminal while a model is loaded."""
    from transformers.utils import logging as bars

    loggers = [logging.getLogger(name) for name in NOISY]
    levels = [logger.level for logger in loggers]
    had_bars = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()  # type: ignore[no-untyped-call]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        if had_bars:
            bars.enable_progress_bar()  # type: ignore[no-untyped-call]
