"""How the bench of agents reads what it received, judges it, and searches with ripgrep."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.chat.ask.answer import ask
from app.chat.ask.reading import read_numbered
from app.chat.pack import pack
from app.config.settings import OFFLINE, IndexDefinition, IndexSettings, Settings
from app.notes.models import NoteRequest
from app.search.answer import answer
from app.search.results import MAX_LINE
from app.vault.client import VaultClient
from bench.agents.__main__ import follow, measure
from bench.agents.received import Received, holds, numbered, quoted
from bench.agents.ripgrep import CHUNK, MOST_CALLS, Shell, shown_around, sought, steps
from bench.answers.cases import EXAMPLES, Case, Place, read_keyed
from bench.answers.sets import EXAMPLE_VAULT, AnswerSet

WORDS_ALONE = IndexSettings(indexes={"notes": IndexDefinition(embedding_model=None)})
QUESTIONS = (
    "where is the key of the house?",
    "en quelle année le conduit a-t-il été tubé ?",
    "when is the launch of Petrel?",
)
LEDGER = "# Ledger\n\nThe lamp costs ninety francs.\n\nIt was bought in Brest.\n"


def lines_of(vault: Path, path: str) -> list[str]:
    return (vault / path).read_text(encoding="utf-8").split("\n")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> VaultClient:
    folder = tmp_path_factory.mktemp("agents")
    shutil.copytree(EXAMPLE_VAULT, folder / "vault")
    return VaultClient(
        folder / "vault", Settings(cache_dir=folder / "cache", model=OFFLINE, index=WORDS_ALONE)
    )


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_line_read_out_of_an_answer_is_that_line_of_its_note(
    question: str, example: VaultClient
) -> None:
    ways = {
        "search": numbered(answer(example, {"operation": "fast", "query": question, "limit": 5})),
        "pack": numbered(pack(example, question).text),
        "ask": quoted(ask(example, question).text),
    }
    for way, lines in ways.items():
        found = list(lines)
        assert len(found) > 5, way
        for path, number, text in found:
            # What follows a note that is shown whole is blank.
            line = next(iter(lines_of(example.root, path)[number - 1 :]), "")
            # Long lines are cut, and blanks in a line become one.
            if len(line) <= MAX_LINE:
                said, stands = " ".join(text.split()), " ".join(line.split())
                # A quotation may end inside its line.
                assert said == stands or (way == "ask" and said and said in stands), (way, path, number)


def test_all_lines_of_a_note_are_read_out_of_a_reading(example: VaultClient) -> None:
    path = "projects/petrel/changelog.md"
    told = read_numbered(example, NoteRequest(operation="read", path=path, lines="30-35"), 400)
    assert list(numbered(told)) == [
        (path, number, lines_of(example.root, path)[number - 1]) for number in range(30, 36)
    ]


def test_the_evidence_of_every_question_stands_in_its_notes_and_in_nothing_less() -> None:
    for case in (each for each in read_keyed(EXAMPLES) if each.is_answerable):
        received = Received()
        assert not holds(case, received, EXAMPLE_VAULT)
        for place in case.evidence:
            lines = enumerate(lines_of(EXAMPLE_VAULT, place.path), start=1)
            received.take("", ((place.path, number, line) for number, line in lines))
        assert holds(case, received, EXAMPLE_VAULT), case.id


def case_of(*evidence: Place, must: tuple[str, ...] = (), also: tuple[Place, ...] = ()) -> Case:
    return Case("1", "what does the lamp cost?", "en", "lookup", True, evidence, also, must)


def received_of(*lines: tuple[str, int, str]) -> Received:
    received = Received()
    received.take("", iter(lines))
    return received


def test_the_words_of_the_key_must_have_been_received(tmp_path: Path) -> None:
    (tmp_path / "Ledger.md").write_text(LEDGER, encoding="utf-8")
    case = case_of(Place("Ledger.md", 2, 5), must=("ninety francs",))
    assert holds(case, received_of(("Ledger.md", 3, "The lamp costs ninety francs.")), tmp_path)
    assert not holds(case, received_of(("Ledger.md", 3, "… costs …"), ("Ledger.md", 5, "")), tmp_path)
    # Elsewhere the words are no evidence, and a blank line of it is none.
    assert not holds(case, received_of(("Ledger.md", 1, "ninety francs")), tmp_path)
    assert not holds(case_of(Place("Ledger.md", 2, 3)), received_of(("Ledger.md", 2, "")), tmp_path)


def test_all_places_are_needed_or_one_that_answers_by_itself(tmp_path: Path) -> None:
    (tmp_path / "Ledger.md").write_text(LEDGER, encoding="utf-8")
    (tmp_path / "Lamp.md").write_text("Ninety.\n", encoding="utf-8")
    places = Place("Ledger.md", 3, 3), Place("Ledger.md", 5, 5)
    case = case_of(*places, also=(Place("Lamp.md", 1, 1),))
    first, second = ("Ledger.md", 3, "The lamp"), ("Ledger.md", 5, "It was")
    assert not holds(case, received_of(first), tmp_path)
    assert holds(case, received_of(first, second), tmp_path)
    assert holds(case, received_of(("Lamp.md", 1, "Ninety.")), tmp_path)


def test_of_a_line_that_was_cut_at_first_the_whole_counts_later() -> None:
    received = received_of(("a.md", 1, "… francs"))
    received.take("", iter([("a.md", 1, "ninety francs"), ("a.md", 1, "ninety …")]))
    assert received.lines == {"a.md": {1: "ninety francs"}}


def test_words_are_sought_as_stems_without_small_words() -> None:
    assert sought("which of the lanterns were repaired in Brest?") == ["lantern", "repair", "brest"]
    # Accents stay, since ripgrep tells them apart; and of a short word the whole.
    assert sought("où sont les lanternes du bac qui sont à réparer ?") == ["lantern", "répar", "bac"]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    vault = tmp_path / "vault"
    (vault / "a").mkdir(parents=True)
    (vault / "a" / "1-2 Ledger.md").write_text(LEDGER, encoding="utf-8")
    (vault / "b.md").write_text("A lamp.\nA lamp.\n" + "x\n" * CHUNK, encoding="utf-8")
    (vault / "c.txt").write_text("lamp", encoding="utf-8")
    return vault


def test_rare_words_come_first_and_those_of_no_note_not_at_all(notes: Path) -> None:
    assert list(Shell(notes).count(["lamp", "zebra", "franc"]).items()) == [("franc", 1), ("lamp", 2)]
    assert Shell(notes).notes(["lamp", "franc"]) == [("b.md", 2), ("a/1-2 Ledger.md", 1)]
    assert Shell(notes).notes([]) == []


def test_signs_of_a_word_are_no_regular_expression(notes: Path) -> None:
    assert Shell(notes).count(["l.mp", "-x"]) == {}


def test_lines_around_a_word_are_read_with_their_numbers(notes: Path) -> None:
    path = "a/1-2 Ledger.md"
    assert list(shown_around(Shell(notes).around("ninety"))) == [
        (path, number, line) for number, line in enumerate(LEDGER.split("\n")[:5], start=1)
    ]


def texts(notes: Path, *, context: bool) -> list[str]:
    received = Received()
    for _ in steps(Shell(notes), "what did the lamp cost in francs?", received, context=context):
        pass
    return received.texts


def test_a_coding_agent_counts_lists_and_reads(notes: Path) -> None:
    whole = "\n".join(f"{at}\t{line}" for at, line in enumerate(LEDGER.split("\n"), start=1))
    calls = texts(notes, context=False)
    assert calls[:2] == ["franc 1\ncost 1\nlamp 2", "b.md:2\na/1-2 Ledger.md:1"]
    assert calls[2].startswith("1\tA lamp.\n2\tA lamp.\n3\tx\n")
    assert calls[2].endswith(f"{CHUNK}\tx")
    assert calls[3].startswith(f"{CHUNK + 1}\tx\n")
    assert calls[4:] == [whole]


def test_or_it_looks_around_each_word_before(notes: Path) -> None:
    calls = texts(notes, context=True)
    assert calls[1].startswith(
        "a/1-2 Ledger.md\n1-# Ledger\n2-\n3:The lamp costs ninety francs.\n4-\n5-It was"
    )
    assert [calls[0], *calls[4:]] == texts(notes, context=False)


async def numbered_steps(question: str, received: Received) -> AsyncIterator[None]:
    for at in range(MOST_CALLS + 9):
        received.take("word " * at, iter([("Ledger.md", at, f"line {at}")]))
        yield


def test_a_way_ends_with_the_evidence_or_after_so_many_calls(tmp_path: Path) -> None:
    (tmp_path / "Ledger.md").write_text(LEDGER, encoding="utf-8")
    found = asyncio.run(follow(case_of(Place("Ledger.md", 3, 3)), "way", numbered_steps, tmp_path))
    assert (found.is_found, len(found.texts)) == (True, 4)
    missed = asyncio.run(
        follow(case_of(Place("Ledger.md", 3, 3), must=("no",)), "way", numbered_steps, tmp_path)
    )
    assert (missed.is_found, len(missed.texts)) == (False, MOST_CALLS)


@pytest.mark.slow
def test_every_way_finds_a_line_with_the_words_of_the_question(notes: Path, tmp_path: Path) -> None:
    case = case_of(Place("a/1-2 Ledger.md", 3, 3), must=("ninety",))
    of = AnswerSet("tiny", "tiny", notes, [case])
    costs = asyncio.run(measure(of, tmp_path / "work", has_vectors=False))
    assert {cost.way: (cost.is_found, len(cost.texts)) for cost in costs} == {
        "search fast": (True, 1),
        "pack": (True, 1),
        "search + read": (True, 1),
        "ask": (True, 1),
        "ripgrep, files": (True, 5),
        "ripgrep, context": (True, 2),
    }
