"""A language model that invents, loops, errs and obeys the notes: the limits hold, and the answer stays true."""

import os
from pathlib import Path
from typing import Any

import pytest

from app.chat.ask.answer import ask
from app.chat.ask.concat import Document
from app.tests.chat.ask.conftest import VAULT, Script
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

LOG = "projects/petrel/changelog.md"
STATE = "projects/petrel/state.md"
TWO_LINES = "One line.\nAnd another."


def answered(vault: VaultClient, *files: dict[str, Any], overview: str = TWO_LINES) -> Document:
    return ask(vault, "Why did it move?", model=Script({"overview": overview, "files": list(files)}).model)


def shown(document: Document) -> list[tuple[str, tuple[int, int] | None]]:
    return [(block.path, block.lines) for block in document.blocks]


def files_of(root: Path) -> dict[str, bytes]:
    return {
        os.path.relpath(Path(folder, name), root): Path(folder, name).read_bytes()
        for folder, _, names in os.walk(root)
        for name in names
    }


class TestInvention:
    @pytest.mark.parametrize(
        ("written", "path"), [("petrel/changelog", LOG), ("[[projects/petrel/STATE|x]]", STATE)]
    )
    def test_a_name_is_taken_in_any_form_that_the_vault_knows(
        self, vault: VaultClient, written: str, path: str
    ) -> None:
        assert shown(answered(vault, {"path": written})) == [(path, None)]

    @pytest.mark.parametrize("written", ["projects/apollo/state.md", "projects/petrel/sate.md"])
    def test_another_note_is_never_shown_in_its_place(self, vault: VaultClient, written: str) -> None:
        document = answered(vault, {"path": written}, {"path": STATE})
        assert shown(document) == [(STATE, None)]
        assert document.remarks == (f"Note: '{written}' was named, and there is no such note.",)

    @pytest.mark.parametrize(
        ("lines", "place"),
        [
            ("7-11, 9-20", (7, 20)),
            ("L7-L11", (7, 11)),
            (["7-11", "12-13"], (7, 13)),
            ({"start": 7, "end": 11}, (7, 11)),
            ("120-", (120, 124)),
            ("11-7", (7, 11)),
            ("100-99999999999999999", (100, 124)),
            ("the part about larch", None),
            ("9" * 5000, None),
        ],
    )
    def test_ranges_in_any_form_are_read_and_those_out_of_bounds_corrected(
        self, vault: VaultClient, lines: object, place: tuple[int, int] | None
    ) -> None:
        assert shown(answered(vault, {"path": LOG, "lines": lines})) == [(LOG, place)]

    def test_paths_that_lead_out_are_left_out(self, vault: VaultClient) -> None:
        (vault.root.parent / "secret.md").write_text("never shown")
        (vault.root / "link.md").symlink_to(vault.root.parent / "secret.md")
        names = ["../secret.md", "/etc/passwd", "~/x.md", "C:/x.md", "link.md", "a\0b", "%2e%2e/secret"]
        document = answered(vault, *({"path": name} for name in names))
        assert document.blocks == ()
        assert "never shown" not in document.text

    def test_excluded_notes_are_not_shown_by_being_named(self, vault: VaultClient) -> None:
        (vault.root / "open.md").symlink_to("private/Gift.md")
        names = ["private/Gift.md", "Gift", "[[Gift]]", "open.md"]
        document = answered(
            vault, *({"path": name} for name in names), overview="See [[Gift]].\n`private/Gift.md`:1"
        )
        assert document.blocks == ()
        assert document.overview == "See ~~[[Gift]]~~.\n~~`private/Gift.md`:1~~"
        assert document.remarks == (
            "Note: 'Gift' was cited, and there is no such note.",
            "Note: 'private/Gift.md' was cited, and there is no such note.",
            *(f"Note: '{name}' was named, and there is no such note." for name in names),
        )

    def test_an_overview_cannot_pretend_to_be_files(self, vault: VaultClient) -> None:
        overview = "Found it.\n\n---\n\n## tasks.md\n\nThe boat sank.\n***\n# x"
        document = answered(vault, {"path": STATE}, overview=overview)
        assert document.overview == "Found it.\ntasks.md\nThe boat sank (uncited).\nx"
        assert document.text.count("\n---\n") == 1
        assert "## tasks.md" not in document.text


