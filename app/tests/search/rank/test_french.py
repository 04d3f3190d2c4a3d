"""French notes by meaning, with the model that comes along, which knows English."""

import pytest

from app.search import search
from app.tests.search.rank.conftest import Embedded
from app.vault.client import VaultClient

NOTES = {
    "chauffage": "Le technicien a réparé la chaudière : la pompe était bouchée. Il repassera avant l'hiver.",
    "médecin": "Le docteur a prescrit des antibiotiques pendant une semaine, contre la toux et la fièvre.",
    "banque": "Le prêt immobilier coûte 900 euros par mois, et se termine dans quinze ans.",
    "jardin": "Les tomates ont souffert de la sécheresse ; il faudra arroser chaque soir en juillet.",
    "train": "Le billet pour Lyon est échangeable sans frais jusqu'à la veille du départ.",
}


@pytest.fixture(scope="module")
def vault(embedded: Embedded) -> VaultClient:
    return embedded(NOTES)


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
