"""The questions to the example vault: their keys hold what the notes say, where they say it stands."""

from collections import Counter
from pathlib import Path

from app.tests.conftest import MakeVault
from app.vault.client import VaultClient
from bench.answers.cases import EXAMPLES, Case, Place, folded, read_keyed, rows
from bench.answers.near import NEAR, exchanged, read_near

VAULT = Path(__file__).parents[3] / "examples" / "vault"


def test_each_piece_of_evidence_stands_at_its_lines_byte_for_byte() -> None:
    pieces = [piece for row in rows(EXAMPLES) for piece in (*row["evidence"], *row["also"])]
    for piece in pieces:
        first, last = map(int, piece["lines"].split("-"))
        lines = (VAULT / piece["path"]).read_bytes().decode().split("\n")
        assert "\n".join(lines[first - 1 : last]) == piece["text"], piece
    assert {piece["path"] for piece in pieces} >= {
        "tasks.md",
        "cuisine/Far breton.md",
        "people/Hélène Vasseur.md",
    }


def test_the_evidence_and_each_other_place_hold_what_a_quotation_must_have() -> None:
    for row in rows(EXAMPLES):
        together = "\n".join(piece["text"] for piece in row["evidence"])
        for text in (together, *(piece["text"] for piece in row["also"])):
            missing = [each for each in row["must"] if folded(each) not in folded(text)]
            assert not missing, (row["id"], missing, text)


def test_answers_stand_in_notes_that_are_searched() -> None:
    """Neither private notes nor those that a search leaves out answer any question."""
    vault = VaultClient(VAULT)
    hidden = [path for path in vault.scan().notes if vault.is_excluded(path) or vault.is_left_out(path)]
    searched = set(vault.scan().notes) - set(hidden)
    assert {"private/Anniversaire de Callum.md", "inbox/mémo vocal 2025-08-23.md", "overview.md"} <= set(
        hidden
    )
    used = {place.path for case in read_keyed(EXAMPLES) for place in (*case.evidence, *case.also)}
    assert used <= searched
    assert len(used) >= 15


def test_there_are_thirty_answerable_questions_in_each_language_and_twenty_that_nothing_answers() -> None:
    cases = read_keyed(EXAMPLES)
    assert Counter((case.language, case.is_answerable) for case in cases) == {
        ("en", True): 30,
        ("fr", True): 30,
        ("en", False): 10,
        ("fr", False): 10,
    }
    assert len({case.id for case in cases}) == len({case.text for case in cases}) == 80
    assert all(case.must for case in cases if case.is_answerable)
    asked = {case.kind for case in cases if case.is_answerable}
    assert asked == {
        *("lookup", "count", "who", "when", "where", "why", "howto"),
        *("table", "list", "code", "comparison", "status", "across"),
    }


def test_near_questions_are_halved_and_none_is_among_those_that_have_keys() -> None:
    near = list(rows(NEAR))
    assert Counter((row["home"], row["lang"], row["part"]) for row in near) == {
        **{("examples", lang, part): 8 for lang in ("en", "fr") for part in ("fit", "held")},
        **{("tasks-docs", "en", part): 7 for part in ("fit", "held")},
        **{("tasks-docs", "fr", part): 5 for part in ("fit", "held")},
    }
    texts = {row["text"] for row in near}
    assert len(texts) == len({row["id"] for row in near}) == 56
    assert texts.isdisjoint(case.text for case in read_keyed(EXAMPLES))
    held = read_near("examples", "held")
    assert [case.text for case in held[:2]] == [
        "where is the hotel we stayed at in Lisbon?",
        "how much rent do we pay for the house?",
    ]
    assert not any(case.is_answerable for case in held)


def test_an_exchanged_question_has_a_word_that_no_note_has_in_place_of_one_that_answers(
    tiny_vault: MakeVault,
) -> None:
    vault = tiny_vault(
        {"a.md": "# Trip\n\nMarta drove to the trombone shop.\nIt rained.\n\n\n\n\nOranges.\n"}
    )
    place = (Place("a.md", 3, 3),)
    cases = [
        Case("1", "When did Marta drive?", "en", "when", evidence=place),
        Case("2", "what about the oranges?", "en", "what", evidence=place),
        Case("3", "who won?", "en", "none", is_answerable=False),
        Case("4", "which shop was it", "en", "what", evidence=place),
    ]
    made = list(exchanged(vault, cases))
    assert [(case.id, case.text) for case in made] == [
        ("1 exchanged", "When did Quentin drive?"),
        ("4 exchanged", "which helicopter was it"),
    ]
    assert not any(case.is_answerable for case in made)
