"""The small embedding model that the ranking by meaning is tried with."""

from app.tests.search.embedding.conftest import make_model as make_model
from app.tests.search.embedding.conftest import tiny_model as tiny_model
