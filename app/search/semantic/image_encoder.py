"""Run a model that understands images as well as texts, such as CLIP, through sentence-transformers."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.config.settings import EmbeddingSettings
from app.search.semantic.embedder import Encoded, Spans, Vectors
from app.search.semantic.fingerprint import parts_of
from app.search.semantic.pictures import check_pillow
from app.search.semantic.pieces import Pieces, readable
from app.search.semantic.torch_encoder import load_model, place, prompts_of

if TYPE_CHECKING:
    from PIL.Image import Image
    from sentence_transformers import SentenceTransformer

DESCRIPTIONS = ("preprocessor_config.json", "processor_config.json")
"""Files that say how a model wants its images, as they are saved today and were before."""

USUAL_LENGTH = 77


class ImageEmbedder:
    """An embedder whose texts and images lie in one space; it gives no vectors of single word pieces."""

    def __init__(self, model: "SentenceTransformer", fingerprint: str, device: str, batch: int) -> None:
        from tokenizers import Tokenizer

        self._model, self._batch = model.to(device), batch
        self.fingerprint = fingerprint
        self.dimension = int(model.get_embedding_dimension() or 0)
        self._prompts = prompts_of(model)
        # A copy: the model's own is set anew with every text, and none may be cut while pieces are counted.
        tokenizer = Tokenizer.from_str(model.tokenizer.backend_tokenizer.to_str())
        self._pieces = Pieces(tokenizer, int(model.max_seq_length or USUAL_LENGTH))
        self.max_pieces = self._pieces.room((self._prompts.query, self._prompts.document))
        self._lock = threading.Lock()

    def spans(self, texts: Sequence[str]) -> list[Spans]:
        """Cut texts into word pieces, uncut however long they are."""
        return self._pieces.spans(texts)

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Encode passages of notes."""
        return self._encode(texts, self._prompts.document)

    def encode_query(self, text: str) -> Encoded:
        """Encode a question."""
        return self._encode([text], self._prompts.query)[0]

    def encode_images(self, images: Sequence["Image"]) -> Vectors:
        """Encode images; shape (images, dimension), all rows of length 1."""
        return self._vectors(list(images))

    def _encode(self, texts: Sequence[str], prompt: str) -> list[Encoded]:
        none = np.zeros((0, self.dimension), np.float32)
        return [
            Encoded(vector, none) for vector in self._vectors([prompt + readable(text) for text in texts])
        ]

    def _vectors(self, inputs: "list[str] | list[Image]") -> Vectors:
        if not inputs:
            return np.zeros((0, self.dimension), np.float32)
        with self._lock:
            found = self._model.encode(
                inputs,
                batch_size=self._batch,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(found, np.float32)


def may_understand_images(folder: Path) -> bool:
    """Tell by its files whether a model may understand images, without loading it."""
    return any((folder / part / name).is_file() for part in parts_of(folder) for name in DESCRIPTIONS)


@lru_cache(maxsize=2)
def open_image_model(
    name: str, folder: Path, fingerprint: str, settings: EmbeddingSettings
) -> ImageEmbedder | None:
    """Load a model; None where it turns out to understand texts alone.

    Raises:
        EngineMissingError: the extra ``deep`` or ``image`` is not installed.
        ModelError: the folder holds no model that can be used, or the machine has no such device.
    """
    check_pillow()
    device, _ = place(settings.device, "fp32")
    model = load_model(name, folder)
    if "image" not in model.modalities or "text" not in model.modalities:
        return None
    return ImageEmbedder(model, fingerprint, device, settings.batch)
