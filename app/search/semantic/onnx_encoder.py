"""Run an exported embedding model with ONNX Runtime: neither torch nor what stands on it is imported."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.search.semantic.batches import Facts, ModelEmbedder, Prompts
from app.search.semantic.embedder import Vectors
from app.search.semantic.pieces import Pieces

MODEL, TOKENIZER, FACTS = "model.onnx", "tokenizer.json", "facts.json"

FORM = 1
"""Counted up when an export is made in another way."""


def export_folder(cache: Path, fingerprint: str) -> Path:
    """Name the folder of a model's export, whether it exists or not."""
    return cache / f"{fingerprint}-onnx{FORM}"


def write_facts(folder: Path, facts: Facts) -> None:
    """Complete an export with what must be known beside its files, and how large they are."""
    sizes = {file.name: file.stat().st_size for file in folder.iterdir()}
    content = json.dumps({"facts": asdict(facts), "sizes": sizes}, ensure_ascii=False, indent=1)
    (folder / FACTS).write_text(content, encoding="utf-8")


def read_facts(folder: Path) -> Facts | None:
    """Read what an export says of its model; None where there is no export, or not all of it."""
    try:
        known = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        if any((folder / name).stat().st_size != size for name, size in known["sizes"].items()):
            return None
        return Facts(**{**known["facts"], "prompts": Prompts(**known["facts"]["prompts"])})
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def open_onnx(folder: Path, facts: Facts, *, batch: int, threads: int) -> ModelEmbedder:
    """Open an export; ``threads`` 0 are as many as there are cores."""
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait by spinning take the cores from whatever else this process does.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(folder / MODEL), options, providers=["CPUExecutionProvider"])

    def run(ids: NDArray[np.int64], mask: NDArray[np.int64]) -> tuple[Vectors, Vectors]:
        vectors, tokens = session.run(["vectors", "tokens"], {"ids": ids, "mask": mask})
        return vectors, tokens

    pieces = Pieces(Tokenizer.from_file(str(folder / TOKENIZER)), facts.length)
    return ModelEmbedder(facts, pieces, run, batch)
