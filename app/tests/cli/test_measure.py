"""``measure``: questions of the vault itself, masked in a copy, and what each way of searching makes of them."""

import re
from pathlib import Path

import pytest

from app.bootstrap import open_vault
from app.search.measure import Question, make_questions, masked, measure
from app.search.searcher import searcher_for
from app.tests.cli import conftest
from app.tests.cli.terminal import on_terminal

NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Kiln.md": "# Kiln\n\n## Why the wood came late\n\nThe kiln of the mill broke; the wood dried for weeks.\n",
    "Boat.md": "---\ndescription: A clinker dinghy of larch\n---\n# Boat\n\nThe dinghy has larch planks, clinker built.\n",
    "Home.md": "# Home\n\nSee [[Boat|the dinghy we build]] and [[Kiln]].\n\n## Things to buy soon\n\n- bread\n",
    "private/Diary.md": "# Diary\n\n## A secret nobody asks\n\nsecret\n",
}


@pytest.fixture
def notes(tmp_path: Path) -> str:
    for path, text in NOTES.items():
        (tmp_path / "notes" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "notes" / path).write_text(text)
    return str(tmp_path / "notes")


def test_questions_come_from_headings_links_and_descriptions(notes: str) -> None:
    searcher = searcher_for(open_vault(notes))
    searcher.update()
    asked = make_questions(searcher.view(), 10, 1)
    assert sorted(asked, key=lambda question: question.text) == [
        Question("A clinker dinghy of larch", "description", "Boat.md"),
        Question("Things to buy soon", "heading", "Home.md"),
        Question("Why the wood came late", "heading", "Kiln.md"),
        Question("the dinghy we build", "link", "Boat.md"),
    ]
    assert make_questions(searcher.view(), 10, 1) == asked
    assert len(make_questions(searcher.view(), 3, 2)) == 3


def test_their_lines_are_taken_out_of_a_copy_that_goes_away(notes: str) -> None:
    searcher = searcher_for(open_vault(notes))
    searcher.update()
    asked = make_questions(searcher.view(), 10, 1)
    with masked(searcher, asked, None) as copy:
        root = copy.vault.root
        assert (root / "Kiln.md").read_text() == NOTES["Kiln.md"].replace("## Why the wood came late", "")
        assert "[[Boat" not in (root / "Home.md").read_text()
        assert "description" not in (root / "Boat.md").read_text()
        # What is excluded is not in the copy.
        assert not (root / "private").exists()
        assert (root.parent.stat().st_mode & 0o777) == 0o700
        words = measure(copy, asked, "words")
        ripgrep = measure(copy, asked, "ripgrep")
    assert not root.exists()
    assert {path: Path(notes, path).read_text() for path in NOTES} == NOTES
    # "Things to buy soon" says nothing that is left in its note; the others have words in theirs.
    assert (words.hit, ripgrep.hit) == (0.75, 0.75)
    assert words.tokens > 0
    assert ripgrep.tokens > 0


def test_the_command_shows_a_table_and_prints_data(run: conftest.Run, notes: str) -> None:
    data = run("measure", "--vault", notes, "--json").json
    assert (data["notes"], data["seed"], [way["way"] for way in data["ways"]]) == (3, 1, ["words", "ripgrep"])
    assert {question["path"] for question in data["questions"]} == {"Boat.md", "Home.md", "Kiln.md"}
    shown = run("measure", "--vault", notes)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("4 questions of 3 notes: 2 headings, 1 text of links, 1 description. ")
    assert re.search(r"^words +75% +\d+% +\d+ +\d+$", shown.out, re.MULTILINE)
    assert "By meaning nothing was asked: the index has no model" in shown.out
    assert run("measure", "--questions", "0", "--vault", notes).code == 2


@pytest.mark.parametrize("columns", [60, 100, 200])
def test_it_fits_the_terminal_in_french(notes: str, columns: int) -> None:
    plain = {"NO_COLOR": "1", "LC_ALL": "fr_FR.UTF-8"}
    shown = on_terminal("measure", "--vault", notes, columns=columns, environment=plain)
    assert shown.code == 0
    assert max(map(len, shown.text.split("\n"))) <= min(columns, 100)
    text = " ".join(shown.text.split())
    assert text.startswith("4 questions à 3 notes : 2 titres, 1 texte de liens, 1 description. ")
    assert "\nmots " in shown.text


def test_a_vault_without_anything_to_ask_says_so(run: conftest.Run, tmp_path: Path) -> None:
    (tmp_path / "A.md").write_text("word\n")
    refused = run("measure", "--vault", str(tmp_path))
    assert refused.code == 2
    assert refused.err.startswith(
        "error: no heading, text of a link or description of this vault makes a question\n"
    )
