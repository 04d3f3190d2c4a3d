"""An answer on a terminal: what answers, its sources, and what is said besides; the document everywhere else."""

import re
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from app.bootstrap import open_vault
from app.chat.ask.concat import Block, Document
from app.chat.evidence.evidence import Claim
from app.chat.shown import shown_answer
from app.cli import chat, output
from app.tests.cli.conftest import Run
from app.tests.cli.session import on_terminal

NOTES = {
    "Cellar.md": (
        "---\nupdated: 2025-03-02\n---\n# Cellar\n\n## Shelves\n\n| shelf | holds |\n| --- | --- |\n"
        "| top | **jam**, 12 jars |\n"
    ),
    "log/Year.md": "# 2025-07-14\n\n## Delivery\n\nThe larch came late.\nIt was [[wet]].\n\n# Loose\n\nEnd.\n",
    "Plain.md": "Nothing above this.\n",
}
WET = "The larch came late.\nIt was [[wet]]."
LARCH = Claim(WET, "quoted", "log/Year.md", "5-6", WET, 0.9)
JAM_ROW = "| top | **jam**, 12 jars |"
JAM = Claim(JAM_ROW, "quoted", "Cellar.md", "10", JAM_ROW, 0.4, header="| shelf | holds |")
NOTE = Block("log/Year.md", None, NOTES["log/Year.md"])


