"""A real resident gives what a process that works alone gives, byte for byte, and never anything older."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from app.tests.cli.conftest import Outcome
from app.tests.serving.conftest import ROOT, Process, settle

Run = Callable[..., Outcome]

ANSWERED = [
    ("find", "fast", "heating"),
    ("find", "fast", "heating", "--json"),
    ("find", "fast", "*", "--limit", "2", "--offset", "1", "--links"),
    ("find", "fast", "--queries", "heating", "--queries", "chauffage", "--explain", "--json"),
    ("find", "fast", "heating", "--max-chars", "500", "--min-score", "0.1"),
    ("find", "fast", "zeppelin"),
    ("find", "fast", "zeppelin", "--json"),
    ("find", "fulltext", '"the heating" -serre'),
    ("find", "fulltext", "greenhouse", "--date-field", "modified", "--json"),
    ("find", "by_tag", "--tags", "garden", "--json"),
    ("find", "by_tag", "--tag", "garden/glass", "--tag", "#other", "--match-all"),
    ("find", "by_link", "--note-path", "Home", "--direction", "both"),
    ("find", "by_link", "--note-path", "Home", "--direction", "forward", "--depth", "2", "--json"),
    ("find", "by_date", "--start-date", "2025-03-01", "--end-date", "2025-03", "--json"),
    ("find", "by_date", "--start-date", "today", "--date-field", "modified"),
    ("find", "combined", "heating", "--tags", "garden", "--folder", "projects"),
    ("find", "scoped", "heating", "--scopes", "project:garden", "--json"),
    ("find", "scoped", "heating", "--scopes", "nowhere/*"),
    ("find", "keyword", "what is electric", "--search-terms", "electric", "--search-terms", "électrique"),
    ("ask", "What about the heating of the greenhouse?"),
    ("ask", "Où en est la serre ?", "--json"),
    ("ask", "zeppelin"),
    ("--lang", "fr", "ask", "greenhouse"),
    ("--lang", "fr", "ask", "greenhouse", "--json"),
]
FAILING = [
    ("find", "deep", "heating"),
    ("find", "by_link", "--note-path", "Grenhouse"),
    ("find", "fulltext", "/(/"),
    ("find", "fast", "heating", "--index", "nowhere"),
    ("find", "scoped", "heating", "--scopes", "../elsewhere"),
    ("ask", "What?", "--model", "nobody:knows-it"),
]
REFUSED_HERE = [
    ("find", "fast", "heating", "--limit", "1000"),
    ("find", "by_tag"),
    ("ask", " "),
]


@pytest.fixture(autouse=True)
def at_home(words_alone: None, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    settle(monkeypatch, home)


@pytest.fixture
def vault(home: Path) -> str:
    return str(home / "garden")


def both(run: Run, watching: Process, *arguments: str) -> tuple[Outcome, Outcome, int]:
    """Run a command with the resident and alone, and count what the resident did for the first."""
    before = watching.answers()
    helped = run(*arguments)
    asked = watching.answers() - before
    return helped, run(*arguments, alone=True), asked


@pytest.mark.parametrize("arguments", ANSWERED, ids=" ".join)
def test_answers_are_equal(run: Run, watching: Process, vault: str, arguments: tuple[str, ...]) -> None:
    helped, alone, asked = both(run, watching, *arguments, "--vault", vault)
    assert asked == 1
    assert helped == alone
    assert alone.code in (0, 1)
    assert alone.out or alone.err


@pytest.mark.parametrize("arguments", FAILING, ids=" ".join)
def test_errors_are_equal(run: Run, watching: Process, vault: str, arguments: tuple[str, ...]) -> None:
    helped, alone, asked = both(run, watching, *arguments, "--vault", vault)
    assert asked == 1
    assert helped == alone
    assert (alone.code, alone.out) == (2, "")
    assert alone.err.startswith("error: ")


@pytest.mark.parametrize("arguments", REFUSED_HERE, ids=" ".join)
def test_what_is_no_request_is_refused_before_anybody_is_asked(
    run: Run, watching: Process, vault: str, arguments: tuple[str, ...]
) -> None:
    helped, alone, asked = both(run, watching, *arguments, "--vault", vault)
    assert asked == 0
    assert helped == alone
    assert alone.code == 2


def test_the_log_of_a_search_is_the_own_one(run: Run, watching: Process, vault: str) -> None:
    before = watching.answers()
    assert run("find", "fast", "heating", "--vault", vault, "--debug").code == 0
    assert watching.answers() == before


def test_what_was_changed_just_now_is_found(run: Run, watching: Process, vault: str) -> None:
    note = Path(vault, "new.md")
    for round_ in range(8):
        before = watching.answers()
        note.write_text(f"The quince{round_} is ripe.\n", encoding="utf-8")
        assert "new.md" in run("find", "fast", f"quince{round_}", "--vault", vault).out
        asked = run("ask", f"quince{round_}", "--vault", vault)
        assert f"The quince{round_} is ripe." in asked.out
        note.unlink()
        assert run("find", "fast", f"quince{round_}", "--vault", vault).code == 1
        assert watching.answers() == before + 3


def test_what_was_excluded_just_now_is_hidden(run: Run, watching: Process, vault: str) -> None:
    settings = Path(vault, ".obsidian/app.json")
    before, said = watching.answers(), settings.read_text(encoding="utf-8")
    settings.write_text('{"userIgnoreFilters": ["private/", "serre"]}', encoding="utf-8")
    assert run("find", "fast", "chauffage", "--vault", vault).code == 1
    settings.write_text(said, encoding="utf-8")
    assert run("find", "fast", "chauffage", "--vault", vault).code == 0
    assert watching.answers() == before + 2


def test_ten_clients_at_once_are_answered(watching: Process, vault: str) -> None:
    before = watching.answers()
    outputs: list[bytes] = []
    program = f"""
