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


def configure(work: Path, home: Path, **more: object) -> None:
    vaults = {"office": {"path": str(work)}, "flat": {"path": str(home)}}
    config_folder().mkdir(parents=True, exist_ok=True)
    text = json.dumps({"vaults": vaults, "groups": {"all": ["office", "flat"]}, **more})
    (config_folder() / "config.json").write_text(text)


def paths(run: Run, *arguments: str) -> list[str]:
    return sorted(hit["path"] for hit in run("find", "fast", "larch", "--json", *arguments).json["results"])


def test_several_vaults_are_searched_as_one_and_what_one_excludes_stays_hidden(
    run: Run, work: Path, home: Path
) -> None:
    found = paths(run, "--vault", str(work), "--vault", str(home))
    # The folder `private` is excluded in one of them, and not in the other.
    assert found == ["home:Table.md", "home:private/Open.md", "work:Plan.md"]
    hidden = run("find", "fast", "quixotry", "--vault", str(work), "--vault", str(home))
    assert (hidden.code, "Diary" in hidden.out, "secret" in hidden.out) == (1, False, False)
    one = paths(run, "--vault", str(work))
    assert one == ["Plan.md"]
    only = paths(run, "--vault", str(work), "--vault", str(home), "--scope", "home:private")
    assert only == ["home:private/Open.md"]


def test_a_vault_has_the_name_that_it_is_given(run: Run, work: Path, home: Path) -> None:
    configure(work, home)
    assert paths(run, "--vault", f"a={work}", "--vault", str(home)) == [
        "a:Plan.md",
        "flat:Table.md",
        "flat:private/Open.md",
    ]
    assert paths(run, "--vault", "all") == ["flat:Table.md", "flat:private/Open.md", "office:Plan.md"]
    assert paths(run, "--vault", f"a={work}") == ["Plan.md"]
    twice = run("find", "fast", "larch", "--vault", f"flat={work}", "--vault", str(home))
    assert twice.code == 2
    assert "two vaults are called 'flat'" in twice.err
    assert "--vault NAME=FOLDER" in twice.err
    single = run("cat", "Plan", "--vault", "all")
    assert single.code == 2
    assert "'all' stands for several vaults" in single.err


def test_the_configured_vault_may_be_a_group(run: Run, work: Path, home: Path) -> None:
    configure(work, home, vault="all")
    assert paths(run) == ["flat:Table.md", "flat:private/Open.md", "office:Plan.md"]
    configure(work, home, groups={"all": ["office", "attic"]})
    wrong = run("find", "fast", "larch", "--vault", "all")
    assert wrong.code == 2
    assert "list names of 'vaults': office, flat" in wrong.err


def test_a_vault_that_is_gone_is_said_and_the_other_answers(run: Run, work: Path, home: Path) -> None:
    shutil.rmtree(work)
    found = run("find", "fast", "larch", "--json", "--vault", str(work), "--vault", str(home))
    assert sorted(hit["path"] for hit in found.json["results"]) == ["home:Table.md", "home:private/Open.md"]
    assert "the vault 'work' did not answer: " in found.err
    assert found.code == 0


def test_pack_and_ask_name_the_vault_of_what_they_quote(run: Run, work: Path, home: Path) -> None:
    both = ("--vault", str(work), "--vault", str(home))
    packed = run("find", "How late was the larch?", "--max-tokens", "1200", "--json", *both).json
    assert packed["passages"][0]["path"] == "work:Plan.md"
    assert packed["tokens"] <= 1200
    told = run("ask", "--full", "How late was the larch?", *both)
    assert "(`work:Plan.md` line 3)" in told.out
    assert "## work:Plan.md" in told.out
    [claim] = [
        claim
        for claim in run("ask", "How late was the larch?", "--json", *both).json["claims"]
        if claim["quotation"] == "The larch came four weeks late."
    ]
    assert (claim["path"], claim["lines"]) == ("work:Plan.md", "3")


def test_paths_of_several_vaults_are_paths_that_other_programs_open(run: Run, work: Path, home: Path) -> None:
    both = ("--vault", str(work), "--vault", str(home))
    listed = run("find", "larch", "-l", *both).out.splitlines()
    assert sorted(Path(path).resolve() for path in listed) == [
        home / "Table.md", home / "private/Open.md", work / "Plan.md"
    ]  # fmt: skip
    ended = run("find", "larch", "-0", *both).out.split("\0")
    assert sorted(ended) == sorted(["", *listed])
    # Programs that read JSON go on with commands, which take the name of a vault.
    rows = [json.loads(line) for line in run("find", "larch", "--jsonl", *both).out.splitlines()]
    assert {row["path"] for row in rows} == {"work:Plan.md", "home:Table.md", "home:private/Open.md"}
