"""The picker on a real terminal: what comes while one types, what is shown of it, and what a key does."""

from pathlib import Path

import pytest

from app.tests.cli import conftest
from app.tests.cli.session import DOWN, ENTER, ESCAPE, INTERRUPT, TAB, UP, Session

PLAIN = {"NO_COLOR": "1", "LC_ALL": "C"}


@pytest.fixture
def garden(run: conftest.Run, garden: str) -> str:
    Path(garden, "Evil.md").write_text("# Evil \x1b[2Jtitle\n\nzebra \x1b]0;owned\x07 line\n")
    assert run("index", "--vault", garden).code == 0
    return garden


@pytest.mark.parametrize(("columns", "plain"), [(60, True), (100, False)])
def test_results_and_a_preview_come_as_one_types(garden: str, columns: int, plain: bool) -> None:
    environment = PLAIN if plain else {"LC_ALL": "C"}
    with Session("--vault", garden, columns=columns, environment=environment) as session:
        session.wait_for("changed last · 1 of 4")
        session.type("heating")
        session.wait_for("words · 1 of 1")
        # The last line is drawn last.
        screen = session.wait_for("10  - [ ] mend the pane")
        assert "> heating" in screen
        assert "▸ Greenhouse  projects/garden" in screen
        # The line that was found bears a bar, the others do not.
        assert "    7▌ The heating of the greenhouse" in screen
        assert max(map(len, screen.split("\n"))) <= columns
        # The place of the preview: beside the list where there is room, else below it.
        row = next(line for line in screen.split("\n") if "▸ Greenhouse" in line)
        assert ("│" in row) is (columns >= 100)
        assert ("\x1b[0;33;1mheating" in session.text) is not plain
        session.type("\x15zebra")
        screen = session.wait_for("owned")
        assert "zebra \\x1b]0;owned\\x07 line" in screen
        assert "\x1b]0;owned" not in session.text, "text of a note is shown and not obeyed"
        session.type("\x15heating" + TAB)
        session.wait_for("words and meaning ·")
        session.type(ESCAPE)
        assert session.end() == 1
        assert "Traceback" not in session.text


def test_enter_prints_the_note_that_is_chosen_for_another_program(garden: str) -> None:
    with Session("--print", "--vault", garden, environment=PLAIN, piped=True) as session:
        session.wait_for("1 of 4")
        session.type("chauffage heating")
        session.wait_for("words · 1 of 2")
        session.type(DOWN)
        session.wait_for("2 of 2")
        session.wait_for("▸ Greenhouse")
        session.type(UP + DOWN + DOWN)
        session.wait_for("2 of 2")
        session.type(ENTER)
        assert session.end() == 0
        assert session.piped == f"{Path(garden).resolve() / 'projects/garden/Greenhouse.md'}\n"


def test_what_is_not_found_and_what_is_excluded(garden: str) -> None:
    french = {"NO_COLOR": "1", "LC_ALL": "fr_FR.UTF-8"}
    with Session("--print", "--vault", garden, environment=french) as session:
        session.wait_for("changées en dernier · 1 sur 4")
        session.type("zeppelin")
        session.wait_for("  Rien trouvé")
        session.type(ENTER)
        # Nothing is chosen by Enter; the excluded note is never shown.
        session.type("\x15secret diary")
        session.wait_for("> secret diary")
        session.wait_for("  Rien trouvé")
        assert "Diary" not in session.screen
        session.type(INTERRUPT)
        assert session.end() == 130


def test_enter_opens_the_note_in_the_editor(garden: str, tmp_path: Path) -> None:
    (tmp_path / "editor").write_text("#!/bin/sh\necho 'a line more' >> \"$1\"\n")
    (tmp_path / "editor").chmod(0o755)
    environment = {**PLAIN, "EDITOR": str(tmp_path / "editor"), "VISUAL": ""}
    with Session("--vault", garden, environment=environment, columns=200) as session:
        session.wait_for("1 of 4")
        session.type("chauffage")
        session.wait_for("words · 1 of 1")
        session.type(ENTER)
        assert session.end() == 0
        assert "Done: update 'serre.md'." in session.screen
    assert (Path(garden) / "serre.md").read_text().endswith("a line more\n")
