"""Every command in French, on success and on bad input, in a vault that has no English: no word of it is left."""

import io
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import COMMANDS
from app.tests.cli.conftest import Run

NOTES = {
    "Accueil.md": "# Accueil\n\nVoir [[Serre]] et [[Jardin/Poireaux]], et [[Absente]].\n",
    "Serre.md": (
        "---\ntags: [maison, travaux]\nstatut: en cours\naliases: [Verrière]\n---\n# Serre\n\n## Chauffage\n\n"
        "Le poêle chauffe la serre en hiver, le budget est de 400 euros.\n\n- [ ] ramoner le conduit\n"
        "- [x] acheter du bois\n"
    ),
    "Jardin/Poireaux.md": "---\ncreated: 2025-03-02\n---\n# Poireaux\n\nSemer au printemps, arroser. #potager\n",
    "Journal/2025-07-14.md": "# 2025-07-14\n\nBal et feu d'artifice. ^fin\n",
    "Caché/Secret.md": "Rien à voir.\n",
    "Vide.md": "",
    ".obsidian/app.json": '{"userIgnoreFilters": ["Caché/"], "newFileLocation": "ailleurs"}',
}
ENGLISH = re.compile(
    r"(?<![\w./=-])(?:the|of|is|are|was|were|not|and|with|from|this|that|it|its|has|have|there|which|nothing|"
    r"does|cannot|must|give|name|by|on|in|at|for|here|found|unknown|missing|written|after|before)(?![\w/=-])",
    re.IGNORECASE,
)
OWN = re.compile(
    # Commands, operations, fields and options are what they are called: `on`, `name`, `missing`.
    r"vault-assistant (?:mv)|--(?:in|on)\b|: count, name|count ou name|^missing\t|« name »|« on »|: on, tasks"
)
ASKED = [
    "find poêle", "find poêle --explain", "find zanzibar", "find poêle --notes", "find poêle --limit 1",
    "find --deep zanzibar", "find [prix:3] poêle", "find poêle --since 2031", "find poêle --in Nulle",
    "find poêle --mode taille", "find poêle --limit 900", "find poêle --since jamais", "find",
    "find by_tag", "find by_link Nulle", "find keyword poêle", "find line:(", "find poêle --index autre",
    "find 'le poêle' /[a/", "find poêle --max-tokens 110", "find --why Serre poêle", "find --why Serre zanzibar",
    "find --why Nulle poêle", "find --why Serre poêle --tag potager", "find --why Caché/Secret rien",
    "find --why Poireaux semer --in Journal", "find --why Serre poële",
    "list --tag maison", "list --tag nulle", "list tags", "list properties", "list properties nulle",
    "list --links Accueil", "list --on 2025-07-14", "list --on jamais", "list", "list rien", "list tasks",
    "list tasks --on hier", "list recent", "list orphans", "list --related Serre", "links", "on",
    "cat Serre", "cat Nulle", "cat ./", "cat Serre#Toit", "cat Serre#^toit", "cat Verrière",
    "edit Nulle", "edit --obsidian Serre", "new Serre", "new Neuve", "new .md", "new Autre --template Nul",
    "daily hier", "daily jamais", "mv Serre", "mv Serre Orangerie", "mv Serre Poireaux --yes", "mv Serre ../x",
    "mv Serre Orangerie --yes", "rm Nulle", "rm Orangerie", "rm Orangerie --yes", "undo --yes", "undo --list",
    "replace --tag 'a b' c", "replace --tag maison logis --dry-run", "replace poêle poile", "replace nul rien",
    "replace '' x", "replace poêle poile --yes", "undo --yes", "status", "status Orangerie", "status Caché/Secret",
    "status Nulle", "status --sent", "status --sent x", "index", "index trop", "search --top 0 poêle",
    "setup skill --agents", "setup install autre", "setup install codex", "setup rien",
    "setup model", "setup model nul", "setup trust", "setup trust --revoke",
    "setup completion autre", "setup", "mcp trop", "mcp --http --port 999999", "mcp --tools voler",
    "serve --port 999999", "ask 'que chauffe le poêle ?'", "ask", "ask --model nul:x q", "ask 'où est la girafe ?'",
    "chat --foo", "recette", "--foo", "--lang xx", "--color x", "--config nul status", "status --vault nul",
]  # fmt: skip


@pytest.fixture
def coffre(tiny_vault: Callable[..., Any]) -> Path:
    root: Path = tiny_vault(NOTES, name="coffre").root
    return root


def left_in_english(text: str) -> list[str]:
    """Lines that have a word of English outside of what a person or note wrote."""
    return [line for line in text.splitlines() if ENGLISH.search(OWN.sub("", line))]


FOR_AGENTS = re.compile(r"search|setup skill|find (?:fast|by_\w+|scoped|keyword)|.*--explain")
"""What agents and programs read: in a pipe it is English, and the document of `search` always."""


def test_no_word_of_english_is_left_in_a_pipe(
    run: Run, coffre: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {line.split()[0] for line in ASKED} >= set(COMMANDS) - {"chat"}
    monkeypatch.chdir(coffre)
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    left = {}
    for line in ASKED:
        done = run(*shlex.split(line))
        said = done.err if FOR_AGENTS.match(line) else done.out + done.err
        if found := left_in_english(said):
            left[line] = found
    assert left == {}
