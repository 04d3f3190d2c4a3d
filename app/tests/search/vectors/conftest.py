"""The small embedding model whose vectors are kept."""

from app.tests.search.embedding.conftest import make_model as make_model
from app.tests.search.embedding.conftest import tiny_model as tiny_model
