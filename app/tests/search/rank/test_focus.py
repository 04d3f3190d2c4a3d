"""What a long text asks for, by the meaning of its sentences."""

import pytest

from app.notices import NoticeKind
from app.search.lexical.bm25 import Spelling
from app.search.lexical.ranking import sentences_of
from app.search.query.filters import chunk_filter
from app.search.query.parse import parse_question
from app.search.query.tree import Query
from app.search.rank.focus import OVERLAPPING, WINDOWS, focused
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find, paths
from app.vault.client import VaultClient

NOTES = {
    "boiler.md": "# Boiler\n\nThe pressure of the boiler must stay above one bar. Refill it at the grey valve.\n",
    "bees.md": "# Bees\n\nIn winter the hives get sugar water, and the entrance is made narrow against mice.\n",
    "tax.md": "# Taxes\n\nReceipts of craftsmen are kept for two years after the tax return.\n",
}
CHAT = (
    "Thank you for the postcard from Lisbon, it hangs above my desk. My sister sings in a choir now, "
    "and the tenors are terrible. On Thursday we missed the last tram and walked home in the rain, laughing. "
    "The neighbours have painted their fence yellow, and nobody dares to say a word about it. Our cat has learnt "
    "to open the bathroom door. Give my love to your mother."
)
SPOKEN = (
    "so hey it is me I am on the tram and it is raining again um my sister sings in a choir now and the tenors "
    "are terrible she says but they have a nice hall and the neighbours have painted their fence yellow {question} "
    "and then what else yeah our cat has learnt to open the bathroom door so nobody is safe any more and on "
    "thursday or the week after we walk home from the concert I guess give my love to your mother okay bye"
)


@pytest.fixture
def vault(tiny_vault: MakeVault) -> VaultClient:
    vault = tiny_vault(NOTES)
    searcher_for(vault).update()
    searcher_for(vault).embed()
    return vault


def focus(vault: VaultClient, query: Query) -> Query:
    view = searcher_for(vault).view()
    assert view.vectors is not None
    kept = view.vectors.answering(view.snapshot)
    request = parse_request({"operation": "deep", "query": "x"})
    return focused(query, kept, kept.joined(view.snapshot), view.lexical.chunks, chunk_filter(view, request))


@pytest.mark.parametrize(
    "question",
    [
        "How do I put water back into the heating?",
        "how is the entrance of the hives kept from mice",
        "tax receipts",
    ],
)
@pytest.mark.parametrize(
    "form", ["{question}\n\n{chat}", "{chat}\n\n{question}", "- {chat}\n- {question}\n- {chat}"]
)
def test_a_letter_asks_what_its_sentence_nearest_to_the_notes_does(
    vault: VaultClient, question: str, form: str
) -> None:
    letter = parse_question(form.format(question=question, chat=CHAT))
    assert focus(vault, letter).positive.removeprefix("- ") == question


@pytest.mark.parametrize(("time", "said"), [("", 0), (" in May 2025", 1)])
def test_deep_reads_no_time_from_what_stands_around_the_question(
    vault: VaultClient, find: Find, time: str, said: int
) -> None:
    letter = f"{CHAT}\n\nHow is the entrance of the hives kept from mice{time}?"
    results = find(vault, "deep", query=letter)
    assert paths(results)[0] == "bees.md"
    assert len([notice for notice in results.notices if notice.kind is NoticeKind.TIME_BETWEEN]) == said


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("how do I put water back into the heating", "boiler.md"),
        ("how is the entrance of the hives kept from mice", "bees.md"),
        ("keep the tax receipts of craftsmen", "tax.md"),
    ],
)
def test_of_speech_without_any_sign_only_the_words_that_ask_are_kept(
    vault: VaultClient, find: Find, question: str, note: str
) -> None:
    letter = SPOKEN.format(question=question)
    asked = focus(vault, parse_question(letter)).positive.split()
    # A window may begin or end with what stands beside the question.
    assert len(set(question.split()).intersection(asked)) >= 5
    assert len(asked) <= max(WINDOWS)
    assert paths(find(vault, "deep", query=letter))[0] == note