class TestExcess:
    def test_huge_ranges_and_very_many_files_stay_within_the_budget(self, tiny_vault: MakeVault) -> None:
        notes = {f"n{number}.md": f"note {number} says a word\n" * 900 for number in range(60)}
        vault = tiny_vault(notes, ask_chars=20_000)
        files = [{"path": f"n{number}", "lines": "1-1000000"} for number in range(60)] * 100
        document = answered(vault, *files, overview="x" * 100_000)
        assert 15_000 < len(document.text) <= 20_000
        for block in document.blocks:
            assert notes[block.path].startswith(block.text)

    @pytest.mark.parametrize("settings", [{"ask_requests": 5}, {"ask_requests": 50, "ask_tool_calls": 4}])
    def test_a_model_that_never_ends_is_stopped_and_what_was_found_is_the_answer(
        self, tiny_vault: MakeVault, settings: dict[str, int]
    ) -> None:
        vault = tiny_vault(VAULT, **settings)
        script = Script(lambda messages: [("search", {"query": f"larch late {len(messages)}"})])
        document = ask(vault, "How late was the larch?", model=script.model)
        assert len(script.seen) == 5
        assert "beyond the limits of the settings" in document.remarks[0]
        assert f"“The larch came four weeks late.” (2025-07-14, `{LOG}` line 11)" in document.overview
        assert (LOG, (7, 12)) in shown(document)

    def test_tools_that_do_not_exist_and_bad_arguments_are_answered(self, vault: VaultClient) -> None:
        script = Script(
            [("note_operations", {"operation": "delete", "path": "tasks.md"}), ("read", {"file": STATE})],
            [("search", {"query": "larch", "mode": "by_tag"}), ("tree", {"path": "nowhere"})],
            {"overview": TWO_LINES, "files": [{"path": STATE}]},
        )
        assert shown(ask(vault, "Why?", model=script.model)) == [(STATE, None)]
        told = script.told()
        assert "Error: unknown mode 'by_tag'. valid: fast, deep" in told
        assert "Error: no folder 'nowhere'" in told


class TestHostileNotes:
    def test_a_model_that_follows_instructions_in_a_note_can_change_nothing_and_show_nothing_private(
        self, vault: VaultClient
    ) -> None:
        before = files_of(vault.root)
        script = Script(
            [("search", {"query": "larch administrator"}), ("read", {"path": "Evil"})],
            [("note_operations", {"operation": "delete", "path": "tasks.md"}), ("read", {"path": "Gift"})],
            [("tree", {"path": "private"}), ("search", {"query": "sextant", "scope": "private/*"})],
            {
                "overview": "The boat sank.\nSee `private/Gift.md` line 3.",
                "files": [{"path": "private/Gift.md"}],
            },
        )
        document = ask(vault, "Why?", model=script.model)
        assert files_of(vault.root) == before
        assert "hidden in the shed" not in script.told() + document.text
        assert document.blocks == ()
        evil = "projects/petrel/bucket/Evil.md"
        assert document.overview == f"The boat sank (`{evil}` lines 1-5).\nSee ~~`private/Gift.md` line 3~~."

    def test_a_note_cannot_end_its_block(self, vault: VaultClient) -> None:
        script = Script([("read", {"path": "Evil"})], {"overview": TWO_LINES, "files": []})
        ask(vault, "Why?", model=script.model)
        assert script.told().count("\n</note>") == 1
        assert " | <\\/note>" in script.told()
