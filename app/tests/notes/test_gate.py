"""One decision for every surface: what is written, asked about, or refused."""

from typing import Any

import pytest

from app.config.settings import Writes
from app.dependencies import ProposedWrite
from app.errors import ConfigError, WriteError
from app.notes.answer import NoteCall
from app.notes.gate import Gate
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents
from app.vault.client import VaultClient

NEW = {"operation": "create", "path": "New", "content": "x"}
TEMPLATE = {"operation": "create", "path": "Meta/Templates/Day", "content": "x"}
FILES = {
    "A.md": "a",
    "Meta/Templates/Old.md": "o",
    ".obsidian/templates.json": '{"folder": "/meta/templates/"}',
}


def decided(vault: VaultClient, gate: Gate, call: dict[str, Any]) -> str:
    """Say what becomes of a call before anybody has answered."""
    try:
        step = NoteCall(vault, call, gate).begin()
    except WriteError as error:
        return f"refused: {error.message}"
    return "asked" if isinstance(step, ProposedWrite) else "written"


@pytest.mark.parametrize(
    ("writes", "by_agent", "can_ask", "new", "template"),
    [
        ("allow", True, True, "written", "asked"),
        ("allow", True, False, "written", "refused: create was not done: 'Meta/Templates/Day.md' would be a template"),
        ("allow", False, False, "written", "written"),
        ("ask", True, True, "asked", "asked"),
        ("ask", True, False, "refused: create was not done: the setting 'writes' is 'ask', and nobody", "refused"),
        ("ask", False, True, "asked", "asked"),
        ("refuse", True, True, "refused: create was not done: the setting 'writes' is 'refuse'", "refused"),
        ("refuse", False, True, "refused: create was not done: the setting 'writes' is 'refuse'", "refused"),
    ],
)  # fmt: skip
def test_who_may_write_what(
    tiny_vault: MakeVault, writes: Writes, by_agent: bool, can_ask: bool, new: str, template: str
) -> None:
    vault = tiny_vault(FILES)
    gate = Gate(writes, by_agent=by_agent, can_ask=can_ask)
    before = contents(vault)
    for call, expected in ((NEW, new), (TEMPLATE, template)):
        found = decided(vault, gate, call)
        assert found.startswith(expected), found
    made = {
        f"{call['path']}.md": "x" for call, word in ((NEW, new), (TEMPLATE, template)) if word == "written"
    }
    assert contents(vault) == before | made


def test_an_unknown_value_allows_nothing(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(FILES)
    wrong: Any = "maybe"
    with pytest.raises(ConfigError, match="'writes' is 'maybe'"):
        NoteCall(vault, NEW, Gate(wrong)).begin()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ({"operation": "move", "path": "A", "new_path": "Meta/Templates/"}, "'Meta/Templates/A.md' would be a template"),
        ({"operation": "create", "path": "way/Day"}, "'way/Day.md' would be a template"),
        ({"operation": "create", "path": ".trash/Day"}, "'.trash/Day' is hidden"),
        ({"operation": "move", "path": "A", "new_path": ".trash/A"}, "'.trash/A' is hidden"),
        ({"operation": "create", "path": "x/.y/Day"}, "'x/.y/Day' is hidden"),
        ({"operation": "create", "path": "trash/Day"}, "'.trash/Day.md' is hidden"),
    ],
)  # fmt: skip
def test_what_an_agent_never_makes_unasked(
    tiny_vault: MakeVault, run: Operate, call: dict[str, Any], error: str
) -> None:
    vault = tiny_vault({**FILES, ".trash/Gone.md": "g"})
    (vault.root / "way").symlink_to("Meta/Templates")
    (vault.root / "trash").symlink_to(".trash")
    before = contents(vault)
    answer = run(vault, **call)
    assert answer.startswith("Error: ")
    assert error in answer
    assert contents(vault) == before


@pytest.mark.parametrize("setting", ["[]", "{", '{"folder": "../x"}'])
def test_odd_settings_of_templates_name_no_folder(tiny_vault: MakeVault, run: Operate, setting: str) -> None:
    vault = tiny_vault({"A.md": "a", ".obsidian/templates.json": setting})
    assert run(vault, **NEW).startswith("Done")


def test_only_what_is_new_in_a_write_by_an_agent_is_warned_of(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({"A.md": "![](https://x.y/old)\n"})
    asked: list[str] = []
    french: list[str] = []

    def approve(change: ProposedWrite) -> bool:
        asked.append(change.diff)
        french.append(change.said("fr"))
        return False

    change = {"path": "A", "content": "![](https://x.y/new)", "writes": "ask", "approve": approve}
    run(vault, "append", **change)
    run(vault, "move", path="A", new_path="B", writes="ask", approve=approve)
    assert [line for text in asked for line in text.split("\n") if line.startswith("Warning")] == [
        "Warning: loads from the network when it is opened: https://x.y/new"
    ]
    assert asked[0].startswith("Append to 'A.md'.\nWarning: ")
    head, warning, *lines = french[0].split("\n")
    assert head == "Ajouter à « A.md »."
    assert warning == "Attention : charge depuis le réseau à son ouverture : https://x.y/new"
    assert lines == asked[0].split("\n")[2:]
