"""Properties set and tasks ticked: by the vault's types and plugins, with every other byte as it was."""

from datetime import date

import pytest

from app.library.definitions import DEFINITIONS, WRITES
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate, contents

TYPES = '{"types": {"due": "date", "done": "checkbox", "effort": "number", "at": "datetime", "code": "text"}}'
BLOCK = "b: 'x'   # why\ntags:\n  - a # c\n  - d # e\n# f\naliases: [p,  q]   # z\nempty:\nfar: # g\n"
NOTE = f"---\n{BLOCK}---\nBody\n"
TASKS = "# T\n- [ ] mend the pane 📅 2026-01-02 ^p\n> 1. [/] call Ana's\n- [x] call Bob\n- [ ] water 🔁 every day\n"


@pytest.mark.parametrize(
    ("asked", "old", "new"),
    [
        ("tags+=c", "  - d # e\n", "  - d # e\n  - c\n"),
        ("tags-=#A", "  - a # c\n", ""),
        ("tags-=d", "  - d # e\n", ""),
        ("Tags=d", "  - a # c\n", ""),
        ("tags=x,y", "  - a # c\n  - d", "  - x\n  - y"),
        ("aliases+=r, s", "[p,  q]", '[p,  q, "r, s"]'),
        ("aliases-=p", "[p,  q]", "[q]"),
        ("b=[[Note]]", "'x'", '"[[Note]]"'),
        ("b=null\nb = y", "'x'", "y"),
        ("empty=3.5", "empty:", "empty: 3.5"),
        ("far=away", "far: #", "far: away #"),
        ("due=2026-12-01", "far: # g\n", "far: # g\ndue: 2026-12-01\n"),
        ("code=7", "far: # g\n", 'far: # g\ncode: "7"\n'),
        ("a: b=true", "far: # g\n", 'far: # g\n"a: b": true\n'),
        ("people+=Ana", "far: # g\n", "far: # g\npeople:\n  - Ana\n"),
    ],
)
def test_set_changes_one_value_alone(
    tiny_vault: MakeVault, run: Operate, asked: str, old: str, new: str
) -> None:
    for ended in ("\n", "\r\n"):
        before, after = (text.replace("\n", ended) for text in (NOTE, NOTE.replace(old, new)))
        vault = tiny_vault({".obsidian/types.json": TYPES, "A.md": before}, name=f"v{len(ended)}")
        assert run(vault, "set", path="A", content=asked).startswith("Done: set properties of 'A.md'.")
        assert contents(vault)["A.md"] == after
        assert run(vault, "set", path="A", content=asked).startswith("Nothing to do") or "null" in asked
        run(vault, "undo")
        assert contents(vault)["A.md"] == before


@pytest.mark.parametrize(
    ("note", "asked", "after"),
    [
        ("Body\n", "tags+=a", "---\ntags:\n  - a\n---\nBody\n"),
        ("---\ntags: a, b\n---\n", "tags+=c", "---\ntags:\n  - a\n  - b\n  - c\n---\n"),
        ("---\ntags: [a]\n---\n", "tags-=a", "---\ntags: []\n---\n"),
        ("---\nz: |\n  q\n---\n", "z=1", "---\nz: 1\n---\n"),
        (NOTE, "status", "'status' sets no property"),
        (NOTE, "due=soon", "'due' is of the type date in this vault, and 'soon' is not. for example due=2026-11-28"),
        (NOTE, "done=yes", "'done' is of the type checkbox"),
        (NOTE, "effort=big", "'effort' is of the type number"),
        (NOTE, "at=2026-01-02", "'at' is of the type datetime"),
        (NOTE, "tags+=no tag", "'tags' is of the type tags"),
        ("---\na: &x [1]\nb: *x\n---\n", "b=3", "the property 'b' of 'A.md' cannot be changed safely"),
        ("---\na: [\n---\n", "b=3", "the property 'b' of 'A.md' cannot be changed safely"),
    ],
)  # fmt: skip
def test_what_a_property_becomes_or_why_not(
    tiny_vault: MakeVault, run: Operate, note: str, asked: str, after: str
) -> None:
    vault = tiny_vault({".obsidian/types.json": TYPES, "A.md": note})
    said = run(vault, "set", path="A", content=asked)
    if said.startswith("Error"):
        assert after in said
        after = note
    assert contents(vault)["A.md"] == after


@pytest.mark.parametrize(
    ("given", "plugin", "old", "new"),
    [
        ({"content": "Mend"}, None, "[ ] mend", "[x] mend"),
        ({"lines": "3"}, None, "[/] call", "[x] call"),
        ({"content": "- [ ] mend  the pane"}, "{}", "[ ] mend the pane 📅 2026-01-02",
         "[x] mend the pane 📅 2026-01-02 ✅ TODAY"),
        ({"content": "call"}, '{"taskFormat": "dataview"}', "[/] call Ana's", "[x] call Ana's  [completion:: TODAY]"),
        ({"content": "ana"}, '{"setDoneDate": false}', "[/] call", "[x] call"),
        ({"content": "ana’s"}, '{"globalFilter": "#task"}', "[/] call", "[x] call"),
        ({"content": "water"}, None, "[ ] water", "[x] water"),
        ({"content": "water"}, "{}", "would do more than tick", ""),
        ({"content": "milk"}, None, "0 tasks of 'A.md' are meant. name one by its line: 2: mend the pane", ""),
        ({"content": "e"}, None, "2 tasks of 'A.md' are meant", ""),
        ({}, None, "0 tasks of 'A.md' are meant", ""),
        ({"content": "Bob"}, None, "Nothing to do", ""),
    ],
)  # fmt: skip
def test_tick_writes_the_day_where_the_plugin_does(
    tiny_vault: MakeVault, run: Operate, given: dict[str, str], plugin: str | None, old: str, new: str
) -> None:
    files = {"A.md": TASKS}
    if plugin:
        files[".obsidian/community-plugins.json"] = '["obsidian-tasks-plugin"]'
        files[".obsidian/plugins/obsidian-tasks-plugin/data.json"] = plugin
    vault = tiny_vault(files)
    said = run(vault, "tick", path="A", **given)
    assert ("Done: tick a task of 'A.md'." if new else old) in said
    new = new.replace("TODAY", date.today().isoformat())
    assert contents(vault)["A.md"] == (TASKS.replace(old, new) if new else TASKS)


def test_both_are_asked_about_and_conditional(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({"A.md": TASKS})
    assert {"set", "tick"} <= set(WRITES)
    assert "tick" in DEFINITIONS["write"].about
    for operation, content in (("set", "a=1"), ("tick", "mend")):
        given = {"path": "A", "content": content}
        assert "changed since it was read" in run(vault, operation, **given, expected_hash="0")
        assert "declined" in run(vault, operation, **given, writes="ask", approve=lambda _: False)
        assert contents(vault)["A.md"] == TASKS
