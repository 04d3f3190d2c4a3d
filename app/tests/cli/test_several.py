"""Several vaults on the command line: named in one way, asked as one, and none shown through another."""

import json
import shutil
from pathlib import Path

import pytest

from app.config.folders import config_folder
from app.tests.cli.conftest import Run
from app.tests.conftest import MakeVault

WORK = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Plan.md": "# Plan\n\nThe larch came four weeks late.\n",
    "private/Diary.md": "# Diary\n\nA larch secret of quixotry.\n",
}
HOME = {
    "Table.md": "# Table\n\nA larch table for the larch hall.\n",
    "private/Open.md": "# Open\n\nlarch, openly\n",
}


@pytest.fixture
def work(tiny_vault: MakeVault) -> Path:
    return tiny_vault(WORK, name="work").root


@pytest.fixture
def home(tiny_vault: MakeVault) -> Path:
    return tiny_vault(HOME, name="home").root


def paths(run: Run, *arguments: str) -> list[str]:
    return sorted(hit["path"] for hit in run("find", "fast", "larch", "--json", *arguments).json["results"])


def test_several_vaults_are_searched_as_one_and_what_one_excludes_stays_hidden(
    run: Run, work: Path, home: Path
) -> None:
    both = ("--vault", str(work), "--vault", str(home))
    # The folder `private` is excluded in one of them, and not in the other.
    assert paths(run, *both) == ["home:Table.md", "home:private/Open.md", "work:Plan.md"]
    hidden = run("find", "fast", "quixotry", *both)
    assert (hidden.code, "Diary" in hidden.out, "secret" in hidden.out) == (1, False, False)
    assert paths(run, *both, "--scope", "home:private") == ["home:private/Open.md"]
    # Paths are such as other programs open; programs that read JSON go on with commands, which take a vault's name.
    listed = run("find", "larch", "-l", *both).out.splitlines()
    assert sorted(map(Path, listed)) == [home / "Table.md", home / "private/Open.md", work / "Plan.md"]
    rows = run("find", "larch", "--json", *both).json["results"]
    assert {row["path"] for row in rows} == {"work:Plan.md", "home:Table.md", "home:private/Open.md"}
    told = run("ask", "--full", "How late was the larch?", *both)
    assert "(`work:Plan.md` line 3)" in told.out
    assert "## work:Plan.md" in told.out
    shutil.rmtree(work)
    alone = run("find", "fast", "larch", "--json", *both)
    assert {hit["path"] for hit in alone.json["results"]} == {"home:Table.md", "home:private/Open.md"}
    assert (alone.code, "the vault 'work' did not answer: " in alone.err) == (0, True)


def test_a_vault_has_the_name_that_it_is_given(run: Run, work: Path, home: Path) -> None:
    config_folder().mkdir(parents=True, exist_ok=True)
    values = {
        "vault": "all",
        "vaults": {"office": {"path": str(work)}, "flat": {"path": str(home)}},
        "groups": {"all": ["office", "flat"]},
    }
    (config_folder() / "config.json").write_text(json.dumps(values))
    named = ["a:Plan.md", "flat:Table.md", "flat:private/Open.md"]
    assert paths(run, "--vault", f"a={work}", "--vault", str(home)) == named
    every = ["flat:Table.md", "flat:private/Open.md", "office:Plan.md"]
    assert paths(run) == paths(run, "--vault", "all") == every
    assert paths(run, "--vault", f"a={work}") == ["Plan.md"]
    twice = run("find", "fast", "larch", "--vault", f"flat={work}", "--vault", str(home))
    assert (twice.code, "two vaults are called 'flat'" in twice.err) == (2, True)
    single = run("cat", "Plan", "--vault", "all")
    assert (single.code, "'all' stands for several vaults" in single.err) == (2, True)
    values["groups"] = {"all": ["office", "attic"]}
    (config_folder() / "config.json").write_text(json.dumps(values))
    wrong = run("find", "fast", "larch", "--vault", "all")
    assert (wrong.code, "list names of 'vaults': office, flat" in wrong.err) == (2, True)
