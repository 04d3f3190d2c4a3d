"""``--why``: one note and a question in, the step that lost it out, and an exit code that says so."""

import re

from app.tests.cli.conftest import Run
from app.tests.conftest import MakeVault


def test_what_lost_a_note_is_said_and_an_excluded_note_is_like_none(run: Run, garden: str) -> None:
    lost = run("find", "--why", "Greenhouse", "heating", "--tag", "stone", "--vault", garden)
    assert (lost.code, lost.err) == (1, "")
    assert lost.out == "'projects/garden/Greenhouse.md' does not pass the tags.\n"
    found = run("find", "--why", "greenhouse", "heating", "--vault", garden)
    assert found.code == 0
    assert found.out.startswith("'projects/garden/Greenhouse.md' is found at place 1 of ")
    data = run("find", "--why", "Home", "chauffage", "--vault", garden, "--json").json
    assert (data["note"], data["found"], data["step"], data["place"]) == ("Home.md", False, "no words", None)
    assert data["reasons"] == ["'Home.md' holds no word of the question", "'Home.md' lacks chauffage"]
    hidden, none = (
        run("find", "--why", f"private/{name}", "secret", "--vault", garden) for name in ("Diary", "Nothing")
    )
    assert (hidden.code, hidden.out.replace("Diary", "Nothing")) == (none.code, none.out)


def test_options_are_named_as_they_are_typed(run: Run, tiny_vault: MakeVault) -> None:
    notes = {f"{number}.md": f"The kiln {'burns ' * number}\n" for number in range(30)}
    at = ("--vault", str(tiny_vault(notes).root))
    below = run("--lang", "fr", "find", "--why", "29", "kiln", *at)
    assert re.search(r"^Essayez : --limit \d+ la montre\.$", below.out, re.MULTILINE)
    # Whoever asks for data has the names of the parameters.
    assert run("find", "--why", "29", "kiln", "--json", *at).json["advice"][-1].startswith("limit=")


def test_why_an_answer_quotes_another_note(run: Run, tiny_vault: MakeVault) -> None:
    notes = {
        "Boat.md": "The hull was painted by Erwan.\n",
        "Shed.md": "Somebody painted the door.\n",
        "Soup.md": "Leeks, salt and time.\n",
    }
    at = ("Who painted the hull?", "--vault", str(tiny_vault(notes).root))
    for name, code, said in (
        ("Boat", 0, "Line 1 of 'Boat.md' stands at place 1 of "),
        ("Shed", 1, "Line 1 of 'Shed.md' stands at place 2 of "),
        ("Soup", 1, "'Soup.md' is not among the passages that were found"),
    ):
        why = run("ask", "--why", name, *at)
        assert (why.code, why.out.startswith(said)) == (code, True)
    found = run("ask", "--why", "Shed", *at, "--json").json
    assert (found["found"], found["place"], found["span"]["text"]) == (False, 2, "Somebody painted the door.")
    mine, best = map(sum, zip(*found["numbers"].values(), strict=True))
    assert mine < best
