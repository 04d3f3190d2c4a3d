"""An embedding model behind a server, such as Ollama: vectors of texts, and none of their word pieces."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from app.config.settings import Settings
from app.errors import ModelError
from app.search.embedding.embedder import Encoded, Spans, Vectors
from app.search.embedding.prompts import family_prompts
from app.search.embedding.tokenizing import Prompts, readable
from app.search.private import private_folder, read_record, write_record

PIECE = re.compile(r"\w{1,4}|[^\w\s]")
"""The model's own pieces are not known here; most languages have one to some four letters."""
MOST_PIECES = 512
PROBE = "moon"
RULES = "1"
"""Counted up when the way from a text to its vector changes."""


class RemoteEmbedder:
    """Asks a server for vectors; safe to use from many threads.

    Args:
        name: The model's name, with its provider.
        cache: Where it is kept how many numbers its vectors have, so that a process need not ask.
        settings: Batch size, waits, retries and where it is recorded what is sent.

    Raises:
        ModelError: it cannot be reached, and was never before.
    """

    def __init__(self, name: str, cache: Path, settings: Settings) -> None:
        self._name, self._settings = name, settings
        family = name.partition(":")[2].partition(":")[0]
        self._prompts = family_prompts(family, None) or Prompts()
        text = repr((RULES, name, self._prompts))
        self.fingerprint = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        self.max_pieces = MOST_PIECES
        self.dimension = 0
        self._record = file = cache / f"{self.fingerprint}.json"
        known = read_record(file)
        if isinstance(known, int) and known > 0:
            self.dimension = known
        else:
            self.dimension = len(self._embed([PROBE], query=True)[0])
            private_folder(cache)
            write_record(file, self.dimension)

    def spans(self, texts: Sequence[str]) -> list[Spans]:
        """Cut texts into pieces of about the size of a model's, uncut however long they are."""
        return [[match.span() for match in PIECE.finditer(text)] for text in texts]

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Encode passages of notes."""
        found: list[Encoded] = []
        for start in range(0, len(texts), self._settings.embedding.batch):
            batch = texts[start : start + self._settings.embedding.batch]
            found += self._encoded([self._prompts.document + readable(text) for text in batch], query=False)
        return found

    def encode_query(self, text: str) -> Encoded:
        """Encode a question."""
        return self._encoded([self._prompts.query + readable(text)], query=True)[0]

    def _encoded(self, texts: Sequence[str], *, query: bool) -> list[Encoded]:
        nothing: Vectors = np.zeros((0, self.dimension), np.float32)
        return [Encoded(vector, nothing) for vector in self._embed(texts, query=query)]

    def _embed(self, texts: Sequence[str], *, query: bool) -> list[Vectors]:
        # An agent library comes with it, which no model of this machine needs.
        from app.llm.embeddings import embed_texts

        use: Literal["query", "document"] = "query" if query else "document"
        # A server refuses a text without anything in it.
        given = [text if text.strip() else "." for text in texts]
        made = embed_texts(given, use=use, model=self._name, settings=self._settings)
        vectors = [np.array(vector, np.float32) for vector in made]
        for vector in vectors:
            if vector.ndim != 1 or not len(vector) or not np.isfinite(vector).all():
                raise ModelError("model '{name}' gave something that is no vector", name=self._name)
            if self.dimension and len(vector) != self.dimension:
                # The next process asks anew, and builds vectors of their own for what answers then.
                self._record.unlink(missing_ok=True)
                raise ModelError(
                    "model '{name}' gives {count} numbers a vector; it gave {dimension}",
                    "another model answers under its name; start again, and the vectors are built anew",
                    name=self._name,
                    count=len(vector),
                    dimension=self.dimension,
                )
        return [vector / max(float(np.linalg.norm(vector)), 1e-9) for vector in vectors]
