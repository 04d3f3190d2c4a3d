"""What a model's files say before it is loaded: its identity, languages and prompts.

Files that cannot be read raise `OSError`, those that are not what their names say `ValueError`.
"""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from app.search.embedding.embedder import Prompts

RULES = "1"
"""Counted up when the way from a text to its vectors changes, so that old vectors are not mixed with new."""
STRIPES, STRIPE_BYTES = 16, 1 << 16
"""Of a large file so many pieces are read, spread evenly: a model that was trained further differs in all."""
DESCRIPTIONS = (".json", ".txt", ".model")
IMAGE_SETTINGS = ("preprocessor_config.json", "processor_config.json")
"""Files that say how a model wants its images, as they are saved today and were before."""

MODULES = "modules.json"
SAFE = ".safetensors"

SENTENCE = "Represent this sentence for searching relevant passages: "
FAMILIES: tuple[tuple[str, Prompts], ...] = (
    (r"(intfloat-)?(multilingual-)?e5-(small|base|large)(-v2)?", Prompts("query: ", "passage: ")),
    (r"bge-(small|base|large)(-en(-v1\.5)?)?", Prompts(SENTENCE)),
    (r"snowflake-arctic-embed(-\w+(-v1\.5)?)?", Prompts(SENTENCE)),
    (r"snowflake-arctic-embed(2|-\w+-v2\.0)", Prompts("query: ")),
    (r"mxbai-embed-\w+(-v1)?", Prompts(SENTENCE)),
    (r"nomic-embed-text(-v\d(\.\d)?(-\w+)?)?", Prompts("search_query: ", "search_document: ")),
    (r"embeddinggemma(-\w+)?", Prompts("task: search result | query: ", "title: none | text: ")),
    (r"granite-embedding-.+", Prompts()),
    (r"gte-.+", Prompts()),
)
"""Names of models, and the prompts of their model cards; ``-`` and ``_`` are told apart, capitals are not."""
CARD_BYTES = 20_000


def model_fingerprint(name: str, folder: Path) -> str:
    """Return 32 hexadecimal digits for the model in a folder, the same wherever the folder lies.

    Weights, configuration, tokenizer, pooling and prompts decide; documentation and other forms of the same
    weights beside them do not.
    """
    digest = hashlib.blake2b(RULES.encode(), digest_size=16)
    for part in _parts_of(folder):
        files = _files(folder / part)
        # Where both forms of the weights lie side by side, the older one is not loaded.
        weights = SAFE if any(file.suffix == SAFE for file in files) else ".bin"
        told = [file for file in files if file.suffix in DESCRIPTIONS]
        for file in [*told, *(file for file in files if file.suffix == weights)]:
            digest.update(f"\0{part}\0{file.name}\0{file.stat().st_size}\0".encode())
            _add_content(digest, file)
    prompts = family_prompts(name, folder)
    for text in (prompts.query, prompts.document) if prompts else ():
        digest.update(f"\0{len(text)}\0{text}".encode())
    return digest.hexdigest()


def _parts_of(folder: Path) -> list[str]:
    """List the subfolders that the model is loaded from, itself as the empty name."""
    listing = folder / MODULES
    if not listing.exists():
        return [""]
    modules = json.loads(listing.read_text(encoding="utf-8"))
    if not isinstance(modules, list) or not all(isinstance(module, dict) for module in modules):
        raise ValueError("modules.json holds no list of modules")
    return sorted({"", *(str(module.get("path", "")) for module in modules)})


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.is_file()) if folder.is_dir() else []


def _add_content(digest: "hashlib.blake2b", file: Path) -> None:
    size = file.stat().st_size
    with file.open("rb") as stream:
        if size <= STRIPES * STRIPE_BYTES:
            digest.update(stream.read())
            return
        for stripe in range(STRIPES):
            stream.seek((size - STRIPE_BYTES) * stripe // (STRIPES - 1))
            digest.update(stream.read(STRIPE_BYTES))


def may_understand_images(folder: Path) -> bool:
    """Tell by its files whether a model may understand images."""
    return any((folder / part / name).is_file() for part in _parts_of(folder) for name in IMAGE_SETTINGS)


def known_languages(folder: Path) -> frozenset[str]:
    """Read the codes of the languages on a model's card; empty where it names none, or many.

    Source: the field ``language`` of Hugging Face's model cards.
    """
    import yaml

    try:
        with (folder / "README.md").open(encoding="utf-8", errors="replace") as file:
            opening, _, text = file.read(CARD_BYTES).partition("---\n")
        card: Any = None if opening else yaml.safe_load(text.partition("\n---")[0])
    except (OSError, yaml.YAMLError, ValueError, RecursionError):
        return frozenset()
    named = card.get("language") if isinstance(card, dict) else None
    codes = {str(code) for code in (named if isinstance(named, list) else [named]) if code}
    return frozenset() if "multilingual" in codes else frozenset(codes)


def family_prompts(name: str, folder: Path | None) -> Prompts | None:
    """Return the prompts of a model's family; None where its own files name some, or the family is not known.

    ``name`` is that of a folder or on the hub; ``folder`` is None where the model is not on this machine.
    """
    names = [name]
    if folder is not None:
        own, base = (
            json.loads((folder / file).read_bytes()) if (folder / file).exists() else {}
            for file in ("config_sentence_transformers.json", "config.json")
        )
        if any((own.get("prompts") or {}).values()):
            return None
        # The last is the name under which the model was saved.
        names += [folder.name, str(base.get("_name_or_path", ""))]
    for each in names:
        last = each.rstrip("/").rpartition("/")[2]
        for pattern, prompts in FAMILIES:
            if re.fullmatch(pattern, last, re.IGNORECASE):
                return prompts
    return None
