"""A tag by another name, a text by another text: in many notes, as one change."""

from collections.abc import Callable

import pytest

from app.errors import BadRequestError, ConflictError, PathError, WriteError
from app.markdown.parse import parse_note
from app.notes.apply import carry_out
from app.notes.everywhere import rename_tag, replace_text
from app.notes.models import Plan
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient


def renamed(vault: VaultClient, old: str, new: str) -> dict[str, str]:
    """What notes hold after a tag was renamed, those that change."""
    found = rename_tag(vault, old, new)
    return {} if found is None else {one.path: (one.after or b"").decode() for one in found.changes}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A #boat and #Boat/keel, #boats.\n", "A #ship and #ship/keel, #boats.\n"),
        ("**#boat**, (#boat) _#boat_ #boat_\n", "**#ship**, (#boat) _#ship_ #boat_\n"),
        ("`#boat` [[x#boat]] [a](b#boat) <!-- #boat --> $#boat$ #boat\n", "`#boat` [[x#boat]] [a](b#boat) <!-- #boat --> $#boat$ #ship\n"),
        ("```\n#boat\n```\n\n    #boat\n\n> - [ ] #boat\n", "```\n#boat\n```\n\n    #boat\n\n> - [ ] #ship\n"),
        ("---\ntags: [boat, \"Boat/keel\", other]\nboat: boat # boat\n---\n", "---\ntags: [ship, \"ship/keel\", other]\nboat: boat # boat\n---\n"),
        ("---\nTags:\n  - boat   # the boat\n  - 'boat/a'\n  - boats\n---\n#x\n", "---\nTags:\n  - ship   # the boat\n  - 'ship/a'\n  - boats\n---\n#x\n"),
        ("\ufeff---\ntags:\n- boat\n---\né #boat", "\ufeff---\ntags:\n- ship\n---\né #ship"),
    ],
)  # fmt: skip
def test_a_tag_is_renamed_where_obsidian_reads_one(tiny_vault: MakeVault, before: str, after: str) -> None:
    vault = tiny_vault({"a.md": ""})
    (vault.root / "a.md").write_bytes(before.encode())
    assert renamed(vault, "#boat", "ship") == {"a.md": after}
    assert "boat" not in {tag.split("/")[0].lower() for tag in parse_note(after).tags}


def test_the_tags_below_it_go_along(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"a.md": "#boat #boat/keel #boat/keel/oak"})
    assert renamed(vault, "boat", "Boat") == {"a.md": "#Boat #Boat/keel #Boat/keel/oak"}
    assert renamed(vault, "BOAT/Keel", "wood") == {"a.md": "#boat #wood #wood/oak"}


def test_a_tag_that_cannot_be_changed_safely_stops_all(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"a.md": "#boat\n", "b.md": '---\ntags: ["bo\\u0061t"]\n---\nboat\n'})
    with pytest.raises(
        WriteError, match=r"#boat in 'b\.md' is written in a way that cannot be changed safely"
    ):
        rename_tag(vault, "boat", "ship")
    # What cannot be read as properties has no tags there.
    (vault.root / "b.md").write_text("---\ntags: [boat\n---\n#boat\n")
    assert renamed(vault, "boat", "ship")["b.md"] == "---\ntags: [boat\n---\n#ship\n"