import sys, threading
from app.bootstrap import open_vault
from app.tests.serving.conftest import found_by_resident
def ask():
    found = found_by_resident(open_vault({vault!r}), operation="fast", query="heating")
    # One write a line: `print` writes the line's end apart, and another thread's line may come between.
    sys.stdout.write(f"{{found}}\\n")
threads = [threading.Thread(target=ask) for _ in range(5)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    processes = [
        subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE)
        for _ in "12"
    ]
    outputs = [process.communicate(timeout=200)[0] for process in processes]
    assert b"".join(outputs).splitlines() == [b"['projects/garden/Greenhouse.md']"] * 10
    assert watching.answers() == before + 10


def test_whoever_asks_imports_nothing_heavy(watching: Process, vault: str) -> None:
    before = watching.answers()
    program = f"""
import sys
from app.cli.main import main
assert main(["find", "fast", "heating", "--vault", {vault!r}]) == 0
assert main(["ask", "heating", "--vault", {vault!r}]) == 0
heavy = "torch transformers sentence_transformers onnxruntime faiss numpy whoosh markdown_it pydantic_ai watchfiles"
print(sorted(set(heavy.split()) & set(sys.modules)))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"[]"
    assert watching.answers() == before + 2


def test_notes_that_a_search_indexed_first_are_told_by_the_watcher(
    run: Run, watching: Process, vault: str
) -> None:
    told = watching.log.read_text(encoding="utf-8").count("notes in the index")
    note = Path(vault, "told.md")
    note.write_text("The medlar is ripe.\n", encoding="utf-8")
    assert run("find", "fast", "medlar", "--vault", vault).code == 0
    watching.wait_until(lambda: watching.log.read_text(encoding="utf-8").count("notes in the index") > told)
    note.unlink()


def test_a_thread_that_searches_meanwhile_does_no_harm(run: Run, watching: Process, vault: str) -> None:
    """Edits and searches from two sides: each search sees the edit before it."""
    from app.bootstrap import open_vault
    from app.tests.serving.conftest import found_by_resident

    opened, failures = open_vault(vault), list[str]()

    def edit(name: str) -> None:
        for count in range(20):
            word = f"{name}{count}"
            Path(vault, f"{name}.md").write_text(f"The {word}.\n", encoding="utf-8")
            found = found_by_resident(opened, operation="fast", query=word)
            if found != [f"{name}.md"]:
                failures.append(f"{word}: {found}")

    threads = [threading.Thread(target=edit, args=(name,)) for name in ("apple", "pear")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for name in ("apple", "pear"):
        Path(vault, f"{name}.md").unlink()
