"""What a follow-up asks in full, and that it is answered so."""

import asyncio

import pytest

from app.chat.conversation import Conversation
from app.chat.offline.assistant import offline_model
from app.chat.offline.follow_up import in_full
from app.dependencies import ChatDependencies
from app.tests.conftest import MakeVault


@pytest.mark.parametrize(
    ("earlier", "question", "full"),
    [
        ("combien a coûté le poêle", "et la dalle ?", "combien a coûté la dalle"),
        ("combien a coûté le poêle", "et pour la dalle ?", "combien a coûté la dalle"),
        ("combien a coûté le poêle", "qu'en est-il de la dalle ?", "combien a coûté la dalle"),
        ("combien a coûté le poêle", "et la dalle, combien ?", "combien a coûté la dalle"),
        ("combien a coûté le poêle", "et l'établi ?", "combien a coûté l'établi"),
        ("how much was the stove", "and the slab?", "how much was the slab"),
        ("how much was the stove", "what about the slab", "how much was the slab"),
        ("how much did the stove cost?", "and what about the slab?", "how much did the slab cost?"),
        ("When was the hull painted?", "And the kitchen?", "When was the kitchen painted?"),
        ("Qui est Yann Kerbrat ?", "et Maëlle ?", "Qui est Maëlle ?"),
        ("who is maelle", "and yann?", "who is yann"),
        ("dans quelle chambre est maman ?", "et papa ?", "dans quelle chambre est papa ?"),
        ("How old is the dog?", "and Rex?", "How old is Rex?"),
    ],
)
def test_what_is_named_takes_the_place_of_the_old_thing(earlier: str, question: str, full: str) -> None:
    assert in_full(question, earlier) == full


@pytest.mark.parametrize(
    ("earlier", "question", "full"),
    [
        # A preposition tells which one.
        ("Que dit Maëlle de la dalle ?", "et du poêle ?", "Que dit Maëlle du poêle ?"),
        ("Que dit Maëlle de la dalle ?", "et Yann ?", "Que dit Yann de la dalle ?"),
        ("Coût de la réparation du toit ?", "et de la porte ?", "Coût de la réparation de la porte ?"),
        ("What did we spend in 2024?", "and in 2025?", "What did we spend in 2025?"),
        ("Quel est le numéro du vétérinaire ?", "et celui du plombier ?", "Quel est le numéro du plombier ?"),
        # What belongs to the old thing goes with it.
        ("Combien a coûté le toit de la maison ?", "et la dalle ?", "Combien a coûté la dalle ?"),
        # The preposition of the question stays.
        ("Quel est le numéro du vétérinaire ?", "et le plombier ?", "Quel est le numéro du plombier ?"),
        ("Que sait-on du chien ?", "et l'âne ?", "Que sait-on de l'âne ?"),
        ("Que sait-on du chien ?", "et les ânes ?", "Que sait-on des ânes ?"),
        ("Who decided for the roof?", "and the wall?", "Who decided for the wall?"),
        ("What is the vet's number?", "and the dentist's?", "What is the dentist's number?"),
        ("When is Tom's birthday?", "and Ann?", "When is Ann's birthday?"),
    ],
)
def test_of_several_things_the_one_gives_way_that_it_stands_for(
    earlier: str, question: str, full: str
) -> None:
    assert in_full(question, earlier) == full


@pytest.mark.parametrize(
    ("earlier", "question", "full"),
    [
        ("combien a coûté le poêle", "et quand ?", "et quand ? coûté poêle"),
        ("Who painted the hull?", "and when?", "and when? painted hull"),
        ("Quand a-t-on acheté le poêle ?", "et le prix ?", "et le prix ? acheté poêle"),
        ("who is Ann?", "and her phone number?", "and her phone number? Ann"),
        ("combien a coûté le poêle", "et en 2025 ?", "et en 2025 ? coûté poêle"),
        ("Which things were painted?", "and the hull?", "and the hull? things painted"),
        ("combien a coûté le poêle", "et tag:maison ?", "et tag:maison ? coûté poêle"),
    ],
)
def test_what_names_no_other_thing_takes_the_earlier_words_along(
    earlier: str, question: str, full: str
) -> None:
    assert in_full(question, earlier) == full


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        ("combien a coûté le poêle", "et qui a coulé la dalle ?"),
        ("how much was the stove", "and when was the slab poured?"),
        ("how much was the stove", "Where is the boat?"),
        ("combien a coûté le poêle", "plus de détails sur la dalle"),
    ],
)
def test_what_asks_all_of_it_by_itself_stays_as_it_is(earlier: str, question: str) -> None:
    assert in_full(question, earlier) == question


BUDGET = {
    "Maison/Poêle.md": "# Poêle\n\nLe poêle a coûté 2890 €.\n",
    "Maison/Atelier.md": "# Atelier\n\nLa dalle a coûté 2350 €.\n",
    "Personnes/Yann Kerbrat.md": "# Yann Kerbrat\n\nYann Kerbrat est marin-pêcheur à la retraite.\n",
    "Personnes/Maëlle Roudaut.md": "# Maëlle Roudaut\n\nMaëlle Roudaut est cheffe de chœur.\n",
    "House/Stove.md": "# Stove\n\nThe stove was 900 dollars.\n",
    "House/Workshop.md": "# Workshop\n\nThe slab was 700 dollars.\n",
    "Jardin/Haricots.md": "# Haricots\n\nSix bocaux, et les limaces ont mangé les salades.\n",
    "Jardin/Poules.md": "# Poules\n\nElles pondent peu depuis la mue de novembre.\n",
    "Voyage.md": "# Voyage\n\nMille kilomètres, puis un gîte dans les Cévennes.\n",
}


@pytest.mark.parametrize(
    ("questions", "answers", "old"),
    [
        (["combien a coûté le poêle", "et la dalle ?"], "La dalle a coûté 2350 €.", "2890"),
        (
            ["qui est Yann Kerbrat ?", "et Maëlle ?"],
            "Maëlle Roudaut est cheffe de chœur.",
            "Yann",
        ),
        (["how much was the stove", "what about the slab"], "The slab was 700 dollars.", "900"),
        # A third one follows from the second, as it was understood.
        (["combien a coûté la dalle", "et le toit ?", "et le poêle ?"], "Le poêle a coûté 2890 €.", "2350"),
    ],
)
def test_the_first_quotation_is_of_what_was_named_last(
    tiny_vault: MakeVault, questions: list[str], answers: str, old: str
) -> None:
    talk = Conversation(ChatDependencies(vault=tiny_vault(BUDGET), writes="refuse"), offline_model())
    said = [asyncio.run(talk.ask(each, lambda _: None, lambda _: None)) for each in questions][-1]
    first = said.split("\n")[1]
    assert answers in first
    assert old not in first