def test_what_merges_and_what_is_left_is_said(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(
        {
            ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
            "a.md": "#boat #ship",
            "private/b.md": "#boat",
        }
    )
    found = rename_tag(vault, "boat", "ship")
    assert found is not None
    assert [change.path for change in found.changes] == ["a.md"]
    assert list(found.notices) == [
        "#ship is there already: in 1 note nothing will tell the two apart",
        "excluded notes are neither read nor changed",
    ]
    (vault.root / ".obsidian/app.json").write_text("{broken")
    with pytest.raises(PathError, match="what the vault's settings exclude is not known"):
        rename_tag(VaultClient(vault.root), "boat", "ship")


def test_a_text_is_replaced_wherever_it_stands(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(
        {
            "a.md": "colour `colour` (Colour)\n",
            "x/b.md": "---\ncolour: [red]\n---\n",
            "x/c.md": "none",
            "y/d.md": "colour",
        }
    )
    everywhere = replace_text(vault, "colour", "color")
    assert everywhere is not None
    assert everywhere.summary == "replace 'colour' by 'color', 4 times in 3 notes"
    assert {one.path: one.after for one in everywhere.changes} == {
        "a.md": b"color `color` (Colour)\n", "x/b.md": b"---\ncolor: [red]\n---\n", "y/d.md": b"color",
    }  # fmt: skip
    inside = replace_text(vault, "COLOUR", r"\1", folder="X", ignores_case=True)
    assert inside is not None
    assert [one.after for one in inside.changes] == [b"---\n\\1: [red]\n---\n"]
    with pytest.raises(BadRequestError, match="unknown folder 'z'"):
        replace_text(vault, "colour", "color", folder="z")
    with pytest.raises(BadRequestError, match="is empty"):
        replace_text(vault, "", "color")


def test_lines_end_as_in_the_note_and_one_that_is_no_text_is_named(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"a.md": ""})
    (vault.root / "a.md").write_bytes(b"one\r\ntwo\r\n")
    found = replace_text(vault, "one\ntwo", "three\nfour")
    assert found is not None
    assert [one.after for one in found.changes] == [b"three\r\nfour\r\n"]
    (vault.root / "b.md").write_bytes(b"one #one \xff\r\n")
    left = replace_text(vault, "one", "three")
    assert left is not None
    assert {one.path: one.after for one in left.changes} == {"a.md": b"three\r\ntwo\r\n"}
    assert list(left.notices) == ["left as it is: 'b.md' is not valid UTF-8, and would be in two encodings"]
    with pytest.raises(WriteError, match=r"'b\.md' is not valid UTF-8"):
        rename_tag(vault, "one", "three")


def test_it_is_one_write_and_one_undo_and_all_or_nothing(tiny_vault: MakeVault) -> None:
    from app.journal.journal import Journal
    from app.notes.answer import planned

    vault = tiny_vault({f"{number}.md": f"#boat {number}" for number in range(30)})
    found = rename_tag(vault, "boat", "ship")
    assert found is not None
    (vault.root / "7.md").write_text("#boat changed")
    with pytest.raises(ConflictError, match=r"'7.md' changed meanwhile"):
        carry_out(vault, found, "t")
    assert (vault.root / "1.md").read_text() == "#boat 1"
    again = rename_tag(vault, "boat", "ship")
    assert again is not None
    carry_out(vault, again, "t")
    assert {(vault.root / f"{number}.md").read_text()[:5] for number in range(30)} == {"#ship"}
    assert [(entry.operation, len(entry.files)) for entry in Journal(vault).entries()] == [("retag", 30)]
    carry_out(vault, planned(vault, {"operation": "undo"}, trace_id="u"), "u")
    assert {(vault.root / f"{number}.md").read_text()[:5] for number in range(30)} == {"#boat"}


@pytest.mark.parametrize("work_out", [rename_tag, replace_text])
def test_a_note_that_cannot_be_read_is_said_to_be_left(
    tiny_vault: MakeVault, work_out: Callable[..., Plan | None]
) -> None:
    vault = tiny_vault({"A.md": "#boat\n", "Big.md": "#boat\n" * 1000}, max_note_bytes=4096)
    found = work_out(vault, "boat", "ship")
    assert found is not None
    [notice] = found.notices
    assert notice.startswith("'Big.md' could not be read, and is left as it is: ")
    assert notice.said("fr").startswith("« Big.md » n'a pas pu être lue, et reste telle quelle : ")
    assert [change.path for change in found.changes] == ["A.md"]


@pytest.mark.parametrize(
    ("old", "new"), [("boat", "2025"), ("a b", "x"), ("", "x"), ("boat", "a//b"), ("x", "#x")]
)
def test_what_is_no_tag_is_refused(tiny_vault: MakeVault, old: str, new: str) -> None:
    with pytest.raises(BadRequestError):
        rename_tag(tiny_vault({"a.md": "#boat"}), old, new)
