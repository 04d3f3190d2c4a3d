"""Run an embedding model with ONNX Runtime, from an export that is made once: a question needs no torch."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.config.settings import logger
from app.search.embedding.embedder import Facts, ModelEmbedder, Prompts, Vectors
from app.search.embedding.multilingual import write_model
from app.search.embedding.torch_model import TorchModel, engine
from app.search.private import is_foreign, private_folder, read_record, write_record

MODEL, TOKENIZER, FACTS = "model.onnx", "tokenizer.json", "facts.json"
OUTPUTS = ("vectors", "tokens")
FORM = 2
"""Counted up when an export is made in another way."""
LOCK, SCRATCH = "export.lock", ".export"
PROBES = ("moon", "- [ ] appeler Zoé ⏫", "東京は日本の首都です。 A passage that says the same. " * 20)
"""Texts whose vectors are compared: short and long, known words and unknown."""
AGREEMENT = 0.9999
"""Least cosine between the vectors of both ways; they differ only by the order of sums."""
LOOK_SECONDS = 0.2
PATIENCE_SECONDS = 600.0
"""How long one process waits for another that exports a model."""
_LEFT_RUNNING: list["subprocess.Popen[bytes]"] = []
"""What is not waited for any more; Python warns of a process that nothing refers to."""


def export_folder(cache: Path, fingerprint: str) -> Path:
    """Name the folder of a model's export, whether it exists or not."""
    return cache / f"{fingerprint}-onnx{FORM}"


def open_export(cache: Path, fingerprint: str, *, batch: int, threads: int) -> ModelEmbedder | None:
    """Open the export of a model; None where there is none that can be run.

    One that cannot be opened is removed. ``threads`` 0 are as many as there are cores.
    """
    folder = export_folder(cache, fingerprint)
    if not folder.exists() or find_spec("onnxruntime") is None or is_foreign(cache):
        return None
    try:
        return _opened(folder, batch, threads)
    except Exception as error:  # noqa: BLE001 - those of ONNX Runtime have no base; it is made again
        logger.warning("export_refused", extra={"folder": str(folder), "reason": str(error)})
        shutil.rmtree(folder, ignore_errors=True)
        return None


def _opened(folder: Path, batch: int, threads: int) -> ModelEmbedder:
    """Open an export; raises whatever is wrong with it."""
    known = read_record(folder / FACTS)["facts"]
    facts = Facts(**{**known, "prompts": Prompts(**known["prompts"])})
    # It would keep a number of this machine and a log of its use in the home folder, to be sent.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    onnxruntime, tokenizers = engine("onnxruntime"), engine("tokenizers")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait by spinning take the cores from whatever else this process does.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4
    cpu = ["CPUExecutionProvider"]
    session = onnxruntime.InferenceSession(str(folder / MODEL), options, providers=cpu)
    if session.get_outputs()[0].shape[-1] != facts.dimension:
        raise ValueError("it is the export of another model")

    def run(ids: NDArray[np.int64], mask: NDArray[np.int64]) -> tuple[Vectors, Vectors]:
        vectors, tokens = session.run(list(OUTPUTS), {"ids": ids, "mask": mask})
        return vectors, tokens

    return ModelEmbedder(facts, tokenizers.Tokenizer.from_file(str(folder / TOKENIZER)), run, batch)


def is_export_due(cache: Path, fingerprint: str) -> bool:
    """Return whether a model is to be exported: that was neither done, nor failed, and can be done."""
    export = export_folder(cache, fingerprint)
    if not all(find_spec(library) for library in ("sentence_transformers", "onnxruntime")):
        return False
    # Exports in a folder that others may write are neither used nor made.
    return not (export.exists() or _failure(export).exists() or (cache.exists() and is_foreign(cache)))


def make_export(
    name: str, folder: Path, fingerprint: str, cache: Path, stopped: Callable[[], bool] = lambda: False
) -> None:
    """Have a model exported where `is_export_due`, and wait for it until ``stopped``.

    In half a minute of Python a server would answer slowly, and clients end servers that do: so a process of
    its own does it, which goes on when this one is ended. `open_export` tells whether it succeeded.
    """
    if not is_export_due(cache, fingerprint):
        return
    asked = json.dumps([name, str(folder.absolute()), fingerprint, str(cache.absolute())])
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__, asked],
        # Those of this process may be a protocol's.
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,
    )
    while child.poll() is None:
        if stopped():
            _LEFT_RUNNING.append(child)
            return
        time.sleep(LOOK_SECONDS)


def _failure(export: Path) -> Path:
    """Name the file that is left of an export that did not succeed; it is tried again with another torch."""
    return export.with_suffix(f".torch-{version('torch')}.failed")


def main(asked: str) -> None:
    """Export a model in fp32, after any other process that does so."""
    from filelock import FileLock

    name, folder, fingerprint, place = json.loads(asked)
    os.umask(0o077)
    cache = Path(place)
    private_folder(cache)
    export, scratch = export_folder(cache, fingerprint), cache / SCRATCH
    with FileLock(cache / LOCK, timeout=PATIENCE_SECONDS):
        if export.exists():
            return
        # What a killed process has left.
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        try:
            if Path(folder).is_file():
                facts = write_model(Path(folder), scratch / MODEL, scratch / TOKENIZER)
                write_record(scratch / FACTS, {"facts": facts})
            else:
                _export(scratch, TorchModel(name, Path(folder), fingerprint))
            scratch.rename(export)
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever torch and ONNX Runtime raise; a full disk may pass
            _failure(export).write_text(f"{error}\n")
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _export(folder: Path, model: TorchModel) -> None:
    """Write the export, and prove it."""
    torch = engine("torch")
    # Two different texts, one of them shorter: nothing is taken for a constant.
    ids, mask = torch.full((2, 7), model.facts.pad), torch.ones((2, 7), dtype=torch.int64)
    mask[1, 4:] = 0
    rows, width = torch.export.Dim("rows"), torch.export.Dim("width")
    # Weights beside the graph are mapped into memory instead of read: a question waits half as long.
    torch.onnx.export(
        model.module,
        (ids, mask),
        folder / MODEL,
        dynamo=True,
        verbose=False,
        external_data=True,
        input_names=["ids", "mask"],
        output_names=list(OUTPUTS),
        dynamic_shapes=({0: rows, 1: width},) * 2,
    )
    model.tokenizer.save(str(folder / TOKENIZER))
    write_record(folder / FACTS, {"facts": asdict(model.facts)})
    compare(folder, model)


def compare(folder: Path, model: TorchModel) -> None:
    """Compare what an export gives with what the model gives in fp32.

    Raises:
        ValueError: they do not agree.
    """
    exported = _opened(folder, len(PROBES), 0).encode(PROBES)
    original = model.embedder("cpu", "fp32", batch=len(PROBES)).encode(PROBES)
    for left, right in zip(exported, original, strict=True):
        cosines = np.append(np.sum(left.tokens * right.tokens, axis=1), left.vector @ right.vector)
        if not cosines.min() > AGREEMENT:
            raise ValueError(f"the exported model gives other vectors: cosine {cosines.min():.5f}")


if __name__ == "__main__":
    main(sys.argv[1])
