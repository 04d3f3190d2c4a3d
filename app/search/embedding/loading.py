"""Load an embedding model of this machine, or open one behind a server, and tell which languages it reads.

A model that cannot be used is a `ModelError`, and a missing extra ``deep`` an `EngineMissingError`.
"""

import hashlib
import os
import platform
import re
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from app.config.paths import is_remote
from app.config.settings import MULTILINGUAL_MODEL
from app.errors import ModelError
from app.notices import LanguageKind, Notice
from app.search.embedding.embedder import Embedder, Encoded, Prompts, Spans, Vectors, readable
from app.search.embedding.glosses import GlossedEmbedder, reads_by_glosses
from app.search.embedding.hub import SMALL, find_model
from app.search.embedding.image_model import open_image_model
from app.search.embedding.model_files import (
    family_prompts,
    known_languages,
    may_understand_images,
    model_fingerprint,
)
from app.search.embedding.multilingual import PACKAGE_FOR, packaged_file, packaged_fingerprint
from app.search.embedding.onnx_model import is_export_due, make_export, open_export
from app.search.embedding.torch_model import TorchModel, broken, place
from app.search.lexical.language import LANGUAGE_CODES
from app.search.lexical.snapshot import Snapshot
from app.sentences import Sentence

if TYPE_CHECKING:
    from app.config.settings import EmbeddingSettings, Settings

PIECE = re.compile(r"\w{1,4}|[^\w\s]")
"""The model's own pieces are not known here; most languages have one to some four letters."""
MOST_PIECES = 512
PROBE = "moon"
MULTILINGUAL_WORDS_WEIGHT = 0.3
"""As fitted on `frcnil`: nDCG@10 by this share is .745 with .55, .756 with .45, .768 with .35 and .25."""
REMOTE_RULES = "1"
"""Counted up when the way from a text to its vector changes."""
LAST_LATIN = 0x24F
ALL_THREADS = 0
"""As many as there are cores."""
QUERY_THREADS = 2
"""A question is so short that more threads would only wait for each other."""


class RemoteEmbedder(Embedder):
    """A model behind a server, such as Ollama, which gives no vectors of word pieces.

    Its ``name`` begins with its provider. Opening it asks for one vector, to learn how many numbers it has.
    """

    def __init__(self, name: str, settings: "Settings") -> None:
        self._name, self._settings = name, settings
        family = name.partition(":")[2].partition(":")[0]
        self.prompts = family_prompts(family, None) or Prompts()
        text = repr((REMOTE_RULES, name, self.prompts))
        self.fingerprint = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        self.max_pieces = MOST_PIECES
        self.dimension = 0
        self.dimension = len(self._embed([PROBE], query=True)[0])

    def spans(self, texts: Sequence[str]) -> list[Spans]:
        """Cut texts into pieces of about the size of a model's, uncut however long they are."""
        return [[match.span() for match in PIECE.finditer(text)] for text in texts]

    def encode_all(self, texts: Sequence[str], *, query: bool) -> list[Encoded]:
        """Encode texts as questions, or as passages."""
        given = [self.prompt(query=query) + readable(text) for text in texts]
        batch = self._settings.embedding.batch
        batches = [given[start : start + batch] for start in range(0, len(given), batch)]
        nothing: Vectors = np.zeros((0, self.dimension), np.float32)
        return [Encoded(one, nothing) for batch in batches for one in self._embed(batch, query=query)]

    def _embed(self, texts: Sequence[str], *, query: bool) -> list[Vectors]:
        # An agent library comes with it, which no model of this machine needs.
        from app.llm.embeddings import embed_texts

        use: Literal["query", "document"] = "query" if query else "document"
        # A server refuses a text without anything in it.
        given = [text if text.strip() else "." for text in texts]
        made = embed_texts(given, use=use, model=self._name, settings=self._settings)
        vectors = [np.array(vector, np.float32) for vector in made]
        for vector in vectors:
            is_one = vector.shape == (self.dimension or max(vector.size, 1),)
            if not is_one or not np.isfinite(vector).all():
                raise ModelError(
                    "model '{name}' gave something that is no vector of {dimension} numbers",
                    "where another model answers under its name, start again: vectors are built anew",
                    name=self._name,
                    dimension=self.dimension,
                )
        return [vector / max(float(np.linalg.norm(vector)), 1e-9) for vector in vectors]


def is_installed() -> bool:
    """Return whether the extra ``deep`` is installed, without loading any of it."""
    return all(find_spec(name) for name in ("faiss", "sentence_transformers"))


