"""A change that waits: made once, by its token alone, exactly as it was shown, or not at all."""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.errors import (
    ConflictError,
    NoteExistsError,
    NoteNotFoundError,
    VaultError,
    WriteError,
)
from app.journal.journal import BusyError, Journal
from app.mcp.folders import FolderVault
from app.notes import proposal
from app.notes.answer import operate
from app.notes.diff import unified
from app.notes.models import Touched
from app.notes.proposal import approve, approve_call, propose, withdraw
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import contents
from app.vault.client import VaultClient

NOTES: dict[str, str | bytes] = {"A.md": "one [[B]]\n", "x/B.md": "# B\n\n[[A]]\n"}
GONE = "no change waits under this token"


def files(vault: VaultClient) -> list[Path]:
    return sorted(path for path in vault.settings.state_folder.rglob("proposals/*") if path.is_file())


@pytest.mark.parametrize(
    "change",
    [
        {"operation": "create", "path": "new/C", "content": "c"},
        {"operation": "append", "path": "A", "content": "two é"},
        {"operation": "move", "path": "x/B", "new_path": "other/Z"},
        {"operation": "delete", "path": "A", "permanent": True},
        {"operation": "create", "path": "A", "content": "c", "overwrite": True},
    ],
)
def test_it_makes_what_was_shown_and_is_taken_back(tiny_vault: MakeVault, change: dict[str, object]) -> None:
    direct = tiny_vault(NOTES, name="direct")
    operate(direct, change)
    vault = tiny_vault(NOTES)
    before = contents(vault)
    waiting = propose(vault, change)
    assert contents(vault) == before
    assert waiting.operation == change["operation"]
    assert waiting.notes
    assert waiting.diff.endswith("\n" + unified(waiting.notes))
    said = approve(vault, waiting.token)
    assert said.startswith("Done: ")
    assert isinstance(said.value, Touched)
    assert contents(vault) == contents(direct)
    assert operate(vault, {"operation": "undo"}).startswith("Done: take back ")
    assert contents(vault) == before
    assert files(vault) == []


def test_of_many_who_approve_at_once_one_makes_the_change(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES)
    token = propose(vault, {"operation": "append", "path": "A", "content": "two"}).token

    def attempt(_: int) -> str:
        try:
            return approve(vault, token)
        except WriteError as error:
            return error.message

    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(attempt, range(16)))
    assert [one for one in said if one != GONE] == [one for one in said if one.startswith("Done: ")]
    assert said.count(GONE) == 15
    assert contents(vault)["A.md"] == "one [[B]]\n\ntwo\n"


@pytest.mark.parametrize("token", ["", "nothing", "../../writes", "x" * 5000, "\ud800", "a/b", "\0"])
def test_another_token_makes_nothing(tiny_vault: MakeVault, token: str) -> None:
    vault = tiny_vault(NOTES)
    propose(vault, {"operation": "append", "path": "A", "content": "two"})
    with pytest.raises(WriteError, match=GONE):
        approve(vault, token)
    assert not withdraw(vault, token)
    assert len(files(vault)) == 1


def test_tokens_are_long_and_nowhere_on_the_disk(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES)
    tokens = {propose(vault, {"operation": "append", "path": "A", "content": "two"}).token for _ in range(20)}
    assert len(tokens) == 20
    assert {len(token) for token in tokens} == {32}
    kept = "".join(f"{file}{file.read_text()}" for file in files(vault))
    assert not [token for token in tokens if token in kept]
    assert {file.stat().st_mode & 0o777 for file in files(vault)} == {0o600}
    assert "one [[B]]" not in kept


def test_nothing_is_written_where_a_note_changed_since(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES)
    token = propose(vault, {"operation": "move", "path": "x/B", "new_path": "Z"}).token
    (vault.root / "A.md").write_text("one [[B]] more\n")
    before = contents(vault)
    with pytest.raises(ConflictError, match=r"'A\.md' changed meanwhile"):
        approve(vault, token)
    assert contents(vault) == before
    # What was asked for cannot be made any more, whatever the note holds later.
    with pytest.raises(WriteError, match=GONE):
        approve(vault, token)


def test_a_note_excluded_since_is_not_written(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES)
    token = propose(vault, {"operation": "append", "path": "x/B", "content": "two"}).token
    (vault.root / ".obsidian").mkdir()
    (vault.root / ".obsidian/app.json").write_text(json.dumps({"userIgnoreFilters": ["x/"]}))
    with pytest.raises(ConflictError, match="no longer to be written"):
        approve(vault, token)
    assert contents(vault)["x/B.md"] == NOTES["x/B.md"]


