"""Writes cut short or failing at any step: whole or not at all by the next ordinary command."""

import errno
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from app.journal.journal import Journal
from app.journal.recover import recover, report
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents
from app.vault import atomic
from app.vault.client import VaultClient

NOTES: dict[str, str | bytes] = {
    "A.md": "alpha [[B]]\n",
    "B.md": "to [[A]]\n",
    "x/C.md": "to [[A]] too\n",
    "y/D.md": "also [[A]]\n",
    ".obsidian/app.json": json.dumps({"trashOption": "local"}),
}
WRITES: dict[str, dict[str, Any]] = {
    "create": {"operation": "create", "path": "new/deep/N", "content": "n"},
    "update": {"operation": "update", "path": "A", "content": "two"},
    "append": {"operation": "append", "path": "x/C", "content": "more"},
    "move": {"operation": "move", "path": "A", "new_path": "other/deep/Z"},
    "delete": {"operation": "delete", "path": "x/C"},
    "delete for good": {"operation": "delete", "path": "x/C", "permanent": True},
    "undo": {"operation": "undo", "content": "turn"},
}
CALLS = (
    *("rename", "replace", "link", "unlink", "mkdir", "rmdir"),
    *("fsync", "write", "ftruncate", "fchmod", "utime"),
)


class Killed(BaseException):
    """The process is no more; it is caught by nobody."""


class Calls:
    """Counts the calls that change files, and lets one of them kill or fail.

    After a kill every further call is refused, so that no clean-up runs that a dead process could not run.
    """

    def __init__(self, at: int, how: str, number: int = 0) -> None:
        self.count, self.at, self.how, self.number = 0, at, how, number
        self.dead = False

    def wrap(self, call: Callable[..., Any], swallows: bool = False) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **named: Any) -> Any:
            if self.dead:
                raise Killed
            self.count += 1
            if self.count != self.at:
                return call(*arguments, **named)
            if self.how == "killed after":
                self.dead = True
                call(*arguments, **named)
                raise Killed
            if self.how == "killed before":
                self.dead = True
                raise Killed
            if swallows and self.number in (errno.EINVAL, errno.ENOTSUP):
                return False
            raise OSError(self.number, os.strerror(self.number))

        return wrapped


@contextmanager
def disturbed(monkeypatch: pytest.MonkeyPatch, calls: Calls) -> Iterator[Calls]:
    with monkeypatch.context() as patched:
        for name in CALLS:
            patched.setattr(os, name, calls.wrap(getattr(os, name)))
        for name in ("exchange", "rename_new"):
            patched.setattr(atomic, name, calls.wrap(getattr(atomic, name), swallows=True))
        yield calls


def litter(vault: VaultClient, state: Path) -> list[str]:
    """Everything hidden in the vault, and everything in the journal that no write needs."""
    found = [str(path.relative_to(vault.root)) for path in vault.root.rglob(".vault-assistant-*")]
    (journal,) = (state / "journal").iterdir()
    found += [str(path) for path in (journal / "open").iterdir()]
    found += [path.name for path in journal.rglob("*.????????")]
    needed = {state.before for entry in Journal(vault).entries() for state in entry.files}
    return found + [path.name for path in (journal / "contents").iterdir() if path.name not in needed]


def folders(vault: VaultClient) -> set[str]:
    return {str(path.relative_to(vault.root)) for path in vault.root.rglob("*") if path.is_dir()}


def prepared(make: MakeVault, run: Operate, write: str, name: str) -> VaultClient:
    vault = make(NOTES, name=name)
    if write == "undo":
        for each in ("move", "create", "delete"):
            assert run(vault, **WRITES[each], trace_id="turn").startswith("Done: ")
    else:
        assert run(vault, "create", path="first", content="first").startswith("Done: ")
    return vault


