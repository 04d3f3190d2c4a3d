"""What is quoted of the evidence for a question, on the real index and with the real model."""

from pathlib import Path

import pytest

from app.chat.evidence.gather import gather
from app.chat.evidence.reader import AS_LIKELY, LEAST_ADDED, Reading, asked_of, read
from app.chat.evidence.weigh import candidates_of, weighed
from app.chat.save import Exchange, save_conversation
from app.notices import NoticeKind
from app.search.index.documents import CHAT, MARK
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

SENDING = (
    "# Sending\n\nLetters go out on the first of the month, and nobody has complained yet.\n\n"
    "## How to send a letter\n\n"
    + "".join(f"{at}. Do the thing that is number {at} on the list of things to do.\n" for at in range(1, 12))
    + "\n## Readers\n\n| letter | readers |\n| --- | ---: |\n| Borrowed salt | 212 |\n| How to wait | 268 |\n"
)
NOTES = {
    "Sending.md": SENDING,
    "Boat.md": "---\nstatus: afloat\n---\n# Boat\n\nThe hull was painted by Erwan Maout.\r\nIt took **two** days.\n",
    "Sail.md": "# Sail\n\nIt was sewn in Ullapool, see [[Boat]].\n",
}


def reading(vault: VaultClient, question: str) -> Reading:
    return read(gather(vault, question))


def text_of(vault: VaultClient, path: str) -> str:
    return Path(vault.root, path).read_bytes().decode()


def test_a_quotation_is_the_notes_own_text_at_its_lines(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES)
    claim = reading(vault, "Who painted the hull?").quoted[0].claim
    assert (claim.path, claim.verdict) == ("Boat.md", "quoted")
    assert claim.quotation.startswith("The hull was painted by Erwan Maout.")
    assert claim.lines == "6-7"
    assert claim.quotation in text_of(vault, "Boat.md")


def test_line_ends_and_markdown_stay_as_they_are(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES)
    quotation = reading(vault, "boat hull painted two days").quoted[0].claim.quotation
    assert quotation == "The hull was painted by Erwan Maout.\r\nIt took **two** days."


@pytest.mark.parametrize(
    ("question", "answering"),
    [
        ("Who sewed the sail in the winter?", "Marta sewed it over the winter."),
        ("what is there to say of the sail", ""),
    ],
)
def test_of_several_statements_the_one_that_says_it_stands_out(
    tiny_vault: MakeVault, question: str, answering: str
) -> None:
    sail = "# Sail\n\nIt is red. Marta sewed it over the winter. Tar keeps it from rotting.\n"
    claim = reading(tiny_vault({"Sail.md": sail}), question).quoted[0].claim
    assert claim.quotation == "It is red. Marta sewed it over the winter. Tar keeps it from rotting."
    assert claim.answering == answering


def test_steps_come_whole(tiny_vault: MakeVault) -> None:
    claim = reading(tiny_vault(NOTES), "How do I send a letter?").quoted[0].claim
    assert claim.quotation.startswith("1. Do the thing that is number 1 ")
    assert claim.quotation.endswith("11. Do the thing that is number 11 on the list of things to do.")


def test_a_row_is_quoted_with_its_table_and_knows_its_header(tiny_vault: MakeVault) -> None:
    quoted = reading(tiny_vault(NOTES), "How many readers had Borrowed salt?").quoted[0]
    assert quoted.claim.quotation == "| Borrowed salt | 212 |"
    assert quoted.header == "| letter | readers |"


def test_properties_are_not_quoted_that_nobody_asks_for(tiny_vault: MakeVault) -> None:
    quoted = reading(tiny_vault(NOTES), "status afloat boat").quoted
    assert not any("status: afloat" in one.claim.quotation for one in quoted)


