"""A heading or a block renamed: every link to it is rewritten, every other byte stays, one undo takes it back."""

import pytest

from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents

NOTE = "# Plan\n\n## Old: tasks\n\n### Sub\n\n- one ^id\n- two ^other\n\n[[#Old tasks]] [[#^id]] [x](#Old%20tasks)\n"
LINKS = (
    '---\nup: "[[Plan#Old tasks|Up]]"\n---\n[[Plan#old tasks]] [[ Plan#Plan#Old tasks#Sub]] [[plan#Sub]] `[[Plan#Old tasks]]`\n'
    "[a](../Plan.md#Old%20tasks) ![b](<../Plan.md#Old tasks> \"t\") [[Other#Old tasks]] [[Plan#Older]] ![[Plan#^ID|x]]\n"
    "| [[Plan#Old tasks\\|c]] |\n| --- |\n"
)  # fmt: skip
FILES = {
    "Plan.md": NOTE,
    "x/Links.md": LINKS,
    "Other.md": "# Old tasks\n",
    "p/Secret.md": "[[Plan#Old tasks]]\n",
}
EXCLUDED = {".obsidian/app.json": '{"userIgnoreFilters": ["p/"]}'}


@pytest.mark.parametrize(
    ("given", "inside", "linked"),
    [
        (
            {"heading": "Old: tasks", "new_path": "New | work (1)"},
            [("Old: tasks", "New | work (1)"), ("#Old tasks", "#New work (1)"), ("#Old%20tasks", "#New%20work%20(1)")],
            [("[[Plan#Old tasks", "[[Plan#New work (1)"), ("[[Plan#old tasks", "[[Plan#New work (1)"),
             ("Plan#Plan#Old tasks", "Plan#Plan#New work (1)"), ("md#Old%20tasks", "md#New%20work%20(1)"),
             ("md#Old tasks", "md#New work (1)")],
        ),
        ({"block": "^id", "new_path": "Plan#^b-2"}, [("^id", "^b-2")], [("^ID", "^b-2")]),
        ({"heading": "Plan", "new_path": "#All"}, [("# Plan", "# All")], [("Plan#Plan#", "Plan#All#")]),
    ],
)  # fmt: skip
def test_every_link_to_it_is_rewritten(
    tiny_vault: MakeVault, run: Operate, given: dict[str, str], inside: list[tuple[str, str]],
    linked: list[tuple[str, str]],
) -> None:  # fmt: skip
    vault = tiny_vault({**FILES, **EXCLUDED})
    said = run(vault, "move", path="Plan", **given)
    assert said.startswith("Done: rename '")
    assert "Secret" not in said
    note, links, code = NOTE, LINKS.split("`")[0], LINKS.split("`")
    for old, new in inside:
        note = note.replace(old, new)
    for old, new in linked:
        links, code[2] = links.replace(old, new), code[2].replace(old, new)
    after = contents(vault)
    assert after["Plan.md"] == note
    assert after["x/Links.md"] == f"{links}`{code[1]}`{code[2]}"
    assert after["Other.md"] == FILES["Other.md"]
    assert ("New" in after["p/Secret.md"]) == ("heading" in given and given["heading"] != "Plan")
    run(vault, "undo")
    assert contents(vault) == FILES


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"heading": "None", "new_path": "X"}, "no heading 'None' in 'Plan.md'"),
        ({"heading": "Sub", "new_path": "Other#X"}, "no heading can be called 'Other#X'"),
        ({"heading": "Sub", "new_path": "#"}, "no heading can be called ''"),
        ({"heading": "Sub", "new_path": "Old tasks"}, "would not lead to 'Old tasks'"),
        ({"block": "id", "new_path": "other"}, "no block can be called '^other'"),
        ({"block": "id", "new_path": "a b"}, "no block can be called '^a b'"),
        ({"heading": "Sub", "new_path": "X", "expected_hash": "0"}, "changed since it was read"),
    ],
)
def test_what_would_change_what_a_link_means_is_refused(
    tiny_vault: MakeVault, run: Operate, given: dict[str, str], message: str
) -> None:
    vault = tiny_vault(FILES)
    assert message in run(vault, "move", path="Plan", **given)
    assert contents(vault) == FILES
