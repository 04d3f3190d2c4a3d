"""Whether a text tells of somebody, and whose number, address or birthday it gives."""

from collections.abc import Mapping

import pytest

from app.chat.evidence.answerable import features_of
from app.chat.evidence.gather import gather
from app.chat.evidence.people import other_names, tells_of_someone
from app.chat.evidence.reader import asked_of, read
from app.chat.evidence.weigh import candidates_of, weighed
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

PEOPLE = {
    "People/Tom Okafor.md": "---\nphone: 07700 900742\nbirthday: 1986-09-28\n---\n# Tom Okafor\n\nBackend developer.\n",
    "People/Priya Raman.md": "---\nphone: 07700 900318\n---\n# Priya Raman\n\nLives with Dan. Leads Tidewatch.\n",
    "Tidewatch.md": "# Tidewatch\n\nThe ingestion service is by [[Tom Okafor]]. At the client it is Megan Pryce.\n",
    "Maman.md": "---\ntéléphone: 02 97 33 41 08\n---\n# Maman\n\nYvonne. Vit à Quimperlé, sa pharmacie a le 02 97 11 22 33.\n",
}


@pytest.fixture
def people(tiny_vault: MakeVault) -> VaultClient:
    vault = tiny_vault(PEOPLE)
    searcher_for(vault).update()
    assert searcher_for(vault).embed().remaining == 0
    return vault


@pytest.mark.parametrize(
    ("text", "question", "is_told"),
    [
        ("The hull was painted by Erwan Maout.", "Who painted the hull?", True),
        ("The plumber fetched it with three friends.", "Who fetched it?", True),
        ("We painted it in May.", "Who painted it?", True),
        ("Le couvreur passe jeudi.", "Qui passe jeudi ?", True),
        ("Fronts: ash, oiled. Worktop: slate.", "Who painted the kitchen?", False),
        ("Repeints en gris-bleu en 2023, il en reste dans l'appentis.", "Qui a peint les volets ?", False),
        ("La subvention de la Glacière est arrivée mardi.", "Qui l'a signée ?", False),
        ("Elle s'appelle la maîtresse d'Isla.", "Comment s'appelle la maîtresse d'Isla ?", False),
        ("Il a coûté cher à l'état, en électricité.", "Qui a payé ?", False),
        ("Version 2 runs on the ESP32.", "Who wrote it?", False),
    ],
)
def test_somebody_is_told_of_by_a_name_a_role_or_as_we(text: str, question: str, is_told: bool) -> None:
    assert tells_of_someone(text, question) is is_told


def test_a_word_that_begins_a_sentence_is_no_name_for_that() -> None:
    found = [
        match[0] for match in other_names("Isla said: «\u00a0Elle répare.\u00a0» Then Yann left.", "who?")
    ]
    assert found == ["Yann"]


def test_who_did_it_is_not_answered_by_what_tells_of_nobody(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(
        {"Kitchen.md": "# Kitchen\n\nThe walls were painted white, in two coats, with a roller.\n"}
    )

    def missing(question: str) -> float:
        found = gather(vault, question)
        asked = asked_of(found)
        return features_of(asked, weighed(asked, candidates_of(asked, found.evidence)))["person missing"]

    assert missing("Who painted the kitchen walls?") == 1
    assert missing("What colour are the kitchen walls painted?") == 0


@pytest.mark.parametrize(
    "question",
    [
        "What is Dan's birthday?",
        "What is Megan Pryce's phone number?",
        "Quel est le numéro de téléphone de M. Rio ?",
    ],
)
def test_a_number_of_another_person_is_never_given(people: VaultClient, question: str) -> None:
    found = gather(people, question)
    assert not any(one.candidate.is_property for one in read(found).quoted)


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("When was Tom born?", "birthday: 1986-09-28"),
        ("What is Priya's phone number?", "phone: 07700 900318"),
        ("What is the phone number of who makes Tidewatch?", "phone: 07700 900742"),
        ("Quel est le numéro de téléphone de Yvonne ?", "téléphone: 02 97 33 41 08"),
        ("Quel est le téléphone de Maman ?", "téléphone: 02 97 33 41 08"),
    ],
)
def test_the_property_of_the_one_who_is_named_comes_first(
    people: VaultClient, question: str, quoted: str
) -> None:
    assert read(gather(people, question)).quoted[0].claim.quotation == quoted


def test_the_day_of_a_note_is_not_that_of_what_it_mentions(tiny_vault: MakeVault) -> None:
    notes: Mapping[str, str] = {
        "Club.md": "---\ndate: 2026-10-13\n---\n# Club\n\nOn parle du manuscrit de Nora.\n",
        "Phare.md": "# Le phare\n\nManuscrit complet à rendre le 30 avril 2027.\n",
    }
    read_out = read(gather(tiny_vault(notes), "À quelle date dois-je rendre le manuscrit ?"))
    assert read_out.quoted[0].claim.quotation == "Manuscrit complet à rendre le 30 avril 2027."
    assert read(gather(tiny_vault(notes), "À quelle date était le club ?")).quoted[0].candidate.is_property
