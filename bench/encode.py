"""Time the encoders: ``python -m bench.encode SOURCE [--texts 1000] [--threads 2]``.

SOURCE is any vault; texts of 200 word pieces are cut from it. All ways take turns at every fifty texts, so
that what else the machine does falls on all of them; a ratio is the median over the turns. On a machine that
is busy with other things one thread tells most: more would wait for each other. A cold question is a process
of its own, from its start to its vector, the median of five.
"""

import argparse
import itertools
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from app.config.settings import EmbeddingSettings
from app.search.embedding.fingerprint import fingerprint_of
from app.search.embedding.loading import find_model, load_embedder
from app.search.embedding.tokenizing import ModelEmbedder
from app.search.embedding.torch_model import TorchModel, place

PIECES = 200
TURN = 50
PLAIN = "sentence-transformers `encode`, fp32"

COLD = {
    "ONNX Runtime": """
import sys
from pathlib import Path
from app.config.settings import EmbeddingSettings
from app.search.embedding.loading import load_embedder
embedder = load_embedder(sys.argv[1], cache=Path(sys.argv[2]), settings=EmbeddingSettings())
embedder.encode_query("how do I make a task that comes back every week?")
assert "torch" not in sys.modules
""",
    "torch": """
import sys
from bench.encode import by_torch
by_torch(sys.argv[1], "fp32", None).encode_query("how do I make a task that comes back every week?")
""",
}


def by_torch(name: str, precision: str, threads: int | None) -> ModelEmbedder:
    folder = find_model(name)
    model = TorchModel(name, folder, fingerprint_of(folder))
    return ModelEmbedder(model.facts, model.pieces, model.runner("cpu", precision, threads), batch=16)


def make_texts(source: Path, model: str, cache: Path, count: int) -> list[str]:
    """Cut texts of 200 word pieces from the notes of a vault, again from its start when it is too small."""
    embedder = load_embedder(model, cache=cache, settings=EmbeddingSettings())
    whole = "\n".join(
        path.read_text(encoding="utf-8", errors="replace") for path in sorted(source.rglob("*.md"))
    )
    spans = embedder.spans([whole])[0]
    cut = [
        whole[spans[at][0] : spans[at + PIECES - 1][1]] for at in range(0, len(spans) - PIECES + 1, PIECES)
    ]
    return list(itertools.islice(itertools.cycle(cut), count))


def ways(model: str, cache: Path, threads: int | None) -> dict[str, Callable[[Sequence[str]], object]]:
    """Load the model in each way that this machine has."""
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    torch.set_num_threads(threads or torch.get_num_threads())
    library = SentenceTransformer(str(find_model(model)), device="cpu", local_files_only=True)
    found: dict[str, Callable[[Sequence[str]], object]] = {
        PLAIN: lambda texts: library.encode(list(texts), show_progress_bar=False)
    }

    chosen = EmbeddingSettings(device="cpu", precision="fp32", threads=threads)
    found["ONNX Runtime, fp32"] = load_embedder(model, cache=cache, settings=chosen, many=True).encode
    found["torch, fp32"] = by_torch(model, "fp32", threads).encode
    if place("cpu", "auto")[1] == "bf16":
        found["torch, bf16"] = by_torch(model, "bf16", threads).encode
    return found


def bulk(model: str, texts: Sequence[str], cache: Path, threads: int | None) -> None:
    """Print texts per second of each way."""
    loaded = ways(model, cache, threads)
    seconds: dict[str, list[float]] = {name: [] for name in loaded}
    for encode in loaded.values():
        encode(texts[:TURN])
    for at in range(0, len(texts), TURN):
        for name, encode in loaded.items():
            begun = time.perf_counter()
            encode(texts[at : at + TURN])
            seconds[name].append(time.perf_counter() - begun)
    print(f"{len(texts)} texts of {PIECES} word pieces\n")
    print("| way | texts a second | times as fast |\n| --- | --- | --- |")
    for name, own in seconds.items():
        ratio = statistics.median(plain / mine for plain, mine in zip(seconds[PLAIN], own, strict=True))
        print(f"| {name} | {len(texts) / sum(own):.0f} | {ratio:.2f} |", flush=True)


def cold(model: str, cache: Path) -> None:
    """Print how long a new process takes for one question."""
    runs: dict[str, list[float]] = {name: [] for name in COLD}
    for _ in range(5):
        for name, program in COLD.items():
            begun = time.perf_counter()
            subprocess.run([sys.executable, "-c", program, model, str(cache)], check=True)
            runs[name].append(time.perf_counter() - begun)
    print("\n| a cold question by | wall, s |\n| --- | --- |")
    for name, own in runs.items():
        print(f"| {name} | {statistics.median(own):.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--threads", type=int, help="threads of each way; without it, all cores")
    parser.add_argument("--model", default="all-MiniLM-L6-v2")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        cache = Path(scratch)
        texts = make_texts(options.source, options.model, cache, options.texts)
        bulk(options.model, texts, cache, options.threads)
        cold(options.model, cache)


if __name__ == "__main__":
    main()
