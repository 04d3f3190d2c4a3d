"""Which properties a question asks for, in both languages."""

import pytest

from app.chat.evidence.gather import gather
from app.chat.evidence.quote import read
from app.tests.conftest import MakeVault

NOTES = {
    "Ines.md": "---\nbirthday: 1987-03-12\nmanager: Hugo\n---\n# Ines\n\nInes paints hulls in March and April.\n",
    "Hugo.md": "---\nbirthday: 1975-10-01\ncity: Brest\n---\n# Hugo\n\nHugo sails in May with Ines.\n",
}


@pytest.mark.parametrize(
    ("question", "quotation"),
    [
        ("When was Ines born?", "birthday: 1987-03-12"),
        ("Who is the boss of Ines?", "manager: Hugo"),
        ("Where does Hugo live?", "city: Brest"),
    ],
)
def test_the_property_of_whom_the_question_names_is_quoted_first(
    tiny_vault: MakeVault, question: str, quotation: str
) -> None:
    vault = tiny_vault(NOTES)
    assert read(gather(vault, question)).quoted[0].claim.quotation == quotation
