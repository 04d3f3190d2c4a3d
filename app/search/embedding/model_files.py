"""What a model folder may hold: weights and settings, and nothing that could run."""

import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from app.errors import ModelError
from app.search.embedding.fingerprint import parts_of
from app.sentences import worded

MODULES = "modules.json"
OWN_CODE = "auto_map"
"""The setting by which a model names Python of its own."""

CLASS_KEYS = frozenset({"type", "types", "activation_function", "activation_fn", "tokenizer_class"})
CLASS_PACKAGES = ("sentence_transformers", "torch.nn")
DOTTED = re.compile(r"\w+(\.\w+)*")

PICKLED = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt")
SAFE = ".safetensors"

HINT = "name a model whose weights are safetensors, and which sentence-transformers runs without its own code"


def check_model(name: str, folder: Path) -> None:
    """Refuse a model folder that could have code run, before any library opens it.

    Raises:
        ModelError: it names a class of its own or of a package that is not known, or its weights are pickled.
        OSError: a file cannot be read.
        ValueError: a file is not what its name says.
    """
    for part in sorted(parts_of(folder)):
        if PurePosixPath(part).is_absolute() or ".." in PurePosixPath(part).parts:
            raise _refused(
                name, MODULES, "names the folder '{part}', which lies outside the model's own", part=part
            )
        _check_weights(name, folder, part)
        for file in sorted((folder / part).glob("*.json")):
            if file.name == MODULES or "config" in file.name:
                _check_settings(name, file.relative_to(folder).as_posix(), file)


def _check_weights(name: str, folder: Path, part: str) -> None:
    files = sorted(file.name for file in (folder / part).iterdir()) if (folder / part).is_dir() else []
    pickled = [file for file in files if file.endswith(PICKLED)]
    if pickled and not any(file.endswith(SAFE) for file in files):
        found = (PurePosixPath(part) / pickled[0]).as_posix()
        raise _refused(name, found, "is pickled, which may run anything, and no safetensors lie beside it")


def _check_settings(name: str, shown: str, file: Path) -> None:
    for key, value in _settings(json.loads(file.read_text(encoding="utf-8"))):
        if key == OWN_CODE and value:
            raise _refused(
                name, shown, "names Python of its own: '{key}' is {value}", key=key, value=json.dumps(value)
            )
        if key not in CLASS_KEYS or not isinstance(value, str):
            continue
        must = file.name == MODULES or key == "types"
        known = DOTTED.fullmatch(value) and value.startswith(tuple(f"{each}." for each in CLASS_PACKAGES))
        if not known and (must or "." in value):
            raise _refused(
                name,
                shown,
                "names the class '{value}', which is none of {packages: and }",
                value=value,
                packages=tuple(CLASS_PACKAGES),
            )


def _settings(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - any JSON
    """List all settings, however deep; the values of a list or of a table of classes by the name of that."""
    yield key, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _settings(inner, key if key == "types" else name)
    elif isinstance(value, list):
        for inner in value:
            yield from _settings(inner, key)


def _refused(name: str, file: str, why: str, **facts: object) -> ModelError:
    return ModelError(
        "model '{name}' is not loaded: '{file}' {why}", HINT, name=name, file=file, why=worded(why, facts)
    )