@pytest.mark.parametrize(
    ("question", "quotation", "lines"),
    [
        ("what is the status of the boat?", "status: afloat", "3"),
        ("what is the phone number of the boat yard?", "phone: 01584 555 019", "2"),
    ],
)
def test_a_property_is_quoted_alone_where_it_is_asked_for(
    tiny_vault: MakeVault, question: str, quotation: str, lines: str
) -> None:
    note = "---\nphone: 01584 555 019\nstatus: afloat\n---\n# Boat\n\nThe yard of the boat is in Brest.\n"
    claim = reading(tiny_vault({"Boat.md": note}), question).quoted[0].claim
    assert (claim.path, claim.quotation, claim.lines) == ("Boat.md", quotation, lines)


def test_at_most_three_quotations_none_over_another(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({f"N{at}.md": f"# Larch {at}\n\nThe larch number {at} is late.\n" for at in range(6)})
    claims = [one.claim for one in reading(vault, "Which larch is late?").quoted]
    assert len({claim.path for claim in claims}) == len(claims) == 3
    chances = [one.probability for one in reading(vault, "Which larch is late?").quoted]
    assert chances == sorted(chances, reverse=True)


def test_a_first_quotation_is_right_in_fewer_cases_than_notes_answer(tiny_vault: MakeVault) -> None:
    read_out = reading(
        tiny_vault({"Boat.md": "# Boat\n\nThe hull was painted in May.\n"}), "hull painted when?"
    )
    (quoted,) = read_out.quoted
    assert quoted.probability == pytest.approx(0.7 * read_out.probability)
    assert quoted.claim.probability == round(quoted.probability, 2)


def test_two_quotations_that_stand_near_each_other_are_one(tiny_vault: MakeVault) -> None:
    pause = "The yard was closed while it rained, and nobody could work there. " * 6
    larch = ["The larch for the hull was late.", "The larch for the mast was late as well."]
    note = f"# Yard\n\n{larch[0]}\n\n## Weather\n\n{pause}\n\n## Later\n\n{larch[1]}\n"
    quoted = [one.claim for one in reading(tiny_vault({"Yard.md": note}), "which larch was late?").quoted]
    assert [claim.quotation for claim in quoted] == [note[note.index(larch[0]) :].rstrip("\n")]
    assert quoted[0].lines == "3-11"


def test_two_quotations_that_stand_far_apart_are_two(tiny_vault: MakeVault) -> None:
    pause = "The yard was closed while it rained, and nobody could work there. " * 20
    larch = ["The larch for the hull was late.", "The larch for the mast was late as well."]
    note = f"# Yard\n\n{larch[0]}\n\n## Weather\n\n{pause}\n\n## Later\n\n{larch[1]}\n"
    quoted = [one.claim for one in reading(tiny_vault({"Yard.md": note}), "which larch was late?").quoted]
    assert sorted(claim.lines for claim in quoted) == ["11", "3-7"]


def test_what_is_not_said_yet_goes_before_what_says_the_same_again(tiny_vault: MakeVault) -> None:
    paid = ["paid Mireille 640 euros", "gave 640 euros", "spent 640 euros in all", "paid 640 euros in March"]
    notes = {f"Money {at}.md": f"# Money {at}\n\nFor the sail we {text}.\n" for at, text in enumerate(paid)}
    vault = tiny_vault(notes | {"Look.md": "# Look\n\nIts colour is dark red, like the buoys.\n"})
    searcher_for(vault).update()
    assert searcher_for(vault).embed().remaining == 0
    quoted = [one.claim.quotation for one in reading(vault, "price and colour of the sail").quoted]
    assert len(quoted) == 3
    assert "Its colour is dark red, like the buoys." in quoted
    assert sum("640 euros" in each for each in quoted) == 2


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
    assert any(one.kind is NoticeKind.READ_BY_WORDS for one in notices) != is_read


def test_meaning_is_compared_from_the_first_vectors_on(tiny_vault: MakeVault) -> None:
    paid = "For the sail we gave Mireille 640 euros."
    vault = tiny_vault({"Money.md": f"# Money\n\nThe hull was painted in March.\n\n{paid}\n"})
    question = "how much did the sail cost?"
    searcher_for(vault).update()
    assert asked_of(gather(vault, question)).meaning is None
    assert searcher_for(vault).embed().remaining == 0
    for name in ("Ann", "Bob", "Cy"):
        Path(vault.root, f"{name}.md").write_text(f"# {name}\n\nThe sail of {name} was late.\n")
    searcher_for(vault).update()
    found = gather(vault, question)
    assert found.mode == "fast"
    assert asked_of(found).meaning is not None
    best = read(found).quoted[0].claim
    assert (best.path, paid in best.quotation) == ("Money.md", True)
    assert asked_of(found, by_words=True).meaning is None


def test_quotations_made_of_neighbours_leave_room_for_others(tiny_vault: MakeVault) -> None:
    pause = "The yard was closed while it rained, and nobody could work there. " * 10
    larch = ["The larch for the hull was late.", "The larch for the mast was late as well."]
    yard = f"# Larch\n\n{larch[0]}\n\n## Weather\n\n{pause}\n\n## Later\n\n{larch[1]}\n"
    others = {f"{name}.md": f"# {name}\n\nThe larch of {name} was late.\n" for name in ("Ann", "Bob", "Cy")}
    quoted = [one.claim for one in reading(tiny_vault({"Larch.md": yard} | others), "larch late").quoted]
    assert [claim.lines for claim in quoted if claim.path == "Larch.md"] == ["3-11"]
    assert len(quoted) == 3


def test_a_text_that_stands_in_two_notes_is_quoted_once(tiny_vault: MakeVault) -> None:
    notes = {name: f"# {name}\n\nThe larch for the hull is four weeks late.\n" for name in ("One", "Two")}
    vault = tiny_vault({f"{name}.md": text for name, text in notes.items()})
    quoted = [one.claim.quotation for one in reading(vault, "Is the larch late?").quoted]
    assert quoted == ["The larch for the hull is four weeks late."]


def test_no_quotation_has_lines_of_another_and_comments_are_left_out_at_its_ends(
    tiny_vault: MakeVault,
) -> None:
    sections = "".join(f"## Larch {at}\n\nThe larch number {at} is late.\n\n" for at in range(9))
    note = f"# Larch\n\n<!-- written by a program -->\n\n{sections}![[larch.png]]\n"
    quoted = [one.claim for one in reading(tiny_vault({"Larch.md": note}), "larch late").quoted]
    lines = [line for one in quoted for line in one.quotation.split("\n") if line.startswith("The larch")]
    assert len(lines) == len(set(lines)) > 1
    assert not any("<!--" in one.quotation or "![[" in one.quotation for one in quoted)


def test_a_slip_is_read_as_the_notes_have_the_word_and_another_word_is_not(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(
        {"Stove.md": "# Stove\n\nThe library of the village is heated by a stove from Kerlec.\n"}
    )
    chances = [
        reading(vault, f"Is the {word} heated?").probability
        for word in ("library", "libary", "bakery", "liberty")
    ]
    assert chances[0] == chances[1] > max(chances[2:])


def test_a_name_is_no_slip_of_a_word_of_the_notes(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"Stove.md": "# Stove\n\nThe stove of the village comes from Kerlec.\n"})
    slip, name = (
        reading(vault, f"where is the stove from {word}").probability for word in ("kerlac", "Kerlac")
    )
    assert slip > name


def test_a_later_quotation_adds_something_or_is_half_as_likely(embedded_example: VaultClient) -> None:
    later = []
    for question in (
        "How late was the larch?",
        "what did we pay for the used sail?",
        "is she still leaking?",
    ):
        found = gather(embedded_example, question)
        asked, read_out = asked_of(found), read(found)
        assert asked.meaning is not None
        nears = [one.candidate.near for one in read_out.quoted]
        for at, one in enumerate(read_out.quoted[1:], start=1):
            near, before = nears[at], [each for each in nears[:at] if each is not None]
            assert near is not None
            share = one.probability / read_out.quoted[0].probability
            later.append(share)
            assert share >= AS_LIKELY or asked.meaning.added(near, before) >= LEAST_ADDED
    assert later


def test_lines_that_many_notes_share_are_not_quoted(tiny_vault: MakeVault) -> None:
    footer = "Written with love for the larch and its friends.\n"
    notes = {f"N{at}.md": f"# Note {at}\n\nThing {at} of the day.\n\n## End\n\n{footer}" for at in range(12)}
    vault = tiny_vault({**notes, "Larch.md": f"# Larch\n\nThe larch is late.\n\n## End\n\n{footer}"})
    quoted = [one.claim.quotation for one in reading(vault, "larch friends").quoted]
    assert "The larch is late." in quoted
    assert footer.strip() not in quoted


def test_saved_chats_are_no_evidence(tiny_vault: MakeVault) -> None:
    from datetime import datetime

    vault = tiny_vault(NOTES)
    said = [
        Exchange("Who painted the hull?", "The hull was painted by nobody at all.", datetime(2025, 7, 14))
    ]
    save_conversation(vault, said, "offline", "talks/Hull")
    assert {one.path for one in gather(vault, "Who painted the hull?").evidence} == {"Boat.md"}


def test_evidence_is_numbered_and_is_the_notes_own_lines(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES)
    found = gather(vault, "How are letters sent, and who painted the hull?").evidence
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    for one in found:
        lines = text_of(vault, one.path).split("\n")
        assert one.text == "\n".join(lines[one.first - 1 : one.last])


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("When is Callum away with his pupils?", "2025-09-18 to 2025-09-21"),
        ("Quand Hélène est-elle joignable ?", "Joignable le matin, jamais le jeudi."),
        ("when was the larch delivered?", "8 July"),
    ],
)
def test_the_first_quotation_answers(embedded_example: VaultClient, question: str, holds: str) -> None:
    first = reading(embedded_example, question).quoted[0].claim
    assert holds in first.quotation
    assert first.quotation in text_of(embedded_example, first.path)


