"""by_link: backlinks and forward links, with their lines."""

from typing import Any

import pytest

from app.errors import BadRequestError, NoteNotFoundError
from app.tests.conftest import MakeVault
from app.tests.engines import on_every_engine
from app.tests.search.conftest import Find, paths

pytestmark = on_every_engine

NOTES = {
    "A.md": '---\nup: "[[B]]"\nupdated: 2025-01-01\n---\n\nvoir [[C|le C]] et [[Absent]] et ![[p.png]]\nencore [c](C.md)\n',
    "B.md": "---\nupdated: 2025-01-02\n---\n[[A]]\n",
    "C.md": "---\nupdated: 2025-01-03\n---\n[[C#Ici]] soi-même\n\n[[d/D]]\n",
    "d/D.md": "---\nupdated: 2025-01-04\n---\nfin [[absent]]\n",
    "p.png": b"\x89PNG",
}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"note_path": "C"}, ["A.md"]),
        ({"note_path": "[[c|alias]]"}, ["A.md"]),
        ({"note_path": "vault/C"}, ["A.md"]),
        ({"note_path": "./C.md"}, ["A.md"]),
        ({"note_path": "p.png"}, ["A.md"]),
        ({"note_path": "Absent"}, ["d/D.md", "A.md"]),
        ({"note_path": "A", "direction": "forward"}, ["C.md", "B.md"]),
        ({"note_path": "C", "direction": "both"}, ["d/D.md", "A.md"]),
        ({"note_path": "C", "depth": 2}, ["A.md", "B.md"]),
        ({"note_path": "B", "direction": "forward", "depth": 3}, ["A.md", "C.md", "d/D.md"]),
    ],
    ids=str,
)
def test_links_are_followed(
    tiny_vault: MakeVault, find: Find, asked: dict[str, Any], found: list[str]
) -> None:
    assert paths(find(tiny_vault(NOTES), "by_link", **asked)) == found


def test_the_lines_of_links_files_and_missing_notes_are_told(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(NOTES)
    [result] = find(vault, "by_link", note_path="C").results
    assert result.excerpt == "6 | voir [[C|le C]] et [[Absent]] et ![[p.png]]\n7 | encore [c](C.md)"
    forward = find(vault, "by_link", note_path="A.md", direction="forward")
    assert forward.notices == ["links to files: p.png", "unresolved links: Absent"]
    absent = find(vault, "by_link", note_path="Absent")
    assert absent.notices == ["the note 'Absent' does not exist; it is only linked to"]


def test_an_alias_is_a_hint_and_never_of_an_excluded_note(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {
            ".obsidian/app.json": '{"userIgnoreFilters": ["secret/"]}',
            "d.md": "---\naliases: [Le Livre de sel]\n---\n",
            "secret/s.md": "---\naliases: [Le Livre noir]\n---\n",
        }
    )
    with pytest.raises(NoteNotFoundError, match=r"no note at 'le livre de sel'\. did you mean 'd\.md'\?"):
        find(vault, "by_link", note_path="le livre de sel")
    with pytest.raises(NoteNotFoundError) as caught:
        find(vault, "by_link", note_path="Le Livre noir")
    assert "secret" not in str(caught.value)


def test_excluded_notes_are_counted_not_shown(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {
            ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
            "A.md": "[[S]]",
            "private/S.md": "[[A]] secret [[T]]",
            "T.md": "x",
        }
    )
    results = find(vault, "by_link", note_path="A")
    assert (paths(results), results.total) == ([], 0)
    assert results.notices[0] == "1 excluded note not shown"
    assert paths(find(vault, "by_link", note_path="A", direction="both", depth=3)) == []
    # The excluded note itself is answered like one that is only linked to.
    assert find(vault, "by_link", note_path="S", direction="forward").notices[0] == (
        "the note 'S' does not exist; it is only linked to"
    )
    # As [[S]] would lead to a note anywhere that is called so, one that does not exist is answered alike.
    for path in ("private/S", "elsewhere/S"):
        assert paths(find(vault, "by_link", note_path=path)) == ["A.md"]
    with pytest.raises(NoteNotFoundError, match=r"no note at 'private/U'"):
        find(vault, "by_link", note_path="private/U")


def test_a_private_note_is_never_named_nor_told_by_its_links(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(
        {
            ".obsidian/app.json": '{"userIgnoreFilters": ["secret/"]}',
            "a/Dup.md": "x",
            "secret/Dup.md": "[[Ghost]] [[Shared]]",
            "b/Twin.md": "x",
            "c/Twin.md": "x",
            "secret/Twin.md": "x",
            "d.md": "[[Shared]] [[Dup]]",
        }
    )
    assert paths(find(vault, "by_link", note_path="Dup")) == ["d.md"]
    with pytest.raises(BadRequestError) as twins:
        find(vault, "by_link", note_path="Twin")
    assert twins.value.hint == "give the path of one: b/Twin.md, c/Twin.md"
    with pytest.raises(NoteNotFoundError, match="no note at 'Ghost'"):
        find(vault, "by_link", note_path="Ghost")
    assert paths(find(vault, "by_link", note_path="Shared")) == ["d.md"]
    with pytest.raises(BadRequestError) as folder:
        find(vault, "fast", query="x", folder="secre")
    assert "secret" not in folder.value.hint


def test_excluded_files_are_not_named(tiny_vault: MakeVault, find: Find) -> None:
    app = '{"userIgnoreFilters": ["secret/"]}'
    vault = tiny_vault(
        {".obsidian/app.json": app, "a.md": "![[s.png]] ![[p.png]]", "secret/s.png": b"x", "p.png": b"x"}
    )
    results = find(vault, "by_link", note_path="a", direction="forward")
    assert results.notices[0] == "links to files: p.png"
