"""French notes by meaning, with the model that comes along, which knows English."""

from pathlib import Path

import pytest

from app.config.settings import Settings
from app.search import search
from app.search.searcher import searcher_for
from app.tests.conftest import ShareExports
from app.vault.client import VaultClient

NOTES = {
    "chauffage": "Le technicien a réparé la chaudière : la pompe était bouchée. Il repassera avant l'hiver.",
    "médecin": "Le docteur a prescrit des antibiotiques pendant une semaine, contre la toux et la fièvre.",
    "banque": "Le prêt immobilier coûte 900 euros par mois, et se termine dans quinze ans.",
    "jardin": "Les tomates ont souffert de la sécheresse ; il faudra arroser chaque soir en juillet.",
    "train": "Le billet pour Lyon est échangeable sans frais jusqu'à la veille du départ.",
}


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory, share_exports: ShareExports) -> VaultClient:
    root: Path = tmp_path_factory.mktemp("french")
    for name, text in NOTES.items():
        (root / f"{name}.md").write_text(f"{text}\n", encoding="utf-8")
    client = VaultClient(root, Settings(cache_dir=share_exports(tmp_path_factory.mktemp("cache"))))
    searcher_for(client).embed()
    return client


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("Quel traitement pour ma maladie ?", "médecin"),
        ("Combien dois-je rembourser pour la maison ?", "banque"),
        ("Quand mouiller mes légumes ?", "jardin"),
        ("Puis-je annuler mon voyage ?", "train"),
        ("who fixed the heating", "chauffage"),
    ],
)
def test_a_question_in_other_words_finds_its_note(vault: VaultClient, question: str, note: str) -> None:
    assert [hit.path for hit in search(vault, question, "deep", limit=1)] == [f"{note}.md"]
    assert not [hit for hit in search(vault, question, "fast", limit=1) if hit.path == f"{note}.md"]
