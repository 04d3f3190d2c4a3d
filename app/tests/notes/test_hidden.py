"""What goes wrong with an excluded note is said without its name, its text or what it links to."""

from pathlib import Path

import pytest

from app.errors import PathError
from app.notes.answer import operate, planned
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents
from app.vault.client import VaultClient
from app.vault.paths import nfc

PRIVATE = {".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}'}


@pytest.mark.parametrize(
    ("diary", "new_path"),
    [
        ("[[Old]] [[c/Old]]", "b#c/Old.md"),
        ('---\nup: "\\x5b[Old]]"\n---\n', "New"),
        ("[[Old]] [x](secret\\_\\_&amp;.md) [y](O\\ld.md)", "New"),
    ],
)
def test_a_move_that_an_excluded_note_stops_does_not_name_it(
    tiny_vault: MakeVault, run: Operate, diary: str, new_path: str
) -> None:
    notes = {"Old.md": "", "c/Old.md": "", "b#c/x.md": "", "private/secret__&.md": ""}
    vault = tiny_vault({**notes, "private/diary.md": diary, **PRIVATE})
    before = contents(vault)
    answer = run(vault, "move", path="Old", new_path=new_path)
    if answer.startswith("Error"):
        assert answer == (
            "Error: a link in an excluded note cannot be rewritten. "
            "choose another name for the note, or let a person change the link first"
        )
        assert contents(vault) == before
    assert "diary" not in answer
    assert "secret" not in answer


def test_a_link_that_would_need_an_excluded_notes_path_does_not_name_it(
    tiny_vault: MakeVault, run: Operate
) -> None:
    vault = tiny_vault({"a/N.md": "", "B.md": "[[M]]", "private/a#b/M.md": "", **PRIVATE})
    answer = run(vault, "move", path="a/N", new_path="M")
    assert answer.startswith("Error: an excluded note cannot be linked to from 'B.md', line 1")
    assert "private" not in answer


def test_an_excluded_note_that_changes_or_cannot_be_written_is_not_named(
    tiny_vault: MakeVault, run: Operate
) -> None:
    vault = tiny_vault({"Old.md": "", "private/diary.md": "[[Old]]", **PRIVATE})
    diary = vault.root / "private/diary.md"

    def change(_: object) -> bool:
        diary.write_text("[[Old]] more")
        return True

    def protect(_: object) -> bool:
        diary.chmod(0o444)
        return True

    answer = run(vault, "move", path="Old", new_path="New", writes="ask", approve=change)
    assert answer == "Error: an excluded note changed meanwhile. nothing was written"
    answer = run(vault, "move", path="Old", new_path="New", writes="ask", approve=protect)
    assert answer == "Error: an excluded note cannot be read or written. a person can look at it"
    assert contents(vault) == {"Old.md": "", "private/diary.md": "[[Old]] more"}


def _moved_twice(vault: VaultClient, between: str) -> str:
    for new_path, text in (("B", between), ("C", "")):
        operate(vault, {"operation": "move", "path": "B" if new_path == "C" else "A", "new_path": new_path},
                trace_id="t")  # fmt: skip
        if text:
            (vault.root / "private/diary.md").write_text(text)
    return operate(vault, {"operation": "undo", "content": "turn"}, trace_id="t")


def test_a_turn_that_cannot_be_taken_back_names_no_excluded_note(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "", "private/diary.md": "[[A]]", **PRIVATE})
    answer = _moved_twice(vault, "[[B]] and more")
    assert answer == "Error: an excluded note was changed between these writes. take them back one by one"


def test_a_write_to_what_is_excluded_by_now_is_not_named(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({"A.md": "", ".obsidian/x.json": ""})
    run(vault, "move", path="A", new_path="private/diary")
    Path(vault.root / ".obsidian/app.json").write_text(PRIVATE[".obsidian/app.json"])
    answer = run(vault, "undo")
    assert "diary" not in answer
    vault = tiny_vault({"private/plan.md": "x"}, name="other")
    run(vault, "append", path="plan", content="more")
    (vault.root / ".obsidian").mkdir()
    (vault.root / ".obsidian/app.json").write_text(PRIVATE[".obsidian/app.json"])
    assert run(vault, "undo") == "Error: no write that could be taken back"
    assert run(vault, "undo", path="plan") == "Error: no write to 'plan' that could be taken back"
    found = planned(vault, {"operation": "undo"}, trace_id="")
    assert found.summary.startswith("take back append 'private/plan.md'")


@pytest.mark.parametrize(
    ("link", "leads"),
    [
        ("link", "Private"),
        ("link", "Private/deep/er"),
        ("li\u0301nk", "Private"),
        ("a/link", "../Private"),
        ("link", "./open/../Private"),
        ("link/new.md", "../Private/new.md"),
    ],
)
def test_nothing_is_made_in_an_excluded_folder_through_a_link(
    tiny_vault: MakeVault, run: Operate, link: str, leads: str
) -> None:
    settings = {".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}'}
    vault = tiny_vault({"A.md": "text", "Private/x.md": "", "open/x.md": "", "a/x.md": "", **settings})
    file = vault.root / link
    file.parent.mkdir(exist_ok=True)
    file.symlink_to(leads)
    before = contents(vault)
    path = nfc(link.removesuffix("/new.md")) + "/new"
    for answer in (
        run(vault, "create", path=path, content="x"),
        run(vault, "create", path=path + "/er", content="x")
        if "new.md" not in link
        else "Error: no note can be made at ",
        run(vault, "move", path="A", new_path=path),
    ):
        assert answer.startswith("Error: no note can be made at ")
        assert "rivate" not in answer
    assert contents(vault) == before


def test_a_link_that_stays_in_the_open_is_a_folder_like_any_other(
    tiny_vault: MakeVault, run: Operate
) -> None:
    vault = tiny_vault({"open/x.md": "", **PRIVATE})
    (vault.root / "link").symlink_to("open/new")
    (vault.root / "hidden").symlink_to(".obsidian")
    assert run(vault, "create", path="link/er/A", content="x").startswith("Done: create 'link/er/A.md'")
    assert run(vault, "create", path="hidden/A").startswith("Error: '.obsidian/A.md' is hidden")
    assert contents(vault) == {"open/x.md": "", "open/new/er/A.md": "x"}


def test_what_is_said_of_an_excluded_note_is_true_for_whoever_asks(
    tiny_vault: MakeVault, run: Operate
) -> None:
    vault = tiny_vault({"private/x.md": "", **PRIVATE})
    assert run(vault, "update", path="x", content="a") == "Error: no note at 'x'"
    with pytest.raises(PathError, match="the vault's settings exclude 'x'") as refused:
        planned(vault, {"operation": "update", "path": "x", "content": "a"}, trace_id="")
    assert refused.value.hint == "it can be read, not changed"
    (vault.root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["/(/"]}')
    assert run(vault, "read", path="x") == (
        "Error: no note can be used, for what the vault's settings exclude is not known. "
        "a person can mend '.obsidian/app.json'; 'status' says what is wrong with it"
    )
