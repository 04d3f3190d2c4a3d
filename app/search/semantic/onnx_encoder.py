"""Run an exported embedding model with ONNX Runtime: neither torch nor what stands on it is imported."""

import hashlib
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.errors import ModelError
from app.search.private import read_record, why_foreign_inside, write_record
from app.search.semantic.batches import Facts, ModelEmbedder, Prompts
from app.search.semantic.embedder import Vectors
from app.search.semantic.pieces import Pieces

MODEL, TOKENIZER, FACTS = "model.onnx", "tokenizer.json", "facts.json"

INPUTS, OUTPUTS = ("ids", "mask"), ("vectors", "tokens")

FORM = 2
"""Counted up when an export is made in another way."""


def export_folder(cache: Path, fingerprint: str) -> Path:
    """Name the folder of a model's export, whether it exists or not."""
    return cache / f"{fingerprint}-onnx{FORM}"


def write_facts(folder: Path, facts: Facts) -> None:
    """Complete an export with what must be known beside its files, and what they hold."""
    files = sorted(folder.iterdir())
    for file in files:
        file.chmod(0o600)
    hashes = {file.name: _hash(file) for file in files}
    write_record(folder / FACTS, {"facts": asdict(facts), "hashes": hashes})


def read_facts(folder: Path) -> Facts | None:
    """Read what an export says of its model; None where there is no export, or not all of it."""
    return _read(folder)[0]


def _read(folder: Path) -> tuple[Facts | None, dict[str, str]]:
    known = read_record(folder / FACTS)
    try:
        facts, hashes = known["facts"], known["hashes"]
        if not all((folder / name).is_file() for name in (MODEL, TOKENIZER, *hashes)):
            return None, {}
        return Facts(**{**facts, "prompts": Prompts(**facts["prompts"])}), hashes
    except (OSError, LookupError, TypeError, AttributeError, ValueError):
        return None, {}


def _hash(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def drop_export(folder: Path) -> None:
    """Remove an export, so that it is made again; where a link stands in its place, the link alone."""
    if folder.is_symlink():
        folder.unlink(missing_ok=True)
    else:
        shutil.rmtree(folder, ignore_errors=True)


def open_onnx(folder: Path, facts: Facts, *, batch: int, threads: int) -> ModelEmbedder:
    """Open an export; ``threads`` 0 are as many as there are cores.

    Raises:
        ModelError: it is not as it was written, or not what the facts say.
    """
    if reason := why_foreign_inside(folder):
        raise ModelError(f"the export of the model is not used: {reason}")
    hashes = _read(folder)[1]
    if {file.name for file in folder.iterdir()} != {*hashes, FACTS}:
        raise ModelError(f"the export in '{folder}' has other files than were written")
    with ThreadPoolExecutor(1) as beside:
        # Ninety megabytes are summed up while the library is imported, which takes longer.
        found = beside.map(lambda name: _hash(folder / name), hashes)
        import onnxruntime
        from tokenizers import Tokenizer

        for name, was in zip(found, hashes.items(), strict=True):
            if name != was[1]:
                raise ModelError(f"'{folder / was[0]}' is not as it was written")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait by spinning take the cores from whatever else this process does.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(
            str(folder / MODEL), options, providers=["CPUExecutionProvider"]
        )
        _check_shape(session, facts)
        pieces = Pieces(Tokenizer.from_file(str(folder / TOKENIZER)), facts.length)
    except Exception as error:
        raise ModelError(f"the export in '{folder}' cannot be run: {error}") from error

    def run(ids: NDArray[np.int64], mask: NDArray[np.int64]) -> tuple[Vectors, Vectors]:
        vectors, tokens = session.run(list(OUTPUTS), {"ids": ids, "mask": mask})
        return vectors, tokens

    return ModelEmbedder(facts, pieces, run, batch)


def _check_shape(session: Any, facts: Facts) -> None:  # noqa: ANN401 - the library has no types
    """Make sure that a graph takes and gives what ours do."""
    inputs = {one.name: (one.type, len(one.shape)) for one in session.get_inputs()}
    outputs = {one.name: (one.type, len(one.shape), one.shape[-1]) for one in session.get_outputs()}
    width = facts.dimension
    if inputs != dict.fromkeys(INPUTS, ("tensor(int64)", 2)):
        raise ValueError(f"it takes {inputs}")
    if outputs["vectors"] != ("tensor(float)", 2, width) or outputs["tokens"][:2] != ("tensor(float)", 3):
        raise ValueError(f"it gives {outputs}, not {width} numbers a vector")
