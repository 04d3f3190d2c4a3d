"""An answer on a terminal: what answers, its sources, and what is said besides; the document everywhere else."""

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.bootstrap import open_vault
from app.chat.ask.concat import Block, Document
from app.chat.evidence.evidence import Claim
from app.chat.shown import shown_answer
from app.cli import chat, output
from app.tests.cli.conftest import Run
from app.tests.cli.terminal import on_terminal

Show = Callable[..., str]

NOTES = {
    "Cellar.md": (
        "---\nupdated: 2025-03-02\n---\n# Cellar\n\n## Shelves\n\n| shelf | holds |\n| --- | --- |\n"
        "| top | **jam**, 12 jars |\n"
    ),
    "log/Year.md": "# 2025-07-14\n\n## Delivery\n\nThe larch came late.\nIt was [[wet]].\n\n# Loose\n\nEnd.\n",
    "2025-08-16.md": "# 2025-08-16\n\nLaunched.\n",
    "Plain.md": "Nothing above this.\n",
}
LARCH = Claim(
    "The larch came late.\nIt was [[wet]].",
    "quoted",
    "log/Year.md",
    "5-6",
    "The larch came late.\nIt was [[wet]].",
    0.9,
)
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


@pytest.fixture
def show(cellar: Path) -> Show:
    def shown(document: Document, columns: int = 80) -> str:
        screen = output.screen()._replace(columns=columns)
        return shown_answer(document, open_vault(str(cellar), None), screen)

    return shown