def test_a_question_without_a_sign_is_kept_apart_from_the_sentence_that_follows(
    vault: VaultClient, find: Find
) -> None:
    letter = CHAT.replace("The neighbours", "receipts of craftsmen after the tax return The neighbours")
    asked = focus(vault, parse_question(letter)).positive
    assert asked.startswith("receipts of craftsmen after the tax")
    assert "nobody dares to say" not in asked
    assert paths(find(vault, "deep", query=letter))[0] == "tax.md"


def test_days_and_times_are_no_matter_that_a_letter_asks_about(tiny_vault: MakeVault, find: Find) -> None:
    days = (
        "# Dates\n\nWrite a date as Thursday 14 March 2024, or say next week, tomorrow, or the week after.\n"
    )
    vault = tiny_vault({**NOTES, "dates.md": days})
    searcher_for(vault).update()
    searcher_for(vault).embed()
    lines = [
        f"[14.03.24, 18:{at:02}] {line.strip()}" for at, line in enumerate(CHAT.split(".")) if line.strip()
    ]
    lines.insert(4, "winter food for the hives")
    lines.append("[14.03.24, 19:02] see you next week or the week after")
    letter = "\n".join(lines)
    assert focus(vault, parse_question(letter)).positive == "winter food for the hives"
    assert paths(find(vault, "deep", query=letter))[0] == "bees.md"


@pytest.mark.parametrize(
    "text",
    [
        "how often do I feed the bees",
        "tag:#a " + CHAT,
        # It is about one thing.
        " ".join(text.split("\n\n")[1].strip() for text in NOTES.values() if "bees" in text or "hives" in text)
        + " Hives get sugar water in winter. Mice like the hives in winter, so make the entrance of the hives narrow. "
        "Sugar water is given to the hives before winter. The entrance of the hives is narrow against mice in winter. "
        "Give sugar water to the hives, and make the entrance narrow against mice.",
    ],
)  # fmt: skip
def test_a_short_text_one_with_operators_and_one_about_one_thing_stay_whole(
    vault: VaultClient, text: str
) -> None:
    query = parse_question(text)
    assert focus(vault, query) is query


def test_only_the_spellings_of_what_is_asked_stay(vault: VaultClient) -> None:
    spellings = (Spelling("bes", "bees", 1.0), Spelling("choir", "chair", 1.0))
    letter = parse_question(f"{CHAT}\n\nhow are bes fed in winter")
    spelt = Query(letter.text, letter.root, spellings=spellings)
    assert focus(vault, spelt).spellings == spellings[:1]


def test_only_a_full_line_goes_on_in_the_next() -> None:
    wrapped = (
        "the lines of this letter are broken where\nthey are full, at forty letters, and this\none as well"
    )
    assert sentences_of(wrapped) == [wrapped.replace("\n", " ")]
    lines = "one short line\nand another\nthe lines of this chat are as long as what somebody said in one go"
    assert sentences_of(lines) == lines.split("\n")
    chat = f"{lines}\nand a question\nso it goes"
    assert sentences_of(chat) == chat.split("\n")
    paragraphs = f"{wrapped} " * 2
    paragraphs = "\n".join([paragraphs.replace("\n", " "), "and a question", paragraphs.replace("\n", " ")])
    assert sentences_of(paragraphs) == paragraphs.split("\n")


def test_the_windows_of_a_long_text_lie_apart_so_that_few_are_read(vault: VaultClient) -> None:
    view = searcher_for(vault).view()
    assert view.vectors is not None
    read = view.vectors.answering(view.snapshot).encode_query.cache_info
    spoken, before = " ".join(f"tram{chr(97 + at % 26)} {SPOKEN}" for at in range(26)), read().misses
    asked = focus(vault, parse_question(f"How do I put water back into the heating? {spoken}"))
    assert asked.positive == "How do I put water back into the heating?"
    # As many as of a text of so many words: one for each three, six and twelve of them, and the sentences.
    assert read().misses - before <= OVERLAPPING * (1 / 3 + 1 / 6 + 1 / 12) + 8
