"""Every command in French, on success and on bad input, in a vault that has no English: no word of it is left."""

import io
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import COMMANDS
from app.tests.cli.conftest import Run
from app.tests.cli.session import Session

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
    r"vault-assistant (?:mv)|--(?:in|on)\b|: count, name|count ou name|--sort name|^missing\t|« name »|« on »|: on, tasks"
)
ASKED = [
    "find poêle", "find poêle --explain", "find fast poêle", "find zanzibar", "find poêle --notes",
    "find poêle --limit 1", "find tag:#maison", "find --deep zanzibar", "find [prix:3] poêle",
    "find poêle --since 2031", "find poêle --in Nulle", "find poêle --sort taille", "find poêle --limit 900",
    "find poêle --limit x", "find poêle --since jamais", "find poêle --format {couleur}", "find",
    "find by_tag", "find by_link Nulle", "find scoped", "find keyword poêle", "find line:(",
    "find poêle --min-score 3", "find poêle --date-field x --since 2025", "find poêle --index autre",
    "find 'le poêle' /[a/", "find --offset 50 poêle", "find potager --in Jardin --tag maison",
    "find --why Serre poêle", "find --why Serre zanzibar", "find --why Nulle poêle", "find --why Serre poêle --tag potager",
    "find --why Caché/Secret rien", "find --why Serre poêle --min-score 0.99",
    "find --why Poireaux semer --in Journal", "find --why Serre poële",
    "list --tag maison", "list --tag nulle", "replace --tag a b", "replace --tag maison logis",
    "replace --tag 'a b' c", "replace --tag a b --in Jardin",
    "replace --tag maison logis --dry-run", "list tags", "list properties",
    "list properties statut", "list properties nulle", "list --links Accueil", "list --links Nulle", "links",
    "list --on 2025-07-14", "list --on jamais", "on", "list", "list rien", "list tasks --on hier",
    "list tasks", "list recent", "list --limit 1", "list --limit x", "list orphans",
    "list --related Serre", "list --related Nulle", "cat Serre", "cat Nulle", "cat ./", "cat Serre#Toit", "cat Serre#^toit", "cat Verrière",
    "edit Nulle", "edit --obsidian Serre", "edit --obsidian Nulle", "open --print Serre", "new Serre", "new Neuve", "new Neuve", "new .md",
    "new Autre --template Nul", "daily hier", "daily jamais", "mv Serre", "mv Serre Orangerie",
    "mv Serre Poireaux --yes", "mv Nulle Autre", "mv Serre ../x", "mv Serre Orangerie --yes", "rm Nulle",
    "rm Orangerie", "rm Orangerie --yes", "undo --yes", "undo Nulle --yes", "undo --list", "undo --list Nulle", "log",
    "replace poêle poile", "replace nul rien", "replace '' x", "replace poêle poile --yes", "undo --yes",
    "note", "status", "status Orangerie",
    "status Caché/Secret", "status Nulle", "status --sent", "status --sent x", "index", "index trop",
    "search --top 0 poêle", "search --index autre poêle",
    "setup skill --agents AGENTS.md --yes", "setup skill --agents AGENTS.md --yes", "setup install autre",
    "install", "setup install codex --dry-run", "setup rien", "mcp trop", "mcp --http --port 999999", "mcp --tools voler", "setup model",
    "setup model nul", "setup trust", "setup trust Nulle", "setup trust --list", "setup trust --revoke",
    "setup completion autre", "setup", "trust --list", "serve --port 999999", "ask 'que chauffe le poêle ?'", "ask",
    "ask --model nul:x q", "ask 'où est la girafe ?'", "pack", "why", "find poêle --max-tokens 110", "chat --foo",
    "recette", "--foo", "--lang xx", "--color x", "--config nul status", "status --vault nul",
]  # fmt: skip


@pytest.fixture
def coffre(tiny_vault: Callable[..., Any]) -> Path:
    root: Path = tiny_vault(NOTES, name="coffre").root
    return root


def left_in_english(text: str) -> list[str]:
    """Lines that have a word of English outside of what a person or note wrote."""
    return [line for line in text.splitlines() if ENGLISH.search(OWN.sub("", line))]


FOR_AGENTS = re.compile(r"search|find (?:fast|by_\w+|scoped|keyword)|.*--explain")
"""What agents and programs read: in a pipe it is English, and the document of `search` always."""


def test_no_word_of_english_is_left_in_a_pipe(
    run: Run, coffre: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


IN_ONE_PROCESS = """
import shlex, sys
from app.cli.main import main
for line in sys.argv[1:]:
    print(f"$ {line}", flush=True)
    main(shlex.split(line))
"""


def test_no_word_of_english_is_left_on_a_terminal(coffre: Path) -> None:
    # What asks a person would wait for an answer.
    waits = re.compile(r"(?:search|mv|rm|replace|undo|setup|edit|ask|chat|index|daily hier)\b")
    lines = [line for line in ASKED if not waits.match(line)]
    with Session(
        *lines,
        program=(sys.executable, "-c", IN_ONE_PROCESS),
        folder=coffre,
        environment={"LC_ALL": "fr_FR.UTF-8", "NO_PAGER": "1", "NO_COLOR": "1"},
    ) as session:
        session.end()
    shown = session.text.replace("\r\n", "\n").split("$ ")
    assert len(shown) == len(lines) + 1
    left = {each.partition("\n")[0]: left_in_english(each.partition("\n")[2]) for each in shown}
    assert {line: found for line, found in left.items() if found} == {}


def test_every_command_is_asked() -> None:
    assert {line.split()[0] for line in ASKED} >= set(COMMANDS) - {"chat"}