@pytest.fixture
def cellar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a vault in the working folder; its name stands before the paths that are shown."""
    for path, text in {".obsidian/app.json": "{}", **NOTES}.items():
        (tmp_path / "vault" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "vault" / path).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "vault"


LONG = (
    "one two three four five six seven eight nine ten\n\n    indented  by four\n- [ ] a task that is long\n"
)
SLY = "red \x1b[31m\u202e"
STRUCK = "It came late (`log/Year.md` line 5).\n~~It came on time (`Plain.md` line 1).~~"
NEAREST = "The notes do not seem to say.\nWhat comes nearest:\n“Plums.” (`Cellar.md` line 10)"


@pytest.mark.parametrize(
    ("document", "columns", "shown"),
    [
        (
            Document("Here: “The larch…”", (NOTE,), ("Note: offline.",), (LARCH,)),
            80,
            "The larch came late.\nIt was [[wet]].\n\nvault/log/Year.md:5  2025-07-14, Delivery\n\nNote: offline.\n",
        ),
        (
            Document(
                "", (NOTE,), claims=(LARCH, JAM, Claim("End.", "quoted", "log/Year.md", "10", "End.", 0.2))
            ),
            80,
            "The larch came late.\nIt was [[wet]]. [1]\n\n| shelf | holds |\n| top | **jam**, 12 jars |\n[2]\n\n"
            "End. [3]\n\n[1] vault/log/Year.md:5  2025-07-14, Delivery\n"
            "[2] vault/Cellar.md:10  2025-03-02, Shelves\n[3] vault/log/Year.md:10  Loose\n",
        ),
        (
            Document(
                STRUCK,
                (NOTE,),
                claims=(
                    Claim("It came late", "supported", "log/Year.md", "5"),
                    Claim("It came on time", "unsupported", "Plain.md", "1", reason="late"),
                    Claim("It is brown", "uncited"),
                ),
            ),
            80,
            f"{STRUCK}\n\nvault/log/Year.md:5  2025-07-14, Delivery\nvault/Plain.md:1\n",
        ),
        (
            Document(NEAREST, (NOTE,), ("Note: x.",), is_answered=False),
            80,
            f"{NEAREST}\n\nvault/Cellar.md:10  2025-03-02, Shelves\n\nNote: x.\n",
        ),
        (
            Document("", (NOTE,), claims=(Claim(SLY, "quoted", "Gone.md", "1", SLY),)),
            80,
            "red \\x1b[31m\\u202e\n\nvault/Gone.md:1\n",
        ),
        (
            Document("", (NOTE,), claims=(Claim(LONG, "quoted", "Plain.md", "1-3", LONG),)),
            22,
            "one two three four\nfive six seven eight\nnine ten\n\n    indented  by four\n- [ ] a task that is\n  long\n\n"
            "vault/Plain.md:1\n",
        ),
    ],
    ids=["quoted", "numbered", "written", "nearest", "hostile", "narrow"],
)
def test_an_answer_is_shown_with_its_sources_and_remarks(
    cellar: Path, document: Document, columns: int, shown: str
) -> None:
    screen = output.screen()._replace(columns=columns)
    assert shown_answer(document, open_vault(str(cellar), None), screen) == shown


def test_what_says_it_is_set_out_where_styles_are_shown(cellar: Path) -> None:
    document = Document("", (NOTE,), claims=(replace(LARCH, answering="late.\nIt"),))
    screen = output.screen()._replace(columns=80, has_styles=True)
    shown = shown_answer(document, open_vault(str(cellar), None), screen)
    assert shown.startswith("The larch came \x1b[1mlate.\x1b[0m\n\x1b[1mIt\x1b[0m was [[wet]].\n\n")


@pytest.mark.parametrize(
    ("environment", "shown"),
    [({}, "\x1b[2mlow\x1b[0m\n"), ({"NO_COLOR": "1"}, "low\n"), ({"TERM": "dumb"}, "low\n")],
)
def test_nothing_is_styled_where_styles_are_not_wanted(environment: dict[str, str], shown: str) -> None:
    script = "from app.cli import output; output.show_printed(output.screen().dim('low') + '\\n')"
    assert on_terminal(program=(sys.executable, "-c", script), environment=environment).text == shown


def test_a_french_question_is_answered_in_french_throughout(garden: str) -> None:
    shown = on_terminal("ask", "Comment la serre est-elle chauffée ?", "--vault", garden).text
    assert "Le chauffage de la serre est électrique, décidé le 14 juillet." in shown
    assert f"{garden}/serre.md" in shown
    assert "Remarque : ceci est l'assistant hors ligne" in shown
    assert not re.search(r"Note: |Here is|answer|lines? \d", shown)


@pytest.mark.parametrize(
    ("options", "locale", "begins"),
    [
        (("--lang", "fr"), "C", "Voici ce que disent les notes\u00a0:\n«\u00a0The chimney"),
        ((), "fr_FR.UTF-8", "Voici ce que disent les notes\u00a0:\n«\u00a0The chimney"),
        (("--lang", "en"), "fr_FR.UTF-8", "Here is what the notes say:\n“The chimney"),
    ],
)
def test_words_that_tell_no_language_are_answered_in_the_readers(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    locale: str,
    begins: str,
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    (tmp_path / "Repairs.md").write_text("The chimney was swept in May.\n", encoding="utf-8")
    at = ("--vault", str(tmp_path))
    assert run(*options, "ask", "--full", "chimney swept", *at).out.startswith(begins)
    # What programs read does not follow the system.
    data = run(*options, "ask", "chimney swept", "--json", *at).json
    assert data["answer"].startswith("Here is what the notes say:\n“The chimney")


def test_where_the_notes_do_not_say_json_has_every_claim_and_the_exit_code_is_1(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = Document("The notes do not seem to say.", (NOTE,), ("Note: x.",), (LARCH,), is_answered=False)
    monkeypatch.setattr(chat, "_answered", lambda *_: (refused, "offline"))
    answered = run("ask", "Who won?", "--json", "--vault", garden)
    assert answered.code == 1
    assert answered.json == {
        "question": "Who won?",
        "model": "offline",
        "answer": refused.text,
        "overview": "The notes do not seem to say.",
        "answered": False,
        "claims": [asdict(LARCH)],
        "files": [{"path": "log/Year.md", "lines": None, "text": NOTES["log/Year.md"]}],
        "notices": ["Note: x."],
    }
