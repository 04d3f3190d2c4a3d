"""The search as the user's document describes it, line by line."""

from itertools import product
from typing import Any

import pytest

from app.chat.ask.answer import ask
from app.tests.chat.ask.conftest import VAULT, Script
from app.vault.client import VaultClient

LOG = "projects/petrel/changelog.md"
OVERVIEW = (
    f"The larch came four weeks late (`{LOG}` line 11).\n"
    f"So the launch moved (`{LOG}` line 9).\nAfloat since August (`projects/petrel/state.md` line 3)."
)
ANSWER = {
    "overview": OVERVIEW,
    "files": [
        {"path": "projects/petrel/state.md"},
        {"path": LOG, "lines": "1-11"},
        {"path": "vault/tasks.md"},
    ],
}


class TestFlow:
    def test_1_the_agent_receives_the_question_with_overview_tree_and_profile_in_its_context(
        self, vault: VaultClient
    ) -> None:
        script = Script(ANSWER)
        ask(vault, "Why did the launch move?", model=script.model)
        assert "<file name" not in (script.infos[0].instructions or "")
        told = script.told()
        for name in ("overview.md", "tree.md", "profile.md"):
            assert f'<file name="{name}" readonly="true">\n{VAULT[name]}\n</file>' in told
        assert script.told().endswith("Why did the launch move?")

    def test_3_4_it_searches_in_a_scope_reads_notes_and_lines_and_explores_a_project(
        self, vault: VaultClient
    ) -> None:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("search", {"query": "larch late", "mode": "fast", "scope": "project:petrel", "limit": 1}),
            ("read", {"path": "projects/petrel/state.md"}),
            ("read", {"path": LOG, "lines": "7-11"}),
            ("tree", {"path": "projects/petrel"}),
        ]
        script = Script(calls, ANSWER)
        ask(vault, "Why?", model=script.model)
        told = script.told()
        assert f"\n\n1. {LOG}:7-12" in told
        assert "1 | # State\n2 | \n3 | Afloat since August, and tight.\n</note>" in told
        assert f"'{LOG}', lines 7-11 of 124." in told
        assert "bucket/ (1 note)\n  Evil.md" in told

    def test_5_what_is_far_too_long_is_cut(self, vault: VaultClient) -> None:
        long = {
            "overview": "".join(f"It is {''.join(word)}. " for word in product("abcdefg", repeat=3)),
            "files": [],
        }
        document = ask(vault, "Why?", model=Script(long).model)
        said = document.overview.replace(" (uncited)", "")
        assert 1900 < len(said) <= 2000
        assert document.remarks == ("Note: the overview was cut to 5 lines and 2000 characters.",)

    def test_8_the_answer_is_overview_and_files(self, vault: VaultClient) -> None:
        document = ask(vault, "Why?", model=Script(ANSWER).model)
        log = "".join(VAULT[LOG].splitlines(keepends=True)[:11])
        assert document.text == (
            f"{OVERVIEW}\n\n---\n\n## projects/petrel/state.md\n\n{VAULT['projects/petrel/state.md']}\n"
            f"## {LOG} (lines 1-11)\n\n{log}\n## tasks.md\n\n{VAULT['tasks.md']}"
        )
        assert document.remarks == ()


class TestOffline:
    def test_without_a_model_the_notes_are_quoted(self, example: VaultClient) -> None:
        told: list[str] = []
        document = ask(example, "When is Callum away with his pupils?", tell=told.append)
        assert told == ["search: When is Callum away with his pupils?"]
        assert document.overview.startswith(
            "Here is what the notes say:\n“- Away with his pupils from 2025-09-18 to 2025-09-21, so not here for "
            "the opening of the ice house.” (`people/Callum Reid.md` line 14)"
        )
        first = document.claims[0]
        assert (first.path, first.lines, first.verdict) == ("people/Callum Reid.md", "14", "quoted")
        assert document.blocks[0].path == "people/Callum Reid.md"
        assert document.remarks[0].startswith("Note: this is the offline assistant")
        assert document.is_answered

    @pytest.mark.parametrize(
        ("question", "said", "nearest"),
        [
            ("Who won the world cup?", "The notes do not seem to say.", "What comes nearest:"),
            ("Quelle est la capitale ?", "Les notes ne semblent pas le dire.", "Le plus proche\u00a0:"),
        ],
    )
    def test_what_the_notes_do_not_say_is_refused_with_the_nearest_places(
        self, example: VaultClient, question: str, said: str, nearest: str
    ) -> None:
        document = ask(example, question)
        assert document.overview.startswith(f"{said}\n{nearest}\n")
        assert 2 <= document.overview.count("`") <= 4
        assert (document.is_answered, document.claims, document.blocks) == (False, (), ())

    def test_excluded_notes_never_appear(self, vault: VaultClient) -> None:
        for question in ("Where is the sextant of larch hidden?", "private Gift", "sextant", "Gift.md"):
            document = ask(vault, question)
            assert "hidden in the shed" not in document.text
            assert not any(block.path.startswith("private") for block in document.blocks)
            assert "private" not in "".join(document.remarks)
