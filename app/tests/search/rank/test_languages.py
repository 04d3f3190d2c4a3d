"""French and English in one vault: found by meaning, by glosses, and each as if the other were not there."""

from collections.abc import Iterator

import pytest

from app.notices import Notice, NoticeKind
from app.search import search
from app.tests.search.conftest import Find
from app.tests.search.rank.conftest import Embedded
from app.vault.client import VaultClient

TASKS = {
    "recurring": "A task can be repeated each month: write the rule behind it, and when it is done the next is made.",
    "postponing": "Postpone a late task to tomorrow with the button beside its date.",
    "reporting": "Report a bug with the steps that show it, and the version of the program.",
    "styling": "The boxes of tasks can have other colours, by a snippet of style.",
}
HOUSE = {
    "cuisine": "Le gâteau aux pommes est dans le four pendant une heure ; la pâte repose la veille.",
    "loyer": "Le loyer est versé chaque mois au propriétaire, et les charges une fois par an.",
}


@pytest.fixture(scope="module")
def both(embedded: Embedded) -> VaultClient:
    return embedded(TASKS | HOUSE)


def first(find: Find, both: VaultClient, question: str) -> tuple[str, list[Notice]]:
    found = find(both, "deep", query=question)
    return found.results[0].path, [one for one in found.notices if one.template is NoticeKind.FOUND_BY_GLOSS]


@pytest.mark.parametrize(
    ("question", "note", "gloss"),
    [
        ("comment signaler un bogue", "reporting", "how report bogue"),
        ("comment répéter une tâche tous les mois", "recurring", "how again task all month"),
    ],
)
def test_a_gloss_finds_a_note(find: Find, both: VaultClient, question: str, note: str, gloss: str) -> None:
    path, [notice] = first(find, both, question)
    assert path == f"{note}.md"
    assert notice == f"the first note found is in another language; the question was read as '{gloss}'"
    assert notice.said("fr").startswith("la première note trouvée est dans une autre langue ; ")


@pytest.mark.parametrize(
    ("question", "note"),
    [("quand payer le propriétaire ?", "loyer"), ("how is a task repeated", "recurring")],
)
def test_nothing_is_said_of_own_words(find: Find, both: VaultClient, question: str, note: str) -> None:
    assert first(find, both, question) == (f"{note}.md", [])


def test_the_list_of_glossed_words_holds_notes_of_the_other_language_alone(both: VaultClient) -> None:
    hits = search(both, "comment répéter une tâche tous les mois", "deep", explain=True)
    found = {hit.path: hit.relevance_reason or "" for hit in hits}
    by_gloss = {path for path, reason in found.items() if "words of the gloss #" in reason}
    assert by_gloss
    assert by_gloss <= {f"{name}.md" for name in TASKS}
    hits = search(both, "how is a task repeated", "deep", explain=True)
    assert not any("words of the gloss" in (hit.relevance_reason or "") for hit in hits)


MATTERS = {
    "chauffage": "Le technicien a réparé la chaudière : la pompe était bouchée. Il repassera avant l'hiver.",
    "médecin": "Le docteur a prescrit des antibiotiques pendant une semaine, contre la toux et la fièvre.",
    "banque": "Le prêt immobilier coûte 900 euros par mois, et se termine dans quinze ans.",
    "jardin": "Les tomates ont souffert de la sécheresse ; il faudra arroser chaque soir en juillet.",
    "train": "Le billet pour Lyon est échangeable sans frais jusqu'à la veille du départ.",
}


@pytest.fixture(scope="module")
def french(embedded: Embedded) -> VaultClient:
    return embedded(MATTERS)


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
def test_a_question_in_other_words_finds_its_note(french: VaultClient, question: str, note: str) -> None:
    assert [hit.path for hit in search(french, question, "deep", limit=1)] == [f"{note}.md"]
    assert not [hit for hit in search(french, question, "fast", limit=1) if hit.path == f"{note}.md"]


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
