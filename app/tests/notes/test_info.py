"""Info: what a note is and what it hangs together with."""

import os

from app.tests.conftest import MakeVault
from app.tests.notes.conftest import Operate


def test_a_note_is_described(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault(
        {
            "a/Plan.md": (
                "---\ntags: [x]\naliases: [The plan]\ncreated: 2025-01-02\n---\n# Plan A\n\n"
                "[[B]] [[Missing]] [[Plan]] [[D]] #y ^b1\n\n- [ ] open\n- [x] done\n"
            ),
            "B.md": "[[Plan]]",
            "C.md": "Plan",
            "private/D.md": "[[plan]]",
            ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
        }
    )
    os.utime(vault.root / "a/Plan.md", (0, 1_000_000_000))
    answer = run(vault, "info", path="Plan")
    modified = "modified 2001-09-"
    assert modified in answer
    lines = dict(line.split(": ", 1) for line in answer.splitlines()[1:])
    assert answer.splitlines()[0] == "'a/Plan.md'"
    assert lines.pop("dates").startswith("created 2025-01-02 (by property), " + modified)
    assert lines == {
        "title": "Plan",
        "first heading": "Plan A",
        "aliases": "The plan",
        "tags": "#x, #y",
        "properties": "tags, aliases, created",
        "size": f"{len(vault.read_bytes('a/Plan'))} bytes, 11 lines; hash {vault.read('a/Plan').hash}",
        "headings": "Plan A (line 6)",
        "tasks": "2, 1 open",
        "blocks": "^b1 (line 8)",
        "links to": "B.md",
        "unresolved links": "Missing, D",
        "links from": "B.md",
    }


def test_a_link_whose_target_is_encoded_leads_from_its_note(tiny_vault: MakeVault, run: Operate) -> None:
    vault = tiny_vault({"My Note.md": "", "A.md": "see [there](My%20Note.md)", "B.md": "[x](My&#32;Note.md)"})
    assert "links from: A.md" in run(vault, "info", path="My Note")
    assert "with links to it ('A.md'" in run(vault, "delete", path="My Note")