def is_over(calls: Calls) -> bool:
    return calls.count < calls.at


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("how", ["killed before", "killed after"])
def test_a_write_killed_at_any_step_is_whole_or_not_there_at_the_next_look(
    tiny_vault: MakeVault,
    run: Operate,
    monkeypatch: pytest.MonkeyPatch,
    own_environment: Path,
    tmp_path: Path,
    write: str,
    how: str,
) -> None:
    after, at, reached = None, 0, set()
    while True:
        at += 1
        monkeypatch.setenv("VAULT_ASSISTANT_STATE_DIR", str(state := tmp_path / f"state {at}"))
        vault = prepared(tiny_vault, run, write, f"vault {at}")
        before = contents(vault), folders(vault)
        with disturbed(monkeypatch, Calls(at, how)) as calls, suppress(Killed):
            assert run(vault, **WRITES[write], trace_id="killed").startswith("Done: ")
        recover(vault)
        found = contents(vault), folders(vault)
        if is_over(calls):
            assert found == after
            break
        assert litter(vault, state) == [], at
        if found != before:
            after = after or found
            assert found == after, at
        reached.add("before" if found == before else "after")
        done = {entry.trace_id for entry in Journal(vault).entries()}
        assert ("killed" in done) == (found == after), at
        if found == after and write != "undo":
            assert run(vault, "undo").startswith("Done: "), at
            assert (contents(vault), folders(vault)) == before, at
    assert reached == {"before", "after"}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize(
    "number", [errno.ENOSPC, errno.EIO, errno.EINVAL, errno.EROFS], ids=errno.errorcode.get
)
def test_a_write_that_fails_at_any_step_says_what_the_disk_shows(
    tiny_vault: MakeVault,
    run: Operate,
    monkeypatch: pytest.MonkeyPatch,
    own_environment: Path,
    tmp_path: Path,
    write: str,
    number: int,
) -> None:
    at = 0
    after = None
    while True:
        at += 1
        monkeypatch.setenv("VAULT_ASSISTANT_STATE_DIR", str(state := tmp_path / f"state {at}"))
        vault = prepared(tiny_vault, run, write, f"vault {at}")
        before = contents(vault), folders(vault)
        with disturbed(monkeypatch, Calls(at, "failing", number)) as calls:
            answer = run(vault, **WRITES[write])
        found = contents(vault), folders(vault)
        said = answer.startswith("Done: ")
        assert said or answer.startswith("Error: ")
        recover(vault)
        settled = contents(vault), folders(vault)
        assert litter(vault, state) == [], (at, answer)
        if is_over(calls):
            assert settled == after
            break
        if said:
            after = after or settled
        assert settled == (after if said else before), (at, answer)
        if not [path for names in found for path in names if ".vault-assistant-" in path]:
            told = "the next command tries again" in answer or "could not all be removed" in answer
            assert found == settled or told, (at, answer)


def half_moved(
    make: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch, **settings: Any
) -> VaultClient:
    """A vault whose last writer was killed when one of three links was rewritten."""
    vault = make(NOTES, **settings)
    at = 0
    while b"Z" not in b"".join((vault.root / name).read_bytes() for name in ("B.md", "x/C.md", "y/D.md")):
        at += 1
        vault = make(NOTES, name=f"v{at}", **settings)
        with disturbed(monkeypatch, Calls(at, "killed after")), suppress(Killed):
            run(vault, **WRITES["move"])
    assert (vault.root / "y/D.md").read_bytes() == b"also [[A]]\n"
    return vault


