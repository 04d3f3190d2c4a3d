"""The tool as an agent meets it: who may write, what is logged, and that it never raises."""

import inspect
import logging
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from app.dependencies import ChatDependencies, ProposedWrite
from app.notes import tools
from app.notes.models import Operation
from app.notes.operations import OPERATIONS
from app.notes.tools import note_operations, operate
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents
from app.vault.client import VaultClient


def context(vault: VaultClient, **values: Any) -> Any:
    return SimpleNamespace(deps=ChatDependencies(vault=vault, trace_id="turn-1", **values))


@pytest.mark.asyncio
async def test_an_embedding_app_needs_only_a_vault_and_a_trace_id(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({})
    bare: Any = SimpleNamespace(deps=SimpleNamespace(vault=vault, trace_id="t"))
    assert (await note_operations(bare, "create", "A", "text")).startswith("Done: create 'A.md'.")
    assert contents(vault) == {"A.md": "text"}


@pytest.mark.asyncio
async def test_a_person_is_shown_the_change_before_it_is_done(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "", "B.md": "[[A]]\n"})
    asked: list[tuple[ProposedWrite, dict[str, str]]] = []

    async def approve(change: ProposedWrite) -> bool:
        asked.append((change, contents(vault)))
        return True

    answer = await note_operations(
        context(vault, writes="ask", approve=approve), "move", path="A", new_path="Z"
    )
    assert answer.startswith("Done: move 'A.md' to 'Z.md'.")
    diff = (
        "Move 'A.md' to 'Z.md'.\n(links rewritten in 1 other note)\nrename from A.md\nrename to Z.md\n"
        "--- a/B.md\n+++ b/B.md\n@@ -1 +1 @@\n-[[A]]\n+[[Z]]"
    )
    assert asked == [(ProposedWrite("move", "A.md", diff), {"A.md": "", "B.md": "[[A]]\n"})]


@pytest.mark.asyncio
async def test_whatever_goes_wrong_is_one_line_and_logged(
    tiny_vault: MakeVault, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tiny_vault({})
    caplog.set_level(logging.INFO, logger="vault_assistant")
    answer = await note_operations(context(vault), "read", path="Missing")
    assert answer == "Error: no note at 'Missing'"

    def broken() -> str:
        raise ValueError("two\nlines")

    monkeypatch.setattr(vault, "scan", broken)
    answer = await note_operations(context(vault), "read", path="A")
    assert answer == "Error: performing read: two lines"
    logged = [
        (record.message, record.levelname, record.path, record.trace_id, bool(record.exc_info))  # type: ignore[attr-defined]
        for record in caplog.records
    ]
    assert logged == [
        ("note_operations_called", "INFO", "Missing", "turn-1", False),
        ("note_operations_failed", "INFO", "Missing", "turn-1", False),
        ("note_operations_called", "INFO", "A", "turn-1", False),
        ("note_operations_failed", "ERROR", "A", "turn-1", True),
    ]


@pytest.mark.parametrize(
    ("parameters", "error"),
    [
        ({"operation": "rename"}, "Error: Unknown operation: rename. Valid: create, read, update,"),
        ({"operation": "read"}, "Error: 'path' required for read"),
        ({"operation": "read", "path": "A", "content": "x"}, "Error: 'content' is of no use to read"),
        (
            {"operation": "read", "path": "A", "max_chars": "many"},
            "Error: 'max_chars' must be a whole number",
        ),
        ({"operation": "read", "path": "A", "allow_excluded": True}, "Error: unknown parameter 'allow_exc"),
    ],
)
def test_a_wrong_call_is_answered_with_what_would_be_right(
    tiny_vault: MakeVault, parameters: dict[str, object], error: str
) -> None:
    answer = operate(tiny_vault({"A.md": ""}), parameters)
    assert answer.startswith(error), answer
    assert "\n" not in answer


def test_an_answer_never_passes_its_budget(tiny_vault: MakeVault, run: Operate) -> None:
    text = "".join(f"line {number}\n" for number in range(500))
    vault = tiny_vault(
        {"A.md": text, "B.md": "".join(f"## H{number}\n[[x{number}]]\n" for number in range(300))}
    )
    for operation, parameters in {
        "read": {"path": "A"},
        "update": {"path": "A", "content": text.replace("line", "row")},
        "info": {"path": "B"},
        "undo": {},
    }.items():
        answer = run(vault, operation, max_chars=500, **parameters)
        assert 0 < len(answer) <= 500
        assert not answer.startswith("Error")


def test_the_tool_module_describes_every_operation_and_offers_its_helpers() -> None:
    text = inspect.getdoc(note_operations) or ""
    assert list(OPERATIONS) == list(Operation.__args__)  # type: ignore[attr-defined]
    assert [name for name in OPERATIONS if f"\n- {name}: " not in text] == []
    assert {"normalize_path", "note_operations", "operate", "parse_note"} <= set(tools.__all__)


def test_the_command_lines_way_loads_no_agent_library() -> None:
    code = "import sys, app.notes.answer; print([m for m in ('pydantic_ai', 'torch', 'whoosh') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
