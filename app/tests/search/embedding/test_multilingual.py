"""The model of the extra ``multilingual``: that it is converted rightly, and taken where the notes want it."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from app.config.settings import BUNDLED_MODEL, MULTILINGUAL_MODEL, EmbeddingSettings, Settings
from app.search.embedding import loading
from app.search.embedding.embedder import Embedder
from app.search.embedding.loading import load_embedder
from app.search.embedding.multilingual import packaged_file
from app.search.searcher import searcher_for
from app.vault.client import VaultClient

QUESTION = "Quand faut-il tailler les rosiers ?"
PASSAGES = (
    "On coupe les roses à la fin de l'hiver, au-dessus d'un bourgeon.",
    "Die Heizung im Keller verliert Wasser; der Klempner kommt am Dienstag.",
    "El coche no arranca por las mañanas cuando hace frío.",
    "Бабушка печёт пироги с капустой каждое воскресенье.",
    "明日の会議は午後三時に始まります。",
)
COSINES = (
    0.832, 0.774, 0.783, 0.772, 0.783, 0.843, 0.847, 0.832, 0.797, 0.827, 0.819, 0.829, 0.800, 0.817, 0.805,
)  # fmt: skip
"""Of each pair of these six, as the package's own engine has them."""
FRENCH = (
    "Il faut tailler les rosiers à la fin de l'hiver, et les arroser dans la soirée quand il fait chaud.\n"
)
ENGLISH = "Prune the roses at the end of winter, and water them in the evening when it is hot.\n"

needs_package = pytest.mark.skipif(
    packaged_file() is None, reason="the extra 'multilingual' is not installed"
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return load_embedder(
        MULTILINGUAL_MODEL, cache=tmp_path_factory.mktemp("models"), settings=EmbeddingSettings()
    )


@needs_package
@pytest.mark.slow
def test_vectors_are_those_of_the_packages_own_engine(model: Embedder) -> None:
    vectors = [model.encode_query(QUESTION).vector, *(one.vector for one in model.encode(PASSAGES))]

    cosines = [float(left @ right) for left, right in combinations(vectors, 2)]

    assert np.allclose(cosines, COSINES, atol=0.01)


@pytest.mark.parametrize(
    ("note", "is_installed", "name"),
    [
        (FRENCH, True, MULTILINGUAL_MODEL),
        (FRENCH, False, BUNDLED_MODEL),
        (ENGLISH, True, BUNDLED_MODEL),
        ("", True, BUNDLED_MODEL),
    ],
)
def test_the_model_follows_the_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, note: str, is_installed: bool, name: str
) -> None:
    monkeypatch.setattr(loading, "packaged_file", lambda: tmp_path if is_installed else None)
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "Roses.md").write_text(note, encoding="utf-8")
    assert model_of(VaultClient(tmp_path / "vault", Settings(cache_dir=tmp_path / "cache"))) == name


def model_of(vault: VaultClient) -> str:
    """Index a vault by words, and return the model that its vectors will be made with."""
    searcher = searcher_for(vault)
    searcher.update()
    assert searcher.vectors is not None
    searcher.close()
    return searcher.vectors.name
