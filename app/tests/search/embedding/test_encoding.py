"""Texts become the vectors that the model's own library makes, and token vectors beside them."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.search.embedding.embedder import ModelEmbedder
from app.search.embedding.hub import find_model
from app.search.embedding.model_files import model_fingerprint
from app.search.embedding.torch_model import TorchModel
from app.tests.search.embedding.conftest import MakeModel

KINDS = [{}, {"pooling": "cls"}, {"pooling": "max"}, {"dense": 12}, {"query": "ask ", "document": "a note "}]
TEXTS = [
    "the moon",
    "",
    "Décision du 14 juillet\n- [ ] appeler Zoé ⏫",
    "東京は日本の首都です。 Привет 👩‍🚀",
    "fuel " * 10_000,
    "one [SEP] two",
    "file \udce9 name",
]


def by_torch(
    folder: Path, *, precision: str = "fp32", batch: int = 16, threads: int | None = None
) -> ModelEmbedder:
    model = TorchModel("tiny", folder, model_fingerprint("tiny", folder))
    return model.embedder("cpu", precision, batch=batch, threads=threads)


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


def test_token_vectors_are_those_of_the_text_alone(make_model: MakeModel) -> None:
    from sentence_transformers import SentenceTransformer

    folder = make_model(query="ask ", document="a note ")
    library = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    raw: Any = library.encode_document("moon", output_value="token_embeddings", show_progress_bar=False)
    raw = raw.numpy()
    # [CLS] a n o t e m o o n [SEP]
    own = raw[6:10] / np.linalg.norm(raw[6:10], axis=1, keepdims=True)
    (encoded,) = by_torch(folder).encode(["moon"])
    np.testing.assert_allclose(encoded.tokens, own, atol=1e-5)


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


def test_special_pieces_and_the_longest_prompt_take_their_room(make_model: MakeModel) -> None:
    assert by_torch(make_model()).max_pieces == 126
    assert by_torch(make_model(query="ask ", document="a note ")).max_pieces == 121


def test_spans_say_where_pieces_stand(tiny: ModelEmbedder) -> None:
    assert tiny.spans(["ab é\udce9 c", ""]) == [[(0, 1), (1, 2), (3, 4), (6, 7)], []]


def test_no_texts_give_no_vectors(tiny: ModelEmbedder) -> None:
    assert tiny.encode([]) == []
    assert tiny.spans([]) == []


def test_neither_batch_nor_neighbours_change_a_vector(tiny: ModelEmbedder, tiny_model: Path) -> None:
    alone = [tiny.encode([text])[0] for text in TEXTS]
    together = by_torch(tiny_model, batch=64).encode(TEXTS)
    for left, right in zip(alone, together, strict=True):
        np.testing.assert_allclose(left.vector, right.vector, atol=1e-5)
        np.testing.assert_allclose(left.tokens, right.tokens, atol=1e-5)


def test_bf16_gives_nearly_the_same_and_may_be_mixed(tiny: ModelEmbedder, tiny_model: Path) -> None:
    rough = by_torch(tiny_model, precision="bf16")
    assert rough.fingerprint == tiny.fingerprint
    cosines = [a.vector @ b.vector for a, b in zip(tiny.encode(TEXTS), rough.encode(TEXTS), strict=True)]
    assert min(cosines) > 0.999
    assert max(cosines) < 1 - 1e-7


def test_many_threads_get_what_one_gets(tiny: ModelEmbedder) -> None:
    questions = [f"moon {number}" for number in range(12)]
    expected = [tiny.encode_query(question).vector for question in questions]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(tiny.encode_query, questions))
    np.testing.assert_allclose([encoded.vector for encoded in found], expected, atol=1e-6)


def test_torch_uses_the_threads_it_is_given(tiny_model: Path) -> None:
    import torch

    before = torch.get_num_threads()
    try:
        by_torch(tiny_model, threads=before + 1)
        assert torch.get_num_threads() == before + 1
    finally:
        torch.set_num_threads(before)


def test_the_bundled_model_knows_what_is_meant() -> None:
    embedder = by_torch(find_model("all-MiniLM-L6-v2"))
    texts = ["The launch was put off because of the weather.", "We bought a new coffee machine."]
    question = embedder.encode_query("Why did the rocket not start?").vector
    cosines = [float(encoded.vector @ question) for encoded in embedder.encode(texts)]
    assert cosines == pytest.approx([0.539, 0.166], abs=0.001)
    assert (embedder.dimension, embedder.max_pieces) == (384, 254)
