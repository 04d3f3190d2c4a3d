"""Scopes as people and models write them."""

import pytest

from app.errors import BadRequestError, PathError
from app.search.query.filters import parse_scope
from app.tests.conftest import MakeVault
from app.tests.engines import QUICK_ENGINES
from app.tests.search.conftest import Find, paths

NOTES = [
    "changelog.md", "tasks.md", "Projects/Serre/state.md", "Projects/Serre/bucket/devis.md",
    "Projects/Serre/bucket/2025/été.md", "Projects/Potager/state.md", "C# notes.md", "a[1].md", "Île déserte.md",
]  # fmt: skip
KEYS = {path.casefold() for path in NOTES}
FOLDERS = {
    "projects",
    "projects/serre",
    "projects/serre/bucket",
    "projects/serre/bucket/2025",
    "projects/potager",
}


SERRE = [path for path in NOTES if path.startswith("Projects/Serre/")]


SCOPES: list[tuple[str, list[str]]] = [
    ("Projects/*/state.md", ["Projects/Serre/state.md", "Projects/Potager/state.md"]),
    ("vault/projects/*/state.md", ["Projects/Serre/state.md", "Projects/Potager/state.md"]),
    ("Projects/Serre/*", SERRE),
    ("Projects/Serre/", SERRE),
    ("./Projects/Serre", SERRE),
    ("project:serre", SERRE),
    ("Projects/Serre/*.md", ["Projects/Serre/state.md"]),
    ("**/été.md", ["Projects/Serre/bucket/2025/été.md"]),
    ("**/*.md", NOTES),
    ("*o*e*s/*e*e/s*a*e.md", ["Projects/Serre/state.md"]),
    ("[a||b&&c~~d--t]*.md", ["changelog.md", "tasks.md", "C# notes.md", "a[1].md"]),
    ("*", [path for path in NOTES if "/" not in path]),
    ("**", NOTES),
    ("{tasks,changelog}.md", ["changelog.md", "tasks.md"]),
    ("[!ct]*.md", ["a[1].md", "Île déserte.md"]),
    ("a[1].md", ["a[1].md"]),
    ("C# notes", ["C# notes.md"]),
    ("I\u0302le de\u0301serte.md", ["Île déserte.md"]),
    ("absent.md", []),
]


@pytest.mark.parametrize("every_engine", QUICK_ENGINES, indirect=True)
def test_a_search_keeps_to_its_scopes(every_engine: str, tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(dict.fromkeys(NOTES, "larch\n"))
    for scope, expected in SCOPES:
        for operation in ("combined", "fulltext", "fast"):
            words = {} if operation == "combined" else {"query": "larch"}
            found = set(paths(find(vault, operation, scopes=[scope], **words)))
            assert found == set(expected), (operation, scope)


def test_the_last_hash_names_a_heading_unless_a_note_has_the_whole_as_its_name() -> None:
    scopes = ("C# notes", "changelog.md#2025-07", "C# notes#Été")
    plain, headed, both = (parse_scope(scope, KEYS, FOLDERS) for scope in scopes)
    assert (plain.heading, headed.heading, both.heading) == ("", "2025-07", "été")
    assert headed.matches("changelog.md")
    assert headed.covers("2025-07-14")
    assert not headed.covers("Le 2025-07-14")
    assert both.matches("c# notes.md")
    assert both.covers("E\u0301TÉ dernier")


@pytest.mark.parametrize("glob", ["notes/[abc.md", "notes/{a,b.md", "x[z-a].md"])
def test_a_malformed_glob_is_an_error_that_names_it(glob: str) -> None:
    with pytest.raises(BadRequestError, match="malformed glob") as caught:
        parse_scope(glob, KEYS, FOLDERS)
    assert glob in caught.value.message


@pytest.mark.parametrize(("glob", "message"), [("{a,b}" * 7, "choices"), ("**/a/" * 5 + "b", "'[*][*]'")])
def test_a_glob_that_stands_for_too_much_is_an_error(glob: str, message: str) -> None:
    with pytest.raises(BadRequestError, match=message):
        parse_scope(glob, KEYS, FOLDERS)


def test_a_scope_out_of_the_vault_is_refused() -> None:
    with pytest.raises(PathError, match="leads out of the vault"):
        parse_scope("../other/*", KEYS, FOLDERS)
