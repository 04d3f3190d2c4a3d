"""Export an embedding model once, and run it with ONNX Runtime, so that a later process needs no torch."""

import hashlib
import os
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.config.folders import replace_file
from app.config.settings import logger
from app.errors import ModelError
from app.search.embedding.embedder import Vectors
from app.search.embedding.tokenizing import Facts, ModelEmbedder, Pieces, Prompts
from app.search.embedding.torch_model import LOADING, TorchModel, quiet
from app.search.private import (
    private_folder,
    read_record,
    why_foreign,
    why_foreign_inside,
    write_record,
)

MODEL, TOKENIZER, FACTS = "model.onnx", "tokenizer.json", "facts.json"
INPUTS, OUTPUTS = ("ids", "mask"), ("vectors", "tokens")
FAILED = ".failed"
"""Ending of what is kept of an export that did not succeed."""
FORM = 2
"""Counted up when an export is made in another way."""

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


def export_folder(cache: Path, fingerprint: str) -> Path:
    """Name the folder of a model's export, whether it exists or not."""
    return cache / f"{fingerprint}-onnx{FORM}"


def _write_facts(folder: Path, facts: Facts) -> None:
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
        raise ModelError("the export of the model is not used: {reason}", reason=reason)
    hashes = _read(folder)[1]
    if {file.name for file in folder.iterdir()} != {*hashes, FACTS}:
        raise ModelError("the export in '{folder}' has other files than were written", folder=folder)
    with ThreadPoolExecutor(1) as beside:
        # Ninety megabytes are summed up while the library is imported, which takes longer.
        found = beside.map(lambda name: _hash(folder / name), hashes)
        # It would keep a number of this machine and a log of its use in the home folder, to be sent.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime
        from tokenizers import Tokenizer

        for name, was in zip(found, hashes.items(), strict=True):
            if name != was[1]:
                raise ModelError("'{folder}' is not as it was written", folder=folder / was[0])
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
        raise ModelError(
            "the export in '{folder}' cannot be run: {reason}", folder=folder, reason=error
        ) from error

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
    failed = folder.with_suffix(FAILED)
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
    _write_facts(folder, model.facts)
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