class TestWhatIsShown:
    """The answer, a blank line, a source on each line, a blank line, the remarks."""

    def test_a_quotation_stands_byte_for_byte_with_its_place_heading_and_day(self, show: Show) -> None:
        document = Document("Here: “The larch…”", (NOTE,), ("Note: offline.",), (LARCH,))
        assert show(document) == (
            "The larch came late.\nIt was [[wet]].\n\n"
            "vault/log/Year.md:5  2025-07-14, Delivery\n\n"
            "Note: offline.\n"
        )

    def test_what_says_it_is_set_out_where_styles_are_shown(self, cellar: Path) -> None:
        claim = replace(LARCH, answering="late.\nIt")
        document = Document("Here: “The larch…”", (NOTE,), (), (claim,))
        screen = output.screen()._replace(columns=80, has_styles=True)
        shown = shown_answer(document, open_vault(str(cellar), None), screen)
        assert shown.startswith("The larch came \x1b[1mlate.\x1b[0m\n\x1b[1mIt\x1b[0m was [[wet]].\n\n")

    def test_several_quotations_are_numbered_by_their_sources(self, show: Show) -> None:
        again = Claim("End.", "quoted", "log/Year.md", "10", "End.", 0.2)
        assert show(Document("Here:", (NOTE,), claims=(LARCH, JAM, again))) == (
            "The larch came late.\nIt was [[wet]]. [1]\n\n"
            "| shelf | holds |\n| top | **jam**, 12 jars |\n[2]\n\nEnd. [3]\n\n"
            "[1] vault/log/Year.md:5  2025-07-14, Delivery\n"
            "[2] vault/Cellar.md:10  2025-03-02, Shelves\n"
            "[3] vault/log/Year.md:10  Loose\n"
        )

    def test_a_table_that_is_quoted_with_its_header_has_no_second_one(self, show: Show) -> None:
        table = "| shelf | holds |\n| --- | --- |\n| top | **jam**, 12 jars |"
        whole = Claim(table, "quoted", "Cellar.md", "8-10", table)
        assert (
            show(Document("", (NOTE,), claims=(whole,)))
            == f"{table}\n\nvault/Cellar.md:8  2025-03-02, Shelves\n"
        )

    def test_two_quotations_of_one_place_have_one_source(self, show: Show) -> None:
        wet = Claim("wet", "quoted", "log/Year.md", "5-6", "It was [[wet]].", 0.2)
        assert show(Document("Here:", (NOTE,), claims=(LARCH, wet))).endswith(
            "It was [[wet]].\n\nvault/log/Year.md:5  2025-07-14, Delivery\n"
        )

    def test_what_a_model_wrote_is_shown_with_what_was_struck_and_every_place_it_cites(
        self, show: Show
    ) -> None:
        overview = "It came late (`log/Year.md` line 5).\n~~It came on time (`Plain.md` line 1).~~"
        claims = (
            Claim("It came late", "supported", "log/Year.md", "5"),
            Claim("It came on time", "unsupported", "Plain.md", "1", reason="late"),
            Claim("It is brown", "uncited"),
        )
        assert show(Document(overview, (NOTE,), claims=claims)) == (
            f"{overview}\n\nvault/log/Year.md:5  2025-07-14, Delivery\nvault/Plain.md:1\n"
        )

    def test_without_claims_the_notes_that_are_named_are_the_sources(self, show: Show) -> None:
        blocks = (NOTE, Block("log/Year.md", (8, 10), "# Loose\n\nEnd.\n"), Block("2025-08-16.md", None, "x"))
        assert show(Document("See these.", blocks)) == (
            "See these.\n\nvault/log/Year.md\nvault/log/Year.md:8  Loose\nvault/2025-08-16.md\n"
        )

    def test_where_the_notes_do_not_say_the_nearest_lines_are_shown(self, show: Show) -> None:
        overview = "The notes do not seem to say.\nWhat comes nearest:\n“Plums.” (`Cellar.md` line 10)"
        refused = Document(overview, (NOTE,), ("Note: x.",), is_answered=False)
        assert show(refused) == f"{overview}\n\nvault/Cellar.md:10  2025-03-02, Shelves\n\nNote: x.\n"

    def test_the_places_that_an_overview_alone_names_are_its_sources(self, show: Show) -> None:
        overview = "See `log/Year.md` lines 5-6; `Cellar.md` line 10."
        sources = "vault/log/Year.md:5  2025-07-14, Delivery\nvault/Cellar.md:10  2025-03-02, Shelves\n"
        assert show(Document(overview, (NOTE,)), 200) == f"{overview}\n\n{sources}"

    def test_a_note_that_is_gone_is_named_without_its_heading(self, show: Show) -> None:
        gone = Claim("x", "quoted", "Gone.md", "3", "x")
        assert show(Document("Here:", (NOTE,), claims=(gone,))) == "x\n\nvault/Gone.md:3\n"

    def test_from_elsewhere_the_whole_path_is_given(
        self,
        show: Show,
        cellar: Path,
        tmp_path_factory: pytest.TempPathFactory,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
        assert f"\n\n{cellar}/log/Year.md:5  " in show(Document("", (NOTE,), claims=(LARCH,)))

    def test_what_a_terminal_would_obey_is_written_out(self, show: Show) -> None:
        text = "red \x1b[31m\u202e"
        sly = Claim(text, "quoted", "Plain.md", "1", text)
        assert show(Document("", (NOTE,), claims=(sly,))) == "red \\x1b[31m\\u202e\n\nvault/Plain.md:1\n"


class TestWidth:
    """Prose and quotations are broken between words."""

    def test_prose_and_remarks_are_broken_at_words(self, show: Show) -> None:
        document = Document(
            "- The larch came four weeks late, since the kiln broke.\nShort.",
            (),
            ("Note: one two three four.",),
        )
        assert show(document, 24) == (
            "- The larch came four\n  weeks late, since the\n  kiln broke.\nShort.\n\nNote: one two three\nfour.\n"
        )

    def test_a_quotation_is_broken_between_words_and_keeps_its_own_lines_elsewhere(self, show: Show) -> None:
        long = "one two three four five six seven eight nine ten\n\n    indented  by four\n- [ ] a task that is long\n"
        claim = Claim(long, "quoted", "Plain.md", "1-3", long)
        assert show(Document("", (NOTE,), claims=(claim,)), 22) == (
            "one two three four\nfive six seven eight\nnine ten\n\n    indented  by four\n"
            "- [ ] a task that is\n  long\n\nvault/Plain.md:1\n"
        )
        assert show(Document("", (NOTE,), claims=(claim,)), 0) == f"{long}\nvault/Plain.md:1\n"


DIM = re.compile(r"\x1b\[[0-9;]*m")


class TestOnARealTerminal:
    """The command itself, its streams a terminal or a pipe."""

    @pytest.mark.parametrize("columns", [60, pytest.param(200, marks=pytest.mark.slow)])
    def test_the_answer_is_short_and_names_its_sources_last(self, garden: str, columns: int) -> None:
        shown = on_terminal("ask", "How is the greenhouse heated?", "--vault", garden, columns=columns)
        plain = DIM.sub("", shown.text)
        *parts, sources, remarks = plain.rstrip("\n").split("\n\n")
        answer = "\n\n".join(parts)
        assert shown.code == 0
        assert "electric" in answer
        first = sources.split("\n")[0].removeprefix("[1] ")
        assert re.fullmatch(re.escape(f"{garden}/projects/garden/Greenhouse.md") + r"(:\d+)?(  \S.*)?", first)
        assert remarks.startswith("Note: this is the offline assistant")
        assert max(map(len, remarks.split("\n"))) <= columns
        assert "# Greenhouse" not in plain
        assert shown.text.count("\x1b[2m") >= 1

    def test_full_is_the_same_in_a_pipe(self, run: Run, garden: str) -> None:
        question = ("ask", "--full", "How is the greenhouse heated?", "--vault", garden)
        piped = run(*question).out
        assert "\n---\n\n## projects/garden/Greenhouse.md" in piped
        assert on_terminal(*question).text == piped

    @pytest.mark.parametrize(
        ("environment", "shown"),
        [({}, "\x1b[2mlow\x1b[0m\n"), ({"NO_COLOR": "1"}, "low\n"), ({"TERM": "dumb"}, "low\n")],
    )
    def test_nothing_is_styled_where_styles_are_not_wanted(
        self, environment: dict[str, str], shown: str
    ) -> None:
        script = "from app.cli import output; output.show_printed(output.screen().dim('low') + '\\n')"
        program = (sys.executable, "-c", script)
        assert on_terminal(program=program, environment=environment).text == shown

    @pytest.mark.slow
    def test_json_is_json_on_a_terminal_too(self, run: Run, garden: str) -> None:
        question = ("ask", "How is the greenhouse heated?", "--json", "--vault", garden)
        assert on_terminal("--no-pager", *question).text == run(*question).out

    def test_a_french_question_is_answered_in_french_throughout(self, garden: str) -> None:
        question = ("ask", "Comment la serre est-elle chauffée ?", "--vault", garden)
        shown = on_terminal(*question)
        assert "Le chauffage de la serre est électrique, décidé le 14 juillet." in shown.text
        assert f"{garden}/serre.md" in shown.text
        assert "Remarque : ceci est l'assistant hors ligne" in shown.text
        assert not re.search(r"Note: |Here is|answer|lines? \d", DIM.sub("", shown.text))

    @pytest.mark.parametrize(
        ("options", "locale", "begins"),
        [
            (("--lang", "fr"), "C", "Voici ce que disent les notes\u00a0:\n«\u00a0The chimney"),
            ((), "fr_FR.UTF-8", "Voici ce que disent les notes\u00a0:\n«\u00a0The chimney"),
            (("--lang", "en"), "fr_FR.UTF-8", "Here is what the notes say:\n“The chimney"),
            ((), "C", "Here is what the notes say:\n“The chimney"),
        ],
    )
    def test_words_that_tell_no_language_are_answered_in_the_readers(
        self,
        run: Run,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        options: tuple[str, ...],
        locale: str,
        begins: str,
    ) -> None:
        monkeypatch.setenv("LC_ALL", locale)
        (tmp_path / "Repairs.md").write_text("The chimney was swept in May.\n", encoding="utf-8")
        answered = run(*options, "ask", "--full", "chimney swept", "--vault", str(tmp_path))
        assert answered.out.startswith(begins)
        assert run(
            *options, "ask", "--full", "When was the chimney swept?", "--vault", str(tmp_path)
        ).out.startswith("Here is what the notes say:\n“The chimney")
        # What programs read does not follow the system.
        data = run(*options, "ask", "chimney swept", "--json", "--vault", str(tmp_path)).json
        assert data["answer"].startswith("Here is what the notes say:\n“The chimney")


class TestWhereTheNotesDoNotSay:
    """The answer of an engine that does not think that the notes answer, through the command."""

    REFUSED = Document("The notes do not seem to say.", (NOTE,), ("Note: x.",), (LARCH,), is_answered=False)

    @pytest.fixture(autouse=True)
    def refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(chat, "_answered", lambda *_: (self.REFUSED, "offline"))

    def test_the_exit_code_is_1(self, run: Run, garden: str) -> None:
        answered = run("ask", "--full", "Who won?", "--vault", garden)
        assert (answered.code, answered.out, answered.err) == (1, self.REFUSED.text, "")

    def test_json_has_every_claim_with_its_values(self, run: Run, garden: str) -> None:
        answered = run("ask", "Who won?", "--json", "--vault", garden)
        assert answered.code == 1
        assert answered.json == {
            "question": "Who won?",
            "model": "offline",
            "answer": self.REFUSED.text,
            "overview": "The notes do not seem to say.",
            "answered": False,
            "claims": [
                {
                    "text": "The larch came late.\nIt was [[wet]].",
                    "verdict": "quoted",
                    "path": "log/Year.md",
                    "lines": "5-6",
                    "quotation": "The larch came late.\nIt was [[wet]].",
                    "probability": 0.9,
                    "reason": "",
                    "header": "",
                    "answering": "",
                }
            ],
            "files": [{"path": "log/Year.md", "lines": None, "text": NOTES["log/Year.md"]}],
            "notices": ["Note: x."],
        }