def test_it_expires(tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = tiny_vault(NOTES)
    change = {"operation": "append", "path": "A", "content": "two"}
    token, later = propose(vault, change, seconds=60).token, propose(vault, change).token
    now = time.time()
    monkeypatch.setattr("app.notes.proposal.time.time", lambda: now + 61)
    with pytest.raises(WriteError, match=GONE):
        approve(vault, token)
    propose(vault, change, seconds=10**6)
    assert len(files(vault)) == 2, "the one that expired is removed"
    assert approve(vault, later).startswith("Done: ")


def test_it_can_be_withdrawn(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES)
    token = propose(vault, {"operation": "append", "path": "A", "content": "two"}).token
    assert withdraw(vault, token)
    assert not withdraw(vault, token)
    with pytest.raises(WriteError, match=GONE):
        approve(vault, token)


def test_vaults_do_not_share_tokens(tiny_vault: MakeVault) -> None:
    one, other = tiny_vault(NOTES), tiny_vault(NOTES, name="other")
    token = propose(one, {"operation": "append", "path": "A", "content": "two"}).token
    with pytest.raises(WriteError, match=GONE):
        approve(other, token)
    assert approve(one, token).startswith("Done: ")


def test_the_newest_change_of_a_call_is_made(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES)
    for at, content in enumerate(("first", "second")):
        token = propose(vault, {"operation": "append", "path": "A", "content": content}, call="c1").token
        [file] = [each for each in files(vault) if proposal._file(each.parent, token) == each]
        # Files made in one moment have one time on some disks.
        os.utime(file, (at, at))
    propose(vault, {"operation": "append", "path": "A", "content": "third"}, call="c2")
    assert approve_call(vault, "c1").startswith("Done: ")
    assert contents(vault)["A.md"] == "one [[B]]\n\nsecond\n"
    with pytest.raises(WriteError, match=GONE):
        approve_call(vault, "c3")


BATCH: list[dict[str, object]] = [
    {"operation": "create", "path": "new/C", "content": "# C\n"},
    {"operation": "append", "path": "new/C", "content": "see [[A]]\n"},
    {"operation": "update", "path": "A", "content": "two [[B]] [[C]]\n"},
    {"operation": "append", "path": "A", "content": "three\n"},
    {"operation": "move", "path": "A", "new_path": "new/Z"},
    {"operation": "append", "path": "Z", "content": "four\n"},
]


def test_a_batch_is_one_change_with_one_word_and_one_undo(tiny_vault: MakeVault) -> None:
    direct = tiny_vault(NOTES, name="direct")
    for change in BATCH:
        assert operate(direct, change).startswith("Done: ")
    vault = tiny_vault(NOTES)
    before = contents(vault)
    waiting = propose(vault, BATCH)
    assert contents(vault) == before
    assert waiting.operation == "batch"
    assert waiting.diff.startswith("Create 'new/C.md'; append to 'new/C.md'; update 'A.md'; ")
    assert "+++ b/new/C.md" in waiting.diff
    assert "rename to new/Z.md" in waiting.diff
    assert approve(vault, waiting.token).startswith("Done: create 'new/C.md'; append")
    assert contents(vault) == contents(direct)
    assert contents(vault)["new/Z.md"] == "two [[B]] [[C]]\n\nthree\n\nfour\n"
    assert contents(vault)["x/B.md"] == "# B\n\n[[Z]]\n"
    assert len(Journal(vault).entries()) == 1
    assert operate(vault, {"operation": "undo"}).startswith("Done: take back batch 'new/C.md'")
    assert contents(vault) == before
    assert not (vault.root / "new").exists()


def test_of_a_batch_all_is_made_or_nothing(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(NOTES)
    token = propose(vault, BATCH).token
    (vault.root / "new").mkdir()
    (vault.root / "new/Z.md").write_text("mine\n")
    before = contents(vault)
    with pytest.raises(NoteExistsError):
        approve(vault, token)
    assert contents(vault) == before


def test_where_the_disk_refuses_in_the_middle_of_a_batch_all_is_put_back(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tiny_vault({**NOTES, "D.md": "d\n"})
    changes = [{"operation": "append", "path": path, "content": "more"} for path in ("A", "x/B", "D")]
    before = contents(vault)
    token = propose(vault, changes).token
    write, written = VaultClient.write, []

    def failing(self: VaultClient, path: str, *args: object, **rest: object) -> str:
        written.append(path)
        if len(written) == 3:
            raise WriteError("the disk is full")
        return write(self, path, *args, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(VaultClient, "write", failing)
    with pytest.raises(WriteError, match="the disk is full"):
        approve(vault, token)
    monkeypatch.undo()
    assert len(written) >= 3
    assert contents(vault) == before
    # What was in the way has passed: the change still waits, and is made.
    approve(vault, token)
    assert contents(vault)["D.md"] == "d\n\nmore\n"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([], "0 changes are proposed. give 1 to 100"),
        ([{"operation": "read", "path": "A"}], "read changes nothing"),
        ([BATCH[0], {"operation": "delete", "path": "A"}], "delete cannot be one of several changes"),
        (
            [
                {"operation": "move", "path": "A", "new_path": "Z"},
                {"operation": "move", "path": "B", "new_path": "Y"},
            ],
            "a batch moves one note at most. 2 are to be moved",
        ),
        ([{"operation": "append", "path": "A", "content": "x"}] * 101, "101 changes"),
    ],
)
def test_what_cannot_be_proposed_leaves_nothing(
    tiny_vault: MakeVault, changes: list[dict[str, object]], message: str
) -> None:
    vault = tiny_vault(NOTES)
    with pytest.raises(VaultError) as raised:
        propose(vault, changes)
    assert message in str(raised.value)
    assert files(vault) == []


def test_an_agent_proposes_nothing_about_an_excluded_note(tiny_vault: MakeVault) -> None:
    hidden = {".obsidian/app.json": json.dumps({"userIgnoreFilters": ["x/"]})}
    vault = tiny_vault({**NOTES, **hidden})
    with pytest.raises(VaultError, match="no note"):
        propose(vault, {"operation": "append", "path": "x/B", "content": "x"})
    waiting = propose(vault, {"operation": "move", "path": "A", "new_path": "Z"})
    assert "x/B" not in waiting.diff
    assert "1 excluded note" in waiting.diff
    assert "excluded" not in waiting.told
    approve(vault, waiting.token)
    assert contents(vault)["x/B.md"] == "# B\n\n[[Z]]\n"


class Diary(VaultClient):
    """A vault whose diary is nobody's business."""

    def is_excluded(self, path: str) -> bool:
        return path.startswith("diary/") or super().is_excluded(path)


def test_what_a_vault_of_an_own_class_hides_is_hidden_in_a_batch_too(tiny_vault: MakeVault) -> None:
    plain = tiny_vault({**NOTES, "diary/Today.md": "[[A]] secret\n"})
    vault = Diary(plain.root, plain.settings)
    made = {"operation": "create", "path": "new/C", "content": "c"}
    for change in (
        {"operation": "append", "path": "Today", "content": "x"},
        {"operation": "create", "path": "diary/New", "content": "x"},
        {"operation": "move", "path": "x/B", "new_path": "diary/B"},
    ):
        for changes in ([change], [made, change]):
            with pytest.raises(VaultError) as failed:
                propose(vault, changes)
            assert "secret" not in f"{failed.value}"
    # Its link follows, unseen.
    waiting = propose(vault, [made, {"operation": "move", "path": "A", "new_path": "Z"}])
    assert "diary" not in waiting.told
    approve(vault, waiting.token)
    assert contents(vault)["diary/Today.md"] == "[[Z]] secret\n"


def test_a_server_of_some_folders_proposes_nothing_outside_of_them(tiny_vault: MakeVault) -> None:
    plain = tiny_vault({**NOTES, "Money/Ledger.md": "[[A]]\n"})
    vault = FolderVault(plain.root, plain.settings, ["x"])
    for path in ("Money/Ledger", "Ledger", "A"):
        with pytest.raises(NoteNotFoundError):
            propose(vault, [{"operation": "append", "path": path, "content": "x"}])
    approve(vault, propose(vault, {"operation": "append", "path": "B", "content": "x"}).token)
    assert contents(plain)["x/B.md"] == "# B\n\n[[A]]\n\nx\n"


@pytest.mark.slow
def test_a_batch_that_is_killed_at_any_step_is_made_whole_or_not_at_all(tiny_vault: MakeVault) -> None:
    script = (
        "import os, sys\n"
        "from app.notes.proposal import approve\n"
        "from app.vault.client import VaultClient\n"
        "left = int(sys.argv[3])\n"
        "def dying(function):\n"
        "    def call(*args, **kwargs):\n"
        "        global left\n"
        "        left -= 1\n"
        "        if left < 0:\n"
        "            os._exit(9)\n"
        "        return function(*args, **kwargs)\n"
        "    return call\n"
        "for name in ('replace', 'rename', 'link', 'unlink', 'fsync'):\n"
        "    setattr(os, name, dying(getattr(os, name)))\n"
        "approve(VaultClient(sys.argv[1]), sys.argv[2])\n"
    )
    root = Path(__file__).parents[3]
    direct = tiny_vault(NOTES, name="direct")
    before = contents(direct)
    for change in BATCH:
        operate(direct, change)
    after, seen = contents(direct), []
    for step in range(200):
        vault = tiny_vault(NOTES, name=f"killed-{step}")
        token = propose(vault, BATCH).token
        command = [sys.executable, "-c", script, str(vault.root), token, str(step)]
        code = subprocess.run(command, cwd=root, check=False, capture_output=True).returncode
        assert code in (0, 9)
        # Any next command settles what was cut short.
        operate(vault, {"operation": "info", "path": "x/B"})
        seen.append(contents(vault))
        assert seen[-1] in (before, after)
        if code == 0:
            break
    assert seen[-1] == after
    assert before in seen
    assert len(seen) > 10


def test_while_another_process_writes_it_goes_on_waiting(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tiny_vault(NOTES)
    token = propose(vault, {"operation": "append", "path": "A", "content": "two"}).token
    monkeypatch.setattr("app.journal.journal.LOCK_SECONDS", 0.05)
    with Journal(vault).locked(), pytest.raises(BusyError):
        approve(vault, token)
    assert approve(vault, token).startswith("Done: ")