def test_a_question_of_something_else_is_less_likely_answered(embedded_example: VaultClient) -> None:
    own = reading(embedded_example, "How late was the larch?").probability
    foreign = reading(embedded_example, "Who won the football world cup in 1998?").probability
    assert own > 0.9
    assert foreign < 0.3


def test_many_saved_chats_do_not_crowd_the_notes_out(tiny_vault: MakeVault) -> None:
    chats = {
        f"Chats/2025-07-{day} Who painted the hull.md": (
            f"---\ndate: 2025-07-14\n{MARK}: {CHAT}\nmodel: offline\n---\n# Who painted the hull?\n\nWho painted the hull? The hull was.\n"
        )
        for day in range(10, 30)
    }
    found = gather(tiny_vault({**NOTES, **chats}), "Who painted the hull?").evidence
    assert [one.path for one in found][:1] == ["Boat.md"]
    assert not any(one.path.startswith("Chats/") for one in found)


def test_a_note_that_is_gone_since_the_search_is_passed_over(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({**NOTES, "Gone.md": "# Hull\n\nThe hull was painted by somebody else.\n"})
    found = gather(vault, "Who painted the hull?")
    assert "Gone.md" in {one.path for one in found.evidence}
    Path(vault.root, "Gone.md").unlink()
    assert [one.claim.path for one in read(found).quoted] == ["Boat.md"]


@pytest.mark.parametrize(
    ("links", "is_step"),
    [("[[Sails]] are sewn by Marta.", True), ("[[Sails]] by Marta, [[Hull]], [[Mast]], [[Oars]]", False)],
)
def test_a_note_is_a_second_step_of_what_names_it_alone(
    tiny_vault: MakeVault, links: str, is_step: bool
) -> None:
    notes = {"Home.md": f"# Home\n\n{links}\n", "Sails.md": "# Sails\n\nThey were dyed in Lorient.\n"}
    found = gather(tiny_vault(notes), "Where were those by Marta dyed?")
    asked = asked_of(found)
    joint = {one.note.path: one.joint for one, _ in weighed(asked, candidates_of(asked, found.evidence))}
    assert (joint["Sails.md"] > 0) is is_step
