"""Scripted models behave as they are named, and what is made of their answers is judged by what is shown."""

from collections import Counter
from pathlib import Path

import pytest

from bench.answers.scenarios import SCENARIOS, Scenario

EXAMPLE = Path(__file__).parents[3] / "examples" / "vault"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.id)
def test_what_a_scenario_quotes_stands_on_its_lines_and_what_it_misquotes_does_not(scenario: Scenario) -> None:
    note = (EXAMPLE / scenario.path).read_bytes().decode()
    lines = note.split("\n")[scenario.first - 1 : scenario.last]
    assert any(scenario.quote in line for line in lines)
    assert scenario.misquote not in " ".join(note.split())
    assert len(scenario.misquote.split()) >= 3


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.id)
def test_a_lie_changes_the_true_sentence(scenario: Scenario) -> None:
    for _, old, new in scenario.lies:
        assert old in scenario.truth, old
        assert new not in scenario.truth, new


def test_there_are_two_hundred_lies_of_all_kinds() -> None:
    """An invented path, lines and a quotation come to each scenario besides."""
    kinds = Counter(kind for scenario in SCENARIOS for kind, _, _ in scenario.lies)
    assert sum(kinds.values()) + 3 * len(SCENARIOS) >= 200
    assert min(kinds[kind] for kind in ("number", "unit", "date", "name", "negation", "antonym")) >= 8
    assert {scenario.language for scenario in SCENARIOS} == {"en", "fr"}
