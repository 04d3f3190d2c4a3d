"""A vault, the command in this process, and residents: in this process, or real ones."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.bootstrap import open_vault
from app.cli.main import main
from app.serving.ask_resident import answer_by_resident
from app.serving.wire import Frame
from app.tests.cli.conftest import GARDEN, Outcome
from app.vault.client import VaultClient

ROOT = Path(__file__).parents[3]
WORDS_ALONE = '{"notes": {"embedding_model": null}}'


@pytest.fixture(autouse=True)
def words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Index words alone: loading a model takes seconds."""
    monkeypatch.setenv("VAULT_ASSISTANT_INDEX__INDEXES", WORDS_ALONE)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer for a resident than for a person's sake: on a busy machine a second is soon over."""
    monkeypatch.setattr("app.serving.wire.FIRST_SECONDS", 100.0)
    monkeypatch.setattr("app.serving.wire.QUIET_SECONDS", 100.0)


@pytest.fixture
def garden(tmp_path: Path) -> VaultClient:
    """Give a small vault, opened and indexed as the command does it."""
    return indexed(write_garden(tmp_path / "garden"))


def write_garden(root: Path) -> Path:
    """Write the notes of a small vault; not just now, so that the index looks at them once."""
    for path, text in GARDEN.items():
        note = root / path
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(text, encoding="utf-8")
        os.utime(note, (time.time() - 3600, time.time() - 3600))
    return root


def found_by_resident(vault: VaultClient, **parameters: object) -> list[str] | None:
    """Have a search answered by a resident: the paths that it prints; None where none answers."""
    form = {"is_json": True, "is_for_agent": True}
    answer = answer_by_resident(vault, {"call": "find", "parameters": parameters, **form})
    if answer is None:
        return None
    assert answer["err"] == ""
    return [result["path"] for result in json.loads(answer["out"])["results"]]


def said_by_resident(
    vault: VaultClient,
    question: str,
    model: str | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> Frame | None:
    """Have a question answered by a resident; None where none answers."""
    asked = {"call": "ask", "question": question, "model": model, "is_json": True, "is_full": False}
    return answer_by_resident(vault, asked, tell)


def indexed(root: Path) -> VaultClient:
    """Open a vault and bring its index up to date."""
    from app.search.searcher import searcher_for

    vault = open_vault(str(root))
    searcher_for(vault).update()
    return vault


@dataclass(frozen=True)
class Process:
    """A real resident, and what it wrote to its log."""

    process: "subprocess.Popen[bytes]"
    log: Path

    def answers(self) -> int:
        """Count the answers it gave."""
        return self.log.read_text(encoding="utf-8").count("resident_answered")

    def wait_until(self, met: Callable[[], bool]) -> None:
        """Wait for something that takes it a moment."""
        while not met():
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            time.sleep(0.02)


def started(log: Path, *arguments: str, ready: str = "Ctrl-C ends") -> Process:
    """Start the command with the environment of the test, and wait until it says that it is ready."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.cli.main", "--debug", *arguments],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            cwd=log.parent,
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=out,
            # A background job would be deaf to Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
    resident = Process(process, log)
    resident.wait_until(lambda: ready in log.read_text(encoding="utf-8"))
    return resident


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Start real processes, and end those that the test has not."""
    processes: list[Process] = []

    def call(*arguments: str, ready: str = "Ctrl-C ends") -> Process:
        processes.append(started(tmp_path / f"log{len(processes)}", *arguments, ready=ready))
        return processes[-1]

    yield call
    for resident in processes:
        ended(resident)


def ended(resident: Process, how: int = signal.SIGKILL) -> int:
    """End a process and give its exit code."""
    resident.process.send_signal(how)
    resident.process.communicate(timeout=200)
    return resident.process.returncode


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Outcome]:
    """Run the command in this process and an empty folder; ``alone`` forbids it to ask a resident."""
    empty = tmp_path / "elsewhere"
    empty.mkdir()
    monkeypatch.chdir(empty)

    def call(*arguments: str, alone: bool = False) -> Outcome:
        monkeypatch.setenv("VAULT_ASSISTANT_RESIDENT", str(not alone))
        code = main(arguments)
        monkeypatch.delenv("VAULT_ASSISTANT_RESIDENT")
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return Outcome(code, said.out, said.err)

    return call


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder for what one real resident shares with all tests of a module."""
    return tmp_path_factory.mktemp("resident")


@pytest.fixture(scope="module")
def watching(home: Path) -> Iterator[Process]:
    """Start ``index --watch`` once for a module."""
    with pytest.MonkeyPatch.context() as patch:
        settle(patch, home)
        resident = started(home / "log", "index", "--watch", "--vault", str(write_garden(home / "garden")))
        resident.wait_until(lambda: any((home / "cache/resident").glob("*.sock")))
        yield resident
        ended(resident)


def settle(patch: pytest.MonkeyPatch, home: Path) -> None:
    """Give tests the settings of the real resident."""
    patch.setenv("VAULT_ASSISTANT_CACHE_DIR", str(home / "cache"))
    patch.setenv("VAULT_ASSISTANT_STATE_DIR", str(home / "state"))
    patch.setenv("VAULT_ASSISTANT_INDEX__INDEXES", WORDS_ALONE)
    patch.setenv("HOME", str(home))