def embedder_of(name: str, *, cache: Path, settings: "Settings", many: bool = False) -> Embedder:
    """Load an embedding model of this machine as `load_embedder` does, or open one behind a server."""
    if is_remote(name):
        return RemoteEmbedder(name, settings)
    return load_embedder(name, cache=cache, settings=settings.embedding, many=many)


def load_embedder(name: str, *, cache: Path, settings: "EmbeddingSettings", many: bool = False) -> Embedder:
    """Load an embedding model; nothing is downloaded.

    Args:
        name: ``all-MiniLM-L6-v2``, a folder, or a hub name that was downloaded before.
        cache: Folder for what is made of a model once, such as its ONNX form.
        settings: Device, precision, batch size and threads.
        many: Whether many texts will be encoded: worth the seconds that the fastest way takes to start.
    """
    # Threads inside the tokenizer save nothing here, and it warns of them in a process that forks.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    folder, fingerprint, sees = _looked_at(name)
    if sees and (both := open_image_model(name, folder, fingerprint, settings)):
        return both
    threads, found = settings.threads or (ALL_THREADS if many or folder.is_file() else QUERY_THREADS), None
    # In fp32 on a CPU both give the same vectors, ONNX Runtime sooner. One file is run by it alone.
    if not many or folder.is_file() or place(settings.device, settings.precision) == ("cpu", "fp32"):
        found = open_export(cache, fingerprint, batch=settings.batch, threads=threads)
        if found is None:
            make_export(name, folder, fingerprint, cache)
            found = open_export(cache, fingerprint, batch=settings.batch, threads=threads)
    if found is None:
        where = place(settings.device, settings.precision)
        model = TorchModel(name, folder, fingerprint)
        found = model.embedder(*where, batch=settings.batch, threads=settings.threads)
    if folder.is_file():
        found.words_weight, found.has_small_tokens = MULTILINGUAL_WORDS_WEIGHT, False
        found.is_fastest = True
    return GlossedEmbedder(found) if reads_by_glosses(known_languages(folder)) else found


def _looked_at(name: str) -> tuple[Path, str, bool]:
    """Return a model's folder, or its one file, its fingerprint, and whether it may understand images."""
    folder = find_model(name)
    if folder.is_file():
        return folder, packaged_fingerprint(), False
    try:
        return folder, model_fingerprint(name, folder), may_understand_images(folder)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise broken(name, error) from error


def prepare_model(name: str, cache: Path, stopped: Callable[[], bool]) -> None:
    """Have what a model runs from made, unless it is there, and wait for it until ``stopped``."""
    if not is_remote(name):
        folder, fingerprint, sees = _looked_at(name)
        if not sees:
            make_export(name, folder, fingerprint, cache, stopped)


def must_be_made(name: str, cache: Path) -> bool:
    """Return whether what a model runs from has yet to be made, which takes a minute or two."""
    if is_remote(name):
        return False
    _, fingerprint, sees = _looked_at(name)
    return not sees and is_export_due(cache, fingerprint)


def languages_of(name: str) -> frozenset[str]:
    """Return the codes of the languages that a model knows; empty where that is not known, or many."""
    return frozenset() if is_remote(name) else known_languages(find_model(name))


def languages_read(known: frozenset[str]) -> frozenset[str]:
    """Return the codes of the languages that a model knows or reads by glosses; empty where many."""
    return known | {"fr"} if reads_by_glosses(known) else known


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
    elif known == {"en"} and sum(map(_is_of_other_script, lexical.lexicon())) > len(lexical.lexicon()) / 2:
        language = LanguageKind.OTHER_SCRIPT
    else:
        return None
    return Notice(kind, language=Notice(language), model=model, cure=_cure())


def _cure() -> Sentence:
    """Say by what command a multilingual model is taken."""
    if packaged_file():
        return Sentence("vault-assistant setup model {name}", name=MULTILINGUAL_MODEL)
    if (sys.platform, platform.machine()) == PACKAGE_FOR:
        return Sentence(
            "pip install 'vault-assistant[multilingual]', or vault-assistant setup model {name}", name=SMALL
        )
    return Sentence("vault-assistant setup model {name}", name=SMALL)


def fitting_model(lexical: Snapshot, otherwise: str) -> str:
    """Name the model for notes without vectors: the multilingual one where most are not in English."""
    if packaged_file() and language_hint(lexical, frozenset({"en"}), otherwise):
        return MULTILINGUAL_MODEL
    return otherwise


def _is_of_other_script(word: str) -> bool:
    return not word.isascii() and word.isalpha() and any(ord(char) > LAST_LATIN for char in word)
