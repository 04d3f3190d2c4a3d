"""Run a model that understands images beside texts, such as CLIP, by sentence-transformers."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.config.settings import EmbeddingSettings
from app.errors import BadRequestError, EngineMissingError, missing_extra
from app.search.embedding.embedder import Encoded, Facts, PieceEmbedder, Vectors, readable
from app.search.embedding.torch_model import load_model, place, prompts_of

if TYPE_CHECKING:
    from PIL.Image import Image
    from sentence_transformers import SentenceTransformer

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
MOST_BYTES = 20_000_000
MOST_PIXELS = 50_000_000
"""A file of a few bytes can claim any number of pixels, each of which costs memory."""
INSTALL = missing_extra("image")
USUAL_LENGTH = 77


def _check_pillow() -> None:
    if find_spec("PIL") is None:
        raise EngineMissingError("images need the package pillow", INSTALL)


def read_picture(data: bytes) -> "Image":
    """Decode an image: its first frame, upright.

    Raises:
        EngineMissingError: Pillow is not installed.
        BadRequestError: it is no image that can be read; the message says why.
    """
    _check_pillow()
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                raise Image.DecompressionBombError
            return ImageOps.exif_transpose(image).convert("RGB")
    except Image.DecompressionBombError as error:
        most = "at most {most_pixels} are read"
        raise BadRequestError("it has too many pixels", most, most_pixels=MOST_PIXELS) from error
    except UnidentifiedImageError as error:
        raise BadRequestError("it is no PNG, JPEG, WebP or GIF") from error
    except Exception as error:
        # Pillow raises anything for files that are not what they claim to be.
        raise BadRequestError("it is broken: {reason}", reason=error) from error


class ImageEmbedder(PieceEmbedder):
    """An embedder whose texts and images lie in one space; it gives no vectors of single word pieces."""

    def __init__(self, model: "SentenceTransformer", fingerprint: str, device: str, batch: int) -> None:
        from tokenizers import Tokenizer

        # A copy: the model's own is set anew with every text, and none may be cut while pieces are counted.
        tokenizer = Tokenizer.from_str(model.tokenizer.backend_tokenizer.to_str())
        length = int(model.max_seq_length or USUAL_LENGTH)
        dimension = int(model.get_embedding_dimension() or 0)
        super().__init__(Facts(fingerprint, dimension, length, 0, prompts_of(model)), tokenizer)
        self._model, self._batch = model.to(device), batch
        self._lock = threading.Lock()

    def encode_image(self, image: "Image") -> Vectors:
        """Encode an image as a vector of length 1."""
        vector: Vectors = self._vectors([image])[0]
        return vector

    def encode_all(self, texts: Sequence[str], *, query: bool) -> list[Encoded]:
        """Encode texts as questions, or as passages."""
        none = np.zeros((0, self.dimension), np.float32)
        given = [self.prompt(query=query) + readable(text) for text in texts]
        return [Encoded(vector, none) for vector in (self._vectors(given) if given else ())]

    def _vectors(self, inputs: "Sequence[str] | Sequence[Image]") -> Vectors:
        with self._lock:
            found = self._model.encode(
                list(inputs), batch_size=self._batch, normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(found, np.float32)


@lru_cache(maxsize=2)
def open_image_model(
    name: str, folder: Path, fingerprint: str, settings: EmbeddingSettings
) -> ImageEmbedder | None:
    """Load a model as `load_model` does; None where it turns out to understand texts alone."""
    _check_pillow()
    device, _ = place(settings.device, "fp32")
    model = load_model(name, folder)
    if "image" not in model.modalities or "text" not in model.modalities:
        return None
    return ImageEmbedder(model, fingerprint, device, settings.batch)
