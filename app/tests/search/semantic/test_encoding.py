"""Texts become the vectors that the model's own library makes, and token vectors beside them."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.deep_settings import EmbeddingSettings
from app.search.semantic.embedder import Embedder
from app.search.semantic.loading import load_embedder
from app.tests.search.semantic.conftest import MakeModel

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


def load(model: Path, cache: Path, **settings: Any) -> Embedder:
    return load_embedder(str(model), cache=cache, settings=EmbeddingSettings(**settings))


@pytest.fixture
def tiny(tiny_model: Path, tmp_path: Path) -> Embedder:
    return load(tiny_model, tmp_path, precision="fp32")


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_vectors_are_those_of_sentence_transformers(
    kind: dict[str, object], make_model: MakeModel, tmp_path: Path
) -> None:
    from sentence_transformers import SentenceTransformer

    folder = make_model(**kind)
    embedder = load(folder, tmp_path, precision="fp32", batch=3)
    library = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    texts = [text.replace("\udce9", "\ufffd") for text in TEXTS]
    documents = library.encode_document(texts, normalize_embeddings=True, show_progress_bar=False)
    question = library.encode_query("which moon", normalize_embeddings=True, show_progress_bar=False)
    vectors = [encoded.vector for encoded in embedder.encode(TEXTS)]
    np.testing.assert_allclose(vectors, documents, atol=1e-5)
    np.testing.assert_allclose(embedder.encode_query("which moon").vector, question, atol=1e-5)
    assert embedder.dimension == documents.shape[1]


def test_token_vectors_are_those_of_the_text_alone(make_model: MakeModel, tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    folder = make_model(query="ask ", document="a note ")
    library = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    raw: Any = library.encode_document("moon", output_value="token_embeddings", show_progress_bar=False)
    raw = raw.numpy()
    # [CLS] a n o t e m o o n [SEP]
    own = raw[6:10] / np.linalg.norm(raw[6:10], axis=1, keepdims=True)
    (encoded,) = load(folder, tmp_path, precision="fp32").encode(["moon"])
    np.testing.assert_allclose(encoded.tokens, own, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_piece_that_was_read_has_a_unit_row(
    kind: dict[str, object], make_model: MakeModel, tmp_path: Path
) -> None:
    embedder = load(make_model(**kind), tmp_path)
    pieces = [len(spans) for spans in embedder.spans(TEXTS)]
    encoded = embedder.encode(TEXTS)
    assert pieces[:2] == [7, 0]
    assert pieces[4] == 40_000
    for text, count in zip(encoded, pieces, strict=True):
        assert text.tokens.shape == (min(count, embedder.max_pieces), embedder.dimension)
        np.testing.assert_allclose(np.linalg.norm(text.tokens, axis=1), 1, atol=1e-5)
        assert np.linalg.norm(text.vector) == pytest.approx(1, abs=1e-5)


def test_special_pieces_and_the_longest_prompt_take_their_room(make_model: MakeModel, tmp_path: Path) -> None:
    assert load(make_model(), tmp_path).max_pieces == 126
    assert load(make_model(query="ask ", document="a note "), tmp_path).max_pieces == 121


def test_spans_say_where_pieces_stand(tiny: Embedder) -> None:
    assert tiny.spans(["ab é\udce9 c", ""]) == [[(0, 1), (1, 2), (3, 4), (6, 7)], []]


def test_no_texts_give_no_vectors(tiny: Embedder) -> None:
    assert tiny.encode([]) == []
    assert tiny.spans([]) == []


def test_neither_batch_nor_neighbours_change_a_vector(
    tiny: Embedder, tiny_model: Path, tmp_path: Path
) -> None:
    alone = [tiny.encode([text])[0] for text in TEXTS]
    together = load(tiny_model, tmp_path, precision="fp32", batch=64).encode(TEXTS)
    for left, right in zip(alone, together, strict=True):
        np.testing.assert_allclose(left.vector, right.vector, atol=1e-5)
        np.testing.assert_allclose(left.tokens, right.tokens, atol=1e-5)


def test_bf16_gives_nearly_the_same_and_may_be_mixed(
    tiny: Embedder, tiny_model: Path, tmp_path: Path
) -> None:
    rough = load(tiny_model, tmp_path, precision="bf16")
    assert rough.fingerprint == tiny.fingerprint
    cosines = [a.vector @ b.vector for a, b in zip(tiny.encode(TEXTS), rough.encode(TEXTS), strict=True)]
    assert min(cosines) > 0.999
    assert max(cosines) < 1 - 1e-7


def test_many_threads_get_what_one_gets(tiny: Embedder) -> None:
    questions = [f"moon {number}" for number in range(12)]
    expected = [tiny.encode_query(question).vector for question in questions]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(tiny.encode_query, questions))
    np.testing.assert_allclose([encoded.vector for encoded in found], expected, atol=1e-6)


def test_torch_uses_the_threads_it_is_given(tiny_model: Path, tmp_path: Path) -> None:
    import torch

    before = torch.get_num_threads()
    try:
        load(tiny_model, tmp_path, threads=before + 1)
        assert torch.get_num_threads() == before + 1
    finally:
        torch.set_num_threads(before)


def test_the_bundled_model_knows_what_is_meant(tmp_path: Path) -> None:
    embedder = load_embedder("all-MiniLM-L6-v2", cache=tmp_path, settings=EmbeddingSettings())
    texts = ["The launch was put off because of the weather.", "We bought a new coffee machine."]
    question = embedder.encode_query("Why did the rocket not start?").vector
    cosines = [float(encoded.vector @ question) for encoded in embedder.encode(texts)]
    assert cosines == pytest.approx([0.539, 0.166], abs=0.01)
    assert (embedder.dimension, embedder.max_pieces) == (384, 254)
