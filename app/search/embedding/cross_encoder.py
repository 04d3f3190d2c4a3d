"""Models that read two texts together, loaded from this machine with nothing of their own run."""

from typing import Any

from app.errors import EngineMissingError
from app.search.embedding.loading import find_model
from app.search.embedding.torch_model import INSTALL, LOADED_SAFELY, loading, refuse_code
from app.sentences import Sentence


def load_cross_encoder(name: str, what: str) -> Any:  # noqa: ANN401 - the library is imported here at the earliest
    """Load a cross-encoder by the name of a folder, or of a model on this machine; nothing is downloaded.

    Args:
        name: The model.
        what: What it is for, such as "a reranker".

    Raises:
        VaultError: it is not there, its files are broken, or could have code run.
        EngineMissingError: the library is not installed.
    """
    try:
        from sentence_transformers import CrossEncoder
    except ImportError as error:
        raise EngineMissingError(
            "{what} needs the package sentence-transformers", INSTALL, what=Sentence(what)
        ) from error
    folder = find_model(name)
    refuse_code(name, folder)
    with loading(name):
        return CrossEncoder(str(folder), device="cpu", **LOADED_SAFELY)
