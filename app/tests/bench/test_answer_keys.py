"""The questions to the example vault: their keys hold what the notes say, where they say it stands."""

from pathlib import Path

from app.vault.client import VaultClient
from bench.answers.cases import EXAMPLES, folded, read_keyed, rows

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
