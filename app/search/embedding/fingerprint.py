"""Name an embedding model by what it is made of, without loading it."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

RULES = "1"
"""Counted up when the way from a text to its vectors changes, so that old vectors are not mixed with new."""

STRIPES, STRIPE_BYTES = 16, 1 << 16
"""Of a large file so many pieces are read, spread evenly: a model that was trained further differs in all."""

WEIGHTS = (".safetensors", ".bin")
DESCRIPTIONS = (".json", ".txt", ".model")


def fingerprint_of(folder: Path, *more: str) -> str:
    """Return 32 hexadecimal digits for the model in a folder, the same wherever the folder lies.

    Weights, configuration, tokenizer, pooling and prompts decide; documentation and other forms of the same
    weights beside them do not. ``more`` is what decides besides, such as prompts that stand in no file.

    Raises:
        OSError: a file cannot be read.
        ValueError: the list of the model's parts is broken.
    """
    digest = hashlib.blake2b(RULES.encode(), digest_size=16)
    for part in sorted(parts_of(folder)):
        for file in _files(folder / part):
            digest.update(f"\0{part}\0{file.name}\0{file.stat().st_size}\0".encode())
            _add_content(digest, file)
    for text in more:
        digest.update(f"\0{len(text)}\0{text}".encode())
    return digest.hexdigest()


def parts_of(folder: Path) -> set[str]:
    """List the subfolders that the model is loaded from, itself as the empty name.

    Raises:
        OSError: a file cannot be read.
        ValueError: the list of the model's parts is broken.
    """
    listing = folder / "modules.json"
    if not listing.exists():
        return {""}
    modules = json.loads(listing.read_text(encoding="utf-8"))
    if not isinstance(modules, list) or not all(isinstance(module, dict) for module in modules):
        raise ValueError("modules.json holds no list of modules")
    return {"", *(str(module.get("path", "")) for module in modules)}


def _files(folder: Path) -> Iterator[Path]:
    files = sorted(file for file in folder.iterdir() if file.is_file()) if folder.is_dir() else []
    weights = [file for file in files if file.suffix in WEIGHTS]
    # Where both forms lie side by side, the older one is not loaded.
    safe = [file for file in weights if file.suffix == ".safetensors"]
    yield from (file for file in files if file.suffix in DESCRIPTIONS)
    yield from safe or weights


def _add_content(digest: "hashlib.blake2b", file: Path) -> None:
    size = file.stat().st_size
    with file.open("rb") as stream:
        if size <= STRIPES * STRIPE_BYTES:
            digest.update(stream.read())
            return
        for stripe in range(STRIPES):
            stream.seek((size - STRIPE_BYTES) * stripe // (STRIPES - 1))
            digest.update(stream.read(STRIPE_BYTES))