def test_status_tells_that_a_killed_move_was_taken_back(
    tiny_vault: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = half_moved(tiny_vault, run, monkeypatch)
    found = report(vault)
    assert contents(vault) == {name: text for name, text in NOTES.items() if not name.startswith(".")}
    (row,) = found.recovered
    assert [row[name] for name in ("operation", "path", "new_path", "outcome")] == [
        *("move", "A.md", "other/deep/Z.md", "rolled back")
    ]
    (began, ended) = re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", str(row["reason"]))
    assert row["reason"] == f"move to 'other/deep/Z.md' of {began} was cut short; rolled back {ended}"
    assert found.problems == ()
    status = searcher_for(vault).status()
    assert status.recovered == found.recovered


def test_an_excluded_place_is_not_named_where_a_move_to_it_was_cut_short(
    tiny_vault: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = half_moved(tiny_vault, run, monkeypatch)
    (vault.root / ".obsidian").mkdir(exist_ok=True)
    (vault.root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["other/"]}')
    (row,) = report(vault).recovered
    assert (row["path"], row["new_path"]) == ("A.md", "an excluded note")
    assert "other" not in str(row["reason"])


def test_a_note_edited_after_the_crash_is_never_overwritten(
    tiny_vault: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = half_moved(tiny_vault, run, monkeypatch)
    (vault.root / "y/D.md").write_text("mine, about [[A]]\n")
    (vault.root / "other/deep/Z.md").write_text("alpha, edited\n")
    recover(vault)
    found = contents(vault)
    assert found["y/D.md"] == "mine, about [[A]]\n"
    assert found["other/deep/Z.md"] == "alpha, edited\n"
    assert (found["B.md"], found["x/C.md"]) == ("to [[Z]]\n", "to [[Z]] too\n")
    assert "A.md" not in found
    assert [path for path, _ in report(vault).problems] == ["other/deep/Z.md", "y/D.md"]


def test_where_writing_is_refused_the_open_write_is_told_and_nothing_is_changed(
    tiny_vault: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = half_moved(tiny_vault, run, monkeypatch)
    before = contents(vault)
    refusing = VaultClient(vault.root, vault.settings.model_copy(update={"writes": "refuse"}))
    refusing.scan()
    assert contents(vault) == before
    ((path, problem),) = report(refusing).problems
    assert path == "A.md"
    assert "the setting 'writes' is 'refuse'" in problem


def test_a_living_writer_is_left_alone(
    tiny_vault: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = half_moved(tiny_vault, run, monkeypatch)
    before = contents(vault)
    with Journal(vault).locked():
        recover(vault)
        assert contents(vault) == before
    recover(vault)
    assert contents(vault) != before


def test_a_folder_that_cannot_be_flushed_is_a_notice_on_a_write_that_is_done(
    tiny_vault: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tiny_vault(NOTES)
    flush = os.fsync

    def unable(descriptor: int) -> None:
        inside = Path(f"/proc/self/fd/{descriptor}").readlink().is_relative_to(vault.root)
        if inside and stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        flush(descriptor)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", unable)
        answer = run(vault, **WRITES["move"])
    assert answer.startswith("Done: move 'A.md' to 'other/deep/Z.md'.")
    assert "('B.md': the disk did not confirm it (Invalid argument)" in answer
    assert contents(vault)["B.md"] == "to [[Z]]\n"
    assert run(vault, "undo").startswith("Done: ")
    assert contents(vault)["B.md"] == "to [[A]]\n"


@pytest.mark.parametrize("how", ["killed before", "killed after"])
def test_a_move_that_rewrites_the_notes_own_links_leaves_no_copy_wherever_it_is_killed(
    tiny_vault: MakeVault, run: Operate, monkeypatch: pytest.MonkeyPatch, own_environment: Path, how: str
) -> None:
    before = {"A.md": "alpha [b](./B.md)\n", "B.md": "to [[A]]\n"}
    after = {"other/Z.md": "alpha [b](B.md)\n", "B.md": "to [[Z]]\n"}
    at, seen = 0, []
    while True:
        at += 1
        vault = tiny_vault(dict(before), name=f"{how} {at}")
        with disturbed(monkeypatch, Calls(at, how)) as calls, suppress(Killed):
            assert run(vault, "move", path="A", new_path="other/Z").startswith("Done: ")
        recover(vault)
        seen.append(contents(vault))
        assert seen[-1] in (before, after), at
        assert not list(vault.root.rglob(".vault-assistant-*"))
        if is_over(calls):
            break
    assert seen[-1] == after
    assert before in seen
    assert at > 20


def test_a_program_that_has_the_note_open_for_appending_loses_nothing(
    tiny_vault: MakeVault, run: Operate, own_environment: Path
) -> None:
    vault = tiny_vault(NOTES)
    with (vault.root / "A.md").open("a") as editor:
        assert run(vault, "append", path="A", content="ours").startswith("Done: ")
        recover(vault)
        editor.write("late\n")
    recover(vault)
    found = contents(vault)
    assert found["A.md"] == "alpha [[B]]\n\nours\n"
    (copy,) = [path for path in found if "late edit" in path]
    assert found[copy] == "alpha [[B]]\nlate\n"
    assert litter(vault, own_environment / "state") == []
    ((path, problem),) = report(vault).problems
    assert (path, "compare the two" in problem) == (copy, True)


def test_a_copy_in_the_trash_stays_while_a_program_may_still_save_to_it(
    tiny_vault: MakeVault, run: Operate
) -> None:
    vault = tiny_vault({**NOTES, ".obsidian/app.json": '{"trashOption": "local"}'})
    with (vault.root / "A.md").open("a") as editor:
        assert run(vault, "delete", path="A").startswith("Done: ")
        assert run(vault, "undo").startswith("Done: ")
        editor.write("late\n")
    found = contents(vault)
    assert found["A.md"] == "alpha [[B]]\n"
    assert found[".trash/A.md"] == "alpha [[B]]\nlate\n"


def test_attributes_and_times_come_back_with_undo_and_are_noticed(
    tiny_vault: MakeVault, run: Operate
) -> None:
    vault = tiny_vault(NOTES)
    file = vault.root / "x/C.md"
    for note in vault.root.rglob("*.md"):
        os.utime(note, ns=(10**18, 10**18))
    try:
        os.setxattr(file, "user.colour", b"green")
    except OSError as error:
        pytest.skip(f"no extended attributes here: {error}")
    file.chmod(0o640)
    searcher = searcher_for(vault)
    searcher.update()
    for write in ("append", "delete", "delete for good"):
        run(vault, **WRITES[write])
        if write == "append":
            assert os.getxattr(file, "user.colour") == b"green"
        searcher.update()
        assert run(vault, "undo").startswith("Done: ")
        assert os.getxattr(file, "user.colour") == b"green"
        assert (file.stat().st_mtime_ns, file.stat().st_mode & 0o777) == (10**18, 0o640)
        assert searcher.update().written == 1
