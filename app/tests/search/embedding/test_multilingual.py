"""The model of the extra ``multilingual``: that it is converted rightly, and taken where the notes want it."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from app.config.settings import BUNDLED_MODEL, MULTILINGUAL_MODEL, EmbeddingSettings, Settings
from app.errors import ModelError
from app.search.embedding import hub, loading
from app.search.embedding.embedder import Embedder
from app.search.embedding.hub import find_model
from app.search.embedding.loading import load_embedder
from app.search.embedding.multilingual import packaged_file, read_packaged
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
LIKENESS = (
    ("Le chat dort sur le canapé.", "Un félin sommeille dans le salon.", "La facture est payée."),
    ("Comment faire du pain ?", "Mélanger farine, eau et levain, puis enfourner.", "Le train part à midi."),
    ("Mal de tête depuis hier", "Une migraine qui ne passe pas", "Le toit est refait à neuf"),
    ("Où sont les clés ?", "Le trousseau pend à côté de la porte.", "Il a plu toute la semaine."),
    ("The boat leaks.", "There is water in the hull.", "We sang in the choir."),
    ("How do I prune apple trees?", "Cut back fruit wood in February.", "The invoice is overdue."),
    ("My knee hurts", "Pain in the leg joint after running", "New curtains for the kitchen"),
    ("When was the meeting?", "The committee sat on 4 March.", "The soup needs more salt."),
    ("Das Auto springt nicht an.", "Der Motor startet nicht.", "Der Kuchen ist fertig."),
    ("Wie hoch ist die Miete?", "Die Wohnung kostet 900 Euro im Monat.", "Der Hund bellt nachts."),
    ("Zahnarzttermin", "Kontrolle der Zähne am Montag", "Neue Reifen gekauft"),
    ("El perro está enfermo.", "El veterinario examinó al animal.", "La reunión empieza a las tres."),
    ("¿Cuánto cuesta el billete?", "El precio del viaje es de 40 euros.", "Hay que regar las plantas."),
    ("Receta de sopa", "Hervir verduras con caldo", "Cambiar el aceite del motor"),
    ("Il tetto perde.", "Entra acqua dalla soffitta quando piove.", "Il concerto è bellissimo."),
    ("Quando parte il treno?", "La partenza è alle otto.", "Ho comprato delle scarpe."),
    ("La caldaia non funziona", "Il riscaldamento è guasto", "Il gatto mangia il pesce"),
    ("У меня болит зуб.", "Нужно пойти к стоматологу.", "Мы купили новый диван."),
    ("Как варить борщ?", "Свёклу тушат и кладут в бульон.", "Поезд опоздал на час."),
    ("Сломалась машина", "Двигатель не заводится", "Дети учат стихи"),
)
"""A text, one that is like it without its words, and one that is not."""
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


@needs_package
@pytest.mark.slow
@pytest.mark.parametrize(("text", "like", "unlike"), LIKENESS)
def test_what_is_alike_is_nearer_in_six_languages(model: Embedder, text: str, like: str, unlike: str) -> None:
    asked = model.encode_query(text).vector
    near, far = (one.vector for one in model.encode([like, unlike]))

    assert asked @ near > asked @ far


def test_another_file_than_the_packages_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "e5-small-q4.bin"
    other.write_bytes(b"E5S1" + bytes(100))

    with pytest.raises(ValueError, match="has the SHA-256"):
        read_packaged(other)


def test_without_the_package_its_name_is_an_error_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hub, "packaged_file", lambda: None)

    with pytest.raises(ModelError, match=r"vault-assistant\[multilingual\]"):
        find_model(MULTILINGUAL_MODEL)


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


def test_a_model_that_is_named_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "packaged_file", lambda: tmp_path)
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "Roses.md").write_text(FRENCH, encoding="utf-8")
    index = {"indexes": {"notes": {"embedding_model": BUNDLED_MODEL}}, "default": "notes"}
    settings = Settings.model_validate({"cache_dir": tmp_path / "cache", "index": index})

    assert model_of(VaultClient(tmp_path / "vault", settings)) == BUNDLED_MODEL


def model_of(vault: VaultClient) -> str:
    """Index a vault by words, and return the model that its vectors will be made with."""
    searcher = searcher_for(vault)
    searcher.update()
    assert searcher.vectors is not None
    searcher.close()
    return searcher.vectors.name
