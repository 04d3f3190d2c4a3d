"""Export a model once, so that a later process needs no torch to ask a question."""

import shutil
import tempfile
import time
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from app.dependencies import logger
from app.search.private import private_folder, replace_file, why_foreign
from app.search.semantic.batches import ModelEmbedder
from app.search.semantic.onnx_encoder import (
    MODEL,
    TOKENIZER,
    drop_export,
    export_folder,
    open_onnx,
    read_facts,
    write_facts,
)
from app.search.semantic.torch_encoder import LOADING, TorchModel, quiet

PROBES = (
    "moon",
    "How is the rover fuelled?",
    "",
    "Décision du 14 juillet : le budget est validé.\n- [ ] appeler Zoé ⏫",
    "東京は日本の首都です。 Привет, мир!",
    "A longer passage, which says the same thing many times over. " * 12,
)
"""Texts whose vectors are compared: short and long, alone and together, known words and unknown."""

AGREEMENT = 0.9999
"""Least cosine between the vectors of both ways; they differ only by the order of sums."""

SCRATCH = ".export-"
STALE_SECONDS = 3600.0


def ensure_export(cache: Path, model: TorchModel) -> None:
    """Export a model, still in fp32 on the CPU, unless that was done.

    A model that cannot be exported is not tried again with the same libraries; it is run by torch, always.
    """
    if not all(find_spec(name) for name in ("onnxruntime", "onnxscript")):
        return
    if cache.exists() and (reason := why_foreign(cache)):
        logger.warning("export_not_kept", extra={"model": model.name, "reason": reason})
        return
    folder = export_folder(cache, model.facts.fingerprint)
    failed = folder.with_suffix(".failed")
    libraries = " ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "onnxruntime"))
    try:
        with LOADING:
            if read_facts(folder) or _tried(failed, libraries):
                return
            private_folder(cache)
            _sweep(cache)
            with tempfile.TemporaryDirectory(dir=cache, prefix=SCRATCH) as scratch:
                try:
                    _export(Path(scratch), model)
                except _failures() as error:
                    logger.info("model_not_exported", extra={"model": model.name, "error": str(error)})
                    replace_file(failed, f"{libraries}\n{error}\n".encode())
                else:
                    _publish(Path(scratch), folder)
    except OSError as error:
        # A full disk, perhaps: torch can still do the work.
        logger.warning("export_not_written", extra={"model": model.name, "error": str(error)})


def _tried(failed: Path, libraries: str) -> bool:
    return failed.exists() and failed.read_text(encoding="utf-8", errors="replace").startswith(
        libraries + "\n"
    )


def _sweep(cache: Path) -> None:
    """Remove what killed exports left behind."""
    for left in cache.glob(f"{SCRATCH}*"):
        if time.time() - left.stat().st_mtime > STALE_SECONDS:
            shutil.rmtree(left)


def _export(folder: Path, model: TorchModel) -> None:
    """Write the export, and prove it."""
    import torch

    # Two different texts, one of them shorter: nothing is taken for a constant.
    ids = torch.full((2, 7), model.facts.pad, dtype=torch.int64)
    mask = torch.ones((2, 7), dtype=torch.int64)
    mask[1, 4:] = 0
    rows, width = torch.export.Dim("rows"), torch.export.Dim("width")
    with quiet():
        # Weights beside the graph are mapped into memory instead of read: a question waits half as long.
        torch.onnx.export(
            model.module,
            (ids, mask),
            folder / MODEL,
            dynamo=True,
            verbose=False,
            external_data=True,
            input_names=["ids", "mask"],
            output_names=["vectors", "tokens"],
            dynamic_shapes=({0: rows, 1: width}, {0: rows, 1: width}),
        )
    model.tokenizer.save(str(folder / TOKENIZER))
    write_facts(folder, model.facts)
    compare(folder, model)


def compare(folder: Path, model: TorchModel) -> None:
    """Compare what an export gives with what the model gives in fp32.

    Raises:
        ValueError: they do not agree.
    """
    for batch in (1, len(PROBES)):
        exported = open_onnx(folder, model.facts, batch=batch, threads=0)
        original = ModelEmbedder(model.facts, model.pieces, model.runner("cpu", "fp32", None), batch)
        for left, right in zip(exported.encode(PROBES), original.encode(PROBES), strict=True):
            cosines = np.append(np.sum(left.tokens * right.tokens, axis=1), left.vector @ right.vector)
            if not cosines.min() > AGREEMENT:
                raise ValueError(f"the exported model gives other vectors: cosine {cosines.min():.5f}")


def _publish(scratch: Path, folder: Path) -> None:
    """Give a whole export its name; where another process was faster, its export stays."""
    if not read_facts(folder):
        drop_export(folder)
    try:
        scratch.rename(folder)
    except OSError:
        if not read_facts(folder):
            raise


def _failures() -> tuple[type[Exception], ...]:
    """List what an export can raise; the errors of ONNX Runtime have no common base."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    own = (kind for kind in vars(state).values() if isinstance(kind, type) and issubclass(kind, Exception))
    return (
        RuntimeError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        AssertionError,
        ImportError,
        *own,
    )
