"""French read word by word by a model that knows English: the glosses, and what the model is given."""

import unicodedata
from pathlib import Path

import numpy as np
import pytest

from app.config.settings import EmbeddingSettings
from app.search.embedding.embedder import Embedder
from app.search.embedding.glosses import (
    GlossedEmbedder,
    asks_in_french,
    gloss,
    is_french,
)
from app.search.embedding.loading import languages_read, load_embedder
from app.search.embedding.model_files import known_languages
from app.tests.conftest import ShareExports

MODEL = "all-MiniLM-L6-v2"


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory, share_exports: ShareExports) -> Embedder:
    cache = share_exports(tmp_path_factory.mktemp("cache")) / "models"
    return load_embedder(MODEL, cache=cache, settings=EmbeddingSettings())


def model_with_card(tiny_model: Path, folder: Path, language: str) -> Path:
    folder.mkdir()
    for file in tiny_model.iterdir():
        (folder / file.name).symlink_to(file)
    (folder / "README.md").unlink(missing_ok=True)
    (folder / "README.md").write_text(f"---\nlanguage: {language}\n---\n")
    return folder


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Comment payer la facture ?", "how pay bill ?"),
        ("L’eau de l'étang", "water pond"),
        ("- [ ] **Appeler** le médecin\n\n> la clé", "- [ ] **call** doctor\n\n> key"),
        ("le week-end prochain", "weekend next"),
        ("Le navire Zorbak et 12,5 %", "ship Zorbak and 12,5 %"),
    ],
)
def test_each_word_by_the_one_it_mostly_stands_for(text: str, said: str) -> None:
    assert gloss(text).text == said
    assert gloss(unicodedata.normalize("NFD", text)).text == said


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("Comment répéter une tâche tous les mois", True),
        ("Les préconisations de la CNIL", True),
        ("How is a task repeated every month?", False),
        ("He said: déjà vu, in the café of the hôtel", False),
        ("¿Dónde está la llave de la puerta?", False),
        ("", False),
    ],
)
def test_only_french_is_glossed(text: str, reads: bool) -> None:
    assert is_french(text) is reads


@pytest.mark.parametrize(
    ("question", "reads"),
    [
        ("livre abandonné", True),
        ("Malo", False),
        # Words of both languages, and some that French has too.
        ("table formation", False),
        ("pain bread", False),
        ("", False),
    ],
)
def test_a_question_of_a_few_words_is_french_by_these(question: str, reads: bool) -> None:
    assert asks_in_french(question) is reads


def test_the_model_is_given_the_gloss_and_nothing_else(bundled: Embedder) -> None:
    text = "Le chauffage de la serre est cassé."
    said = gloss(text).text
    assert said == "heating greenhouse is broke."
    assert np.array_equal(bundled.encode([text])[0].vector, bundled.encode([said])[0].vector)
    assert np.array_equal(bundled.encode_query(text).tokens, bundled.encode_query(said).tokens)
    english = "The heater of the glasshouse does not work."
    other = "The baker opens at seven in the morning."
    asked = bundled.encode_query("Pourquoi le chauffage de la serre est-il cassé ?").vector
    near, far = (text.vector @ asked for text in bundled.encode([english, other]))
    assert near > 0.4 > 0.2 > far


@pytest.mark.parametrize(
    ("language", "read", "wrapped"),
    [("en", {"en", "fr"}, True), ("[en, fr]", {"en", "fr"}, False), ("de", {"de"}, False)],
)
def test_only_a_model_that_knows_english_and_no_french_is_given_glosses(
    language: str, read: set[str], wrapped: bool, tiny_model: Path, tmp_path: Path, own_environment: Path
) -> None:
    folder, cache = (
        model_with_card(tiny_model, tmp_path / "named", language),
        own_environment / "cache/models",
    )
    assert languages_read(known_languages(folder)) == read
    found = load_embedder(str(folder), cache=cache, settings=EmbeddingSettings())
    plain = load_embedder(str(tiny_model), cache=cache, settings=EmbeddingSettings())
    assert isinstance(found, GlossedEmbedder) is wrapped
    assert (found.fingerprint == plain.fingerprint) is not wrapped
    same = np.array_equal(
        found.encode_query("la clé de la porte").vector, plain.encode_query("la clé de la porte").vector
    )
    assert same is not wrapped
