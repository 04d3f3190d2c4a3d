"""Apostrophes, hyphens and points of one kind find and show those of another, wherever text is compared."""

import pytest

from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find

NOTES = {
    "visit.md": "# Visite de l’atelier\n\nNous allons à l’atelier.\n\n- [ ] nettoyer l’atelier\n",
    "L’atelier du soir.md": "---\nlieu: l’atelier\n---\nrien ici\n",
    "sea.md": "Un week‑end au bord de l'eau, peut‐être. [[L’atelier du soir]]\n",
    "he.md": "טקסט עם נִקּוּד\nכאן שָׁלוֹם עולם\n",
    "ar.md": "كتاب\nقال السَّلامُ عليكم\n",
    "ru.md": "Лес.\nБе́лка живёт в лесу.\n",
    "code.md": "Of tickets.\nTicket GRD-0054 is open.\n",
}


def found(
    find: Find, vault: object, query: str, operation: str = "fulltext", **more: object
) -> dict[str, str]:
    results = find(vault, operation, query=query, **more).results
    return {result.path: str(result.lines) for result in results}


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("l'atelier", {"visit.md", "L’atelier du soir.md", "sea.md"}),
        ("match-case:l'atelier", {"visit.md", "L’atelier du soir.md"}),
        ("file:l'atelier", {"L’atelier du soir.md"}),
        ('links-to:"L\'atelier du soir"', {"sea.md"}),
        ('[lieu:"l\'atelier"]', {"L’atelier du soir.md"}),
    ],
)
def test_an_apostrophe_finds_another(query: str, paths: set[str], tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(NOTES)
    assert found(find, vault, query).keys() == found(find, vault, query.replace("'", "’")).keys() == paths


@pytest.mark.parametrize(
    ("query", "path", "line"),
    [
        ("line:peut-être", "sea.md", 1),
        ("line:שלום", "he.md", 2),
        ("line:Белка", "ru.md", 2),
        ("grd0054", "code.md", 2),
    ],
)
def test_hyphens_and_points_fit(query: str, path: str, line: int, tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(NOTES)
    assert found(find, vault, query) == {path: str(line)}
    ranked = find(vault, "fast", query=query).results
    assert ranked[0].path == path
    assert f"{line} | " in ranked[0].excerpt


def test_scopes_and_headings_are_met_by_other_signs(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault(NOTES)
    assert found(find, vault, "rien", "fast", scopes=["L'atelier du soir"]).keys() == {"L’atelier du soir.md"}
    assert found(find, vault, "atelier", "fast", scopes=["visit.md#Visite de l'atelier"]).keys() == {
        "visit.md"
    }
