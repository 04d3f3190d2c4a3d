"""Texts become the vectors that the model's own library makes, and token vectors beside them."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from app.search.embedding.embedder import ModelEmbedder
from app.search.embedding.model_files import model_fingerprint
from app.search.embedding.torch_model import TorchModel
from app.tests.search.embedding.conftest import MakeModel

KINDS = [{}, {"pooling": "cls"}, {"pooling": "max"}, {"dense": 12}, {"query": "ask ", "document": "a note "}]
TEXTS = [
    "the moon", "", "Décision du 14 juillet\n- [ ] appeler Zoé ⏫", "東京は日本の首都です。 Привет 👩‍🚀",
    "fuel " * 10_000, "one [SEP] two", "file \udce9 name",
]  # fmt: skip


def by_torch(folder: Path, *, precision: str = "fp32", batch: int = 16) -> ModelEmbedder:
    model = TorchModel("tiny", folder, model_fingerprint("tiny", folder))
    return model.embedder("cpu", precision, batch=batch)


@pytest.fixture(scope="module")
def tiny(tiny_model: Path) -> ModelEmbedder:
    return by_torch(tiny_model)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_vectors_are_those_of_sentence_transformers(kind: dict[str, object], make_model: MakeModel) -> None:
    from sentence_transformers import SentenceTransformer

    folder = make_model(**kind)
    embedder = by_torch(folder, batch=3)
    library = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    texts = [text.replace("\udce9", "\ufffd") for text in TEXTS]
    documents = library.encode_document(texts, normalize_embeddings=True, show_progress_bar=False)
    question = library.encode_query("which moon", normalize_embeddings=True, show_progress_bar=False)
    vectors = [encoded.vector for encoded in embedder.encode(TEXTS)]
    np.testing.assert_allclose(vectors, documents, atol=1e-5)
    np.testing.assert_allclose(embedder.encode_query("which moon").vector, question, atol=1e-5)
    assert embedder.dimension == documents.shape[1]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_piece_that_was_read_has_a_unit_row(kind: dict[str, object], make_model: MakeModel) -> None:
    embedder = by_torch(make_model(**kind))
    pieces = [len(spans) for spans in embedder.spans(TEXTS)]
    encoded = embedder.encode(TEXTS)
    assert pieces[:2] == [7, 0]
    assert pieces[4] == 40_000
    for text, count in zip(encoded, pieces, strict=True):
        assert text.tokens.shape == (min(count, embedder.max_pieces), embedder.dimension)
        np.testing.assert_allclose(np.linalg.norm(text.tokens, axis=1), 1, atol=1e-5)
        assert np.linalg.norm(text.vector) == pytest.approx(1, abs=1e-5)


def test_many_threads_get_what_one_gets(tiny: ModelEmbedder) -> None:
    questions = [f"moon {number}" for number in range(12)]
    expected = [tiny.encode_query(question).vector for question in questions]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(tiny.encode_query, questions))
    np.testing.assert_allclose([encoded.vector for encoded in found], expected, atol=1e-6)
