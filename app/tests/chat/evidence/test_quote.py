"""What is quoted of the evidence for a question, on the real index and with the real model."""

from datetime import datetime
from pathlib import Path

import pytest

from app.chat.evidence.gather import gather
from app.chat.evidence.quote import Reading, read
from app.chat.save import Exchange, save_conversation
from app.notices import NoticeKind
from app.search.index.documents import CHAT, MARK
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

STEPS = "".join(
    f"{at}. Do the thing that is number {at} on the list of things to do.\n" for at in range(1, 12)
)
NOTES = {
    "Sending.md": (
        "# Sending\n\nLetters go out on the first of the month, and nobody has complained yet.\n\n"
        f"## How to send a letter\n\n{STEPS}\n## Readers\n\n"
        "| letter | readers |\n| --- | ---: |\n| Borrowed salt | 212 |\n| How to wait | 268 |\n"
    ),
    "Boat.md": (
        "---\nstatus: afloat\nphone: 01584 555 019\n---\n# Boat\n\n"
        "The hull was painted by Erwan Maout.\r\nIt took **two** days.\n"
    ),
    "Sail.md": "# Sail\n\nIt was sewn in Ullapool, see [[Boat]].\n",
}


def reading(vault: VaultClient, question: str) -> Reading:
    return read(gather(vault, question))


def first(vault: VaultClient, question: str) -> str:
    return reading(vault, question).quoted[0].claim.quotation


def text_of(vault: VaultClient, path: str) -> str:
    return Path(vault.root, path).read_bytes().decode()


def test_a_quotation_is_the_notes_own_text_at_its_lines(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES)
    claim = reading(vault, "Who painted the hull?").quoted[0].claim
    assert (claim.path, claim.verdict, claim.lines) == ("Boat.md", "quoted", "7-8")
    assert claim.quotation == "The hull was painted by Erwan Maout.\r\nIt took **two** days."
    assert claim.answering == "The hull was painted by Erwan Maout."
    assert claim.quotation in text_of(vault, "Boat.md")


@pytest.mark.parametrize(
    ("question", "quotation"),
    [
        ("How many readers had Borrowed salt?", "| Borrowed salt | 212 |"),
        ("what is the status of the boat?", "status: afloat"),
        ("How do I send a letter?", STEPS.rstrip()),
    ],
)
def test_a_row_a_property_and_steps_are_quoted_alone(
    tiny_vault: MakeVault, question: str, quotation: str
) -> None:
    assert first(tiny_vault(NOTES), question) == quotation


def test_of_spans_as_good_that_differ_in_day_the_newest_goes_first(tiny_vault: MakeVault) -> None:
    days = {"2025-03-01": "gas", "2026-02-01": "wood", "2025-11-01": "electric"}
    log = "# House\n" + "".join(
        f"\n## {day}\n\nWe decided: the heating will be {what}.\n" for day, what in days.items()
    )
    quotation = first(tiny_vault({"House.md": log}), "what did we decide about the heating?")
    assert quotation == "We decided: the heating will be wood."


def test_what_is_struck_through_goes_behind_what_still_holds(tiny_vault: MakeVault) -> None:
    note = "# Sizes\n\n- ~~The mast of the boat measures nine metres~~\n- The mast measures eight metres\n"
    quoted = reading(tiny_vault({"Sizes.md": note}), "how long is the mast of the boat?").quoted
    assert not quoted[0].span.is_struck
    assert all(one.span.is_struck for one in quoted[1:])


def test_at_most_three_quotations_none_over_another_none_twice(tiny_vault: MakeVault) -> None:
    larch = "\n\n".join(f"## Larch {at}\n\nThe larch number {at} is late." for at in range(6))
    notes = {"A.md": f"# Larch\n\n{larch}\n", "B.md": f"# Larch\n\n{larch}\n"}
    quoted = reading(tiny_vault(notes), "Which larch is late?").quoted
    assert len({one.claim.quotation for one in quoted}) == len(quoted) == 3
    chances = [one.probability for one in quoted]
    assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize(
    ("question", "is_read"),
    [
        # As many of its stop words are Italian.
        ("combien a coûté la dalle ?", True),
        ("quanto è costata la lastra del laboratorio?", False),
    ],
)
def test_meaning_is_compared_where_the_model_reads_the_question(
    tiny_vault: MakeVault, question: str, is_read: bool
) -> None:
    vault = tiny_vault({"Atelier.md": "# Atelier\n\nLa dalle de l'atelier a été coulée pour 2 350 €.\n"})
    searcher_for(vault).update()
    assert searcher_for(vault).embed().remaining == 0
    notices = reading(vault, question).notices
    assert any(one.template is NoticeKind.READ_BY_WORDS for one in notices) != is_read


def test_a_misspelling_is_read_as_the_notes_have_the_word_and_another_word_is_not(
    tiny_vault: MakeVault,
) -> None:
    vault = tiny_vault({"Stove.md": "# Stove\n\nThe library of the village is heated by a stove.\n"})
    chances = [
        reading(vault, f"Is the {word} heated?").probability
        for word in ("library", "libary", "bakery", "liberty")
    ]
    assert chances[0] == chances[1] > max(chances[2:])


def test_saved_chats_are_no_evidence_and_do_not_crowd_the_notes_out(tiny_vault: MakeVault) -> None:
    chats = {
        f"Chats/2025-07-{day} Who painted the hull.md": (
            f"---\n{MARK}: {CHAT}\n---\n# Who painted the hull?\n\nWho painted the hull? The hull was.\n"
        )
        for day in range(10, 30)
    }
    vault = tiny_vault({**NOTES, **chats})
    said = [Exchange("Who painted the hull?", "Nobody painted the hull.", datetime(2025, 7, 14))]
    save_conversation(vault, said, "offline", "talks/Hull")
    found = [one.path for one in gather(vault, "Who painted the hull?").evidence]
    assert found[0] == "Boat.md"
    assert not any(path.startswith(("Chats/", "talks/")) for path in found)


def test_evidence_is_numbered_and_is_the_notes_own_lines(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES)
    found = gather(vault, "How are letters sent, and who painted the hull?").evidence
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    for one in found:
        assert one.text == "\n".join(text_of(vault, one.path).split("\n")[one.first - 1 : one.last])


PEOPLE = {
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
    assert first(tiny_vault(PEOPLE), question) == quotation
