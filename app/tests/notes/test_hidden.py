"""What goes wrong with an excluded note is said without its name, its text or what it links to."""

from pathlib import Path

import pytest

from app.dependencies import VaultClient
from app.notes.answer import operate
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents

PRIVATE = {".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}'}


@pytest.mark.parametrize(
    ("diary", "new_path"),
    [
        ("[[Old]]", "b#c.md"),
        ('---\nup: "\\x5b[Old]]"\n---\n', "New"),
        ("[[Old]] [x](secret\\_\\_&amp;.md) [y](O\\ld.md)", "New"),
    ],
)
def test_a_move_that_an_excluded_note_stops_does_not_name_it(
    tiny_vault: MakeVault, run: Operate, diary: str, new_path: str
) -> None:
    vault = tiny_vault({"Old.md": "", "private/diary.md": diary, "private/secret__&.md": "", **PRIVATE})
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
    assert run(vault, "undo") == ("Error: that write was to an excluded note. only a person can take it back")
    assert run(vault, "undo", allow_excluded=True).startswith("Done: take back append 'private/plan.md'")
