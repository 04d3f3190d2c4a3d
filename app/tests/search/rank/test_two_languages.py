"""Notes of two languages in one vault: each is found in its own language as if the others were not there."""

from collections.abc import Iterator

import pytest

from app.search import search
from app.tests.search.rank.conftest import Embedded
from app.vault.client import VaultClient

ENGLISH = {
    "boiler": "The boiler was serviced by the fitter: the pump was blocked and is new, so the house is warm.",
    "invoice": "The invoice of the plumber is due in March; the bank sends the money by a standing order.",
    "letter": "A letter for the landlord about the rent, which he wants to raise again this spring.",
    "garden": "In the garden the tomatoes need water each evening, and the hedge is cut in autumn.",
    "backup": "Copies of the computer are made each night to a disk in the cellar, and one is kept elsewhere.",
    "insurance": "The insurance pays for what water breaks in the flat, if it is told so within five days.",
}
FRENCH = {
    "chaudière": "La chaudière est froide depuis hier ; le chauffagiste viendra avec une pompe pour la maison.",
    "facture": "La facture du plombier se paie par la banque avant la fin du mois, sans autre rappel.",
    "bail": "Le bail dit que le loyer ne monte qu'une fois par an, et que le propriétaire prévient avant.",
    "potager": "Les tomates du potager sont arrosées le soir ; les salades sont mangées par les limaces.",
    "disque": "Le disque de sauvegarde est plein, et les photos de l'ordinateur ne sont plus copiées.",
    "dégâts": "L'assurance demande des photos des dégâts de l'eau, et le nom du voisin du dessus.",
}
ASKED = {
    "english": (
        "is the heating mended, and who did that",
        "what is paid for when a pipe bursts",
        "how is the data of the computer kept safe",
    ),
    "french": (
        "qui vient réparer le chauffage de la maison ?",
        "que faire quand l'eau coule du plafond",
        "quand est-ce que le propriétaire peut augmenter le prix",
    ),
}


@pytest.fixture(scope="module")
def few_chunks() -> Iterator[None]:
    """Let a language of a dozen passages have statistics of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.search.lexical.bm25.LEAST_CHUNKS", 3)
        yield


@pytest.mark.parametrize(("language", "own"), [("english", ENGLISH), ("french", FRENCH)])
def test_notes_keep_their_order_beside_others(
    few_chunks: None, embedded: Embedded, language: str, own: dict[str, str]
) -> None:
    def found(vault: VaultClient, question: str) -> list[str]:
        paths = dict.fromkeys(hit.path.removesuffix(".md") for hit in search(vault, question, "deep"))
        return [path for path in paths if path in own]

    alone, both = embedded(own), embedded(ENGLISH | FRENCH)
    for question in ASKED[language]:
        assert found(both, question) == found(alone, question), question
