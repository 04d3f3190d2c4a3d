"""``why``: one note and a question in, the step that lost it out, and an exit code that says so."""

import re

from app.tests.cli.conftest import Run
from app.tests.conftest import MakeVault


def test_what_lost_a_note_and_what_brings_it_up(run: Run, garden: str) -> None:
    lost = run("find", "--why", "Greenhouse", "heating", "--tag", "stone", "--vault", garden)
    assert (lost.code, lost.err) == (1, "")
    assert lost.out == "'projects/garden/Greenhouse.md' does not pass the tags.\n"


def test_a_note_that_is_found_is_exit_code_0(run: Run, garden: str) -> None:
    found = run("find", "--why", "greenhouse", "heating", "of", "the", "greenhouse", "--vault", garden)
    assert found.code == 0
    assert found.out.startswith("'projects/garden/Greenhouse.md' is found at place 1 of ")


def test_as_data(run: Run, garden: str) -> None:
    lost = run("find", "--why", "Home", "chauffage", "--vault", garden, "--json")
    assert lost.code == 1
    assert lost.json == {
        "note": "Home.md",
        "query": "chauffage",
        "operation": "fast",
        "found": False,
        "step": "no words",
        "place": None,
        "total": 1,
        "score": None,
        "reasons": ["'Home.md' holds no word of the question", "'Home.md' lacks chauffage"],
        "advice": [],
        "notices": [],
    }


def test_an_excluded_note_is_like_none(run: Run, garden: str) -> None:
    said = [
        run("find", "--why", name, "secret", "--vault", garden)
        for name in ("private/Diary", "private/Nothing")
    ]
    assert [each.code for each in said] == [1, 1]
    assert said[0].out.replace("Diary", "Nothing") == said[1].out


def test_options_are_named_as_they_are_typed(run: Run, tiny_vault: MakeVault) -> None:
    notes = {f"{number}.md": f"The kiln {'burns ' * number}\n" for number in range(30)}
    root = str(tiny_vault(notes).root)
    below = run("--lang", "fr", "find", "--why", "29", "kiln", "--vault", root)
    assert re.search(r"^Essayez : --limit \d+ la montre\.$", below.out, re.MULTILINE)
    low = run("find", "--why", "29", "kiln", "burns", "--min-score", "0.99", "--vault", root)
    assert re.search(r"below --min-score 0\.99\.$", low.out, re.MULTILINE)
    # Whoever asks for data has the names of the parameters.
    advice = run("find", "--why", "29", "kiln", "--json", "--vault", root).json["advice"]
    assert [one for one in advice if one.startswith("limit=")] == advice[-1:]
    few = run("--lang", "fr", "find", "kiln", "--max-tokens", "1", "--vault", root)
    assert few.err.splitlines()[0].endswith("« --max-tokens » vaut 1")
    explained = run("find", "kiln", "--explain", "--note-path", "29", "--limit", "1", "--vault", root)
    assert "shows it" not in explained.err or "--limit" in explained.err


def test_why_an_answer_quotes_another_note(run: Run, tiny_vault: MakeVault) -> None:
    notes = {
        "Boat.md": "The hull was painted by Erwan.\n",
        "Shed.md": "Somebody painted the door.\n",
        "Soup.md": "Leeks, salt and time.\n",
    }
    root, question = str(tiny_vault(notes).root), "Who painted the hull?"
    first, second, none = (
        run("ask", "--why", name, question, "--vault", root) for name in ("Boat", "Shed", "Soup")
    )
    assert [each.code for each in (first, second, none)] == [0, 1, 1]
    assert first.out.startswith("Line 1 of 'Boat.md' stands at place 1 of ")
    assert second.out.startswith("Line 1 of 'Shed.md' stands at place 2 of ")
    assert none.out.startswith("'Soup.md' is not among the passages that were found")
    found = run("ask", "--why", "Shed", question, "--vault", root, "--json").json
    assert (found["found"], found["place"], found["span"]["text"]) == (False, 2, "Somebody painted the door.")
    mine, best = map(sum, zip(*found["numbers"].values(), strict=True))
    assert mine < best
